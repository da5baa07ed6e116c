/*
 * A host in memory, for tests of services: it logs what happens, applies it to the service's table,
 * and keeps what is sent, per session, until a test takes it. Its log can be applied to another
 * service, as a restart or another member would.
 *
 * Deterministic: time stands still unless it is advanced, every entry follows at once, and what the
 * service asks for (closing a session, timers that are due) becomes entries right behind the one
 * that asked.
 */
#ifndef TEST_LIB_SERVICE_HOST_H
#define TEST_LIB_SERVICE_HOST_H

#include "outcry/service.h"

typedef struct service_host service_host_t;

/* Starts the service, active, at time 1,000; both are borrowed. Fails the test on an error. */
service_host_t *service_host_create(const oc_service_t *service);
void service_host_destroy(service_host_t *host);

/* What can be sent at once, before it is started; 1,376 if it is not said. */
service_host_t *service_host_create_small(const oc_service_t *service, size_t message_max);

/* Entries. Closing a session that is not open does nothing, as does a message of it. */
oc_session_id_t service_host_open(service_host_t *host, const char *principal);
void service_host_close(service_host_t *host, oc_session_id_t session, oc_close_reason_t reason);
void service_host_message(service_host_t *host, oc_session_id_t session, const void *bytes,
                          size_t length);
void service_host_time(service_host_t *host);
void service_host_notice(service_host_t *host, oc_notice_t notice);
/* Moves the time on, and fires the timers that are due. */
void service_host_advance(service_host_t *host, int64_t by_ns);
/* Time entries until the service is not busy; fails the test when that never ends. */
void service_host_settle(service_host_t *host);

/* The oldest message sent to a session and not taken yet; NULL when there is none. Borrowed until
 * the next entry. */
const uint8_t *service_host_take(service_host_t *host, oc_session_id_t session, size_t *length);
/* What was sent and not taken is lost, as in a crash of the connection. */
void service_host_drop(service_host_t *host, oc_session_id_t session);

bool service_host_is_open(const service_host_t *host, oc_session_id_t session);
bool service_host_stopped(const service_host_t *host);
size_t service_host_entries(const service_host_t *host);
size_t service_host_timers(const service_host_t *host);
/* Messages sent, of any session. */
size_t service_host_sent(const service_host_t *host);
/* Of all of them, in order, to the byte. */
uint64_t service_host_sent_hash(const service_host_t *host);
/* What the service returned for the last entry; others than OK fail the test unless wanted. */
void service_host_want_error(service_host_t *host, oc_err_t err);

/*
 * A host for another service that has applied the entries of `from` (all, or the first `entries`),
 * recovering, and is active now, in the next term.
 */
service_host_t *service_host_replay(const service_host_t *from, size_t entries,
                                    const oc_service_t *service);

/* What a service is started with, for one that is only to be started under this host. */
oc_host_t *service_host_base(service_host_t *host);

/* Puts a state into a service that was started. */
typedef void (*service_host_fill_t)(void *context, const oc_service_t *service);

/*
 * The same without applying anything: `fill` puts the state of `from` into the new service. Timers
 * and sessions go with the host.
 */
service_host_t *service_host_adopt(const service_host_t *from, const oc_service_t *service,
                                   service_host_fill_t fill, void *context);

/* A captured state; `bytes` are the caller's to free. */
typedef struct service_host_stream {
    uint8_t *bytes;
    size_t length;
    size_t capacity;
    size_t at; /* read up to there */
} service_host_stream_t;

/* Its sink (oc_capture_sink_t) and source (oc_restore_source_t). */
oc_err_t service_host_stream_add(void *context, const void *bytes, size_t length);
oc_err_t service_host_stream_take(void *context, void *bytes, size_t length);

/* What the service's capture() writes now. */
service_host_stream_t service_host_capture(const oc_service_t *service);

/* service_host_adopt() by a capture of `from` taken now, which the new service restores. */
service_host_t *service_host_restore(const service_host_t *from, const oc_service_t *service);

#endif
