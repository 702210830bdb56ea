/** The task scheduler as its clients see it. */
@Export
@Version("0.1.0")
package dev.weft.core.job;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
