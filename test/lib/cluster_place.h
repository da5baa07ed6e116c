/*
 * The files of a real cluster on this machine, for what drives one in tests (lib/cluster_rig.h,
 * lib/own_cluster.h): where they are, what they say, and how they are lost.
 */
#ifndef LIB_CLUSTER_PLACE_H
#define LIB_CLUSTER_PLACE_H

#include "bench/local_cluster.h"

#include <stdbool.h>
#include <stdint.h>

/* Makes the source tree's jar the one that members start: beside a test's program there is none. */
void cluster_place_set_jar(void);

/* A member's directory (`name` is NULL), or a file in it; borrowed until the next call. */
const char *cluster_place_path(const local_cluster_t *cluster, uint32_t member, const char *name);

/* Whether a line of a file has `text` in it; a file that is not there has none. */
bool cluster_place_file_says(const char *path, const char *text);

/* Prints the end of a file, if it is there. */
void cluster_place_print_tail(const char *path);

/* Empties a member's directory but for its configuration. The member must not run. */
void cluster_place_wipe(const local_cluster_t *cluster, uint32_t member);

#endif
