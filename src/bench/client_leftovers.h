/*
 * What a client process with an embedded driver leaves in memory when it is killed.
 */
#ifndef BENCH_CLIENT_LEFTOVERS_H
#define BENCH_CLIENT_LEFTOVERS_H

/* Removes the driver directories under /dev/shm that a process, which must be dead, made for
 * itself. */
void client_leftovers_remove(long pid);

#endif
