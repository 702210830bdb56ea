/**
 * A network that loses, doubles, delays and reorders frames as a seed tells it, in virtual time.
 */
package dev.weft.testkit.network;
