/*
 * The proof of a recovery. Called by the demos and by the tests that kill nodes and members.
 *
 * Invariants: the expected outputs come from the log alone, by the reference engine; output n
 * of a source is entry n - 1 of its list. What a client was promised begins where its log says that
 * it begins, not at the first output that came. An output in the clients' log is counted once: in
 * order, again (doubled), or not as expected (wrong).
 */
#include "bench/recovery_proof.h"

#include "base/assert.h"
#include "base/error.h"
#include "bench/response_log.h"
#include "host/node.h"
#include "service/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one source was to be told, and how much of it the clients' log has shown. */
typedef struct source_outputs {
    oc_source_id_t source;
    oc_output_t *outputs;
    size_t count;
    size_t capacity;
    bool begun;  /* by the clients' log */
    size_t next; /* index of the output that should come next */
} source_outputs_t;

typedef struct expectation {
    source_outputs_t *sources;
    size_t count;
    bool out_of_memory;
} expectation_t;

static source_outputs_t *find_source(const expectation_t *self, oc_source_id_t source)
{
    for (size_t i = 0; i < self->count; i++)
        if (self->sources[i].source.value == source.value)
            return &self->sources[i];
    return NULL;
}

static source_outputs_t *add_source(expectation_t *self, oc_source_id_t source)
{
    source_outputs_t *sources = realloc(self->sources, (self->count + 1) * sizeof *self->sources);
    if (sources == NULL)
        return NULL;
    self->sources = sources;
    sources[self->count] = (source_outputs_t){.source = source};
    return &sources[self->count++];
}

static bool append(source_outputs_t *self, const oc_output_t *output)
{
    if (self->count == self->capacity) {
        const size_t capacity = self->capacity == 0 ? 1024 : 2 * self->capacity;
        oc_output_t *outputs = realloc(self->outputs, capacity * sizeof *outputs);
        if (outputs == NULL)
            return false;
        self->outputs = outputs;
        self->capacity = capacity;
    }
    self->outputs[self->count++] = *output;
    return true;
}

static void expect(void *context, oc_source_id_t source, const oc_output_t *output)
{
    expectation_t *self = context;
    source_outputs_t *list = find_source(self, source);
    if (list == NULL)
        list = add_source(self, source);
    if (list == NULL || !append(list, output)) {
        self->out_of_memory = true;
        return;
    }
    /* A source that was retired and added again counts from 1 anew; no load does that. */
    OC_ASSERT(output->outbound_sequence == list->count);
}

static void expectation_fini(expectation_t *self)
{
    for (size_t i = 0; i < self->count; i++)
        free(self->sources[i].outputs);
    free(self->sources);
}

/* Applies the log with one kind of engine. */
static oc_err_t replay(const recovery_log_t *log, oc_engine_kind_t kind, expectation_t *expected,
                       recovery_log_end_t *end)
{
    uint8_t bytes[4096];
    size_t length = 0;
    exchange_config_t config;
    exchange_config_init(&config);
    oc_err_t err = log->configuration(log->context, bytes, sizeof bytes, &length);
    if (err == OC_ERR_OK && length > 0)
        err = exchange_config_parse(&config, bytes, length);
    if (err != OC_ERR_OK)
        return err;
    config.engine.kind = kind;
    config.engine.hash_outputs = true;
    exchange_t *exchange;
    err = exchange_create(&exchange, &config);
    if (err != OC_ERR_OK)
        return err;
    if (expected != NULL)
        exchange_set_tap(exchange, expect, expected);
    err = log->replay(log->context, exchange_service(exchange), end);
    exchange_destroy(exchange);
    return err;
}

static bool is_answer(const oc_event_t *event)
{
    switch (event->type) {
    case OC_EVENT_ACCEPTED:
    case OC_EVENT_MODIFIED:
    case OC_EVENT_CONFIRMED:
        return true;
    case OC_EVENT_REJECTED:
        return event->reason != OC_REASON_SEQUENCE_GAP &&
               event->reason != OC_REASON_DUPLICATE_SEQUENCE;
    case OC_EVENT_CANCELLED:
        return event->command == OC_COMMAND_CANCEL && event->sequence != 0;
    default:
        return false;
    }
}

