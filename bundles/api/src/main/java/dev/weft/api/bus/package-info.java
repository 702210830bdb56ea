/** Contracts of transports and discoveries under the soft bus. */
@Export
@Version("0.1.0")
package dev.weft.api.bus;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
