/*
 * Readings of counters of loss. Called by the bursts' bench around each run.
 *
 * Invariant: a counter that cannot be read is never taken for 0 by who judges: it is not known.
 */
#define _GNU_SOURCE
#include "bench/loss_counters.h"

#include "base/assert.h"
#include "bench/qdisc_drops.h"
#include "bench/udp_errors.h"

#include <string.h>

/* Aeron: the type of the driver's own counters, whose key is their number. */
#define SYSTEM_TYPE   0
#define NOT_OF_DRIVER (-1)

typedef struct loss_kind {
    const char *name;
    int32_t system; /* its number in the driver */
} loss_kind_t;

/* Aeron has the numbers in no public header; the unit test holds them against a driver's labels. */
static const loss_kind_t kinds[LOSS_COUNTERS] = {
    [LOSS_NAKS_SENT] = {"naks_sent", 5},
    [LOSS_NAKS_RECEIVED] = {"naks_received", 6},
    [LOSS_RETRANSMITS] = {"retransmits", 11},
    [LOSS_RETRANSMIT_OVERFLOWS] = {"retransmit_overflows", 37},
    [LOSS_FLOW_CONTROL_LIMITS] = {"flow_control_limits", 18},
    [LOSS_FLOW_CONTROL_OVER_RUNS] = {"flow_control_over_runs", 13},
    [LOSS_FLOW_CONTROL_UNDER_RUNS] = {"flow_control_under_runs", 12},
    [LOSS_GAP_FILLS] = {"loss_gap_fills", 23},
    [LOSS_SHORT_SENDS] = {"short_sends", 16},
    [LOSS_INVALID_PACKETS] = {"invalid_packets", 14},
    [LOSS_DRIVER_ERRORS] = {"driver_errors", 15},
    [LOSS_UDP_SOCKET_DROPS] = {"udp_socket_drops", NOT_OF_DRIVER},
    [LOSS_UDP_RCVBUF_ERRORS] = {"udp_rcvbuf_errors", NOT_OF_DRIVER},
    [LOSS_UDP_IN_ERRORS] = {"udp_in_errors", NOT_OF_DRIVER},
    [LOSS_QDISC_DROPS] = {"qdisc_drops", NOT_OF_DRIVER},
    [LOSS_LINK_LOST] = {"link_lost", NOT_OF_DRIVER},
};

const char *loss_name(loss_counter_t counter)
{
    OC_ASSERT(counter < LOSS_COUNTERS);
    return kinds[counter].name;
}

static void set(loss_reading_t *reading, loss_counter_t counter, uint64_t value)
{
    reading->values[counter] = value;
    reading->known[counter] = true;
}

static void read_driver(const counter_table_t *table, loss_reading_t *reading)
{
    for (int i = 0; i <= LOSS_DRIVER_LAST; i++) {
        counter_t counter;
        const counter_key_t key = {SYSTEM_TYPE, 0, sizeof(int32_t), kinds[i].system};
        if (counter_table_find(table, &key, &counter))
            set(reading, (loss_counter_t)i, (uint64_t)counter_value(&counter));
    }
}

static void read_udp(pid_t driver, loss_reading_t *reading)
{
    udp_errors_t errors;
    udp_errors_read(&errors, driver);
    if (errors.sockets_known)
        set(reading, LOSS_UDP_SOCKET_DROPS, errors.socket_drops);
    if (errors.namespace_known) {
        set(reading, LOSS_UDP_RCVBUF_ERRORS, errors.rcvbuf_errors);
        set(reading, LOSS_UDP_IN_ERRORS, errors.in_errors);
    }
}

oc_err_t loss_read(const loss_source_t *source, loss_reading_t *reading)
{
    memset(reading, 0, sizeof *reading);
    if (source->table)
        read_driver(source->table, reading);
    read_udp(source->driver, reading);
    if (source->qdisc_show == NULL)
        return OC_ERR_OK;
    qdisc_drops_t drops;
    const oc_err_t err = qdisc_drops_read(&drops, source->qdisc_show);
    if (err != OC_ERR_OK)
        return err;
    set(reading, LOSS_QDISC_DROPS, drops.dropped);
    if (drops.lost_known)
        set(reading, LOSS_LINK_LOST, drops.lost);
    return OC_ERR_OK;
}

void loss_difference(const loss_reading_t *before, const loss_reading_t *after,
                     loss_reading_t *difference)
{
    memset(difference, 0, sizeof *difference);
    for (int i = 0; i < LOSS_COUNTERS; i++) {
        if (!before->known[i] || !after->known[i])
            continue;
        set(difference, (loss_counter_t)i,
            after->values[i] > before->values[i] ? after->values[i] - before->values[i] : 0);
    }
}
