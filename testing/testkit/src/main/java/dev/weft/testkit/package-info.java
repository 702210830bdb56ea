/** Tools and contract tests for plug-ins of Weft. */
package dev.weft.testkit;
