/*
 * The exchange and the record stream: its state written as records, framed, and read into an
 * exchange that may have other table sizes, another kind of engine, or be another build.
 *
 * Called by hosts through the table. What decides over outcomes: step bound and modify priority
 * come with the state; table sizes are the configuration's, if everything fits; kept outputs are
 * the configuration's, and the rings begin empty while their sequences go on. The configuration's
 * administrator must be the stream's, or be one in the state: otherwise nobody could do what an
 * administrator is there for, or the wrong one.
 *
 * Invariants: capturing changes nothing but what was held back; after an error of a restore the
 * exchange is of no use, but for another restore. Must not believe anything in the stream.
 */
#include "base/assert.h"
#include "base/error.h"
#include "records/records.h"
#include "service/exchange_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- out ---- */

static int by_session_id(const void *a, const void *b)
{
    const uint64_t left = ((const records_session_t *)a)->id.value;
    const uint64_t right = ((const records_session_t *)b)->id.value;
    return (left > right) - (left < right);
}

/* Those of the table, ascending; *sessions is freed by the caller. */
static oc_err_t collect_sessions(const exchange_t *self, records_session_t **sessions,
                                 size_t *count)
{
    const uint32_t top = self->header->session_top;
    *count = 0;
    *sessions = calloc((size_t)top + 1, sizeof **sessions);
    if (!*sessions)
        return error_set(OC_ERR_NO_MEMORY, "capture: no memory for %u sessions", top);
    for (uint32_t i = 1; i <= top; i++) {
        const session_record_t *session = &self->sessions[i];
        if (!session->live)
            continue;
        records_session_t *record = &(*sessions)[(*count)++];
        record->id.value = session->id;
        record->source.value = session->seat ? self->seats[session->seat].source : 0;
        record->principal = session->principal;
    }
    qsort(*sessions, *count, sizeof **sessions, by_session_id);
    return OC_ERR_OK;
}

static void collect_source(exchange_t *self, oc_source_id_t id, records_source_t *record)
{
    const seat_record_t *seat = &self->seats[seat_find(self, id)];
    const bool known = oc_engine_source(self->engine, id, &record->view);
    OC_ASSERT(known);
    OC_ASSERT(seat->live);
    record->outbound_sequence = seat->outbound_sequence;
    record->principal = seat->principal;
}

/* Those of the engine, ascending; *sources is freed by the caller. */
static oc_err_t collect_sources(exchange_t *self, records_source_t **sources, size_t *count)
{
    oc_engine_counts_t counts;
    oc_engine_counts(self->engine, &counts);
    *count = counts.sources;
    *sources = calloc((size_t)counts.sources + 1, sizeof **sources);
    oc_source_id_t *ids = calloc((size_t)counts.sources + 1, sizeof *ids);
    if (!*sources || !ids) {
        free(ids);
        return error_set(OC_ERR_NO_MEMORY, "capture: no memory for %u sources", counts.sources);
    }
    engine_source_ids(self->engine, ids);
    for (uint32_t i = 0; i < counts.sources; i++)
        collect_source(self, ids[i], &(*sources)[i]);
    free(ids);
    return OC_ERR_OK;
}

static records_place_t place_of(exchange_t *self)
{
    const exchange_header_t *header = self->header;
    return (records_place_t){
        .position = header->last.position,
        .entries = header->entries,
        .state_hash = exchange_state_hash(self),
        .time_ns = header->last.time_ns,
        .term = header->last.term,
    };
}

static oc_err_t write_records(const records_state_t *state, unsigned threads,
                              oc_capture_sink_t sink, void *sink_context)
{
    const records_export_config_t config = {.record_bytes = RECORDS_SIZE_DEFAULT,
                                            .threads = threads};
    record_framer_t framer = {.write = sink, .context = sink_context};
    records_export_t *export = NULL;
    oc_err_t err = records_export_create(&export, &config);
    if (err == OC_ERR_OK)
        err = records_export(export, state, record_framer_take, &framer);
    records_export_destroy(export);
    return err;
}

