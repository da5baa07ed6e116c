/*
 * The consensus module and archive as the container sees them, over Aeron. Created by member_run.c.
 *
 * Invariants: the client is stepped by do_work() and by functions that wait, never from inside a
 * poll; a counter is believed only while its registration is the one that was found; everything
 * that is added is added without waiting for ever.
 */
#define _GNU_SOURCE
#include "cluster/module_aeron.h"

#include "aeron/archive_session.h"
#include "aeron/counter_table.h"
#include "aeron/endpoint.h"
#include "aeron/record_publisher.h"
#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "cluster/module_counters.h"
#include "codec/cluster_service_codec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types of the module's counters, and where in their keys the cluster's id is. */
enum {
    COUNTER_TOGGLE = 202,
    COUNTER_COMMIT_POSITION = 203,
    COUNTER_RECOVERY = 204,
    RECOVERY_CLUSTER_OFFSET = 24,
    RECOVERY_SERVICES_OFFSET = 28,
    RECOVERY_SNAPSHOT_OFFSET = 32,
};

/* The state goes out in messages as long as they may be, so that there are few. */
#define SNAPSHOT_CHANNEL "aeron:ipc?alias=snapshot|term-length=16m|mtu=65504|sparse=true"

#define ADD_TIMEOUT_NS     UINT64_C(10000000000)
#define ARCHIVE_TIMEOUT_NS INT64_C(10000000000)
#define RECORD_STALL_NS    UINT64_C(10000000000)
#define ARCHIVE_STEP_NS    UINT64_C(1000000)

struct module_aeron {
    embedded_t *embedded;
    int64_t cluster_id;
    counter_table_t *counters;
    aeron_publication_t *to_module;
    aeron_subscription_t *from_module;
    aeron_fragment_assembler_t *control_assembler;
    module_control_handler_t control_handler; /* of the poll that runs */
    void *control_context;

    counter_t commit;
    bool found;

    aeron_async_add_subscription_t *log_adding;
    aeron_subscription_t *log_subscription;
    aeron_image_t *log_image;
    aeron_image_controlled_fragment_assembler_t *log_assembler;
    int32_t log_session;
    uint64_t log_joined;
    uint64_t log_left;                /* up to where the log that was left was polled */
    module_log_handler_t log_handler; /* of the poll that runs */
    void *log_context;

    archive_session_t *archive;
    bool archive_connected;
    uint64_t archive_step_ns; /* when it was stepped last */
    archive_recording_t log_recording;
    bool log_recording_known;
    uint64_t log_looked_ns; /* for it, the last time */

    aeron_exclusive_publication_t *snapshot;
    record_publication_t snapshot_publication;
    record_publisher_t snapshot_publisher;
    int32_t snapshot_session;
    archive_recording_t snapshot_recording;
    uint64_t snapshot_put_ns; /* when the record that is being put was offered first */
};

static int step(module_aeron_t *self)
{
    return embedded_do_work(self->embedded);
}

static oc_err_t failed(const char *what)
{
    return error_set(OC_ERR_TRANSPORT, "%s: %s", what, embedded_error_line());
}

static endpoint_request_t endpoint(const module_aeron_t *self, const char *what,
                                   const char *channel, int32_t stream)
{
    return (endpoint_request_t){.embedded = self->embedded,
                                .what = what,
                                .channel = channel,
                                .stream = stream,
                                .timeout_ns = ADD_TIMEOUT_NS};
}

/* ---- The module ---- */

/* After an error the next step connects anew. */
static void step_archive(module_aeron_t *self)
{
    const uint64_t now_ns = clock_wall_ns();
    if (!self->archive || now_ns - self->archive_step_ns < ARCHIVE_STEP_NS)
        return;
    self->archive_step_ns = now_ns;
    if (archive_session_step(self->archive, &self->archive_connected) != OC_ERR_OK)
        self->archive_connected = false;
}

static int link_do_work(void *context)
{
    module_aeron_t *self = context;
    const int count = step(self);
    step_archive(self);
    return count;
}

static bool find_counter(const module_aeron_t *self, int32_t type, size_t offset,
                         counter_t *counter)
{
    const counter_key_t key = {
        .type = type, .offset = offset, .bytes = sizeof(int32_t), .value = self->cluster_id};
    return counter_table_find(self->counters, &key, counter);
}

