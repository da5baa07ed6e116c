/*
 * The past: from what is on the device to a replica that is where it was. Called by the node at its
 * start, and by proofs on a copy or beside a running node.
 *
 * State and position come from recovery_run() alone: today from the beginning of the log; with
 * images from the newest one that is complete and agrees with the log, and the entries after it. It
 * changes nothing on the device. An empty result can only come from a log that has no entry: if the
 * beginning of the log is missing, the journal refuses.
 */
#define _GNU_SOURCE
#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "host/node_internal.h"

#include <stdlib.h>
#include <string.h>

enum { REPLAY_SESSIONS_MAX = 65536 };

oc_err_t recovery_run(replica_t *replica, journal_t *journal, journal_verdict_t *verdict)
{
    OC_ASSERT(replica->entries == 0);
    OC_ASSERT(!replica->outlet);
    const log_position_t from = {0};
    const oc_err_t err = journal_recover(journal, from, replica_read, replica, verdict);
    if (err == OC_ERR_OK)
        OC_ASSERT(verdict->entries == replica->entries);
    return err;
}

/* Keeps what the first entry says, and ends the reading there. */
typedef struct first_entry {
    log_configuration_t header;
    uint8_t bytes[LOG_CONFIGURATION_MAX];
    bool found;
} first_entry_t;

static oc_err_t take_first(void *context, const journal_entry_t *entry)
{
    first_entry_t *first = context;
    log_record_t record;
    if (!log_record_decode(&record, entry->type, entry->payload, entry->length) ||
        record.type != LOG_CONFIGURATION)
        return error_set(OC_ERR_DAMAGED, "the log does not begin with a configuration entry");
    first->header.max_timers = record.max_timers;
    first->header.length = record.length;
    memcpy(first->bytes, record.bytes, record.length);
    first->found = true;
    return OC_ERR_CLOSED; /* no error: enough was read */
}

static oc_err_t open_read_only(journal_t **journal, const char *dir)
{
    journal_config_t config;
    journal_config_init(&config);
    config.dir = dir;
    config.read_only = true;
    return journal_open(journal, &config);
}

static oc_err_t read_first(const char *dir, first_entry_t *first)
{
    journal_t *journal;
    journal_verdict_t verdict;
    first->found = false;
    oc_err_t err = open_read_only(&journal, dir);
    if (err != OC_ERR_OK)
        return err;
    err = journal_recover(journal, (log_position_t){0}, take_first, first, &verdict);
    if (first->found)
        err = OC_ERR_OK;
    (void)journal_close(journal);
    return err;
}

oc_err_t node_log_configuration(const char *dir, void *bytes, size_t size, size_t *length)
{
    *length = 0;
    first_entry_t first;
    const oc_err_t err = read_first(dir, &first);
    if (err != OC_ERR_OK || !first.found)
        return err;
    if (first.header.length > size)
        return error_set(OC_ERR_TOO_LONG, "the configuration in the log has %u bytes",
                         first.header.length);
    memcpy(bytes, first.bytes, first.header.length);
    *length = first.header.length;
    return OC_ERR_OK;
}

static void fill_report(const replica_t *replica, const journal_verdict_t *verdict,
                        node_report_t *report)
{
    report->verdict = *verdict;
    report->replayed = replica->entries;
    report->entries = replica->entries;
    report->position = replica->entry.position;
    report->state_hash = replica_state_hash(replica);
    report->term = verdict->term;
    report->sessions = replica->sessions.count;
}

oc_err_t node_replay(const char *dir, const oc_service_t *service, node_report_t *report)
{
    *report = (node_report_t){0};
    const uint64_t start_ns = clock_wall_ns();
    first_entry_t first;
    oc_err_t err = read_first(dir, &first);
    if (err != OC_ERR_OK)
        return err;
    replica_t replica;
    const replica_config_t config = {
        .max_sessions = REPLAY_SESSIONS_MAX,
        .max_timers = first.found ? first.header.max_timers : 1,
        .message_max = JOURNAL_PAYLOAD_MAX,
    };
    err = replica_init(&replica, service, &config);
    if (err != OC_ERR_OK)
        return err;
    journal_t *journal;
    err = open_read_only(&journal, dir);
    if (err != OC_ERR_OK)
        goto fini_replica;
    journal_verdict_t verdict;
    err = recovery_run(&replica, journal, &verdict);
    if (err == OC_ERR_OK)
        fill_report(&replica, &verdict, report);
    (void)journal_close(journal);
    report->recovery_ns = clock_wall_ns() - start_ns;
fini_replica:
    replica_fini(&replica);
    return err;
}
