/** Serves command-line clients over a Unix domain socket that only the manager's user can open. */
package dev.weft.shell.server;
