/*
 * An exchange on the host in memory, and what clients say to it and hear from it. Used by the tests
 * of the service; fails the running cmocka test when something is wrong.
 */
#ifndef TEST_LIB_EXCHANGE_FIXTURE_H
#define TEST_LIB_EXCHANGE_FIXTURE_H

#include "lib/service_host.h"
#include "service/exchange.h"

enum { EXCHANGE_FIXTURE_KEPT = 64 };

/* One exchange under one host. `admin` is a session that speaks for source 1. */
typedef struct exchange_fixture {
    exchange_t *exchange;
    service_host_t *host;
    oc_session_id_t admin;
} exchange_fixture_t;

/* Small tables; pages are verified. 16 sources, 8 sessions, 64 outputs kept. */
exchange_config_t exchange_fixture_config(void);

/* Both made, nobody logged on. */
void exchange_fixture_open(exchange_fixture_t *fixture, const exchange_config_t *config);

/* The same, with the administrator logged on; instruments 1 and 2 open, and sources 2 to 5 bound to
 * the principals "p2" to "p5", with every role but ADMIN. */
void exchange_fixture_market(exchange_fixture_t *fixture, const exchange_config_t *config);

/* Fails the test with what the audit of exchange and engine says. */
void exchange_fixture_audit(exchange_t *exchange);

/* Audits; frees both. */
void exchange_fixture_close(exchange_fixture_t *fixture);

/* A new session of that principal. */
oc_session_id_t exchange_fixture_session(exchange_fixture_t *fixture, const char *principal);

/* Sends requests in one message. */
void exchange_fixture_send(exchange_fixture_t *fixture, oc_session_id_t session,
                           const oc_request_t *requests, size_t count);

/* The bytes of requests, back to back; returns their length. */
size_t exchange_fixture_encode(const oc_request_t *requests, size_t count, uint8_t *bytes,
                               size_t capacity);

/* The next response to a session; false when there is none. The bytes must be understood whole. */
bool exchange_fixture_next(exchange_fixture_t *fixture, oc_session_id_t session,
                           oc_response_t *response);

/* The next response, of which the type is known. */
oc_response_t exchange_fixture_expect(exchange_fixture_t *fixture, oc_session_id_t session,
                                      oc_response_type_t type);
/* The next response, an output with that event. */
oc_output_t exchange_fixture_output(exchange_fixture_t *fixture, oc_session_id_t session,
                                    oc_event_type_t type);
/* Nothing more has been sent. */
void exchange_fixture_silent(exchange_fixture_t *fixture, oc_session_id_t session);
/* Reads and forgets everything sent so far. */
void exchange_fixture_skip(exchange_fixture_t *fixture, oc_session_id_t session);

/* Sends a logon; returns the reply, behind which outputs may wait. */
oc_response_t exchange_fixture_logon(exchange_fixture_t *fixture, oc_session_id_t session,
                                     uint32_t source, uint64_t seen);

/* A session of principal "pN" logged on to source N, which has seen everything. */
oc_session_id_t exchange_fixture_trader(exchange_fixture_t *fixture, uint32_t source);

oc_request_t exchange_fixture_command(oc_command_t command);
oc_request_t exchange_fixture_logon_request(uint32_t source, uint64_t seen);
oc_request_t exchange_fixture_bind(uint32_t source, const char *principal);
oc_request_t exchange_fixture_status(uint64_t after, uint32_t limit);
oc_request_t exchange_fixture_new(uint64_t id, oc_side_t side, int64_t lots, int64_t price);

/* A session sends one command. */
void exchange_fixture_do(exchange_fixture_t *fixture, oc_session_id_t session,
                         oc_command_t command);

#endif
