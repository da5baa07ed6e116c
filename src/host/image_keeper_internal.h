/*
 * What an image keeper keeps. For image_keeper.c and tests alone.
 */
#ifndef HOST_IMAGE_KEEPER_INTERNAL_H
#define HOST_IMAGE_KEEPER_INTERNAL_H

#include "host/image_keeper.h"

struct image_keeper {
    image_keeper_config_t config;
    image_keeper_host_t host;
    snapshot_t *agent;  /* NULL: no images are made in this run, or it has not been started yet */
    control_t *control; /* NULL: nobody can ask */
    uint64_t sequence;  /* of the image that the state is from; 0: none */
    bool started;
    bool streamed; /* the service has no arenas: it writes its state */

    /* As the current cycle has them. */
    int64_t monotonic_ns;
    uint64_t position; /* applied */
    bool ending;

    bool running;            /* a snapshot was begun and has not ended */
    uint64_t begun_position; /* of the last that was begun, whatever became of it; at the start
                                  of the image that it is from: thresholds count from there */
    uint64_t begun_entries;
    int64_t begun_ns;          /* monotonic */
    uint64_t complete_entries; /* of the newest image; nothing since: no need for another */
    uint64_t pause_ns;         /* how long the last begin kept the core, all of it */

    bool asked; /* over the control socket, and not yet begun */
    bool asked_full;
    uint32_t asked_by;  /* connection */
    bool answer_due;    /* the one that runs was asked for */
    uint32_t answer_to; /* connection */
};

#endif
