/*
 * A node with the counting service in a directory of the test's own, stepped by the test.
 */
#ifndef LIB_NODE_FIXTURE_H
#define LIB_NODE_FIXTURE_H

#include "host/node.h"
#include "lib/tally_service.h"
#include "lib/temp_dir.h"

/* How the service lets its state be kept in images. */
typedef enum node_fixture_images {
    NODE_FIXTURE_NO_IMAGES,
    NODE_FIXTURE_STREAM,
    NODE_FIXTURE_ARENA,
} node_fixture_images_t;

typedef struct node_fixture {
    temp_dir_t dir;
    node_config_t config;
    node_fixture_images_t images;
    tally_t tally;
    node_t *node; /* NULL while there is none */
    oc_err_t err; /* of the last cycle */
} node_fixture_t;

/* Makes directory and configuration: small files, a free port, no node yet. */
void node_fixture_init(node_fixture_t *self);

/* Starts a node with a fresh service on the directory. */
oc_err_t node_fixture_start(node_fixture_t *self);

/* One duty cycle; also as a client's pump. Stops stepping at an error. */
void node_fixture_step(void *self);

/* Steps for so long, and some times also on a machine that stands still meanwhile. */
void node_fixture_run(node_fixture_t *self, double seconds);

/* Asks for the end and steps until it is there; destroys the node. Returns the end's error. */
oc_err_t node_fixture_stop(node_fixture_t *self);

/* Destroys what is left, and the directory. */
void node_fixture_fini(node_fixture_t *self);

#endif