static oc_err_t look_for_another(const module_aeron_t *self)
{
    uint8_t key[COUNTER_KEY_BYTES_MAX];
    counter_t counter;
    int32_t id;
    const counter_key_t any = {.type = COUNTER_COMMIT_POSITION};
    if (!counter_table_find(self->counters, &any, &counter))
        return OC_ERR_OK;
    counter_table_key(self->counters, &counter, key);
    memcpy(&id, key, sizeof id);
    if (id == self->cluster_id)
        return OC_ERR_OK; /* it has appeared between the two looks */
    return error_set(OC_ERR_REFUSED,
                     "the module on the driver in %s is of cluster %" PRId32
                     ", and this member is of cluster %" PRId64 ": [cluster] cluster_id",
                     embedded_dir(self->embedded), id, self->cluster_id);
}

static void read_recovery(const module_aeron_t *self, const counter_t *counter,
                          module_recovery_t *recovery)
{
    uint8_t key[COUNTER_KEY_BYTES_MAX];
    int32_t services;
    counter_table_key(self->counters, counter, key);
    memcpy(&recovery->leadership_term, key, sizeof(int64_t));
    memcpy(&recovery->position, key + 8, sizeof(int64_t));
    memcpy(&recovery->timestamp, key + 16, sizeof(int64_t));
    memcpy(&services, key + RECOVERY_SERVICES_OFFSET, sizeof services);
    recovery->snapshot = -1;
    if (services > 0)
        memcpy(&recovery->snapshot, key + RECOVERY_SNAPSHOT_OFFSET, sizeof(int64_t));
}

static oc_err_t link_find(void *context, bool *found, module_recovery_t *recovery)
{
    module_aeron_t *self = context;
    counter_t counter;
    *found = false;
    if (!find_counter(self, COUNTER_COMMIT_POSITION, 0, &self->commit))
        return look_for_another(self);
    if (!find_counter(self, COUNTER_RECOVERY, RECOVERY_CLUSTER_OFFSET, &counter))
        return OC_ERR_OK;
    read_recovery(self, &counter, recovery);
    self->found = true;
    *found = true;
    return archive_session_open(&self->archive, self->embedded, MODULE_ARCHIVE_RESPONSE_STREAM);
}

static bool link_alive(void *context)
{
    const module_aeron_t *self = context;
    return counter_table_holds(self->counters, &self->commit) && !embedded_closed(self->embedded);
}

static int64_t link_client_id(void *context)
{
    return aeron_client_id(embedded_aeron(((module_aeron_t *)context)->embedded));
}

static bool link_send(void *context, const void *bytes, size_t length)
{
    module_aeron_t *self = context;
    return aeron_publication_offer(self->to_module, bytes, length, NULL, NULL) > 0;
}

static void on_control(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    module_aeron_t *self = context;
    (void)header;
    self->control_handler(self->control_context, bytes, length);
}

static int link_poll_control(void *context, module_control_handler_t handler, void *handler_context)
{
    module_aeron_t *self = context;
    self->control_handler = handler;
    self->control_context = handler_context;
    const int count = aeron_subscription_poll(self->from_module, aeron_fragment_assembler_handler,
                                              self->control_assembler, 1);
    return count > 0 ? count : 0;
}

/* Relaxed: it is a word for people and tools, ordered by nothing here. */
static bool link_toggle(void *context, int64_t value)
{
    module_aeron_t *self = context;
    counter_t toggle;
    return find_counter(self, COUNTER_TOGGLE, 0, &toggle) &&
           counter_table_swap(self->counters, &toggle, MODULE_TOGGLE_NEUTRAL, value);
}

/* ---- The log ---- */

static oc_err_t link_join(void *context, const char *channel, int32_t stream, int32_t session)
{
    module_aeron_t *self = context;
    OC_ASSERT(!self->log_adding);
    OC_ASSERT(!self->log_subscription);
    self->log_session = session;
    if (aeron_async_add_subscription(&self->log_adding, embedded_aeron(self->embedded), channel,
                                     stream, NULL, NULL, NULL, NULL) < 0)
        return failed("the subscription to the log");
    return OC_ERR_OK;
}

/* All counters of the driver are looked at, so not in every duty cycle: while a log is replayed
 * nobody records it. */
static void find_log_recording(module_aeron_t *self)
{
    const uint64_t now_ns = clock_wall_ns();
    self->log_recording_known = false;
    if (now_ns - self->log_looked_ns < ARCHIVE_STEP_NS)
        return;
    self->log_looked_ns = now_ns;
    self->log_recording_known =
        self->archive_connected &&
        archive_session_recording(self->archive, self->log_session, &self->log_recording);
}

