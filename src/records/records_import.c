/*
 * The record stream read into an engine. Called by a service that is given a state, with the
 * records of any transport, in order.
 *
 * The order of the stream is that of record_kind_t. Instruments and sources are kept until the
 * marks have come, because the engine takes an instrument with its mark price, and all instruments
 * before the first source.
 *
 * Invariants: nothing in a record is believed before it was checked (record_decoder.c), ordinals
 * are without gap, ids ascend; what the checks here do not see, the counts, the checksum and the
 * two hashes of the End do. After the first error nothing is taken any more. Memory grows only with
 * what has come.
 */
#include "records/records.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "records/record_decoder.h"
#include "records/records_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS_AT_ONCE = 256, TEXT_BYTES = 512 };

/* An array that grows. */
typedef struct import_table {
    void *items;
    size_t count;
    size_t room;
} import_table_t;

struct records_import {
    oc_engine_t *engine;
    records_receiver_t receiver;
    uint64_t next;      /* ordinal of the next record */
    record_kind_t kind; /* of the last one */
    oc_err_t failed;    /* of the record that was refused */
    bool tables_loaded; /* instruments and sources are in the engine */
    record_begin_t begin;
    record_end_t end;
    uint8_t configuration[RECORD_CONFIGURATION_MAX];
    uint32_t configuration_total;
    uint32_t configuration_length; /* so far */
    import_table_t instruments;    /* oc_instrument_view_t */
    import_table_t sources;        /* oc_source_view_t */
    size_t mark_at;                /* instruments below it have had their mark price, if any */
    uint64_t last_session;
    record_counts_t counts;
    uint32_t checksum;
};

oc_err_t records_import_create(records_import_t **self, oc_engine_t *engine,
                               const records_receiver_t *receiver)
{
    *self = calloc(1, sizeof **self);
    if (!*self)
        return error_set(OC_ERR_NO_MEMORY, "record stream: no memory for an import");
    (*self)->engine = engine;
    (*self)->receiver = *receiver;
    return OC_ERR_OK;
}

void records_import_destroy(records_import_t *self)
{
    if (!self)
        return;
    free(self->instruments.items);
    free(self->sources.items);
    free(self);
}

bool records_import_ended(const records_import_t *self)
{
    return self->kind == RECORD_END && self->failed == OC_ERR_OK;
}

/* What is wrong, without saying where. */
static oc_err_t __attribute__((format(printf, 1, 2))) damaged(const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(OC_ERR_DAMAGED, "%s", text);
}

/* Puts the place in front of this thread's context line, and the way out behind it. */
static oc_err_t refuse(records_import_t *self, oc_err_t err, unsigned kind)
{
    char text[TEXT_BYTES];
    (void)snprintf(text, sizeof text, "%s", oc_err_context());
    self->failed = err;
    return error_set(err, "record stream: record %llu (%s): %s; nothing of it can be used: %s",
                     (unsigned long long)self->next, record_kind_name(kind), text,
                     err == OC_ERR_INVALID_CONFIG ? "change the configuration and import it again"
                     : err == OC_ERR_FORMAT       ? "import it with a build that knows it"
                                                  : "export the state again, or take another copy");
}

/* ---- Tables ----------------------------------------------------------------------------------*/

static oc_err_t table_add(import_table_t *table, const void *item, size_t item_bytes)
{
    if (table->count == table->room) {
        const size_t room = table->room > 0 ? table->room * 2 : 64;
        void *items = realloc(table->items, room * item_bytes);
        if (!items)
            return error_set(OC_ERR_NO_MEMORY, "no memory for %zu entries", room);
        table->items = items;
        table->room = room;
    }
    memcpy((char *)table->items + table->count * item_bytes, item, item_bytes);
    table->count++;
    return OC_ERR_OK;
}

