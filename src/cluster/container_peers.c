/*
 * What the members of a cluster say to each other through the log: under which configuration the
 * leader runs, and how the state of each is at positions that all of them come to. Who differs from
 * most others ends, loudly, and is not started again before somebody has looked.
 *
 * Called by the duty cycle and for entries of internal sessions.
 */
#define _GNU_SOURCE
#include "cluster/container_internal.h"

#include "aeron/secret_file.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "cluster/module_counters.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SPACE_INTERVAL_NS INT64_C(1000000000)
#define SAY_AGAIN_NS      INT64_C(5000000000)

/* ---- The mark of a member that has diverged ---- */

oc_err_t container_check_mark(const member_config_t *config)
{
    char path[sizeof((container_t *)0)->archive_dir];
    char line[400] = "";
    member_config_path(config, CONTAINER_DIVERGED_MARK, path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file && errno != ENOENT)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    if (!file)
        return OC_ERR_OK;
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    (void)fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return error_set(OC_ERR_DAMAGED,
                     "%s: this member has diverged (%s): compare it (outcry cluster diff), then "
                     "seed it anew from another member (outcry cluster seed)",
                     path, line);
}

static oc_err_t write_mark(const container_t *self, const char *line)
{
    char path[sizeof self->archive_dir];
    char text[512];
    const int length = snprintf(text, sizeof text, "%.500s\n", line);
    member_config_path(&self->config, CONTAINER_DIVERGED_MARK, path, sizeof path);
    return atomic_file_write(path, text, (size_t)length);
}

/* ---- The internal client ---- */

static oc_err_t find_secret(const container_t *self, secret_file_secret_t *secret)
{
    const node_config_t *node = &self->config.node;
    *secret = (secret_file_secret_t){0};
    if (node->authentication != NODE_AUTH_SECRETS)
        return OC_ERR_OK;
    return secret_file_find(node->secrets_file, REPLICA_HOST_PRINCIPAL, secret);
}

static oc_err_t create_client(container_t *self)
{
    char endpoints[MEMBER_COUNT_MAX * NODE_TEXT_MAX];
    secret_file_secret_t secret;
    if (!member_config_endpoints(&self->config, endpoints, sizeof endpoints))
        return error_set(OC_ERR_TOO_LONG, "the list of the members' ingress endpoints");
    oc_err_t err = find_secret(self, &secret);
    if (err != OC_ERR_OK)
        return err;
    const member_client_config_t config = {
        .endpoints = endpoints,
        .aeron_dir = embedded_dir(self->embedded),
        .secret = secret.length > 0 ? secret.bytes : NULL,
        .secret_length = secret.length,
    };
    err = member_client_create(&self->client, &config);
    explicit_bzero(&secret, sizeof secret);
    return err;
}

oc_err_t container_peers_create(container_t *self)
{
    int32_t members[MEMBER_COUNT_MAX];
    const uint32_t count = member_config_count(&self->config);
    for (uint32_t i = 0; i < count; i++)
        members[i] = (int32_t)i;
    divergence_init(&self->divergence, (int32_t)self->config.id, members, count);
    return create_client(self);
}

/* ---- Saying ---- */

static void say(container_t *self, member_message_t *message)
{
    message->member = (int32_t)self->config.id;
    if (self->client)
        member_client_say(self->client, message);
}

/* Said until it comes back in the log: a message may be lost with the leader that it went to. */
void container_peers_leading(container_t *self)
{
    self->configuration_due = true;
    self->said_ns = 0;
}

static void say_configuration(container_t *self)
{
    log_record_t record;
    replica_configuration(&self->replica, &record);
    member_message_t message = {.type = MEMBER_CONFIGURATION,
                                .max_timers = record.max_timers,
                                .length = record.length,
                                .bytes = record.bytes};
    say(self, &message);
}

void container_peers_compare(container_t *self)
{
    const divergence_hashes_t own = {
        .state = replica_state_hash(&self->replica),
        .output = replica_output_hash(&self->replica),
    };
    member_message_t message = {.type = MEMBER_CHECK,
                                .position = self->log.position,
                                .state_hash = own.state,
                                .output_hash = own.output};
    if (self->divergence.count < 2)
        return; /* there is nobody to compare with */
    divergence_own(&self->divergence, self->log.position, &own);
    say(self, &message);
}

/* ---- Hearing ---- */

/* What its state is now is kept by the duty cycle, for this is inside the poll of the log. */
static oc_err_t end_diverged(container_t *self, const divergence_report_t *report)
{
    char line[400];
    if (report->verdict == DIVERGENCE_SPLIT)
        (void)snprintf(line, sizeof line,
                       "at position %" PRIu64 " no majority of the members agrees; state hash here "
                       "%016" PRIx64 ", output hash %016" PRIx64,
                       report->position, report->own.state, report->own.output);
    else
        (void)snprintf(line, sizeof line,
                       "at position %" PRIu64 " the state hash is %016" PRIx64
                       " (output %016" PRIx64 ") here, and %016" PRIx64 " (output %016" PRIx64
                       ") on most members; they agreed last at position %" PRIu64,
                       report->position, report->own.state, report->own.output, report->other.state,
                       report->other.output, report->agreed_position);
    self->diverged = true;
    if (write_mark(self, line) != OC_ERR_OK)
        (void)fprintf(stderr, "outcry: %s\n", oc_err_context());
    return error_set(OC_ERR_DAMAGED, "this member has diverged: %s", line);
}

