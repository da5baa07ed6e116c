/*
 * The record stream written. Called by a service that is asked for its state (service/exchange),
 * and by the bench.
 *
 * Everything but Orders is small and made one record at a time, in the memory that windows of
 * orders use later. Orders are order_window.c's.
 *
 * Invariants: a list fills each of its records before it begins another one, an empty list has no
 * record, so that the bytes follow from the state and the record size alone. Reads the engine only.
 * A sink that fails, or a thread whose orders are not what the engine's lists promise, ends the
 * export without an End.
 */
#include "records/records.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "records/order_window.h"

#include <stdlib.h>

struct records_export {
    order_window_t window;
    /* Of the export that goes on: */
    records_sink_t sink;
    void *context;
    uint64_t ordinal; /* of the next record */
    uint32_t checksum;
    record_counts_t counts;
};

oc_err_t records_export_create(records_export_t **self, const records_export_config_t *config)
{
    *self = NULL;
    if (config->record_bytes < RECORDS_SIZE_MIN || config->record_bytes > RECORDS_SIZE_MAX)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "record stream: records of %zu bytes, %d to %d can be",
                         config->record_bytes, RECORDS_SIZE_MIN, RECORDS_SIZE_MAX);
    if (config->threads < 1 || config->threads > RECORDS_THREADS_MAX)
        return error_set(OC_ERR_INVALID_CONFIG, "record stream: %u threads, 1 to %d can be",
                         config->threads, RECORDS_THREADS_MAX);
    records_export_t *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(OC_ERR_NO_MEMORY, "record stream: no memory for an export");
    const oc_err_t err = order_window_init(&made->window, config);
    if (err != OC_ERR_OK) {
        free(made);
        return err;
    }
    *self = made;
    return OC_ERR_OK;
}

void records_export_destroy(records_export_t *self)
{
    if (!self)
        return;
    order_window_fini(&self->window);
    free(self);
}

/* ---- Records other than Orders ---------------------------------------------------------------*/

static record_room_t next_room(records_export_t *self)
{
    return (record_room_t){.bytes = order_window_scratch(&self->window),
                           .length = self->window.record_bytes,
                           .ordinal = self->ordinal};
}

/* Gives a finished record away; its kind says what of it the checksum covers. */
static oc_err_t give(records_export_t *self, record_kind_t kind, const uint8_t *bytes,
                     size_t length)
{
    OC_ASSERT(length <= self->window.record_bytes);
    const size_t checked = kind == RECORD_ORDERS ? RECORD_LIST_BYTES : length;
    self->checksum = crc32c(self->checksum, bytes, checked);
    self->ordinal++;
    return self->sink(self->context, bytes, length);
}

static oc_err_t write_begin(records_export_t *self, const records_state_t *state)
{
    record_begin_t begin = {
        .place = state->place,
        .service_time_ns = state->service_time_ns,
        .format_version = RECORD_FORMAT_VERSION,
        .record_bytes = (uint32_t)self->window.record_bytes,
        .rules_version = OC_RULES_VERSION,
    };
    engine_totals(state->engine, &begin.totals);
    const record_room_t room = next_room(self);
    return give(self, RECORD_BEGIN, room.bytes, record_encode_begin(&room, &begin));
}

/* At least one record: an empty configuration is one too. */
static oc_err_t write_configuration(records_export_t *self, const records_state_t *state)
{
    const size_t capacity = record_part_capacity(self->window.record_bytes);
    const size_t total = state->configuration_length;
    size_t offset = 0;
    OC_ASSERT(total <= RECORD_CONFIGURATION_MAX);
    do {
        const size_t left = total - offset;
        const record_part_t part = {
            .total = (uint32_t)total,
            .offset = (uint32_t)offset,
            .bytes = left > 0 ? (const char *)state->configuration + offset : "",
            .length = left < capacity ? left : capacity,
        };
        const record_room_t room = next_room(self);
        const oc_err_t err =
            give(self, RECORD_CONFIGURATION, room.bytes, record_encode_part(&room, &part));
        if (err != OC_ERR_OK)
            return err;
        offset += part.length;
    } while (offset < total);
    return OC_ERR_OK;
}

static oc_err_t write_list(records_export_t *self, record_kind_t kind, const void *items,
                           size_t count)
{
    const size_t capacity = record_list_capacity(kind, self->window.record_bytes);
    const size_t item_bytes = record_item_bytes(kind);
    for (size_t at = 0; at < count;) {
        const size_t left = count - at;
        const uint32_t some = (uint32_t)(left < capacity ? left : capacity);
        const record_room_t room = next_room(self);
        const size_t length =
            record_encode_list(&room, kind, (const char *)items + at * item_bytes, some);
        const oc_err_t err = give(self, kind, room.bytes, length);
        if (err != OC_ERR_OK)
            return err;
        at += some;
    }
    return OC_ERR_OK;
}

