/**
 * A cluster in virtual time: nodes, the network between them and the manager, and the resource
 * manager's pool, as models. They know only the messages; a driver puts a real core among them. All
 * randomness comes from one seed.
 */
package dev.weft.scheduler.simulation;
