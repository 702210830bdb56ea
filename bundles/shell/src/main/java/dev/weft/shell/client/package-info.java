/** The command-line client: a plain program without OSGi. */
package dev.weft.shell.client;
