/**
 * How tasks flow through the scheduler, as plain classes: the size of the buffer pool (D2), the
 * order of the queue before it, and the states of jobs, tasks and attempts.
 */
package dev.weft.scheduler.flow;
