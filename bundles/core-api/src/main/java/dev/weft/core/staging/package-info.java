/** Moving inputs to nodes and results back. */
@Export
@Version("0.1.0")
package dev.weft.core.staging;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
