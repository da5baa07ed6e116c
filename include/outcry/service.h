/*
 * A replicated service in C: the table of functions that a host drives, and what the service may
 * ask of the host.
 *
 * The host puts everything that happens into one ordered, durable log and calls the table for each
 * entry: sessions that open and close, their messages, timers that fire, time that passes. A
 * service whose state changes only in these calls, and only by what they say, has the same state
 * after the same entries on every machine and after every restart. So it must not look at a clock,
 * at random numbers, at files, or at the role.
 *
 * The same table runs on one machine (the log is a journal in a directory), and as a member of an
 * Aeron Cluster (the log is the cluster's): the host is a matter of configuration, see
 * oc_node_run(). examples/counter.c is a whole service.
 *
 * Threads: all functions of one table are called by one thread, never one inside another. The host
 * functions may be called inside these calls only, by that thread.
 */
#ifndef OUTCRY_SERVICE_H
#define OUTCRY_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outcry/arena.h"
#include "outcry/error.h"
#include "outcry/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most arenas that a service may have. */
#define OC_SERVICE_ARENAS_MAX 4

/* What runs a service. */
typedef struct oc_host oc_host_t;

/* Chosen by the service; one timer per id. */
typedef struct oc_timer_id {
    int64_t value;
} oc_timer_id_t;

typedef enum oc_role {
    OC_HOST_RECOVERING = 0, /* entries of the past are applied again; nothing is sent */
    OC_HOST_FOLLOWER = 1,   /* another member is active; nothing is sent */
    OC_HOST_ACTIVE = 2,     /* what is sent goes out */
} oc_role_t;

typedef enum oc_close_reason {
    OC_CLOSE_CLIENT = 0,  /* the client asked for it */
    OC_CLOSE_SERVICE = 1, /* oc_host_close_session() */
    OC_CLOSE_TIMEOUT = 2, /* nothing was heard of the client for the session timeout */
    OC_CLOSE_SLOW = 3,    /* the client did not take what it was sent */
} oc_close_reason_t;

/* What the host itself has to say, in sequence with everything else. */
typedef enum oc_notice {
    OC_NOTICE_STORAGE_LOW = 1, /* the log's storage is nearly full: take on nothing new */
    OC_NOTICE_RECOVERED = 2,   /* restarted with the configuration `recovery = cancel-only`: take on
                                  nothing new until somebody says so */
} oc_notice_t;

/* Where in the log an entry is, and when it happened. */
typedef struct oc_log_entry {
    uint64_t position; /* ascending; of the entry's end */
    uint32_t term;     /* leadership term, from 1 */
    uint32_t reserved;
    int64_t time_ns; /* since the Unix epoch, never falling */
} oc_log_entry_t;

/* Takes bytes of a captured state, in order. OC_ERR_OK, or an error that ends the capture. */
typedef oc_err_t (*oc_capture_sink_t)(void *context, const void *bytes, size_t length);

/* Gives bytes of a captured state: exactly `length`, or an error. */
typedef oc_err_t (*oc_restore_source_t)(void *context, void *bytes, size_t length);

/*
 * Filled in by the service; borrowed by the host while it runs. Every function gets `context`.
 * Those marked optional may be NULL.
 */
