/** What finds out what this device has: each probe a reader of a few files or one program. */
package dev.weft.agent.probe;
