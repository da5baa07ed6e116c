/*
 * Applier, replica and counting service. Used by the tests of what applies logs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/applier_rig.h"
#include "lib/arena_pages.h"

#include <stdlib.h>
#include <string.h>

static void on_refuse(void *context, oc_session_id_t session)
{
    applier_rig_t *rig = context;
    if (rig->refused_count < APPLIER_RIG_KEPT)
        rig->refused[rig->refused_count] = session.value;
    rig->refused_count++;
}

static void on_term(void *context, const cluster_log_entry_t *entry)
{
    applier_rig_t *rig = context;
    if (rig->term_count < APPLIER_RIG_KEPT)
        rig->terms[rig->term_count] = entry->term;
    rig->term_count++;
}

static oc_err_t on_said(void *context, const member_message_t *message)
{
    applier_rig_t *rig = context;
    if (rig->said_count < APPLIER_RIG_KEPT)
        rig->said[rig->said_count] = *message;
    rig->said_count++;
    return rig->said_answer == OC_ERR_OK ? OC_ERR_OK : error_set(rig->said_answer, "as asked for");
}

static void on_check(void *context)
{
    applier_rig_t *rig = context;
    if (rig->check_count < APPLIER_RIG_KEPT)
        rig->checks[rig->check_count] = rig->log.position;
    rig->check_count++;
}

static void on_opened(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      const gateway_open_t *open)
{
    (void)entry, (void)session, (void)open;
    ((applier_rig_t *)context)->outlet_opened++;
}

static void on_closed(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      oc_close_reason_t reason)
{
    (void)entry, (void)session, (void)reason;
    ((applier_rig_t *)context)->outlet_closed++;
}

static void on_send(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                    const void *bytes, size_t length)
{
    applier_rig_t *rig = context;
    assert_int_equal(length, sizeof(tally_answer_t));
    assert_true(rig->sent_count < APPLIER_RIG_KEPT);
    memcpy(&rig->sent[rig->sent_count], bytes, length);
    rig->sent_at[rig->sent_count] = *entry;
    rig->sent_to[rig->sent_count++] = session.value;
}

static void on_stop(void *context)
{
    (void)context;
}

void applier_rig_init_quiet(applier_rig_t *rig)
{
    const replica_config_t config = {APPLIER_RIG_SESSIONS, APPLIER_RIG_TIMERS, 1024};
    memset(rig, 0, sizeof *rig);
    tally_init(&rig->tally);
    tally_keep_stream(&rig->tally);
    assert_int_equal(replica_init(&rig->replica, &rig->tally.service, &config), OC_ERR_OK);
    log_applier_init(&rig->log, &rig->replica, APPLIER_RIG_CLUSTER, APPLIER_RIG_INTERVAL_NS);
}

void applier_rig_init(applier_rig_t *rig)
{
    applier_rig_init_quiet(rig);
    rig->hooks = (log_applier_hooks_t){
        .context = rig, .refuse = on_refuse, .term = on_term, .said = on_said, .check = on_check};
    rig->log.hooks = &rig->hooks;
    rig->outlet = (replica_outlet_t){
        .context = rig, .opened = on_opened, .closed = on_closed, .send = on_send, .stop = on_stop};
    replica_activate(&rig->replica, &rig->outlet);
}

void applier_rig_fini(applier_rig_t *rig)
{
    replica_fini(&rig->replica);
}

void applier_rig_feed(applier_rig_t *rig, const log_maker_t *log)
{
    if (log_maker_feed(log, &rig->next, &rig->log) != OC_ERR_OK)
        fail_msg("entry %u: %s", (unsigned)rig->next, oc_err_context());
}

void applier_rig_feed_fails(applier_rig_t *rig, const log_maker_t *log, oc_err_t err,
                            const char *part)
{
    assert_int_equal(log_maker_feed(log, &rig->next, &rig->log), err);
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' does not say '%s'", oc_err_context(), part);
}

typedef struct bytes_source {
    const uint8_t *bytes;
    size_t left;
} bytes_source_t;

static oc_err_t take_bytes(void *context, void *bytes, size_t length)
{
    bytes_source_t *self = context;
    assert_true(length <= self->left);
    memcpy(bytes, self->bytes, length);
    self->bytes += length;
    self->left -= length;
    return OC_ERR_OK;
}

void applier_rig_restore(applier_rig_t *to, const applier_rig_t *from)
{
    uint8_t *bytes;
    size_t length;
    image_place_t place;
    log_applier_place(&from->log, &place);
    assert_int_equal(replica_capture(&from->replica, &bytes, &length), OC_ERR_OK);
    bytes_source_t source = {bytes, length};
    assert_int_equal(to->tally.service.restore(&to->tally, take_bytes, &source), OC_ERR_OK);
    free(bytes);
    arena_pages_copy_one(&from->replica.arena, &to->replica.arena);
    const replica_outlet_t *outlet = to->replica.outlet;
    to->replica.outlet = NULL;
    const oc_log_entry_t last = {
        .position = place.position, .term = place.term, .time_ns = place.time_ns};
    assert_int_equal(replica_restored(&to->replica, &last, place.entries), OC_ERR_OK);
    to->replica.outlet = outlet;
    log_applier_restored(&to->log, &place);
    to->next = from->next;
}
