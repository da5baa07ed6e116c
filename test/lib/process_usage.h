/*
 * What a process holds of the machine, as the kernel tells it.
 */
#ifndef LIB_PROCESS_USAGE_H
#define LIB_PROCESS_USAGE_H

#include <stdint.h>
#include <sys/types.h>

typedef struct process_usage {
    uint64_t rss_kib; /* VmRSS: resident memory, shared pages too */
    uint32_t handles; /* open file descriptors */
} process_usage_t;

/* Reads it; the test fails if there is no such process. */
process_usage_t process_usage(pid_t pid);

/* Page faults of the calling thread so far that no device took part in. */
long process_page_faults(void);

#endif
