/*
 * Traces from files: CSV (calc/trace_csv.h), pcap and pcapng, told apart by their first bytes. Of a
 * capture each UDP datagram over IPv4 or IPv6 becomes a send of the size of its payload, on links
 * of the types that bench/udp_packet.h knows; times have nanoseconds where the file has them.
 */
#ifndef BENCH_TRACE_FILE_H
#define BENCH_TRACE_FILE_H

#include "calc/trace_csv.h"

/* What a file had; of a CSV the first one only, its rows. */
typedef struct trace_file_counts {
    uint64_t packets;   /* all */
    uint64_t fragments; /* of UDP datagrams: left out */
    uint64_t other;     /* no UDP over IP, or no payload: left out */
    uint64_t damaged;   /* headers that are wrong or were not captured whole: left out */
    uint64_t back;      /* taken at the time of the one before, because theirs is earlier */
} trace_file_counts_t;

/*
 * Reads a whole file, so that the first send is at 0. On success the caller owns what is in *trace:
 * trace_fini(). Errors name the file, the packet or line, and what is wrong: OC_ERR_OPEN,
 * OC_ERR_READ, OC_ERR_FORMAT (no sends at all too), OC_ERR_TOO_LONG (more than 30 days),
 * OC_ERR_NO_MEMORY.
 */
OC_MUST_CHECK oc_err_t trace_file_read(trace_t *trace, const char *path,
                                       trace_file_counts_t *counts);

/* The same from an open file, which is taken and closed; `name` is for messages. */
OC_MUST_CHECK oc_err_t trace_file_read_stream(trace_t *trace, FILE *file, const char *name,
                                              trace_file_counts_t *counts);

#endif
