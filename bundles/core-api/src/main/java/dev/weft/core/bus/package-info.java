/** The soft bus as other bundles see it: peers, messages, requests and answers. */
@Export
@Version("0.1.0")
package dev.weft.core.bus;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
