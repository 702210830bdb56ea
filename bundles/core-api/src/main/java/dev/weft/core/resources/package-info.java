/** The resource manager as the task scheduler and the shell see it. */
@Export
@Version("0.1.0")
package dev.weft.core.resources;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
