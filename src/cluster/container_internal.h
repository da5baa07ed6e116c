/*
 * What the files of the container share. Nobody outside of this folder includes it.
 *
 *     container.c            life, report
 *     container_duty.c       the duty cycle, the log, timers
 *     container_module.c     what the module says and is told: joining a log, acks, the role
 *     container_recovery.c   where the state comes from at the start
 *     container_images.c     images, what is asked over the control socket, official snapshots
 *     container_peers.c      what members say to each other, low space; who has diverged is marked
 */
#ifndef CLUSTER_CONTAINER_INTERNAL_H
#define CLUSTER_CONTAINER_INTERNAL_H

#include "cluster/container.h"
#include "cluster/divergence.h"
#include "cluster/log_applier.h"
#include "cluster/member_client.h"
#include "cluster/recording.h"
#include "cluster/service_snapshot.h"
#include "host/image_keeper.h"

#include <stdatomic.h>

#define CONTAINER_CHANNEL_MAX 1024

/* Room for what all sessions' ends at once take, asked for twice; never touched unless needed. */
#define CONTAINER_QUEUE_BYTES (UINT32_C(4) << 20)
#define CONTAINER_QUEUE_LOW   UINT32_C(16384)

/* Our service and our timer, as the module names them. */
#define CONTAINER_SERVICE  INT32_C(0)
#define CONTAINER_TIMER_ID INT64_C(1)

/* No timer of the module is set. */
#define CONTAINER_UNARMED INT64_MAX
/* In the cluster's time unit: after everything. */
#define CONTAINER_TIMER_NEVER (INT64_MAX / 2)

typedef enum container_phase {
    CONTAINER_FINDING, /* the module is looked for */
    CONTAINER_RUNNING,
    CONTAINER_ENDED,
} container_phase_t;

/* Messages to the module that it could not take yet, in order. */
typedef struct container_queue {
    uint8_t bytes[CONTAINER_QUEUE_BYTES]; /* each: its length in one byte, then itself */
    size_t begin;
    size_t end;
} container_queue_t;

/* The log that is joined, or is to be. */
typedef struct container_join {
    bool due;     /* the module has asked; the log before must end first */
    bool started; /* the link is joining */
    bool joined;  /* acknowledged */
    cluster_control_t control;
    char channel[CONTAINER_CHANNEL_MAX];
    uint64_t max_position; /* not polled beyond */
} container_join_t;

/* The member's own recording of the log, as the sweeper's thread sees it. */
typedef struct container_recorded {
    _Atomic(int64_t) recording; /* -1: not known. Written before `position` */
    _Atomic(uint64_t) position; /* what is before it the archive has */
    uint64_t synced;            /* that far the device has it; the sweeper's */
} container_recorded_t;

struct container {
    member_config_t config;
    module_link_t link;
    embedded_t *embedded;
    replica_t replica;
    replica_outlet_t outlet;
    log_applier_t log;
    log_applier_hooks_t hooks;
    egress_t *egress;
    member_client_t *client; /* NULL: alone */
    divergence_t divergence;
    image_keeper_t *keeper;

    container_phase_t phase;
    oc_role_t role;
    oc_err_t failure; /* of a handler, kept until the duty cycle raises it */
    char failure_text[512];
    int64_t monotonic_ns; /* of this cycle */

    module_recovery_t recovery;
    container_queue_t queue;
    int64_t ack_id;
    container_join_t join;
    /* Of a leader after the start of a whole cluster: sessions with lower ids are of before, and
     * their clients are not told by the module that it closes them. 0: there are none. */
    uint64_t orphans_below;
    bool termination_due;
    bool termination_ack;
    bool ending; /* ended when the module has taken all that was said */
    uint64_t termination_position;
    bool ack_due; /* the module asks for one when the log is applied up to: */
    uint64_t ack_position;
    bool snapshot_due; /* the last entry is an official snapshot's */
    bool diverged;     /* its state is to be kept before the end */

