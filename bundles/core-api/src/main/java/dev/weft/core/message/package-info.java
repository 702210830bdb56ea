/** What managers and agents say to each other. */
@Export
@Version("0.1.0")
package dev.weft.core.message;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