static oc_err_t take_check(container_t *self, const member_message_t *message)
{
    divergence_report_t report = {.verdict = DIVERGENCE_NONE};
    if (self->divergence.count < 2)
        return OC_ERR_OK;
    divergence_vote(&self->divergence, message, &report);
    switch (report.verdict) {
    case DIVERGENCE_NONE:
        break;
    case DIVERGENCE_OTHER:
        (void)fprintf(stderr,
                      "outcry: member %" PRId32 " has diverged: at position %" PRIu64
                      " its state hash is %016" PRIx64 " (output %016" PRIx64
                      "), here and on most members %016" PRIx64 " (output %016" PRIx64 ")\n",
                      report.member, report.position, report.other.state, report.other.output,
                      report.own.state, report.own.output);
        break;
    case DIVERGENCE_SELF:
    case DIVERGENCE_SPLIT:
        return end_diverged(self, &report);
    }
    return OC_ERR_OK;
}

/*
 * A log has one configuration. Whoever has an image or a snapshot of it, or has heard the first
 * word on it, has been held against it: what differs later is not the log's, and must end nobody,
 * now or at a later start. Where members are believed without a proof, anybody may have said it.
 */
static oc_err_t doubt_configuration(container_t *self, oc_err_t err)
{
    char why[512];
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    if (!self->configuration_known && self->image_sequence == 0 && self->recovery.position == 0)
        return error_set(err,
                         "%s; all members need the configuration that the log was made under: give "
                         "it to this one, or begin a new log with another one on all",
                         why);
    if (!self->configuration_told)
        (void)fprintf(stderr, "outcry: not heeded, for the log was begun under this one: %s\n",
                      why);
    self->configuration_told = true;
    return OC_ERR_OK;
}

static oc_err_t take_configuration(container_t *self, const member_message_t *message)
{
    char what[64];
    const log_record_t record = {.type = LOG_CONFIGURATION,
                                 .max_timers = message->max_timers,
                                 .length = message->length,
                                 .bytes = message->bytes};
    (void)snprintf(what, sizeof what, "the log (as member %" PRId32 " led)", message->member);
    const oc_err_t err = replica_check_configuration(&self->replica, &record, what);
    if (err != OC_ERR_OK)
        return doubt_configuration(self, err);
    if (message->member == (int32_t)self->config.id)
        self->configuration_due = false;
    self->configuration_known = true;
    return err;
}

oc_err_t container_peers_said(container_t *self, const member_message_t *message)
{
    switch (message->type) {
    case MEMBER_CHECK:
        return take_check(self, message);
    case MEMBER_CONFIGURATION:
        return take_configuration(self, message);
    case MEMBER_NOTICE: /* the service's, and it has it */
        if (message->member == (int32_t)self->config.id)
            self->notice_due = false;
        break;
    }
    return OC_ERR_OK;
}

/* ---- Space for the log ---- */

/* Once each time it becomes low: all members' services then take on nothing new. */
static void watch_space(container_t *self)
{
    struct statvfs info;
    if (statvfs(self->config.node.dir, &info) != 0)
        return;
    const bool low = (uint64_t)info.f_bavail * info.f_frsize < self->config.low_space_bytes;
    if (low == self->low_space)
        return;
    self->low_space = low;
    (void)fprintf(stderr, "outcry: %s: %s\n", self->config.node.dir,
                  low ? "space is low: all members' services are told to take on nothing new"
                      : "there is space again");
    self->notice_due = low;
    self->said_ns = 0;
}

static void say_due(container_t *self)
{
    member_message_t notice = {
        .type = MEMBER_NOTICE, .position = self->log.position, .notice = OC_NOTICE_STORAGE_LOW};
    if (self->said_ns != 0 && self->monotonic_ns - self->said_ns < SAY_AGAIN_NS)
        return;
    self->said_ns = self->monotonic_ns;
    if (self->notice_due)
        say(self, &notice);
    if (self->configuration_due && self->role == OC_HOST_ACTIVE)
        say_configuration(self);
}

/* Until the module takes it: another action may be under way. */
static void ask_for_end(container_t *self)
{
    if (self->stop_due && self->role == OC_HOST_ACTIVE &&
        self->link.toggle(self->link.context, MODULE_TOGGLE_SHUTDOWN))
        self->stop_due = false;
}

/* Once: whoever does it can do it a thousand times. */
static void tell_forged(container_t *self)
{
    self->forged_told = true;
    (void)fprintf(stderr,
                  "outcry: somebody who is no member sends messages in a member's session; they do "
                  "no harm, but who can send them can send them in clients' sessions too: let only "
                  "trusted hosts reach the members' ingress ports\n");
}

void container_peers_do_work(container_t *self)
{
    if (self->log.forged > 0 && !self->forged_told)
        tell_forged(self);
    if (self->notice_due || self->configuration_due)
        say_due(self);
    if (self->stop_due)
        ask_for_end(self);
    if (self->monotonic_ns < self->space_check_ns)
        return;
    self->space_check_ns = self->monotonic_ns + SPACE_INTERVAL_NS;
    watch_space(self);
}