    int64_t armed_ns; /* deadline of the module's timer, or CONTAINER_UNARMED */
    bool low_space;
    int64_t space_check_ns;
    int64_t said_ns;          /* when what must be heard was said last */
    bool notice_due;          /* low space: not heard of in the log yet */
    bool configuration_due;   /* this leader's: likewise */
    bool configuration_known; /* it was heard that the log was made under this member's */
    bool configuration_told;  /* another one was heard after that */
    bool forged_told;
    bool stop_due;            /* the service wants the cluster's end */
    int64_t waiting_since_ns; /* for the module */
    bool waiting_told;
    int64_t joined_ns;        /* when a log was joined, or the position moved, the last time */
    uint64_t joined_position; /* then */

    bool joined_noted; /* in the directory, that there is a log */
    bool joined_told;  /* that it cannot be noted */
    int64_t joined_look_ns;

    container_recorded_t recorded;
    uint64_t log_begin; /* of the member's own recording at the start */
    uint64_t log_end;
    char archive_dir[sizeof((node_config_t){0}).dir + 16];

    uint64_t image_sequence;
    uint64_t image_position;
    uint64_t image_entries;
    uint64_t load_ns;
    uint64_t replayed;
    uint64_t replay_ns;
    uint64_t snapshots;
    uint64_t snapshot_ns;
    uint64_t snapshot_write_ns;
};

/* Keeps the error and its context as the reason why the member ends; returns it. */
oc_err_t container_fail(container_t *self, oc_err_t err);

/* ---- container_module.c ---- */

/* False: so much waits for the module that no entry is to be applied that could make it more. */
bool container_queue_is_low(const container_t *self);

/* These tell the module something, now or in a coming cycle, in order. */
void container_ack(container_t *self, uint64_t position, int64_t relevant_id);
void container_close_session(container_t *self, oc_session_id_t session);
/* For all sessions whose end was asked for before: who was asked may not have lived to see it, or
 * may not have known the session yet. */
void container_ask_closes(container_t *self);
void container_set_timer(container_t *self, int64_t deadline);

/* One line on stdout: whether this member leads or follows, and in which term. */
void container_tell_role(const container_t *self);

/* Before the first ack. */
void container_ignore_module(container_t *self);

/* What the module has said, and what follows from it. */
int container_module_do_work(container_t *self);

/* ---- container_log.c ---- */

/* The member's own recording of the log. */
typedef struct container_log {
    int64_t recording; /* -1: there is none yet */
    int64_t begin;
    int64_t end;
    int64_t replayed; /* from here on the module is going to replay; -1: all */
} container_log_t;

/* OC_ERR_DAMAGED: it is not whole, or ends before where the module is going to replay it. */
OC_MUST_CHECK oc_err_t container_find_log(const member_config_t *config, container_log_t *found);

/* To be read; the caller closes it. */
OC_MUST_CHECK oc_err_t container_open_images(const member_config_t *config, image_store_t **images);

/* OC_ERR_DAMAGED: the log ends before an image. */
OC_MUST_CHECK oc_err_t container_check_images(const member_config_t *config,
                                              const image_store_t *images, int64_t log_end);

/* What the module is going to replay must be what was recorded. It checks that itself, but then
 * begins anew, again and again; and what it replays is applied here. */
OC_MUST_CHECK oc_err_t container_check_replayed(const container_t *self,
                                                const container_log_t *log);

/* ---- container_recovery.c ---- */

/* At the start, without the module: the newest image that fits. */
OC_MUST_CHECK oc_err_t container_load_image(container_t *self);

/* The module was found: brings the state to where its replay begins, or beyond. */
OC_MUST_CHECK oc_err_t container_recover(container_t *self);

/* Sees to it that a start notices when the log is lost. */
void container_note_joined(container_t *self);

/* ---- container_images.c ---- */

OC_MUST_CHECK oc_err_t container_images_create(container_t *self);
OC_MUST_CHECK oc_err_t container_images_start(container_t *self);
int container_images_do_work(container_t *self);
/* Notes up to where the archive has recorded the log. */
void container_note_recorded(container_t *self);
/* Answers the official snapshot that is due. */
void container_answer_snapshot(container_t *self);

/* ---- container_peers.c ---- */

OC_MUST_CHECK oc_err_t container_peers_create(container_t *self);
void container_peers_leading(container_t *self);
void container_peers_compare(container_t *self);
OC_MUST_CHECK oc_err_t container_peers_said(container_t *self, const member_message_t *message);
void container_peers_do_work(container_t *self);

#endif
