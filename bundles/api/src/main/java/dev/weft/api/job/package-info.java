/** What a user submits, after it has been checked. */
@Export
@Version("0.1.0")
package dev.weft.api.job;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