static oc_err_t write_end(records_export_t *self, const records_state_t *state)
{
    const record_end_t end = {
        .counts = self->counts,
        .engine_hash = oc_engine_state_hash(state->engine),
        .state_hash = state->place.state_hash,
        .checksum = self->checksum,
    };
    const record_room_t room = next_room(self);
    return give(self, RECORD_END, room.bytes, record_encode_end(&room, &end));
}

/* ---- What the engine holds -------------------------------------------------------------------*/

/* All instruments, ascending; the caller frees. */
static oc_err_t collect_instruments(const oc_engine_t *engine, uint32_t count,
                                    oc_instrument_view_t **views)
{
    *views = calloc((size_t)count + 1, sizeof **views);
    if (!*views)
        return error_set(OC_ERR_NO_MEMORY, "record stream: no memory for %u instruments", count);
    oc_instrument_id_t id = {0};
    for (uint32_t i = 0; i < count; i++) {
        id = oc_engine_next_instrument(engine, id);
        const bool known = oc_engine_instrument(engine, id, &(*views)[i]);
        OC_ASSERT(known);
    }
    return OC_ERR_OK;
}

/* Those that have a mark price move to the front, in order. */
static size_t keep_marked(oc_instrument_view_t *views, size_t count)
{
    size_t marked = 0;
    for (size_t i = 0; i < count; i++)
        if (views[i].has_mark_price)
            views[marked++] = views[i];
    return marked;
}

/* Instruments, SourceHwm, Sessions, Mark. */
static oc_err_t write_tables(records_export_t *self, const records_state_t *state)
{
    oc_instrument_view_t *views;
    oc_err_t err = collect_instruments(state->engine, (uint32_t)self->counts.instruments, &views);
    if (err == OC_ERR_OK)
        err = write_list(self, RECORD_INSTRUMENTS, views, self->counts.instruments);
    if (err == OC_ERR_OK)
        err = write_list(self, RECORD_SOURCE_HWM, state->sources, state->source_count);
    if (err == OC_ERR_OK)
        err = write_list(self, RECORD_SESSIONS, state->sessions, state->session_count);
    if (err == OC_ERR_OK) {
        self->counts.marks = keep_marked(views, self->counts.instruments);
        err = write_list(self, RECORD_MARK, views, self->counts.marks);
    }
    free(views);
    return err;
}

static oc_err_t give_orders(void *context, const uint8_t *bytes, size_t length)
{
    return give(context, RECORD_ORDERS, bytes, length);
}

static oc_err_t write_orders(records_export_t *self, const oc_engine_t *engine)
{
    engine_order_run_t *runs = NULL;
    size_t count = 0;
    oc_err_t err = engine_order_runs(engine, &runs, &count);
    if (err != OC_ERR_OK)
        return err;
    const order_window_job_t job = {
        .engine = engine,
        .runs = runs,
        .run_count = count,
        .ordinal = self->ordinal,
        .sink = give_orders,
        .context = self,
    };
    uint64_t records = 0;
    err = order_window_write(&self->window, &job, &records);
    OC_ASSERT(err != OC_ERR_OK || self->ordinal == job.ordinal + records);
    OC_ASSERT(err != OC_ERR_OK || self->window.filled == self->counts.orders);
    free(runs);
    return err;
}

static oc_err_t write_pending(records_export_t *self, const oc_engine_t *engine)
{
    hash_pending_t *work = calloc(self->counts.pending + 1, sizeof *work);
    if (!work)
        return error_set(OC_ERR_NO_MEMORY, "record stream: no memory for %llu pieces of work",
                         (unsigned long long)self->counts.pending);
    engine_pending_items(engine, work);
    const oc_err_t err = write_list(self, RECORD_PENDING, work, self->counts.pending);
    free(work);
    return err;
}

oc_err_t records_export(records_export_t *self, const records_state_t *state, records_sink_t sink,
                        void *context)
{
    oc_engine_counts_t counts;
    oc_engine_counts(state->engine, &counts);
    OC_ASSERT(counts.sources == state->source_count);
    self->sink = sink;
    self->context = context;
    self->ordinal = 0;
    self->checksum = 0;
    self->counts = (record_counts_t){
        .instruments = counts.instruments,
        .sources = counts.sources,
        .sessions = state->session_count,
        .orders = counts.orders,
        .pending = counts.pending,
    };
    oc_err_t err = write_begin(self, state);
    if (err == OC_ERR_OK)
        err = write_configuration(self, state);
    if (err == OC_ERR_OK)
        err = write_tables(self, state);
    if (err == OC_ERR_OK)
        err = write_orders(self, state->engine);
    if (err == OC_ERR_OK)
        err = write_pending(self, state->engine);
    if (err == OC_ERR_OK)
        err = write_end(self, state);
    return err;
}