oc_err_t exchange_capture(void *context, oc_capture_sink_t sink, void *sink_context)
{
    exchange_t *self = context;
    records_source_t *sources = NULL;
    records_session_t *sessions = NULL;
    exchange_settle(self);
    records_state_t state = {
        .engine = self->engine,
        .place = place_of(self),
        .configuration = self->configuration,
        .configuration_length = exchange_config_write(&self->config, self->configuration),
        .service_time_ns = self->header->time_ns,
    };
    oc_err_t err = collect_sources(self, &sources, &state.source_count);
    if (err == OC_ERR_OK)
        err = collect_sessions(self, &sessions, &state.session_count);
    state.sources = sources;
    state.sessions = sessions;
    if (err == OC_ERR_OK)
        err = write_records(&state, exchange_thread_count(self->config.record_threads), sink,
                            sink_context);
    free(sessions);
    free(sources);
    return err;
}

/* ---- in ---- */

/* A restore that runs. */
typedef struct restoring {
    exchange_t *exchange;
    exchange_config_t made; /* under which the state was, as far as the log's entry says it */
} restoring_t;

static oc_err_t impossible(const char *what, uint64_t which)
{
    return error_set(OC_ERR_DAMAGED,
                     "record stream: %s (%" PRIu64 "); it is not what an exchange wrote", what,
                     which);
}

/* All that was ever touched becomes zero, but for the hash key. */
static void clear_tables(exchange_t *self)
{
    oc_arena_t *arena = &self->arena;
    for (size_t page = 0; page < arena->size >> OC_ARENA_PAGE_SHIFT; page++) {
        uint8_t *bytes = arena->base + (page << OC_ARENA_PAGE_SHIFT);
        if (arena->stamps[page] == 0)
            continue;
        oc_arena_touch(arena, bytes);
        memset(bytes, 0, OC_ARENA_PAGE_SIZE);
    }
    exchange_touch(self, self->header);
    self->header->hash_key[0] = self->ids.hash_key[0];
    self->header->hash_key[1] = self->ids.hash_key[1];
    exchange_reset(self);
}

static oc_err_t take_begin(void *context, const records_place_t *place, const void *configuration,
                           size_t length, int64_t service_time_ns)
{
    restoring_t *restoring = context;
    exchange_t *self = restoring->exchange;
    exchange_header_t *header = self->header;
    restoring->made = self->config;
    const oc_err_t err = exchange_config_parse(&restoring->made, configuration, length);
    if (err != OC_ERR_OK)
        return err;
    if (service_time_ns < 0 || place->time_ns < 0)
        return impossible("a time before 1970, ns before it", service_time_ns < 0
                                                                  ? -(uint64_t)service_time_ns
                                                                  : -(uint64_t)place->time_ns);
    if (place->entries > INT64_MAX)
        return impossible("more entries than a log can have", place->entries);
    exchange_touch(self, header);
    header->time_ns = service_time_ns;
    header->entries = place->entries;
    header->last = (oc_log_entry_t){
        .position = place->position, .term = place->term, .time_ns = place->time_ns};
    return OC_ERR_OK;
}

static oc_err_t take_source(void *context, const records_source_t *source)
{
    restoring_t *restoring = context;
    exchange_t *self = restoring->exchange;
    const uint32_t size = self->config.engine.max_sources;
    const oc_source_id_t id = source->view.id;
    if (id.value == 0 || seat_find(self, id) != 0)
        return impossible("a source of that id cannot follow", id.value);
    if (source->outbound_sequence == UINT64_MAX)
        return impossible("the outbound sequence of a source has no next, source", id.value);
    if (self->header->seat_top == size)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "max_sources is %u, the state to be restored has more; it was made with "
                         "%u: raise max_sources",
                         size, restoring->made.engine.max_sources);
    if (principal_valid(&source->principal) == false && source->principal.name[0] != 0)
        return impossible("the principal of a source cannot be, source", id.value);
    seat_add(self, id);
    seat_restore(self, seat_find(self, id), source->outbound_sequence, &source->principal);
    return OC_ERR_OK;
}

