/** What gives a core its thread and its clock, and keeps foreign code off it. */
@Export
@Version("0.1.0")
package dev.weft.core.loop;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
