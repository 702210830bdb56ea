/** Probes that find out what a Linux machine has, from the kernel's files and nvidia-smi. */
package dev.weft.agent.probe;
