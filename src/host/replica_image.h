/*
 * Images of a replica: which sections they have, and a replica brought to where an image was taken.
 *
 * The sections are the replica's arena "host" and the service's arenas; or, of a service that has
 * none, "host" and a stream "service", the bytes that the service writes of its state.
 */
#ifndef HOST_REPLICA_IMAGE_H
#define HOST_REPLICA_IMAGE_H

#include "host/replica.h"
#include "snapshot/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPLICA_STREAM_SECTION "service"

/* A page as it was after the start of the service. */
typedef struct replica_page {
    uint32_t arena;
    uint32_t page;
    uint8_t *bytes;
} replica_page_t;

/* A replica that images are tried on. */
typedef struct replica_image {
    replica_t *replica;  /* borrowed */
    const char *way_out; /* of another configuration: a node's, unless the host says its own */
    oc_arena_t *arenas[REPLICA_ARENAS_MAX];
    size_t arena_count;
    bool streamed;
    bool changed;  /* a load has changed the arenas */
    bool told;     /* the service was told of a load */
    bool any_hash; /* set before a load, by who only looks into states: one is taken although its
                      hash is not the one that the image names */
    bool spoiled;  /* the service was given a stream that was of no use: no other can follow */
    replica_page_t *pages;
    size_t page_count;
} replica_image_t;

/* Keeps copies of the few pages that the start has written. The replica has applied nothing.
 * OC_ERR_NO_MEMORY. Undo: replica_image_fini(). */
OC_MUST_CHECK oc_err_t replica_image_init(replica_image_t *self, replica_t *replica);
void replica_image_fini(replica_image_t *self);

/*
 * Brings the replica to an image, after checking all that can be checked: configuration, layouts,
 * pages, what service and host say of it, the state hash. Errors: those of image_load();
 * OC_ERR_INVALID_CONFIG (made under another configuration: both are named, and the way out);
 * OC_ERR_DAMAGED, also when the state cannot be right. After an error another image can be loaded,
 * or replica_image_reset() called, unless self->spoiled.
 */
OC_MUST_CHECK oc_err_t replica_image_load(replica_image_t *self, const image_store_t *store,
                                          const image_info_t *info, unsigned threads);

/* Puts the replica back to where it was before the first load. Errors: those of the service. */
OC_MUST_CHECK oc_err_t replica_image_reset(replica_image_t *self);

/* The max_timers that an image was made with, found by the layout of its section "host"; 0: no
 * number of timers gives that layout in this build. Tries `likely` first. */
uint32_t replica_image_max_timers(const image_info_t *info, uint32_t likely);

/* How an image is named in messages, for example "image 3 (position 4224)". */
#define REPLICA_IMAGE_NAME_SIZE 64
void replica_image_name(const image_info_t *info, char name[REPLICA_IMAGE_NAME_SIZE]);

/* Puts that name in front of the error's context; returns the error. */
oc_err_t replica_image_error(const image_info_t *info, oc_err_t err);

#endif
