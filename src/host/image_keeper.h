/*
 * Images of a running host: when one is begun, of what, and whom that is told. Both hosts have one,
 * the node and the cluster's container; what differs between them comes in a table.
 *
 * It also holds the control socket (control.h), answers `snapshot [full]` and `status` itself, and
 * asks the host about other requests.
 *
 * Threads: the core calls everything; only the functions of config.log are called by the sweeper's
 * thread.
 */
#ifndef HOST_IMAGE_KEEPER_H
#define HOST_IMAGE_KEEPER_H

#include "host/control.h"
#include "host/replica.h"
#include "snapshot/snapshot.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum image_keeper_reply {
    IMAGE_KEEPER_UNKNOWN,  /* no such request */
    IMAGE_KEEPER_ANSWERED, /* `answer` holds lines, the last of them "ok" or "error: <why>" */
} image_keeper_reply_t;

/* What differs between hosts. Called on the core. */
typedef struct image_keeper_host {
    void *context;
    const char *name; /* "node", "member": for messages */
    /* Between entries, at a begin: fills in log id, position, group, and the log's checksum if the
     * host knows it already. The replica's part is there; the term may be a later one than that of
     * its last entry. */
    void (*place)(void *context, image_place_t *place);
    /* Whether an image that is due may be begun; one that is asked for always may. NULL: yes. */
    bool (*may_begin)(void *context);
    /* No image needs the log before `oldest`. Called at the start, when there is an image, and
     * after each new one. NULL: nobody minds. */
    void (*released)(void *context, uint64_t oldest);
    /* A request that is neither `snapshot [full]` nor `status`. NULL: there are no others. */
    image_keeper_reply_t (*request)(void *context, uint32_t connection, const char *request,
                                    char answer[CONTROL_LINE_MAX]);
    const char *requests; /* those, for the answer to an unknown one: "state, ..."; NULL: none */
    /* A line for people on images that were made or were not. Also on the sweeper's thread. NULL:
     * to stderr. */
    void (*tell)(void *context, const char *line);
} image_keeper_host_t;

/* All borrowed for the keeper's life. */
typedef struct image_keeper_config {
    const char *dir;          /* the images' and the control socket's */
    const storage_t *storage; /* without control socket unless it is storage_device() */
    replica_t *replica;
    snapshot_log_t log;
    uint64_t every_log_bytes; /* begun after so many positions; 0: not by that */
    uint64_t every_s;         /* and after so many seconds; 0: not by that */
    uint64_t pool_percent;    /* of the arenas' pages, copied by the core at most */
    uint32_t keep;            /* as the rest: see snapshot_config_t */
    uint32_t chain_max;
    uint32_t block_bytes;
    uint64_t bytes_per_s_max;
    uint64_t reserve_bytes;
    bool stepped;
    int cpu;
} image_keeper_config_t;

/* Where the host's state is from. */
typedef struct image_keeper_from {
    uint64_t sequence; /* of the image; 0: from none */
    uint64_t position; /* of the image; 0 likewise. Thresholds count from there */
    uint64_t entries;  /* applied up to the image; 0 likewise */
    int64_t monotonic_ns;
} image_keeper_from_t;

typedef struct image_keeper image_keeper_t;

/* Opens the control socket; if that fails it is told, and nobody can ask. `host` is copied.
 * OC_ERR_NO_MEMORY. The caller owns *keeper: image_keeper_destroy(). */
OC_MUST_CHECK oc_err_t image_keeper_create(image_keeper_t **keeper,
                                           const image_keeper_config_t *config,
                                           const image_keeper_host_t *host);

/* Once, when the replica has its state: starts the agent. Until then requests are answered, and no
 * image is made. What does not work is told, and the host does without images. Errors:
 * OC_ERR_NO_MEMORY, OC_ERR_INVALID_CONFIG. */
OC_MUST_CHECK oc_err_t image_keeper_start(image_keeper_t *self, const image_keeper_from_t *from);

/* A snapshot that runs is given up; who waits is told. While the log can still be read. NULL is
 * allowed. */
void image_keeper_destroy(image_keeper_t *self);

/*
 * Between entries, once in a cycle: begins what is due or asked for, answers. `position`: the log
 * is applied up to here. `ending`: nothing is begun any more, requests for it are refused.
 */
int image_keeper_do_work(image_keeper_t *self, int64_t monotonic_ns, uint64_t position,
                         bool ending);

/* Begins one now, between entries, for a reason of the host's own; nobody is answered. Errors:
 * OC_ERR_BACK_PRESSURE (one runs), OC_ERR_NOT_CONNECTED (no images are made in this run), those of
 * the service's capture(). */
OC_MUST_CHECK oc_err_t image_keeper_begin(image_keeper_t *self, bool full);

/* All zero, `oldest` UINT64_MAX, when no images are made. */
void image_keeper_status(const image_keeper_t *self, snapshot_status_t *status);

#endif
