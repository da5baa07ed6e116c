/*
 * The configuration of `node`, from a file of `key = value` lines in sections (inih,
 * config_file.h), and its printed form. Every key has a default and a range; an unknown key is an
 * error that names line, key and the nearest known one.
 */
#ifndef HOST_NODE_CONFIG_H
#define HOST_NODE_CONFIG_H

#include "base/storage.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NODE_TEXT_MAX 256

/* In a host's directory: read when no other file is named. */
#define NODE_CONFIG_NAME     "outcry.conf"
#define NODE_CONFIG_PATH_MAX (4096 + sizeof "/" NODE_CONFIG_NAME)

typedef enum node_idle { NODE_IDLE_BACKOFF, NODE_IDLE_YIELD, NODE_IDLE_SPIN } node_idle_t;
typedef enum node_driver {
    NODE_DRIVER_INVOKER,
    NODE_DRIVER_SHARED,
    NODE_DRIVER_DEDICATED
} node_driver_t;
typedef enum node_recovery { NODE_RECOVERY_OPEN, NODE_RECOVERY_CANCEL_ONLY } node_recovery_t;
typedef enum node_retain { NODE_RETAIN_ALL, NODE_RETAIN_IMAGES } node_retain_t;
typedef enum node_sweeper { NODE_SWEEPER_THREAD, NODE_SWEEPER_CORE } node_sweeper_t;
typedef enum node_authentication { NODE_AUTH_NONE, NODE_AUTH_SECRETS } node_authentication_t;

/* One key of a section that a service brings of its own, for example [exchange] max_orders. */
typedef struct node_config_key {
    const char *section;
    const char *name;
    uint64_t *number; /* borrowed; exactly one of number, text, choice, processor is set */
    char *text;       /* NODE_TEXT_MAX bytes */
    int *choice;
    int *processor;             /* -1: any; else at most `high` */
    const char *const *choices; /* ends with NULL; of a choice, and of a text that must be one */
    uint64_t low;
    uint64_t high;
    const char *help; /* one line for --print-config */
} node_config_key_t;

typedef struct node_config {
    char dir[4096];
    char file[NODE_CONFIG_PATH_MAX]; /* that it was read from; empty: none, all are defaults */
    const storage_t *storage; /* borrowed for the node's life; NULL: the real device. For tests */
    /* [node] */
    char ingress[NODE_TEXT_MAX];    /* HOST:PORT; default 127.0.0.1:9010 */
    char advertised[NODE_TEXT_MAX]; /* HOST:PORT that clients are told; empty: the ingress */
    char redirect[NODE_TEXT_MAX];   /* HOST:PORT that all clients are sent to; empty: none */
    char
        aeron_dir[NODE_TEXT_MAX]; /* of the embedded driver; empty: made from dir, under /dev/shm */
    node_driver_t driver;
    node_idle_t idle;
    int core_cpu; /* processor of the core; -1: any */
    node_recovery_t recovery;
    uint64_t time_interval_us; /* between time entries while the service is busy */
    uint64_t max_timers;
    /* [journal] */
    int sync; /* journal_sync_t */
    uint64_t sync_period_ms;
    uint64_t segment_bytes;
    uint64_t group_bytes;
    uint64_t ready_segments;
    uint64_t low_space_bytes;
    uint64_t writer_spin_us;
    int writer_cpu;
    node_retain_t retain; /* IMAGES: what no kept image needs of the log is removed */
    /* [snapshot] */
    uint64_t snapshot_every_log_bytes; /* an image is begun after so much of the log; 0: off */
    uint64_t snapshot_every_s;         /* and after so long; 0: off */
    uint64_t snapshot_keep;            /* images */
    uint64_t snapshot_chain;           /* incremental images on a full one before it is folded */
    uint64_t snapshot_pool_percent;    /* of the arenas' pages: most that the core copies itself */
    uint64_t snapshot_block_bytes;     /* written at once */
    uint64_t snapshot_bytes_per_s_max; /* 0: no limit but the pace of the log */
    node_sweeper_t snapshot_sweeper;
    int snapshot_cpu;         /* processor of the sweeper's thread; -1: any */
    uint64_t restore_threads; /* that read an image at the start; 0: see docs/node.md */
    /* [session] */
    node_authentication_t authentication;
    char secrets_file[NODE_TEXT_MAX];
    uint64_t max_sessions;
    uint64_t max_connecting;
    uint64_t session_timeout_ms;
    uint64_t session_backlog_bytes;
    uint64_t backlog_bytes;
    uint64_t message_bytes_max;
} node_config_t;

void node_config_init(node_config_t *config);

/* The file to read: `named`, or the one in the directory; NULL if neither is there. `path` is room
 * for the answer; all are borrowed. */
const char *node_config_find(const char *named, const char *dir, char path[NODE_CONFIG_PATH_MAX]);

/* Whether the directory is a member's of a cluster: by the file in it, or by the log that a module
 * has begun there. A node has no business in it, and looks for its log elsewhere. */
bool node_config_is_member(const char *dir);

/*
 * Reads a file over what is there. `extra` are `extra_count` keys of the service. Errors:
 * OC_ERR_OPEN; OC_ERR_INVALID_CONFIG, context: file, line, key, value, range or nearest known key.
 */
OC_MUST_CHECK oc_err_t node_config_read(node_config_t *config, const char *file,
                                        const node_config_key_t *extra, size_t extra_count);

/* The same for tools, which do not know the keys of every service: sections that are neither the
 * node's nor those of `extra` are passed over. */
OC_MUST_CHECK oc_err_t node_config_read_part(node_config_t *config, const char *file,
                                             const node_config_key_t *extra, size_t extra_count);

/* Checks what lines alone cannot show. */
OC_MUST_CHECK oc_err_t node_config_check(const node_config_t *config);

/* Writes all keys with their values and a line of help each: a file that reads back the same. */
void node_config_print(const node_config_t *config, const node_config_key_t *extra,
                       size_t extra_count, FILE *file);

/* The same without the sections and keys that `without` names, as config_file_print() takes it. */
void node_config_print_part(const node_config_t *config, const node_config_key_t *extra,
                            size_t extra_count, const char *const *without, FILE *file);

#endif
