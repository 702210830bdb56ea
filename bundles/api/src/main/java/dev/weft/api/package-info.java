/** Identifiers, amounts of resources and faults: the words every other package speaks. */
@Export
@Version("0.1.0")
package dev.weft.api;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
