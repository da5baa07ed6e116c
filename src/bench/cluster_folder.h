/*
 * The directories and configurations of a cluster on this one machine: BASE/m0, BASE/m1, ... with
 * an outcry.conf each, UDP ports of 127.0.0.1 that were free when they were chosen, and timeouts,
 * terms and heaps that fit a laptop.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_CLUSTER_FOLDER_H
#define BENCH_CLUSTER_FOLDER_H

#include "cluster/member_config.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLUSTER_FOLDER_PATH (4096 + 64)

typedef struct cluster_folder {
    char base[MEMBER_DIR_MAX + 1];
    uint32_t members;
    bool made; /* the directory was not there before */
    bool external_driver;
    char ingress[MEMBER_COUNT_MAX * 32]; /* 0=HOST:PORT,1=... as clients take it */
} cluster_folder_t;

/* All borrowed for the call. */
typedef struct cluster_folder_config {
    const char *base;     /* made if absent */
    uint32_t members;     /* 1..9; 0: as many as there are, 3 for a new one */
    const char *file;     /* its lines come before those chosen here; NULL: none */
    const char *lines;    /* likewise, behind those of the file; NULL: none */
    bool external_driver; /* each member's driver is a process of its own */
    bool own_id;          /* a new one gets a cluster_id drawn at random; else that is 0 */
} cluster_folder_config_t;

/*
 * Makes what is not there. A cluster that is there keeps its ports and configuration; `file` and
 * `lines` are not looked at then. What the file says counts more than what is chosen here. Errors:
 * OC_ERR_OPEN, OC_ERR_READ, OC_ERR_WRITE; OC_ERR_INVALID_CONFIG: the file names what is different
 * for each member (id, member0.., aeron_dir), or the result cannot be; OC_ERR_INVALID_ARGUMENT: it
 * has another number of members.
 */
OC_MUST_CHECK oc_err_t cluster_folder_open(cluster_folder_t *self,
                                           const cluster_folder_config_t *config);

/* A member's directory; its configuration; a file in its directory. */
void cluster_folder_dir(const cluster_folder_t *self, uint32_t member,
                        char path[CLUSTER_FOLDER_PATH]);
void cluster_folder_file(const cluster_folder_t *self, uint32_t member, const char *name,
                         char path[CLUSTER_FOLDER_PATH]);

/* The directory of a member's driver, as it is by default. Errors: driver_dir_of(). */
OC_MUST_CHECK oc_err_t cluster_folder_aeron_dir(const cluster_folder_t *self, uint32_t member,
                                                char *path, size_t size);

/* Removes what the drivers of dead members left behind; only after all are dead. */
void cluster_folder_clean(const cluster_folder_t *self);

/* The process of a member's Java module, by the lock that it holds; 0: none runs. */
long cluster_folder_module_pid(const cluster_folder_t *self, uint32_t member);

#endif
