/** The Gogo console of the running framework, and Weft's commands in it. */
package dev.weft.shell.console;