static void take_image(module_aeron_t *self)
{
    aeron_image_constants_t constants;
    if (!self->log_image || aeron_image_constants(self->log_image, &constants) < 0)
        return;
    self->log_joined = (uint64_t)constants.join_position;
    self->log_left = self->log_joined;
}

static module_log_state_t joining_state(module_aeron_t *self)
{
    if (self->log_adding) {
        const int result =
            aeron_async_add_subscription_poll(&self->log_subscription, self->log_adding);
        if (result == 0)
            return MODULE_LOG_JOINING;
        self->log_adding = NULL;
        if (result < 0) {
            (void)failed("the subscription to the log");
            return MODULE_LOG_NONE;
        }
    }
    if (!self->log_subscription)
        return MODULE_LOG_NONE;
    self->log_image =
        aeron_subscription_image_by_session_id(self->log_subscription, self->log_session);
    take_image(self);
    return self->log_image ? MODULE_LOG_JOINED : MODULE_LOG_JOINING;
}

static module_log_state_t link_log_state(void *context)
{
    module_aeron_t *self = context;
    if (!self->log_image)
        return joining_state(self);
    if (aeron_image_is_closed(self->log_image) || aeron_image_is_end_of_stream(self->log_image))
        return MODULE_LOG_ENDED;
    return MODULE_LOG_JOINED;
}

static uint64_t link_join_position(void *context)
{
    return ((const module_aeron_t *)context)->log_joined;
}

/* Of a closed image Aeron gives its last position. */
static uint64_t link_log_position(void *context)
{
    module_aeron_t *self = context;
    if (self->log_image) {
        const int64_t position = aeron_image_position(self->log_image);
        if (position > 0 && (uint64_t)position > self->log_left)
            self->log_left = (uint64_t)position;
    }
    return self->log_left;
}

static aeron_controlled_fragment_handler_action_t on_log(void *context, const uint8_t *bytes,
                                                         size_t length, aeron_header_t *header)
{
    module_aeron_t *self = context;
    const uint64_t position = (uint64_t)aeron_header_position(header);
    return self->log_handler(self->log_context, bytes, length, position) ? AERON_ACTION_CONTINUE
                                                                         : AERON_ACTION_BREAK;
}

static int link_poll_log(void *context, module_log_handler_t handler, void *handler_context,
                         size_t limit)
{
    module_aeron_t *self = context;
    if (!self->log_image)
        return 0;
    self->log_handler = handler;
    self->log_context = handler_context;
    const int count = aeron_image_bounded_controlled_poll(
        self->log_image, aeron_image_controlled_fragment_assembler_handler, self->log_assembler,
        counter_value(&self->commit), limit);
    if (count < 0)
        (void)failed("the poll of the log");
    return count;
}

static void link_leave(void *context)
{
    module_aeron_t *self = context;
    (void)link_log_position(self);
    if (self->log_adding)
        (void)aeron_async_add_subscription_cancel(embedded_aeron(self->embedded), self->log_adding);
    if (self->log_image)
        (void)aeron_subscription_image_release(self->log_subscription, self->log_image);
    if (self->log_subscription)
        (void)aeron_subscription_close(self->log_subscription, NULL, NULL);
    self->log_adding = NULL;
    self->log_image = NULL;
    self->log_subscription = NULL;
    self->log_recording_known = false;
    self->log_looked_ns = 0;
}

/* ---- The archive ---- */

static bool link_recorded(void *context, int64_t *recording, uint64_t *position)
{
    module_aeron_t *self = context;
    if (!self->log_image)
        return false;
    if (!self->log_recording_known ||
        !counter_table_holds(self->counters, &self->log_recording.position))
        find_log_recording(self);
    if (!self->log_recording_known)
        return false;
    *recording = self->log_recording.id;
    *position = (uint64_t)counter_value(&self->log_recording.position);
    return true;
}

/* The module may have been there before its archive was asked for anything. */
static oc_err_t await_archive(module_aeron_t *self)
{
    oc_err_t err = OC_ERR_OK;
    if (!self->archive)
        err = archive_session_open(&self->archive, self->embedded, MODULE_ARCHIVE_RESPONSE_STREAM);
    if (err == OC_ERR_OK && !self->archive_connected)
        err = archive_session_await(self->archive, ARCHIVE_TIMEOUT_NS);
    self->archive_connected = err == OC_ERR_OK;
    return err;
}

