/*
 * The configuration of a member: the node's file with a section [cluster] of its own
 * (host/node_config.h). What of the other sections only a node has is ignored by a member.
 */
#ifndef CLUSTER_MEMBER_CONFIG_H
#define CLUSTER_MEMBER_CONFIG_H

#include "host/node_config.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MEMBER_COUNT_MAX 9
#define MEMBER_ENDPOINTS 5 /* ingress, consensus, log, catchup, archive */

typedef enum member_module { MEMBER_MODULE_START, MEMBER_MODULE_ATTACH } member_module_t;
typedef enum member_driver { MEMBER_DRIVER_EMBEDDED, MEMBER_DRIVER_EXTERNAL } member_driver_t;
typedef enum member_snapshot {
    MEMBER_SNAPSHOT_MANIFEST,
    MEMBER_SNAPSHOT_ARCHIVE
} member_snapshot_t;

typedef struct member_config {
    node_config_t node; /* dir, [node], [snapshot], [session] */
    uint64_t id;        /* of this member */
    uint64_t cluster_id;
    char members[MEMBER_COUNT_MAX][NODE_TEXT_MAX]; /* five endpoints each; empty: no such member */
    int module;                                    /* member_module_t */
    int driver;                                    /* member_driver_t */
    int snapshot; /* member_snapshot_t: what an official snapshot is answered with */
    char java[NODE_TEXT_MAX];
    char jar[NODE_TEXT_MAX]; /* empty: looked for beside the program */
    char jvm_flags[NODE_TEXT_MAX];
    char idle[NODE_TEXT_MAX];
    uint64_t sync_level;
    uint64_t archive_segment_bytes;
    uint64_t heartbeat_timeout_ms;
    uint64_t election_timeout_ms;
    uint64_t canvass_timeout_ms;
    uint64_t low_space_bytes;
    char log_channel[NODE_TEXT_MAX];
    char ingress_channel[NODE_TEXT_MAX];
} member_config_t;

/* Defaults; the driver has a thread of its own. */
void member_config_init(member_config_t *config);

#define MEMBER_CONFIG_EXTRA_MAX 24 /* keys that a service may bring */

/* Reads a file over what is there, as node_config_read(), whose errors it has; `extra` are the
 * service's own keys. */
OC_MUST_CHECK oc_err_t member_config_read(member_config_t *config, const char *file,
                                          const node_config_key_t *extra, size_t extra_count);

/* The same for tools and whatever service: its sections are passed over. */
OC_MUST_CHECK oc_err_t member_config_read_part(member_config_t *config, const char *file);

/* Writes the keys that a member uses, as node_config_print() does. */
void member_config_print(const member_config_t *config, const node_config_key_t *extra,
                         size_t extra_count, FILE *file);

/* Checks what lines alone cannot show: ids without holes, five endpoints each and all different,
 * and what the module would refuse. OC_ERR_INVALID_CONFIG. */
OC_MUST_CHECK oc_err_t member_config_check(const member_config_t *config);

/* True when the file has a section [cluster]; false also when it cannot be read. */
bool member_config_is_cluster(const char *file);

/* How many members there are; ids are 0..count-1. */
uint32_t member_config_count(const member_config_t *config);

/* Aeron's clusterMembers string; the clients' list `0=HOST:PORT,...`. False: it does not fit. */
bool member_config_aeron_members(const member_config_t *config, char *text, size_t size);
bool member_config_endpoints(const member_config_t *config, char *text, size_t size);

/* The nth endpoint (0 ingress ... 4 archive) of a member; false: there is none. */
bool member_config_endpoint(const member_config_t *config, uint32_t member, uint32_t n, char *text,
                            size_t size);

/* What the nth endpoint is for. */
const char *member_config_endpoint_name(uint32_t n);

/* DIR/NAME, which `size` must have room for: DIR has at most MEMBER_DIR_MAX characters after
 * member_config_check(). */
#define MEMBER_DIR_MAX 4000
void member_config_path(const member_config_t *config, const char *name, char *path, size_t size);

#endif
