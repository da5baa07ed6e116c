/*
 * Engines with a state worth streaming, what a service would know beside them, and a record stream
 * in memory. Fails the running cmocka test when something is wrong.
 */
#ifndef TEST_LIB_RECORDS_FIXTURE_H
#define TEST_LIB_RECORDS_FIXTURE_H

#include "records/records.h"

/* A stream: records back to back. */
typedef struct records_stream {
    uint8_t *bytes;
    size_t length;
    size_t room;
    size_t *ends; /* of each record, in bytes */
    size_t count;
    size_t ends_room;
    size_t fail_at; /* the sink refuses the record of this ordinal + 1; 0: none */
} records_stream_t;

/* A sink. */
oc_err_t records_stream_take(void *stream, const void *bytes, size_t length);
void records_stream_free(records_stream_t *stream);
const uint8_t *records_stream_record(const records_stream_t *stream, size_t at, size_t *length);
void records_stream_copy(records_stream_t *to, const records_stream_t *from);
void records_stream_assert_equal(const records_stream_t *a, const records_stream_t *b);

/* A state: the engine is borrowed, the rest owned. */
typedef struct records_world {
    records_state_t state;
    records_source_t *sources;
    records_session_t *sessions;
    uint8_t configuration[4096];
} records_world_t;

/* Makes up sessions, principals, sequences and a configuration of that many bytes for an engine. */
void records_world_make(records_world_t *world, const oc_engine_t *engine,
                        size_t configuration_length);
void records_world_free(records_world_t *world);

/* The same commands of a random stream for each of `count` engines, which are made here with the
 * config that the seed stands for, of the given kinds. */
void records_fixture_engines(oc_engine_t **engines, const oc_engine_kind_t *kinds, size_t count,
                             uint64_t seed, uint32_t commands);

/* An engine with that many orders over many levels and two instruments, and an empty one with room
 * for them. */
oc_engine_t *records_fixture_book(oc_engine_kind_t kind, uint32_t orders);
oc_engine_t *records_fixture_empty(oc_engine_kind_t kind, uint32_t orders);

/* One whose tables are larger than any stream of records_fixture_engines() needs. */
oc_engine_t *records_fixture_large(oc_engine_kind_t kind);

/* Exports into *stream, which is emptied first. */
void records_fixture_export(const records_world_t *world, const records_export_config_t *config,
                            records_stream_t *stream);

/* What an import was told; a world of its own once it has ended well. */
typedef struct records_received {
    oc_engine_t *engine; /* borrowed */
    records_world_t world;
    size_t sources_room;
    size_t sessions_room;
} records_received_t;

/* A receiver that keeps everything, and works the service's hash out of it. `engine` is borrowed;
 * free received->world. */
void records_receive(records_received_t *received, oc_engine_t *engine,
                     records_receiver_t *receiver);

/* Imports a whole stream; the error of the call that refused it. */
oc_err_t records_fixture_import(const records_stream_t *stream, oc_engine_t *engine,
                                records_received_t *received);

#endif
