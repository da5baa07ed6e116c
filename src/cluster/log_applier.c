/*
 * The log of a cluster, entry by entry. Called by the container for what the module gives it, and
 * by private replays for what they read.
 *
 * Invariants: what is done to the replica follows from the log alone. The checksum covers every
 * entry, whether it means something to the replica or not. Timers that are due at an entry's time
 * are applied before it, at the positions behind the entry before: so their order is (deadline, id)
 * as in a node, whatever timer of the module brought the entry. Padding between the two counts for
 * nothing, for only some members learn of it. It must not ask the role, a clock or the module.
 *
 * The module takes a session's message from whoever names the session. What strangers say in the
 * sessions of members is told apart by its seal (cluster/member_key.h); what they say in the
 * sessions of clients nobody can tell apart.
 */
#define _GNU_SOURCE
#include "cluster/log_applier.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "cluster/member_key.h"

#include <inttypes.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)

/* Bytes of the log behind the place where a notice was said. One that is lost is said again. */
#define NOTICE_REACH (UINT64_C(64) << 20)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the checksum has positions as bytes");
_Static_assert(LOG_APPLIER_TIMERS_MAX < 64, "an entry takes a frame of 64 bytes at least");

static int64_t unit_ns(cluster_time_unit_t unit)
{
    switch (unit) {
    case CLUSTER_TIME_MICROS:
        return 1000;
    case CLUSTER_TIME_NANOS:
        return 1;
    case CLUSTER_TIME_MILLIS:
        break;
    }
    return 1000000;
}

/* Times that do not fit are cut: they are past every deadline, or before all time. */
static int64_t to_ns(cluster_time_unit_t unit, int64_t timestamp)
{
    int64_t time_ns;
    if (__builtin_mul_overflow(timestamp, unit_ns(unit), &time_ns))
        return timestamp < 0 ? 0 : INT64_MAX - SECOND_NS;
    return time_ns;
}

int64_t log_applier_to_unit(const log_applier_t *self, int64_t time_ns)
{
    const int64_t unit = unit_ns(self->time_unit);
    return time_ns / unit + (time_ns % unit > 0);
}

void log_applier_init(log_applier_t *self, replica_t *replica, int64_t cluster_id,
                      int64_t time_interval_ns)
{
    OC_ASSERT(replica->entries == 0);
    OC_ASSERT(time_interval_ns > 0);
    *self = (log_applier_t){
        .replica = replica,
        .cluster_id = cluster_id,
        .time_interval_ns = time_interval_ns,
        .leadership_term = CLUSTER_NULL_VALUE,
    };
}

void log_applier_restored(log_applier_t *self, const image_place_t *place)
{
    OC_ASSERT(self->replica->entries > 0);
    OC_ASSERT(place->term > 0);
    self->position = place->position;
    self->entry_position = place->position;
    self->checksum = place->log_checksum;
    self->log_id = place->log_id;
    self->leadership_term = (int64_t)place->term - 1;
    self->time_unit = (cluster_time_unit_t)place->group;
    self->skip_until = 0;
}

void log_applier_skip(log_applier_t *self, uint64_t position, uint32_t checksum)
{
    OC_ASSERT(position < self->position);
    log_applier_place(self, &self->skip_place);
    self->skip_until = self->position;
    self->skip_checksum = self->checksum;
    self->position = position;
    self->checksum = checksum;
}

void log_applier_place(const log_applier_t *self, image_place_t *place)
{
    OC_ASSERT(self->log_id != 0);
    if (self->position < self->skip_until) { /* nothing was applied since */
        *place = self->skip_place;
        return;
    }
    place->log_id = self->log_id;
    place->position = self->entry_position;
    place->group = (uint64_t)self->time_unit;
    replica_place(self->replica, place);
    place->term = (uint32_t)(self->leadership_term + 1);
    place->log_checksum = self->checksum;
}

int64_t log_applier_deadline_ns(const log_applier_t *self)
{
    const replica_t *replica = self->replica;
    const oc_service_t *service = replica->service;
    timer_entry_t timer;
    int64_t deadline_ns = INT64_MAX;
    if (replica->entries == 0)
        return deadline_ns;
    if (timer_queue_first(&replica->timers, &timer))
        deadline_ns = timer.deadline_ns;
    if (service->time && service->busy && service->busy(service->context)) {
        const int64_t time_ns = replica->entry.time_ns; /* never below 0, so nothing overflows */
        if (deadline_ns > time_ns && deadline_ns - time_ns > self->time_interval_ns)
            deadline_ns = time_ns + self->time_interval_ns;
    }
    return deadline_ns;
}