static oc_err_t take_instruments(records_import_t *self, const record_frame_t *record)
{
    for (uint32_t i = 0; i < record->count; i++) {
        oc_instrument_view_t view;
        oc_err_t err = record_decode_instrument(record, i, &view);
        if (err != OC_ERR_OK)
            return err;
        const oc_instrument_view_t *all = self->instruments.items;
        const size_t count = self->instruments.count;
        const uint32_t last = count > 0 ? all[count - 1].id.value : 0;
        if (view.id.value <= last)
            return damaged("instrument %u behind %u", view.id.value, last);
        err = table_add(&self->instruments, &view, sizeof view);
        if (err != OC_ERR_OK)
            return err;
        self->counts.instruments++;
    }
    return OC_ERR_OK;
}

static oc_err_t take_sources(records_import_t *self, const record_frame_t *record)
{
    for (uint32_t i = 0; i < record->count; i++) {
        records_source_t source;
        oc_err_t err = record_decode_source(record, i, &source);
        if (err != OC_ERR_OK)
            return err;
        const oc_source_view_t *all = self->sources.items;
        const size_t count = self->sources.count;
        const uint32_t last = count > 0 ? all[count - 1].id.value : 0;
        if (source.view.id.value <= last)
            return damaged("source %u behind %u", source.view.id.value, last);
        err = table_add(&self->sources, &source.view, sizeof source.view);
        if (err == OC_ERR_OK)
            err = self->receiver.source(self->receiver.context, &source);
        if (err != OC_ERR_OK)
            return err;
        self->counts.sources++;
    }
    return OC_ERR_OK;
}

static oc_err_t take_sessions(records_import_t *self, const record_frame_t *record)
{
    for (uint32_t i = 0; i < record->count; i++) {
        records_session_t session;
        oc_err_t err = record_decode_session(record, i, &session);
        if (err != OC_ERR_OK)
            return err;
        if (session.id.value <= self->last_session)
            return damaged("session %llu behind %llu", (unsigned long long)session.id.value,
                           (unsigned long long)self->last_session);
        self->last_session = session.id.value;
        err = self->receiver.session(self->receiver.context, &session);
        if (err != OC_ERR_OK)
            return err;
        self->counts.sessions++;
    }
    return OC_ERR_OK;
}

/* Both lists ascend, so each instrument is looked at once. */
static oc_err_t take_marks(records_import_t *self, const record_frame_t *record)
{
    oc_instrument_view_t *all = self->instruments.items;
    for (uint32_t i = 0; i < record->count; i++) {
        oc_instrument_view_t mark;
        record_decode_mark(record, i, &mark);
        while (self->mark_at < self->instruments.count &&
               all[self->mark_at].id.value < mark.id.value)
            self->mark_at++;
        if (self->mark_at == self->instruments.count ||
            all[self->mark_at].id.value != mark.id.value)
            return damaged("a mark price of instrument %u, which is unknown or had its turn",
                           mark.id.value);
        all[self->mark_at].mark_price_ticks = mark.mark_price_ticks;
        all[self->mark_at].has_mark_price = true;
        self->mark_at++;
        self->counts.marks++;
    }
    return OC_ERR_OK;
}

/* Behind the last of Instruments, SourceHwm, Sessions and Mark. */
static oc_err_t load_tables(records_import_t *self)
{
    const oc_instrument_view_t *instruments = self->instruments.items;
    const oc_source_view_t *sources = self->sources.items;
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; err == OC_ERR_OK && i < self->instruments.count; i++)
        err = engine_load_instrument(self->engine, &instruments[i]);
    for (size_t i = 0; err == OC_ERR_OK && i < self->sources.count; i++)
        err = engine_load_source(self->engine, &sources[i]);
    self->tables_loaded = true;
    return err;
}

/* ---- The others ------------------------------------------------------------------------------*/

static oc_err_t take_begin(records_import_t *self, const record_frame_t *record)
{
    const oc_err_t err = record_decode_begin(record, &self->begin);
    if (err == OC_ERR_OK)
        engine_load_begin(self->engine, &self->begin.totals);
    return err;
}

