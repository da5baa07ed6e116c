/*
 * A member's recording of the log as the source of a proof. Called by the demo of a cluster and by
 * the tests that kill members.
 *
 * Invariants: nothing of the member but its archive's files and the list of them is looked at, so
 * that images, snapshots and what the member says of itself stay out of the proof. It only reads.
 */
#include "bench/cluster_proof.h"

#include "base/error.h"
#include "cluster/log_applier.h"
#include "cluster/log_reader.h"
#include "cluster/recording.h"
#include "cluster/recording_log.h"
#include "codec/cluster_service_codec.h"
#include "codec/member_codec.h"
#include "journal/journal.h"
#include "service/exchange.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4200 };

#define TIME_INTERVAL_NS INT64_C(1000000) /* decides only when a member asks for entries of time */

typedef struct member_log {
    char archive_dir[PATH_SIZE];
    int64_t recording;
    int64_t limit;       /* what ends behind it is not read */
    uint32_t max_timers; /* as the configuration says; 0: not read yet */
} member_log_t;

static oc_err_t find_log(member_log_t *self, const char *dir, uint64_t position)
{
    char cluster_dir[PATH_SIZE];
    recording_log_t list;
    const int length = snprintf(self->archive_dir, PATH_SIZE, "%s/archive", dir);
    if (length < 0 || length >= PATH_SIZE)
        return error_set(OC_ERR_TOO_LONG, "the directory's name is too long");
    (void)snprintf(cluster_dir, PATH_SIZE, "%s/cluster", dir);
    const oc_err_t err = recording_log_read(&list, cluster_dir);
    self->recording = err == OC_ERR_OK ? recording_log_log(&list) : -1;
    self->limit = position == 0 ? INT64_MAX : (int64_t)position;
    recording_log_fini(&list);
    if (err != OC_ERR_OK)
        return err;
    return self->recording >= 0 ? OC_ERR_OK
                                : error_set(OC_ERR_OPEN, "%s: there is no log yet", dir);
}

/* Whether the message of the log says a configuration. Only members have this schema to say. */
static bool take_configuration(const recording_message_t *message, member_message_t *said)
{
    cluster_log_entry_t entry;
    return cluster_log_decode(message->bytes, message->length, &entry) == OC_PROBLEM_NONE &&
           entry.type == CLUSTER_LOG_MESSAGE &&
           member_message_decode(entry.payload.bytes, entry.payload.length, said) ==
               OC_PROBLEM_NONE &&
           said->type == MEMBER_CONFIGURATION;
}

static oc_err_t find_configuration(const member_log_t *self, recording_reader_t *reader,
                                   member_message_t *said)
{
    bool found = true;
    while (found) {
        recording_message_t message;
        const oc_err_t err = log_reader_next(reader, self->limit, &message, &found);
        if (err != OC_ERR_OK)
            return err;
        if (found && take_configuration(&message, said))
            return OC_ERR_OK;
    }
    return error_set(OC_ERR_FORMAT,
                     "%s: in recording %" PRId64 " up to position %" PRId64
                     " no member says its configuration",
                     self->archive_dir, self->recording, self->limit);
}

static oc_err_t log_configuration(void *context, void *bytes, size_t size, size_t *length)
{
    member_log_t *self = context;
    recording_reader_t *reader;
    member_message_t said = {0};
    oc_err_t err = recording_reader_open(&reader, self->archive_dir, self->recording, 0);
    if (err != OC_ERR_OK)
        return err;
    err = find_configuration(self, reader, &said);
    if (err == OC_ERR_OK && said.length > size)
        err = error_set(OC_ERR_TOO_LONG, "the log's configuration has %" PRIu32 " bytes",
                        said.length);
    if (err == OC_ERR_OK) {
        memcpy(bytes, said.bytes, said.length);
        *length = said.length;
        self->max_timers = said.max_timers;
    }
    recording_reader_close(reader);
    return err;
}

static oc_err_t apply_all(const member_log_t *self, recording_reader_t *reader,
                          log_applier_t *applier)
{
    for (;;) {
        log_read_t message;
        bool found;
        oc_err_t err = log_reader_next_entry(reader, self->limit, &message, &found);
        if (err != OC_ERR_OK || !found)
            return err;
        err = log_applier_take_read(applier, &message);
        if (err != OC_ERR_OK)
            return err;
    }
}

static oc_err_t replay(const member_log_t *self, replica_t *replica, recovery_log_end_t *end)
{
    recording_reader_t *reader;
    log_applier_t applier;
    log_applier_init(&applier, replica, 0, TIME_INTERVAL_NS);
    oc_err_t err = recording_reader_open(&reader, self->archive_dir, self->recording, 0);
    if (err != OC_ERR_OK)
        return err;
    err = apply_all(self, reader, &applier);
    if (err == OC_ERR_OK)
        *end = (recovery_log_end_t){
            .entries = replica->entries,
            .position = (uint64_t)recording_reader_position(reader),
            .state_hash = replica_state_hash(replica),
            .output_hash = replica_output_hash(replica),
        };
    recording_reader_close(reader);
    return err;
}

static oc_err_t log_replay(void *context, const oc_service_t *service, recovery_log_end_t *end)
{
    const member_log_t *self = context;
    replica_t replica;
    const replica_config_t config = {
        .max_sessions = REPLICA_SESSIONS_MAX,
        .max_timers = self->max_timers,
        .message_max = JOURNAL_PAYLOAD_MAX,
    };
    oc_err_t err = replica_init(&replica, service, &config);
    if (err != OC_ERR_OK)
        return err;
    err = replay(self, &replica, end);
    replica_fini(&replica);
    return err;
}

oc_err_t cluster_proof(const char *dir, uint64_t position, const char *responses,
                       recovery_proof_t *proof)
{
    member_log_t self = {.recording = -1};
    const recovery_log_t log = {
        .context = &self, .configuration = log_configuration, .replay = log_replay};
    *proof = (recovery_proof_t){0};
    const oc_err_t err = find_log(&self, dir, position);
    return err == OC_ERR_OK ? recovery_proof_of(&log, responses, proof) : err;
}

oc_err_t cluster_proof_end(const char *dir, uint64_t position, recovery_log_end_t *end)
{
    member_log_t self = {.recording = -1};
    const recovery_log_t log = {
        .context = &self, .configuration = log_configuration, .replay = log_replay};
    *end = (recovery_log_end_t){0};
    const oc_err_t err = find_log(&self, dir, position);
    return err == OC_ERR_OK ? recovery_proof_replay(&log, OC_ENGINE_FAST, end) : err;
}
