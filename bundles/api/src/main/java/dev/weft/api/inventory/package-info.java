/** What a device has, and the probes that find out. */
@Export
@Version("0.1.0")
package dev.weft.api.inventory;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