static oc_err_t take_session(void *context, const records_session_t *session)
{
    restoring_t *restoring = context;
    exchange_t *self = restoring->exchange;
    const uint32_t size = self->config.engine.max_sessions;
    const uint32_t seat = session->source.value ? seat_find(self, session->source) : 0;
    if (session->id.value == 0 || session_find(self, session->id) != 0)
        return impossible("a session of that id cannot follow", session->id.value);
    if (session->source.value && (seat == 0 || self->seats[seat].session != 0))
        return impossible("a session cannot speak for its source, session", session->id.value);
    if (!principal_valid(&session->principal) && session->principal.name[0] != 0)
        return impossible("the principal of a session cannot be, session", session->id.value);
    if (!session_add(self, session->id, &session->principal))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "max_sessions is %u, the state to be restored has more; it was made with "
                         "%u: raise max_sessions",
                         size, restoring->made.engine.max_sessions);
    if (seat)
        seat_take(self, seat, session_find(self, session->id));
    return OC_ERR_OK;
}

static uint64_t hash_now(void *context)
{
    return exchange_state_hash(((const restoring_t *)context)->exchange);
}

/* Whether somebody can do what the configuration's administrator is there for. */
static oc_err_t check_admin(const restoring_t *restoring)
{
    exchange_t *self = restoring->exchange;
    const exchange_config_t *config = &self->config;
    const exchange_config_t *made = &restoring->made;
    if (config->admin_source.value == made->admin_source.value &&
        principal_equal(&config->admin_principal, &made->admin_principal))
        return OC_ERR_OK;
    const uint32_t seat = seat_find(self, config->admin_source);
    oc_source_view_t view;
    if (seat && principal_equal(&self->seats[seat].principal, &config->admin_principal) &&
        oc_engine_source(self->engine, config->admin_source, &view) && view.roles & OC_ROLE_ADMIN)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_CONFIG,
                     "admin_source is %u and admin_principal %s; the state to be restored was made "
                     "with %u and %s, and knows no such administrator: use those, or make the "
                     "administrator there first",
                     config->admin_source.value, config->admin_principal.name,
                     made->admin_source.value, made->admin_principal.name);
}

static oc_err_t read_records(restoring_t *restoring, oc_restore_source_t source,
                             void *source_context)
{
    const records_receiver_t receiver = {
        .context = restoring,
        .begin = take_begin,
        .source = take_source,
        .session = take_session,
        .state_hash = hash_now,
    };
    records_import_t *import = NULL;
    oc_err_t err = records_import_create(&import, restoring->exchange->engine, &receiver);
    if (err == OC_ERR_OK)
        err = records_import_framed(import, source, source_context);
    records_import_destroy(import);
    return err;
}

oc_err_t exchange_restore(void *context, oc_restore_source_t source, void *source_context)
{
    exchange_t *self = context;
    restoring_t restoring = {.exchange = self};
    OC_ASSERT(self->host != NULL);
    OC_ASSERT(!self->sending);
    exchange_settle(self);
    exchange_verify_begin(self);
    clear_tables(self);
    oc_err_t err = read_records(&restoring, source, source_context);
    if (err == OC_ERR_OK)
        err = exchange_check(self);
    if (err == OC_ERR_OK)
        err = check_admin(&restoring);
    exchange_verify_end(self);
    return err;
}

/* Looks through the whole table at each call. It is for imports, where a host asks once for each
 * session that was open: there are as many as the table has, and no client waits. */
bool exchange_next_session(void *context, oc_session_id_t after, oc_session_id_t *next)
{
    const exchange_t *self = context;
    uint64_t lowest = 0;
    for (uint32_t i = 1; i <= self->header->session_top; i++) {
        const session_record_t *session = &self->sessions[i];
        if (session->live && session->id > after.value && (lowest == 0 || session->id < lowest))
            lowest = session->id;
    }
    if (lowest)
        next->value = lowest;
    return lowest != 0;
}
