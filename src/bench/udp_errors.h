/*
 * What Linux threw away of the UDP datagrams that reached a process: the errors of its network
 * namespace (IPv4 and IPv6 together), and what its own sockets dropped because they were full.
 *
 * The namespace's errors may be anybody's in it; the drops are the process's own.
 */
#ifndef BENCH_UDP_ERRORS_H
#define BENCH_UDP_ERRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define UDP_ERRORS_SOCKETS_MAX 1024

typedef struct udp_errors {
    uint64_t rcvbuf_errors; /* RcvbufErrors: a socket's receive buffer was full */
    uint64_t in_errors;     /* InErrors: those, and wrong checksums and the like */
    uint64_t socket_drops;  /* of the process's UDP sockets, while they are open */
    uint64_t sockets;       /* how many it has */
    bool namespace_known;
    bool sockets_known; /* it has some, and all of them were seen */
} udp_errors_t;

/* The values now; what cannot be read is 0 and not known. `pid` 0 is this process. */
void udp_errors_read(udp_errors_t *self, pid_t pid);

/* ---- The files of /proc/PID/net, as texts. Each adds to *self; false: no such values in it. -- */

/* snmp: a line of names and one of numbers, both beginning with "Udp:". */
bool udp_errors_add_snmp(udp_errors_t *self, const char *text);

/* snmp6: a name and a number on each line. */
bool udp_errors_add_snmp6(udp_errors_t *self, const char *text);

/* udp, udp6: the drops of the sockets with one of `inodes`. */
bool udp_errors_add_sockets(udp_errors_t *self, const char *text, const uint64_t *inodes,
                            size_t count);

#endif