void log_applier_pass_padding(log_applier_t *self, uint64_t position)
{
    OC_ASSERT(position >= self->position);
    self->position = position;
}

/* ---- Applying ---- */

static oc_err_t apply(log_applier_t *self, const log_record_t *record, uint64_t position,
                      int64_t time_ns)
{
    const oc_log_entry_t entry = {
        .position = position, .term = (uint32_t)(self->leadership_term + 1), .time_ns = time_ns};
    return replica_apply(self->replica, &entry, record);
}

static oc_err_t fire_timers(log_applier_t *self, uint64_t before, int64_t time_ns)
{
    timer_entry_t timer;
    for (uint64_t n = 1; n <= LOG_APPLIER_TIMERS_MAX; n++) {
        if (!timer_queue_first(&self->replica->timers, &timer) || timer.deadline_ns > time_ns)
            return OC_ERR_OK;
        const log_record_t record = {.type = LOG_TIMER, .timer = timer.id};
        const oc_err_t err = apply(self, &record, before + n, time_ns);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* The first entry of a log is a term's; no two logs have the same one. */
static oc_err_t apply_term(log_applier_t *self, const cluster_log_entry_t *entry, uint64_t position)
{
    log_record_t record;
    if (self->replica->entries > 0)
        return OC_ERR_OK;
    const uint64_t id = mix(mix(mix((uint64_t)self->cluster_id, (uint64_t)entry->timestamp),
                                (uint64_t)entry->log_session),
                            (uint64_t)entry->term);
    self->log_id = id == 0 ? 1 : id;
    replica_configuration(self->replica, &record);
    const int64_t time_ns = to_ns(self->time_unit, entry->timestamp);
    return apply(self, &record, position, time_ns > 0 ? time_ns : 0);
}

/* A name that the host's structs hold, "anonymous" if there is none. */
static bool take_principal(const cluster_text_t *from, oc_principal_t *principal)
{
    const cluster_text_t nobody = {.bytes = "anonymous", .length = 9};
    const cluster_text_t *name = from->length == 0 ? &nobody : from;
    if (name->length >= OC_PRINCIPAL_SIZE || memchr(name->bytes, '\0', name->length))
        return false;
    *principal = (oc_principal_t){{0}};
    memcpy(principal->name, name->bytes, name->length);
    return true;
}

static void refuse(const log_applier_t *self, oc_session_id_t session)
{
    if (self->hooks)
        self->hooks->refuse(self->hooks->context, session);
}

static oc_err_t apply_open(log_applier_t *self, const cluster_log_entry_t *entry, uint64_t position,
                           int64_t time_ns)
{
    gateway_open_t open = {.correlation_id = entry->correlation_id,
                           .response_stream = entry->response_stream,
                           .channel_length = entry->channel.length};
    const session_ledger_t *sessions = &self->replica->sessions;
    const oc_session_id_t session = {(uint64_t)entry->session};
    if (entry->channel.length >= GATEWAY_CHANNEL_MAX ||
        !take_principal(&entry->principal, &open.principal) ||
        sessions->state->count == sessions->capacity) {
        refuse(self, session);
        return OC_ERR_OK;
    }
    if (entry->channel.length > 0)
        memcpy(open.response_channel, entry->channel.bytes, entry->channel.length);
    const log_record_t record = {.type = LOG_SESSION_OPEN, .session = session, .open = &open};
    return apply(self, &record, position, time_ns);
}

static oc_close_reason_t close_reason(int32_t reason)
{
    return reason == 0 ? OC_CLOSE_CLIENT : reason == 1 ? OC_CLOSE_SERVICE : OC_CLOSE_TIMEOUT;
}

static oc_err_t apply_close(log_applier_t *self, const cluster_log_entry_t *entry,
                            uint64_t position, int64_t time_ns)
{
    const oc_session_id_t session = {(uint64_t)entry->session};
    const log_record_t record = {
        .type = LOG_SESSION_CLOSE, .session = session, .reason = close_reason(entry->close_reason)};
    if (!session_ledger_find(&self->replica->sessions, session))
        return OC_ERR_OK; /* one that was refused */
    return apply(self, &record, position, time_ns);
}

/* Who has heard a notice may say it once more, seal and all: so it counts only near where it was
 * said. Those of version 1 do not tell where. */
static bool is_recent(const member_message_t *notice, uint64_t position)
{
    return notice->position == MEMBER_POSITION_NONE ||
           (notice->position <= position && position - notice->position <= NOTICE_REACH);
}

/* What a member says to all. A message that is none is of a client that took the name, one without
 * the session's seal of a stranger who named the session: they do no harm. */
static oc_err_t apply_said(log_applier_t *self, const cluster_log_entry_t *entry,
                           const oc_principal_t *principal, uint64_t position, int64_t time_ns)
{
    member_message_t message;
    const cluster_text_t *payload = &entry->payload;
    if (member_message_decode(payload->bytes, payload->length, &message) != OC_PROBLEM_NONE)
        return OC_ERR_OK;
    if (!self->hooks && message.type != MEMBER_NOTICE)
        return OC_ERR_OK; /* to check it takes time, and nobody is told */
    if (!member_key_is_genuine(principal, entry->session, payload->bytes, payload->length)) {
        self->forged++;
        return OC_ERR_OK;
    }
    if (message.type == MEMBER_NOTICE && !is_recent(&message, position))
        return OC_ERR_OK;
    if (message.type == MEMBER_NOTICE && message.notice >= OC_NOTICE_STORAGE_LOW &&
        message.notice <= OC_NOTICE_RECOVERED) {
        const log_record_t record = {.type = LOG_NOTICE, .notice = (oc_notice_t)message.notice};
        const oc_err_t err = apply(self, &record, position, time_ns);
        if (err != OC_ERR_OK)
            return err;
    }
    return self->hooks ? self->hooks->said(self->hooks->context, &message) : OC_ERR_OK;
}

/* Members compare at the first message of each second of the log's time that has one, whatever
 * other entries came before it in that second. A restart costs one comparison more. */
static void note_message(log_applier_t *self, int64_t time_ns)
{
    self->check_due = time_ns / SECOND_NS != self->message_ns / SECOND_NS;
    self->message_ns = time_ns;
}

static oc_err_t apply_message(log_applier_t *self, const cluster_log_entry_t *entry,
                              uint64_t position, int64_t time_ns)
{
    const oc_session_id_t session = {(uint64_t)entry->session};
    const ledger_session_t *open = session_ledger_find(&self->replica->sessions, session);
    if (!open) {
        refuse(self, session); /* again: who asked the module first may have asked in vain */
        return OC_ERR_OK;
    }
    if (replica_is_host_session(&open->open))
        return apply_said(self, entry, &open->open.principal, position, time_ns);
    note_message(self, time_ns);
    const log_record_t record = {.type = LOG_MESSAGE,
                                 .session = session,
                                 .bytes = entry->payload.bytes,
                                 .length = entry->payload.length};
    return apply(self, &record, position, time_ns);
}

static oc_err_t apply_time(log_applier_t *self, uint64_t position, int64_t time_ns)
{
    const oc_service_t *service = self->replica->service;
    const log_record_t record = {.type = LOG_TIME};
    if (!service->time || !service->busy || !service->busy(service->context))
        return OC_ERR_OK;
    return apply(self, &record, position, time_ns);
}

static oc_err_t apply_entry(log_applier_t *self, const cluster_log_entry_t *entry,
                            uint64_t position, int64_t time_ns)
{
    switch (entry->type) {
    case CLUSTER_LOG_TERM:
        return apply_term(self, entry, position);
    case CLUSTER_LOG_OPEN:
        return apply_open(self, entry, position, time_ns);
    case CLUSTER_LOG_CLOSE:
        return apply_close(self, entry, position, time_ns);
    case CLUSTER_LOG_MESSAGE:
        return apply_message(self, entry, position, time_ns);
    case CLUSTER_LOG_TIMER:
        return apply_time(self, position, time_ns);
    case CLUSTER_LOG_ACTION:
    case CLUSTER_LOG_MEMBERSHIP:
    case CLUSTER_LOG_OTHER:
        break;
    }
    return OC_ERR_OK;
}

/* The entry is behind what the image has: only what the module's term says is taken from it. */
static oc_err_t pass_over(log_applier_t *self, uint64_t position)
{
    if (position > self->skip_until)
        return error_set(OC_ERR_DAMAGED,
                         "the image of position %" PRIu64 " is not of this log: no entry ends "
                         "there; move the newest image away and start again",
                         self->skip_until);
    if (position == self->skip_until && self->checksum != self->skip_checksum)
        return error_set(OC_ERR_DAMAGED,
                         "the image of position %" PRIu64 " is not of this log: the log's checksum "
                         "there is %08" PRIx32 ", the image says %08" PRIx32 "; move the newest "
                         "image away and start again",
                         self->skip_until, self->checksum, self->skip_checksum);
    return OC_ERR_OK;
}

/* A change of membership is nothing that a service could see, so no time passes by it. */
static bool has_timestamp(const cluster_log_entry_t *entry)
{
    return entry->type != CLUSTER_LOG_OTHER && entry->type != CLUSTER_LOG_MEMBERSHIP;
}

static void tell(const log_applier_t *self)
{
    const log_applier_hooks_t *hooks = self->hooks;
    if (!hooks)
        return;
    if (self->entry.type == CLUSTER_LOG_TERM)
        hooks->term(hooks->context, &self->entry);
    else if (self->check_due)
        hooks->check(hooks->context);
}

/* The clock of what was applied: of an entry whose time is before that of the one before, that
 * one's. */
static int64_t entry_time_ns(const log_applier_t *self, const cluster_log_entry_t *entry)
{
    const replica_t *replica = self->replica;
    const int64_t time_ns = has_timestamp(entry) ? to_ns(self->time_unit, entry->timestamp) : 0;
    return time_ns > replica->entry.time_ns ? time_ns : replica->entry.time_ns;
}

static void take_term(log_applier_t *self, const cluster_log_entry_t *entry)
{
    self->leadership_term = entry->term;
    self->time_unit = (cluster_time_unit_t)entry->time_unit;
    self->app_version = entry->app_version;
}

static oc_err_t apply_new(log_applier_t *self, const cluster_log_entry_t *entry, uint64_t before,
                          uint64_t position)
{
    const replica_t *replica = self->replica;
    if (replica->entries == 0 && entry->type != CLUSTER_LOG_TERM)
        return error_set(OC_ERR_DAMAGED,
                         "the log begins at position %" PRIu64 " with no leadership term: is this "
                         "the log of a cluster from its beginning?",
                         before);
    const int64_t time_ns = entry_time_ns(self, entry);
    oc_err_t err = replica->entries > 0 ? fire_timers(self, before, time_ns) : OC_ERR_OK;
    if (err == OC_ERR_OK)
        err = apply_entry(self, entry, position, time_ns);
    if (err == OC_ERR_OK)
        tell(self);
    return err;
}

static oc_err_t refuse_foreign(size_t length, uint64_t position)
{
    return error_set(OC_ERR_FORMAT,
                     "log entry at position %" PRIu64 " (%zu bytes) is not of the cluster's "
                     "protocol (schema 111); which version of Aeron wrote it?",
                     position, length);
}

static oc_err_t take_entry(log_applier_t *self, const cluster_log_entry_t *entry, const void *bytes,
                           size_t length, uint64_t position)
{
    const uint64_t before = self->position;
    const uint64_t entry_before = self->entry_position;
    if (position < before + 64)
        return error_set(OC_ERR_DAMAGED,
                         "log entry at position %" PRIu64 " cannot follow position %" PRIu64,
                         position, before);
    self->checksum = crc32c(crc32c(self->checksum, &position, sizeof position), bytes, length);
    self->position = position;
    self->entry_position = position;
    if (has_timestamp(entry))
        self->timestamp = entry->timestamp;
    if (entry->type == CLUSTER_LOG_TERM)
        take_term(self, entry);
    self->entry = *entry;
    self->skipped = before < self->skip_until;
    self->check_due = false;
    return self->skipped ? pass_over(self, position)
                         : apply_new(self, entry, entry_before, position);
}

oc_err_t log_applier_take(log_applier_t *self, const void *bytes, size_t length, uint64_t position)
{
    cluster_log_entry_t entry;
    return cluster_log_decode(bytes, length, &entry) == OC_PROBLEM_NONE
               ? take_entry(self, &entry, bytes, length, position)
               : refuse_foreign(length, position);
}

oc_err_t log_applier_take_read(log_applier_t *self, const log_read_t *message)
{
    const recording_message_t *raw = &message->raw;
    const uint64_t position = (uint64_t)raw->position;
    return message->result == OC_PROBLEM_NONE
               ? take_entry(self, &message->entry, raw->bytes, raw->length, position)
               : refuse_foreign(raw->length, position);
}