typedef struct oc_service {
    void *context;

    /* Optional. Bytes of the semantic configuration (what the outcome of entries depends on), at
     * most 4 KiB, borrowed until the next call. They become the first entry of a new log; a log
     * that begins with other bytes is refused at start, with `describe` of both. */
    const void *(*configuration)(void *context, size_t *length);
    /* Optional. Writes configuration bytes as text, for a message. */
    void (*describe)(void *context, const void *bytes, size_t length, char *text, size_t text_size);

    /* First call, before any entry. `host` is borrowed until stop. An error ends the host. */
    oc_err_t (*start)(void *context, oc_host_t *host);
    /* Optional. Last call. */
    void (*stop)(void *context);

    /* A session opened. `principal` says who authenticated; borrowed for the call. Its id was never
     * used before and is never used again. */
    void (*session_open)(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                         const void *principal, size_t length);
    void (*session_close)(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                          oc_close_reason_t reason);
    /* A message of an open session; `bytes` 8-byte aligned, borrowed for the call. Whatever they
     * say, the host goes on; an error is for a log that this build must not continue. */
    oc_err_t (*message)(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        const void *bytes, size_t length);
    /* Optional. A timer's deadline has passed; it is no longer scheduled. */
    oc_err_t (*timer)(void *context, const oc_log_entry_t *entry, oc_timer_id_t timer);
    /* Optional. Time has passed and nothing else happened while busy() was true. */
    oc_err_t (*time)(void *context, const oc_log_entry_t *entry);
    /* Optional. */
    oc_err_t (*notice)(void *context, const oc_log_entry_t *entry, oc_notice_t notice);

    /* Optional. True while work waits that later entries move on: an idle host then sequences time
     * entries. */
    bool (*busy)(void *context);

    /* Optional. Fills in the arenas (at most `capacity`, OC_SERVICE_ARENAS_MAX) that hold the whole
     * state; returns how many, 0: none. Borrowed until stop. The host then keeps images of their
     * pages, taken while the service goes on: beginning one costs it microseconds, whatever it
     * holds. Without it images are made of what capture() writes, and the service stands still for
     * as long as that takes. */
    size_t (*arenas)(void *context, oc_arena_t **arenas, size_t capacity);
    /* Needed with arenas(). The arenas have been filled from an image instead of by entries; called
     * after start(), before any entry. Here everything beside them is brought in line, and what
     * they hold is held against itself. OC_ERR_DAMAGED: the state cannot be right. */
    oc_err_t (*restored)(void *context);

    /* Optional, both or none. Writes the whole state in a form that does not depend on table sizes
     * or on the build, between entries; and reads it into a service that was started and has
     * applied nothing. */
    oc_err_t (*capture)(void *context, oc_capture_sink_t sink, void *sink_context);
    oc_err_t (*restore)(void *context, oc_restore_source_t source, void *source_context);
    /* Optional. After restore(): the sessions that the state holds as open, ascending; `after` 0:
     * the first. False when there is none above. The host closes by entries those that it does not
     * know. */
    bool (*next_session)(void *context, oc_session_id_t after, oc_session_id_t *next);
    /* Optional. A number that is equal for equal states, for comparing members. */
    uint64_t (*state_hash)(void *context);
    /* Optional. A number over everything that was sent, in its order: equal on members that did the
     * same. Compared beside state_hash(). It is part of the state, which arenas and capture() bring
     * along. */
    uint64_t (*output_hash)(void *context);

    /* Optional. The host's role has changed from what it was, OC_HOST_RECOVERING at start; for the
     * record only: state must not depend on it. */
    void (*role)(void *context, oc_role_t role);
} oc_service_t;

/*
 * Sends `length` bytes to a session (copied). They leave when the entry being applied is durable,
 * in order; a session that does not take them is closed with OC_CLOSE_SLOW, the others never wait
 * for it. Nothing happens if there is no such session or the host is not active. At most
 * oc_host_message_max() bytes.
 */
OC_EXPORT void oc_host_send(oc_host_t *host, oc_session_id_t session, const void *bytes,
                            size_t length);
OC_EXPORT size_t oc_host_message_max(const oc_host_t *host);

/*
 * Asks for timer() at the first entry not before `deadline_ns`; replaces the timer of this id.
 * False when all timers are in use (a limit of the host's configuration, equal on all members).
 * Timers are part of the replicated state.
 */
OC_EXPORT bool oc_host_schedule_timer(oc_host_t *host, oc_timer_id_t timer, int64_t deadline_ns);
/* False if there is none. */
OC_EXPORT bool oc_host_cancel_timer(oc_host_t *host, oc_timer_id_t timer);

/* Asks for the session's end: session_close() comes with a later entry. */
OC_EXPORT void oc_host_close_session(oc_host_t *host, oc_session_id_t session);

/* Asks for an orderly end of this host (an active one only), after this entry is durable. */
OC_EXPORT void oc_host_stop(oc_host_t *host);

/* How oc_node_run() is told what to do; the rest is in the configuration file. */
typedef struct oc_node_options {
    const char *dir;         /* the host's directory; made if absent */
    const char *ingress;     /* HOST:PORT that clients connect to; NULL: from the file, or its
                                default. Must be NULL for a member of a cluster, whose
                                configuration says it of all members */
    const char *config_file; /* NULL: `dir`/outcry.conf if there is such a file, else defaults */
} oc_node_options_t;

/*
 * Runs a service until SIGTERM, SIGINT, SIGHUP or its host's end, under the host that the
 * configuration file asks for. Blocks; returns OC_ERR_OK after an orderly end, otherwise
 * oc_err_context() says what went wrong.
 *
 * Without a section [cluster] that is a node, alone on this machine: it recovers from its journal
 * in the directory, prints `ready: HOST:PORT` to stdout, serves, and ends also by oc_host_stop().
 *
 * With one it is a member of an Aeron Cluster: it starts the consensus module, or attaches to a
 * running one, and prints `member N: follower: ...` or `member N: leader: ...` to stdout whenever
 * its role changes. It returns OC_ERR_CLOSED when its module is gone, and is then to be started
 * again.
 */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_node_run(const oc_service_t *service,
                                             const oc_node_options_t *options);

#ifdef __cplusplus
}
#endif

#endif