static void close_snapshot(module_aeron_t *self)
{
    if (self->snapshot)
        (void)aeron_exclusive_publication_close(self->snapshot, NULL, NULL);
    self->snapshot = NULL;
}

static oc_err_t add_snapshot(module_aeron_t *self)
{
    static const char what[] = "the publication of the snapshot";
    aeron_publication_constants_t constants;
    const endpoint_request_t request =
        endpoint(self, what, SNAPSHOT_CHANNEL, MODULE_SNAPSHOT_STREAM);
    const oc_err_t err = endpoint_exclusive(&request, &self->snapshot);
    if (err != OC_ERR_OK)
        return err;
    if (aeron_exclusive_publication_constants(self->snapshot, &constants) < 0)
        return failed(what);
    self->snapshot_session = constants.session_id;
    return OC_ERR_OK;
}

/* The archive has answered, so it will listen soon, and its counter says so. */
static oc_err_t await_recording(module_aeron_t *self)
{
    const uint64_t start_ns = clock_wall_ns();
    while (!aeron_exclusive_publication_is_connected(self->snapshot) ||
           !archive_session_recording(self->archive, self->snapshot_session,
                                      &self->snapshot_recording)) {
        if (clock_wall_ns() - start_ns > ADD_TIMEOUT_NS)
            return error_set(OC_ERR_TIMEOUT, "the archive does not begin to record the snapshot");
        (void)step(self);
        endpoint_pause(start_ns);
    }
    return OC_ERR_OK;
}

/* Whether it is worth waiting for an archive any longer that has taken nothing since then. */
static bool may_record(module_aeron_t *self, uint64_t since_ns)
{
    return link_alive(self) &&
           counter_table_holds(self->counters, &self->snapshot_recording.position) &&
           clock_wall_ns() - since_ns <= RECORD_STALL_NS;
}

/* Why it was not. */
static oc_err_t not_recorded(module_aeron_t *self)
{
    if (embedded_closed(self->embedded))
        return error_set(OC_ERR_CLOSED,
                         "the driver in %s took this member's client for dead while the snapshot "
                         "was recorded",
                         embedded_dir(self->embedded));
    if (!link_alive(self))
        return error_set(OC_ERR_NOT_CONNECTED, "the module went while the snapshot was recorded");
    if (!counter_table_holds(self->counters, &self->snapshot_recording.position))
        return error_set(OC_ERR_NOT_CONNECTED,
                         "the archive has ended recording %" PRId64
                         " before the snapshot was whole",
                         self->snapshot_recording.id);
    return error_set(OC_ERR_TIMEOUT,
                     "the archive does not go on with recording %" PRId64
                     " of the snapshot: is its device full, or does it hang?",
                     self->snapshot_recording.id);
}

/* Between offers of what the archive does not take yet. The core does nothing else meanwhile, so
 * an archive that hangs must not hold it. */
static bool keep_recording(void *context)
{
    module_aeron_t *self = context;
    (void)link_do_work(self);
    return may_record(self, self->snapshot_put_ns);
}

static oc_err_t link_snapshot_begin(void *context)
{
    module_aeron_t *self = context;
    char channel[256];
    OC_ASSERT(!self->snapshot);
    oc_err_t err = await_archive(self);
    if (err == OC_ERR_OK)
        err = add_snapshot(self);
    if (err == OC_ERR_OK) {
        (void)snprintf(channel, sizeof channel, SNAPSHOT_CHANNEL "|session-id=%" PRId32,
                       self->snapshot_session);
        err = archive_session_record(self->archive, channel, MODULE_SNAPSHOT_STREAM);
    }
    if (err == OC_ERR_OK)
        err = await_recording(self);
    if (err != OC_ERR_OK) {
        close_snapshot(self);
        return err;
    }
    self->snapshot_publication = record_publication_exclusive(self->snapshot);
    record_publisher_init(&self->snapshot_publisher, &self->snapshot_publication, keep_recording,
                          self);
    return OC_ERR_OK;
}

static oc_err_t link_snapshot_put(void *context, const void *bytes, size_t length)
{
    module_aeron_t *self = context;
    OC_ASSERT(self->snapshot != NULL);
    self->snapshot_put_ns = clock_wall_ns();
    const oc_err_t err = record_publisher_take(&self->snapshot_publisher, bytes, length);
    return err == OC_ERR_TIMEOUT ? not_recorded(self) : err;
}