/* A source of which the log tells nothing may begin too, at nothing. */
static void judge_beginning(expectation_t *expected, const oc_output_t *beginning,
                            recovery_proof_t *proof)
{
    const oc_source_id_t source = beginning->event.source;
    source_outputs_t *list = find_source(expected, source);
    if (list == NULL)
        list = add_source(expected, source);
    if (list == NULL) {
        expected->out_of_memory = true;
        return;
    }
    if (list->begun || beginning->outbound_sequence > list->count) {
        proof->wrong++;
        return;
    }
    list->begun = true;
    list->next = (size_t)beginning->outbound_sequence;
    proof->sources++;
}

static void judge_output(const expectation_t *expected, const oc_output_t *output,
                         recovery_proof_t *proof)
{
    source_outputs_t *list = find_source(expected, output->event.source);
    proof->outputs++;
    if (list == NULL || !list->begun || output->outbound_sequence == 0 ||
        output->outbound_sequence > list->count) {
        proof->wrong++;
        return;
    }
    const size_t index = (size_t)output->outbound_sequence - 1;
    if (index < list->next) {
        proof->doubled++;
        return;
    }
    proof->lost += index - list->next;
    list->next = index + 1;
    if (memcmp(output, &list->outputs[index], sizeof *output) != 0)
        proof->wrong++;
    proof->acknowledged += is_answer(&output->event);
    proof->fills += output->event.type == OC_EVENT_TRADE || output->event.type == OC_EVENT_FILL;
}

static oc_err_t judge_all(expectation_t *expected, const char *responses, recovery_proof_t *proof)
{
    response_log_t log;
    oc_err_t err = response_log_open(&log, responses);
    if (err != OC_ERR_OK)
        return err;
    response_record_t record;
    bool more = true;
    while ((err = response_log_next(&log, &record, &more)) == OC_ERR_OK && more) {
        if (record.kind == RESPONSE_BEGINNING)
            judge_beginning(expected, &record.output, proof);
        else
            judge_output(expected, &record.output, proof);
    }
    const oc_err_t close_err = response_log_close(&log);
    for (size_t i = 0; i < expected->count; i++)
        if (expected->sources[i].begun)
            proof->lost += expected->sources[i].count - expected->sources[i].next;
    return err != OC_ERR_OK ? err : close_err;
}

oc_err_t recovery_proof_of(const recovery_log_t *log, const char *responses,
                           recovery_proof_t *proof)
{
    *proof = (recovery_proof_t){0};
    expectation_t expected = {0};
    recovery_log_end_t end;
    oc_err_t err = replay(log, OC_ENGINE_FAST, NULL, &end);
    if (err != OC_ERR_OK)
        return err;
    proof->fast_state_hash = end.state_hash;
    err = replay(log, OC_ENGINE_REFERENCE, &expected, &end);
    if (err == OC_ERR_OK && !expected.out_of_memory) {
        proof->entries = end.entries;
        proof->position = end.position;
        proof->state_hash = end.state_hash;
        proof->output_hash = end.output_hash;
        err = judge_all(&expected, responses, proof);
    }
    if (err == OC_ERR_OK && expected.out_of_memory)
        err = error_set(OC_ERR_NO_MEMORY, "the outputs of the log do not fit the memory");
    expectation_fini(&expected);
    return err;
}

oc_err_t recovery_proof_replay(const recovery_log_t *log, oc_engine_kind_t kind,
                               recovery_log_end_t *end)
{
    return replay(log, kind, NULL, end);
}

bool recovery_proof_holds(const recovery_proof_t *proof)
{
    return proof->sources > 0 && proof->lost == 0 && proof->doubled == 0 && proof->wrong == 0 &&
           proof->state_hash == proof->fast_state_hash;
}

/* ---- A node's journal ---- */

static oc_err_t journal_configuration(void *context, void *bytes, size_t size, size_t *length)
{
    return node_log_configuration(context, bytes, size, length);
}

static oc_err_t journal_replay(void *context, const oc_service_t *service, recovery_log_end_t *end)
{
    node_report_t report;
    const oc_err_t err = node_replay(context, service, NODE_REPLAY_LOG, &report);
    if (err == OC_ERR_OK)
        *end = (recovery_log_end_t){
            .entries = report.entries,
            .position = report.position,
            .state_hash = report.state_hash,
        };
    return err;
}

oc_err_t recovery_proof(const char *dir, const char *responses, recovery_proof_t *proof)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s", dir);
    if (length < 0 || (size_t)length >= sizeof path)
        return error_set(OC_ERR_TOO_LONG, "the directory's name is too long");
    const recovery_log_t log = {
        .context = path,
        .configuration = journal_configuration,
        .replay = journal_replay,
    };
    return recovery_proof_of(&log, responses, proof);
}
