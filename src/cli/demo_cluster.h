/*
 * The demo of a cluster.
 */
#ifndef CLI_DEMO_CLUSTER_H
#define CLI_DEMO_CLUSTER_H

#include "cli/demo_scene.h"

/* Runs it with what the command line says; returns the exit status. */
int demo_cluster(demo_scene_t *scene);

#endif
