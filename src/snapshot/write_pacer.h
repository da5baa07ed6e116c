/*
 * The pace at which an image is written beside a log on the same disk: as fast as the log's syncs
 * do not suffer from it, and no faster than a limit.
 *
 * The time of the log's syncs is compared with what it was while nothing was written. Above that
 * the rate falls by a quarter, below it rises by an eighth, at most once every 5 ms and only when
 * there is a new time. One that has not changed by a nanosecond for 250 ms is an old one: nobody
 * waits for the log then, and the rate rises. What is quiet is learned after a rest; later it
 * follows lower times, and higher ones only while no more is written than must be.
 *
 * No clock, no memory: everything is handed in, so the same calls give the same answers. One
 * thread.
 */
#ifndef SNAPSHOT_WRITE_PACER_H
#define SNAPSHOT_WRITE_PACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WRITE_PACER_RATE_MIN   (UINT64_C(16) << 20)  /* bytes/s: an image must come to an end */
#define WRITE_PACER_RATE_START (UINT64_C(100) << 20) /* left syncs as they were where measured */
#define WRITE_PACER_RATE_MAX   (UINT64_C(8) << 30)   /* without a limit of the configuration */
#define WRITE_PACER_ADJUST_NS  UINT64_C(5000000)
#define WRITE_PACER_OLD_NS     UINT64_C(250000000)
#define WRITE_PACER_REST_NS    UINT64_C(1000000000)
#define WRITE_PACER_NOISE_NS   UINT64_C(20000) /* above the quiet time: means nothing */

typedef struct write_pacer {
    uint64_t rate_min; /* bytes/s */
    uint64_t rate_max;
    uint64_t rate;
    uint64_t unpaid_bytes; /* written since the last look */
    uint64_t due_ns;       /* the next write */
    uint64_t adjusted_ns;  /* when the rate was looked at last */
    uint64_t seen_ns;      /* the last look; 0: none yet */
    uint64_t sync_ns;      /* what the last adjustment saw, */
    uint64_t changed_ns;   /* and when it was first seen */
    uint64_t quiet_ns;     /* time of syncs while nothing is written; 0: not known */
    bool fresh;            /* nothing was looked at since write_pacer_begin() */
    bool hurry;
} write_pacer_t;

/* `bytes_per_s_max`: 0 means no limit but WRITE_PACER_RATE_MAX. */
void write_pacer_init(write_pacer_t *self, uint64_t bytes_per_s_max);

/* A file begins: if nothing was looked at for WRITE_PACER_REST_NS, the time of syncs at the next
 * look is a quiet one. */
void write_pacer_begin(write_pacer_t *self);

/* So many bytes were written. */
void write_pacer_wrote(write_pacer_t *self, size_t bytes);

/* How long to wait before the next write, in ns; `now_ns` never falls. `sync_ns`: time of the log's
 * syncs of late, 0: none. */
uint64_t write_pacer_wait_ns(write_pacer_t *self, uint64_t now_ns, uint64_t sync_ns);

/* Nothing has to be waited for while it is set. */
void write_pacer_hurry(write_pacer_t *self, bool hurry);

#endif