static oc_err_t take_configuration(records_import_t *self, const record_frame_t *record)
{
    record_part_t part;
    const oc_err_t err = record_decode_part(record, &part);
    if (err != OC_ERR_OK)
        return err;
    const bool first = self->kind == RECORD_BEGIN;
    if (!first && (part.total != self->configuration_total || part.length == 0))
        return damaged("%zu bytes of a configuration of %u, it had %u", part.length, part.total,
                       self->configuration_total);
    if (part.offset != self->configuration_length)
        return damaged("configuration at %u, %u is next", part.offset, self->configuration_length);
    memcpy(self->configuration + part.offset, part.bytes, part.length);
    self->configuration_total = part.total;
    self->configuration_length += (uint32_t)part.length;
    if (self->configuration_length < self->configuration_total)
        return OC_ERR_OK;
    return self->receiver.begin(self->receiver.context, &self->begin.place, self->configuration,
                                self->configuration_length, self->begin.service_time_ns);
}

static oc_err_t take_orders(records_import_t *self, const record_frame_t *record)
{
    engine_order_t orders[ORDERS_AT_ONCE];
    for (uint32_t at = 0; at < record->count;) {
        const uint32_t left = record->count - at;
        const uint32_t some = left < ORDERS_AT_ONCE ? left : ORDERS_AT_ONCE;
        oc_err_t err = OC_ERR_OK;
        for (uint32_t i = 0; err == OC_ERR_OK && i < some; i++)
            err = record_decode_order(record, at + i, &orders[i]);
        if (err == OC_ERR_OK)
            err = engine_load_orders(self->engine, orders, some);
        if (err != OC_ERR_OK)
            return err;
        at += some;
        self->counts.orders += some;
    }
    return OC_ERR_OK;
}

static oc_err_t take_pending(records_import_t *self, const record_frame_t *record)
{
    for (uint32_t i = 0; i < record->count; i++) {
        hash_pending_t work;
        record_decode_pending(record, i, &work);
        work.ordinal = self->counts.pending;
        const oc_err_t err = engine_load_pending(self->engine, &work);
        if (err != OC_ERR_OK)
            return err;
        self->counts.pending++;
    }
    return OC_ERR_OK;
}

static oc_err_t take_contents(records_import_t *self, const record_frame_t *record)
{
    switch (record->kind) {
    case RECORD_BEGIN:
        return take_begin(self, record);
    case RECORD_CONFIGURATION:
        return take_configuration(self, record);
    case RECORD_INSTRUMENTS:
        return take_instruments(self, record);
    case RECORD_SOURCE_HWM:
        return take_sources(self, record);
    case RECORD_SESSIONS:
        return take_sessions(self, record);
    case RECORD_MARK:
        return take_marks(self, record);
    case RECORD_ORDERS:
        return take_orders(self, record);
    case RECORD_TRIGGERS:
        return error_set(OC_ERR_FORMAT, "%u armed orders, which are unknown to this build",
                         record->count);
    case RECORD_PENDING:
        return take_pending(self, record);
    default:
        OC_ASSERT(record->kind == RECORD_END);
        record_decode_end(record, &self->end);
        return OC_ERR_OK;
    }
}

/* ---- The order of records --------------------------------------------------------------------*/

static oc_err_t check_order(const records_import_t *self, const record_frame_t *record)
{
    if (self->kind == RECORD_END)
        return damaged("a record behind the End");
    if (record->ordinal != self->next)
        return damaged("its ordinal is %llu: a record is missing, doubled or out of order",
                       (unsigned long long)record->ordinal);
    if (record->kind < self->kind || (record->kind == RECORD_BEGIN) != (self->next == 0))
        return damaged("it cannot come behind %s", record_kind_name(self->kind));
    const bool configured = self->kind >= RECORD_CONFIGURATION &&
                            self->configuration_length == self->configuration_total;
    if (record->kind > RECORD_CONFIGURATION && !configured)
        return damaged("the configuration is not whole: %u of %u bytes", self->configuration_length,
                       self->configuration_total);
    if (record->kind == RECORD_CONFIGURATION && configured)
        return damaged("the configuration was whole already");
    if (self->next > 0 && record->frame.length > self->begin.record_bytes)
        return damaged("it has %zu bytes, the Begin allows %u", record->frame.length,
                       self->begin.record_bytes);
    return OC_ERR_OK;
}

