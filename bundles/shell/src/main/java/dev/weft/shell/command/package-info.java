/**
 * Every command, once: the console and the command line run the same classes. Nothing here knows
 * OSGi or sockets.
 */
package dev.weft.shell.command;
