/*
 * A container with the counting service in a directory of its own, over a module in memory and an
 * archive made by hand: the life of a member, step by step, and its restarts.
 */
#ifndef LIB_CONTAINER_RIG_H
#define LIB_CONTAINER_RIG_H

#include "cluster/container_internal.h"
#include "lib/archive_maker.h"
#include "lib/fake_module.h"
#include "lib/fake_transport.h"
#include "lib/log_maker.h"
#include "lib/tally_service.h"
#include "lib/temp_dir.h"

typedef enum container_rig_images {
    CONTAINER_RIG_STREAM,
    CONTAINER_RIG_ARENA,
    CONTAINER_RIG_NONE, /* the service keeps nothing */
} container_rig_images_t;

typedef struct container_rig {
    temp_dir_t dir;
    member_config_t config;
    container_rig_images_t images;
    archive_maker_t archive;
    made_recording_t recording; /* of the log */
    log_maker_t log;
    fake_module_t module;
    fake_transport_t transport;
    tally_t tally;
    container_t *container;    /* NULL: none */
    const char *configuration; /* of the service; NULL: its own */
    uint32_t members;          /* that take part in comparisons; there is no client, though */
} container_rig_t;

/* The directories, an empty log with its recording; no container yet. */
void container_rig_init(container_rig_t *rig, container_rig_images_t images);
void container_rig_fini(container_rig_t *rig);

/* For cmocka_unit_test_prestate_setup_teardown(), with the rig as state: one whose service streams
 * its state. */
int container_rig_setup(void **state);
int container_rig_teardown(void **state);

/* Creates a container with a fresh service, and a module that is not there yet. */
oc_err_t container_rig_create(container_rig_t *rig);
/* The same; must fail so. */
void container_rig_create_fails(container_rig_t *rig, oc_err_t err, const char *part);
void container_rig_destroy(container_rig_t *rig);

/* Some duty cycles, more than anything needs that waits for nothing. None may fail. */
void container_rig_run(container_rig_t *rig);
/* The same until one fails, which must happen, and so. */
void container_rig_run_fails(container_rig_t *rig, oc_err_t err, const char *part);

/* Created, found at the beginning, and following (or leading) the log from there. */
void container_rig_begin(container_rig_t *rig, bool leads);
/* All of the log is recorded and committed; runs. */
void container_rig_commit(container_rig_t *rig);
/* Joins the live log where it is applied up to, and runs. */
void container_rig_join(container_rig_t *rig, bool leads);

/* An official snapshot, taken and kept in the archive: entry, answer, recording. Returns the id of
 * the recording of the service's part. */
int64_t container_rig_snapshot(container_rig_t *rig);
/* The last snapshot again, as it is on the module's tape now. */
int64_t container_rig_keep_tape(container_rig_t *rig);

/* An image of where it is; full, or what the keeper thinks. Must come to one. */
void container_rig_image(container_rig_t *rig, bool full);

/* As after a crash: a new container and module. Only creates. */
oc_err_t container_rig_restart(container_rig_t *rig);
/* The module begins at position, with a snapshot in a recording; -1: at the beginning. Runs. */
void container_rig_recover(container_rig_t *rig, uint64_t position, int64_t recording);
/* The module replays up to where its recording ends, and the member applies it. */
void container_rig_replay(container_rig_t *rig);

/* A path in the directory, in a static buffer. */
const char *container_rig_path(const container_rig_t *rig, const char *name);
/* Bytes of a file changed at an offset; negative: from the end. */
void container_rig_damage(const char *path, long offset);

#endif