oc_err_t records_import_take(records_import_t *self, const void *bytes, size_t length)
{
    if (self->failed != OC_ERR_OK)
        return error_set(self->failed, "record stream: it was refused at record %llu",
                         (unsigned long long)self->next);
    record_frame_t record;
    oc_err_t err = record_open(&record, bytes, length);
    if (err == OC_ERR_OK)
        err = check_order(self, &record);
    if (err == OC_ERR_OK && record.kind > RECORD_MARK && !self->tables_loaded)
        err = load_tables(self);
    if (err == OC_ERR_OK)
        err = take_contents(self, &record);
    if (err != OC_ERR_OK)
        return refuse(self, err, record.frame.template_id);
    self->kind = record.kind;
    self->next++;
    if (record.kind != RECORD_END)
        self->checksum = crc32c(self->checksum, bytes, record_checked_bytes(&record));
    return OC_ERR_OK;
}

/* ---- The end ---------------------------------------------------------------------------------*/

static oc_err_t check_counts(const records_import_t *self)
{
    const record_counts_t *got = &self->counts;
    const record_counts_t *told = &self->end.counts;
    const struct {
        const char *what;
        uint64_t got;
        uint64_t told;
    } counts[] = {
        {"instruments", got->instruments, told->instruments},
        {"sources", got->sources, told->sources},
        {"sessions", got->sessions, told->sessions},
        {"mark prices", got->marks, told->marks},
        {"orders", got->orders, told->orders},
        {"armed orders", got->triggers, told->triggers},
        {"pieces of work", got->pending, told->pending},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].got != counts[i].told)
            return damaged("%llu %s came, %llu were written", (unsigned long long)counts[i].got,
                           counts[i].what, (unsigned long long)counts[i].told);
    if (self->checksum != self->end.checksum)
        return damaged("the checksum of what came is %08x, that of what was written %08x",
                       self->checksum, self->end.checksum);
    return OC_ERR_OK;
}

static oc_err_t check_hash(const char *whose, uint64_t got, uint64_t told)
{
    if (got == told)
        return OC_ERR_OK;
    return damaged("the state hash of the %s is %016llx, that of what was written %016llx", whose,
                   (unsigned long long)got, (unsigned long long)told);
}

oc_err_t records_import_end(records_import_t *self)
{
    if (self->failed != OC_ERR_OK)
        return error_set(self->failed, "record stream: it was refused at record %llu",
                         (unsigned long long)self->next);
    if (self->kind != RECORD_END) {
        (void)error_set(OC_ERR_TRUNCATED, "the stream ends behind %s, without an End",
                        record_kind_name(self->kind));
        return refuse(self, OC_ERR_TRUNCATED, RECORD_NONE);
    }
    oc_err_t err = check_counts(self);
    if (err == OC_ERR_OK)
        err = engine_load_end(self->engine);
    if (err == OC_ERR_OK)
        err = check_hash("engine", oc_engine_state_hash(self->engine), self->end.engine_hash);
    if (err == OC_ERR_OK)
        err =
            check_hash("service in the Begin", self->begin.place.state_hash, self->end.state_hash);
    if (err == OC_ERR_OK)
        err = check_hash("service", self->receiver.state_hash(self->receiver.context),
                         self->end.state_hash);
    return err == OC_ERR_OK ? OC_ERR_OK : refuse(self, err, RECORD_END);
}
