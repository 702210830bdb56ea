/** Contracts of the policies that split jobs and place tasks. */
@Export
@Version("0.1.0")
package dev.weft.api.policy;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
