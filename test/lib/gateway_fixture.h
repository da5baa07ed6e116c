/*
 * A gateway on the transport in memory, in virtual time, with a sink that writes down what it is
 * given, and helpers that speak a client's side of the protocol.
 */
#ifndef LIB_GATEWAY_FIXTURE_H
#define LIB_GATEWAY_FIXTURE_H

#include "codec/cluster_codec.h"
#include "gateway/gateway_internal.h"
#include "lib/fake_transport.h"

enum { FIXTURE_RECORDS = 4096, FIXTURE_TERM = 5 };

#define FIXTURE_HOST "127.0.0.1"

typedef struct fixture_record {
    oc_session_id_t session;
    oc_close_reason_t reason; /* closes */
    char text[8];             /* messages: their beginning */
    size_t length;
    gateway_open_t open; /* opens */
} fixture_record_t;

typedef struct gateway_fixture {
    fake_transport_t transport;
    gateway_config_t config;
    gateway_t *gateway;
    int64_t now_ns;
    uint64_t durable;
    uint64_t position;     /* of the log so far */
    uint64_t next_session; /* the last reserved one */
    bool pause;

    bool refuse_open;
    bool refuse_message;
    bool refuse_close;
    bool apply; /* the log says at once what the sink was asked for, and all is durable */

    fixture_record_t opens[FIXTURE_RECORDS];
    fixture_record_t messages[FIXTURE_RECORDS];
    fixture_record_t closes[FIXTURE_RECORDS];
    uint32_t open_count;
    uint32_t message_count;
    uint32_t close_count;
} gateway_fixture_t;

/* Small limits, 1 s timeouts, everybody let in, `apply`; change config before _start(). */
void gateway_fixture_init(gateway_fixture_t *fixture);
void gateway_fixture_start(gateway_fixture_t *fixture);
void gateway_fixture_fini(gateway_fixture_t *fixture);

/* Both at once, on the heap, for cmocka's setup and teardown. */
int gateway_fixture_setup(void **state);
int gateway_fixture_teardown(void **state);

/* So many duty cycles, a millisecond each. */
void gateway_fixture_cycles(gateway_fixture_t *fixture, uint32_t count);

/* A client says something, through the stream `source` from FIXTURE_HOST. */
void gateway_fixture_say(gateway_fixture_t *fixture, uint64_t source,
                         const cluster_message_t *message);

/* A connect request with port 20000 + source; correlation id is the source. */
void gateway_fixture_ask(gateway_fixture_t *fixture, uint64_t source);

/* Asks, cycles until the session is open, and returns it. */
oc_session_id_t gateway_fixture_connect(gateway_fixture_t *fixture, uint64_t source);

void gateway_fixture_message(gateway_fixture_t *fixture, uint64_t source, oc_session_id_t session,
                             const char *text);
void gateway_fixture_control(gateway_fixture_t *fixture, uint64_t source, oc_session_id_t session,
                             cluster_type_t type);

/* The host sends a text to a session at the next position. */
void gateway_fixture_send(gateway_fixture_t *fixture, oc_session_id_t session, const char *text);

/* What went out on the publication that was added as the `added`th, decoded. */
cluster_message_t gateway_fixture_sent(const gateway_fixture_t *fixture, uint32_t added,
                                       uint32_t index);
uint32_t gateway_fixture_sent_count(const gateway_fixture_t *fixture, uint32_t added);
struct transport_publication *gateway_fixture_publication(gateway_fixture_t *fixture,
                                                          uint32_t added);

/* True when that message is a SessionEvent of this code. */
bool gateway_fixture_is_event(const gateway_fixture_t *fixture, uint32_t added, uint32_t index,
                              cluster_event_code_t code);

/* True when that message is an application message with this text. */
bool gateway_fixture_is_text(const gateway_fixture_t *fixture, uint32_t added, uint32_t index,
                             const char *text);

const session_t *gateway_fixture_session(const gateway_fixture_t *fixture, oc_session_id_t session);

#endif
