/*
 * The clustered-service container: a service of outcry/service.h as one member's part of an Aeron
 * cluster. It speaks the official protocol between consensus module and service, and drives the
 * same replica as a node does.
 *
 * The doorway is container_do_work(): the duty cycle of the core.
 *
 * Threads: the core's alone.
 */
#ifndef CLUSTER_CONTAINER_H
#define CLUSTER_CONTAINER_H

#include "aeron/embedded.h"
#include "cluster/egress.h"
#include "cluster/member_config.h"
#include "cluster/module_link.h"
#include "gateway/transport.h"
#include "outcry/service.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct container container_t;

typedef struct container_setup {
    const oc_service_t *service;   /* borrowed for the container's life, as the rest */
    const member_config_t *config; /* copied */
    module_link_t link;
    embedded_t *embedded;         /* for egress and the internal client */
    const transport_t *transport; /* for tests: for egress instead; taken. NULL: none */
    bool alone;                   /* for tests: no internal client */
    bool checked; /* container_check_mark() and member_check_directory() have passed: beside a
                     module that starts they would judge what it is in the middle of writing */
} container_setup_t;

/*
 * Takes all memory, starts the service, and loads the newest image that fits the member's log: the
 * module need not run yet. Errors: those of replica_init(), of the images and of the service;
 * OC_ERR_DAMAGED, when images and log do not go together. The caller owns *container:
 * container_destroy(), before `embedded` and the link are destroyed.
 */
OC_MUST_CHECK oc_err_t container_create(container_t **container, const container_setup_t *setup);
void container_destroy(container_t *self); /* NULL is allowed */

#define CONTAINER_DIVERGED_MARK "diverged"

/* OC_ERR_DAMAGED while DIR/diverged is there, which says why; OC_ERR_OPEN: that cannot be seen. */
OC_MUST_CHECK oc_err_t container_check_mark(const member_config_t *config);

/* Whether the recording of the member's log is whole, as far as its end, its files, and the newest
 * snapshot and image show. To be asked before an archive starts, which takes what it finds for all
 * there was, and says so in its catalog from then on. OC_ERR_DAMAGED; OC_ERR_OPEN, OC_ERR_READ,
 * OC_ERR_FORMAT. */
OC_MUST_CHECK oc_err_t container_check_log(const member_config_t *config);

/* After that, and before an archive starts: ends what a kill has left open, so that it starts, and
 * finds the same. What is taken away is told. Errors as above, OC_ERR_WRITE, OC_ERR_NO_SPACE,
 * OC_ERR_SYNC. */
OC_MUST_CHECK oc_err_t container_finish_log(const member_config_t *config);

/*
 * One duty cycle. An error ends the member: what was wrong is in oc_err_context(). OC_ERR_CLOSED:
 * the module is gone. OC_ERR_DAMAGED: also when the member's state is not that of most others; a
 * follower's was then kept, see container_keep_diverged().
 */
OC_MUST_CHECK oc_err_t container_do_work(container_t *self, int *work);

/* The member has diverged, and its state has not been kept: it leads, and must stop doing so before
 * anything that takes time. */
bool container_diverged(const container_t *self);

/* Writes the state as it is into DIR/diverged-image, to be looked at, and tells of it. */
void container_keep_diverged(container_t *self);

/* The module has ended it in order. */
bool container_ended(const container_t *self);

/* For how long it has followed no log, and come no further either; 0: it does. */
int64_t container_apart_ns(const container_t *self);

/* Something is about to come, so that sleeping would be felt. */
bool container_waits(const container_t *self);

typedef struct container_report {
    int32_t member;
    oc_role_t role;
    bool recovered; /* the module has been told; false: it is looked for, or the state restored */
    int64_t leadership_term;
    uint64_t position;
    uint64_t entries;
    uint64_t state_hash;
    uint64_t output_hash;
    uint32_t sessions;
    uint64_t image_sequence; /* that it started from; 0: none */
    uint64_t image_position;
    uint64_t load_ns;  /* how long the image took */
    uint64_t replayed; /* entries of the private replay */
    uint64_t replay_ns;
    uint64_t snapshots;         /* official ones that were answered with a recording */
    uint64_t snapshot_ns;       /* how long the last one took, of it: */
    uint64_t snapshot_write_ns; /* until all was handed to the archive */
    uint64_t agreed_position;   /* the last at which most members, this one too, said the same */
    uint64_t comparisons;       /* positions at which most said the same */
    egress_counters_t egress;
} container_report_t;

void container_report(const container_t *self, container_report_t *report);

#endif
