/** Turns what the services tell into tables for people and JSON for programs. */
package dev.weft.shell.render;
