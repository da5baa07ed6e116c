/*
 * Random traffic of several sessions through an exchange on the host in memory: logons, commands of
 * every kind, noise, sessions that end, sources that come and go. What happens follows from the
 * seed and from which sessions are open, so that copies of one traffic drive equal exchanges
 * alike.
 */
#ifndef TEST_LIB_EXCHANGE_TRAFFIC_H
#define TEST_LIB_EXCHANGE_TRAFFIC_H

#include "lib/exchange_fixture.h"

enum { EXCHANGE_TRAFFIC_SESSIONS = 12 };

typedef struct exchange_traffic {
    uint64_t seed;
    oc_session_id_t sessions[EXCHANGE_TRAFFIC_SESSIONS];
} exchange_traffic_t;

/* Instruments, sources and who they belong to, as entries of the log. */
void exchange_traffic_begin(exchange_traffic_t *traffic, exchange_fixture_t *fixture);

/* The same as one message, of a session of "admin"; returns its length. */
size_t exchange_traffic_opening(uint8_t *bytes, size_t size);

/* A random message; returns its length, which may be 0. */
size_t exchange_traffic_message(exchange_traffic_t *traffic, uint8_t *bytes, size_t size);

/* One thing happens. What is sent is dropped. */
void exchange_traffic_step(exchange_traffic_t *traffic, exchange_fixture_t *fixture);

/* What a tap saw: whole outputs, in order. */
typedef struct exchange_tape {
    oc_output_t *outputs; /* the caller frees */
    size_t count;
    size_t capacity;
} exchange_tape_t;

/* An exchange_tap_t; context is a tape. */
void exchange_tape_record(void *context, oc_source_id_t source, const oc_output_t *output);

/* Fails the test unless both hold the same, to the byte. */
void exchange_tape_assert_equal(const exchange_tape_t *a, const exchange_tape_t *b);

/* The state hash of an exchange now. */
uint64_t exchange_traffic_hash(const exchange_fixture_t *fixture);
/* The hash of all its outputs so far. */
uint64_t exchange_traffic_output_hash(const exchange_fixture_t *fixture);

#endif
