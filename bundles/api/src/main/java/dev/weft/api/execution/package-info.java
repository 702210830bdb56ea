/** Contract of the executors that run attempts on a node. */
@Export
@Version("0.1.0")
package dev.weft.api.execution;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
