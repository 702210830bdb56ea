/**
 * The shared pool as a persistent data structure: nodes by id, and the first node of an order that
 * fits a demand.
 */
package dev.weft.resources.pool;
