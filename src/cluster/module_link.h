/*
 * What a clustered service needs of the process beside it, the consensus module with its archive,
 * as a table of functions. The real one is on Aeron (module_aeron.h); tests bring their own.
 *
 * Threads: the core's alone; while the core is held up by its recovery, another one calls
 * do_work() in its place, and nothing else is called.
 */
#ifndef CLUSTER_MODULE_LINK_H
#define CLUSTER_MODULE_LINK_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the module says at the start: from where it is going to replay. */
typedef struct module_recovery {
    int64_t leadership_term; /* CLUSTER_NULL_VALUE: there is no snapshot */
    int64_t position;        /* of the log */
    int64_t timestamp;
    int64_t snapshot; /* recording of the service's snapshot; -1: none */
} module_recovery_t;

typedef enum module_log_state {
    MODULE_LOG_NONE,    /* none is joined */
    MODULE_LOG_JOINING, /* it is not there yet */
    MODULE_LOG_JOINED,
    MODULE_LOG_ENDED, /* everything of it was polled, and no more will come */
} module_log_state_t;

/* Takes a whole message of the log that ends at `position`. False: the poll ends behind it. */
typedef bool (*module_log_handler_t)(void *context, const void *bytes, size_t length,
                                     uint64_t position);

/* Takes a message of the module. */
typedef void (*module_control_handler_t)(void *context, const void *bytes, size_t length);

typedef struct module_link {
    void *context;
    /* Steps what is below; called often, and by nobody else. Returns how much was done. */
    int (*do_work)(void *context);
    /* Looks for a module. OC_ERR_OK with *found false: not yet. OC_ERR_REFUSED: there is one, and
     * it is of another cluster. */
    oc_err_t (*find)(void *context, bool *found, module_recovery_t *recovery);
    /* False once the module that was found is gone. */
    bool (*alive)(void *context);
    /* By which the module watches over this service. */
    int64_t (*client_id)(void *context);
    /* Says something to the module (copied). False: it cannot take it now. */
    bool (*send)(void *context, const void *bytes, size_t length);
    /* At most one message. Returns how many. */
    int (*poll_control)(void *context, module_control_handler_t handler, void *handler_context);

    /* Begins to join a log; none is joined. */
    oc_err_t (*join)(void *context, const char *channel, int32_t stream, int32_t session);
    module_log_state_t (*log_state)(void *context);
    /* Where the joined log was joined, and up to where it was polled. */
    uint64_t (*join_position)(void *context);
    uint64_t (*log_position)(void *context);
    /* Polls what is committed, at most `limit` fragments. Returns how many; -1: it failed. */
    int (*poll_log)(void *context, module_log_handler_t handler, void *handler_context,
                    size_t limit);
    void (*leave)(void *context);

    /* The member's own recording of the log that was joined. False: it is not known (now); it is
     * looked for again by later calls. */
    bool (*recorded)(void *context, int64_t *recording, uint64_t *position);

    /* A recording of what is put in between; end() waits until the archive has it. After an error
     * of begin() or end() nothing is open; after one of put() the caller abandons. These may take
     * milliseconds; what must be kept alive is. OC_ERR_NOT_CONNECTED: the module or its archive has
     * gone; OC_ERR_CLOSED: the driver took this client for dead; OC_ERR_TIMEOUT: the archive has
     * taken nothing for ten seconds. */
    oc_err_t (*snapshot_begin)(void *context);
    oc_err_t (*snapshot_put)(void *context, const void *bytes, size_t length);
    oc_err_t (*snapshot_end)(void *context, int64_t *recording);
    void (*snapshot_abandon)(void *context);

    /* Asks for something by the module's control toggle, with a module_toggle_t of
     * module_counters.h: only the leader's takes it. */
    bool (*toggle)(void *context, int64_t value);
} module_link_t;

#endif
