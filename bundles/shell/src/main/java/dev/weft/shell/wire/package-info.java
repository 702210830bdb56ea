/** What the command-line client and the manager say to each other over the socket. */
package dev.weft.shell.wire;