static oc_err_t await_recorded(module_aeron_t *self)
{
    const archive_recording_t *recording = &self->snapshot_recording;
    const uint64_t start_ns = clock_wall_ns();
    const int64_t end = aeron_exclusive_publication_position(self->snapshot);
    uint64_t moved_ns = start_ns;
    int64_t position = -1;
    /* The position first: it counts only if the counter was still the archive's after that. */
    for (;;) {
        const int64_t now_at = counter_value(&recording->position);
        if (now_at != position)
            moved_ns = clock_wall_ns();
        position = now_at;
        if (!may_record(self, moved_ns))
            return not_recorded(self);
        if (position >= end)
            return OC_ERR_OK;
        (void)link_do_work(self);
        endpoint_pause(start_ns);
    }
}

static oc_err_t link_snapshot_end(void *context, int64_t *recording)
{
    module_aeron_t *self = context;
    OC_ASSERT(self->snapshot != NULL);
    const oc_err_t err = await_recorded(self);
    if (err == OC_ERR_OK)
        *recording = self->snapshot_recording.id;
    close_snapshot(self);
    return err;
}

static void link_snapshot_abandon(void *context)
{
    close_snapshot(context);
}

/* ---- Life ---- */

static oc_err_t create_assemblers(module_aeron_t *self)
{
    if (aeron_fragment_assembler_create(&self->control_assembler, on_control, self) < 0 ||
        aeron_image_controlled_fragment_assembler_create(&self->log_assembler, on_log, self) < 0)
        return error_set(OC_ERR_NO_MEMORY, "no memory to put messages together");
    return OC_ERR_OK;
}

static oc_err_t add_control(module_aeron_t *self)
{
    const endpoint_request_t to_module = endpoint(self, "the publication to the module",
                                                  MODULE_CONTROL_CHANNEL, MODULE_FROM_SERVICE);
    const endpoint_request_t from_module =
        endpoint(self, "the subscription to the module", MODULE_CONTROL_CHANNEL, MODULE_TO_SERVICE);
    const oc_err_t err = endpoint_publication(&to_module, &self->to_module);
    return err == OC_ERR_OK ? endpoint_subscription(&from_module, &self->from_module) : err;
}

oc_err_t module_aeron_create(module_aeron_t **module, embedded_t *embedded, int64_t cluster_id)
{
    *module = NULL;
    module_aeron_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the way to the module");
    self->embedded = embedded;
    self->cluster_id = cluster_id;
    oc_err_t err = counter_table_of(&self->counters, embedded);
    if (err == OC_ERR_OK)
        err = create_assemblers(self);
    if (err == OC_ERR_OK)
        err = add_control(self);
    if (err != OC_ERR_OK) {
        module_aeron_destroy(self);
        return err;
    }
    *module = self;
    return OC_ERR_OK;
}

void module_aeron_destroy(module_aeron_t *self)
{
    if (!self)
        return;
    link_leave(self);
    close_snapshot(self);
    archive_session_close(self->archive);
    if (self->from_module)
        (void)aeron_subscription_close(self->from_module, NULL, NULL);
    if (self->to_module)
        (void)aeron_publication_close(self->to_module, NULL, NULL);
    if (self->control_assembler)
        (void)aeron_fragment_assembler_delete(self->control_assembler);
    if (self->log_assembler)
        (void)aeron_image_controlled_fragment_assembler_delete(self->log_assembler);
    counter_table_close(self->counters);
    free(self);
}

module_link_t module_aeron_link(module_aeron_t *self)
{
    return (module_link_t){
        .context = self,
        .do_work = link_do_work,
        .find = link_find,
        .alive = link_alive,
        .client_id = link_client_id,
        .send = link_send,
        .poll_control = link_poll_control,
        .join = link_join,
        .log_state = link_log_state,
        .join_position = link_join_position,
        .log_position = link_log_position,
        .poll_log = link_poll_log,
        .leave = link_leave,
        .recorded = link_recorded,
        .snapshot_begin = link_snapshot_begin,
        .snapshot_put = link_snapshot_put,
        .snapshot_end = link_snapshot_end,
        .snapshot_abandon = link_snapshot_abandon,
        .toggle = link_toggle,
    };
}
