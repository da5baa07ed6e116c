/*
 * The table of the node's keys: names, ranges, help, defaults; and what only several values
 * together show to be wrong. Called at the start of a node. Reading and printing such tables is
 * the business of config_file.c.
 */
#define _GNU_SOURCE
#include "host/node_config.h"

#include "base/assert.h"
#include "base/error.h"
#include "host/config_file.h"
#include "journal/journal.h"
#include "snapshot/image.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OWN_KEYS_MAX = 48, KEYS_MAX = 96 };

/* A chain grows to twice that while folding does not keep up. */
enum { CHAIN_MAX = IMAGE_CHAIN_MAX / 2 - 2 };

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static const char *const driver_names[] = {"invoker", "shared", "dedicated", NULL};
static const char *const idle_names[] = {"backoff", "yield", "spin", NULL};
static const char *const recovery_names[] = {"open", "cancel-only", NULL};
static const char *const sync_names[] = {"always", "periodic", "none", NULL};
static const char *const retain_names[] = {"all", "images", NULL};
static const char *const sweeper_names[] = {"thread", "core", NULL};
static const char *const authentication_names[] = {"none", "secrets", NULL};

typedef struct key_list {
    node_config_key_t *keys;
    size_t count;
    const char *section;
} key_list_t;

static void add(key_list_t *list, node_config_key_t key)
{
    OC_ASSERT(list->count < OWN_KEYS_MAX);
    key.section = list->section;
    list->keys[list->count++] = key;
}

static node_config_key_t number(const char *name, uint64_t *target, uint64_t low, uint64_t high,
                                const char *help)
{
    return (node_config_key_t){
        .name = name, .number = target, .low = low, .high = high, .help = help};
}

static node_config_key_t text(const char *name, char *target, const char *help)
{
    return (node_config_key_t){.name = name, .text = target, .help = help};
}

/* The choices are enumerations that begin with 0; an int may stand for any of those. */
static node_config_key_t choice(const char *name, void *target, const char *const *names,
                                const char *help)
{
    return (node_config_key_t){.name = name, .choice = target, .choices = names, .help = help};
}

static node_config_key_t processor(const char *name, int *target, const char *help)
{
    return (node_config_key_t){.name = name, .processor = target, .high = 1023, .help = help};
}

static void list_node_keys(key_list_t *list, node_config_t *c)
{
    list->section = "node";
    add(list,
        text("ingress", c->ingress, "HOST:PORT (UDP) that clients connect to; port 0: a free one"));
    add(list, text("advertised", c->advertised,
                   "HOST:PORT that clients are told to come back to; empty: the ingress"));
    add(list, text("redirect", c->redirect,
                   "HOST:PORT that every client is sent to, none is let in; empty: off"));
    add(list,
        text("aeron_dir", c->aeron_dir,
             "directory of the embedded driver, this node's alone; empty: one under /dev/shm"));
    add(list, choice("driver", &c->driver, driver_names,
                     "threads of the driver: none (stepped by the core), one, or three"));
    add(list,
        choice("idle", &c->idle, idle_names, "what the core does when nothing is to be done"));
    add(list, processor("core_cpu", &c->core_cpu, "processor of the core"));
    add(list, choice("recovery", &c->recovery, recovery_names,
                     "after an end that was not orderly: trade on, or only cancel until resumed"));
    add(list, number("time_interval_us", &c->time_interval_us, 10, 1000000,
                     "between time entries while the service has work and nothing else happens"));
    add(list, number("max_timers", &c->max_timers, 1, 1 << 20,
                     "timers of the service; part of the log's configuration"));
}

static void list_journal_keys(key_list_t *list, node_config_t *c)
{
    list->section = "journal";
    add(list, choice("sync", &c->sync, sync_names,
                     "answers leave when their entry is: on the device, or written (weaker)"));
    add(list, number("sync_period_ms", &c->sync_period_ms, 1, 60000,
                     "between syncs with sync = periodic"));
    add(list, number("segment_bytes", &c->segment_bytes, MIB, GIB,
                     "of a journal file, a power of two; an existing log keeps its own"));
    add(list, number("group_bytes", &c->group_bytes, 64 * KIB, 16 * MIB,
                     "most that is written at once, a power of two, at most half a segment"));
    add(list, number("ready_segments", &c->ready_segments, 1, 1024,
                     "files prepared ahead: the reserve when space runs out"));
    add(list, number("low_space_bytes", &c->low_space_bytes, 0, UINT64_C(1) << 50,
                     "free space on the device below which nothing new is taken on"));
    add(list, number("writer_spin_us", &c->writer_spin_us, 0, 1000000,
                     "how long the writer looks for work before it sleeps"));
    add(list, processor("writer_cpu", &c->writer_cpu, "processor of the journal's writer"));
    add(list, choice("retain", &c->retain, retain_names,
                     "of the log: all of it, or only what the kept images need"));
}

static void list_snapshot_keys(key_list_t *list, node_config_t *c)
{
    list->section = "snapshot";
    add(list,
        number("every_log_bytes", &c->snapshot_every_log_bytes, 0, UINT64_C(1) << 50,
               "an image is begun after so much of the log since the last one; 0: not for that"));
    add(list, number("every_s", &c->snapshot_every_s, 0, 31536000,
                     "an image is begun so many seconds after the last one; 0: not for that"));
    add(list, number("keep", &c->snapshot_keep, 1, 64, "complete images that are kept, at least"));
    add(list, number("chain", &c->snapshot_chain, 0, CHAIN_MAX,
                     "images of changes on a full one; with more, all are made one full image"));
    add(list, number("pool_percent", &c->snapshot_pool_percent, 1, 100,
                     "of the state's pages: most that trading may change while one is taken"));
    add(list, number("block_bytes", &c->snapshot_block_bytes, 64 * KIB, 4 * MIB,
                     "of an image written at once, a multiple of 4096"));
    add(list, number("bytes_per_s_max", &c->snapshot_bytes_per_s_max, 0, UINT64_C(1) << 40,
                     "of an image written in a second; 0: no limit but the pace of the log"));
    add(list, choice("sweeper", &c->snapshot_sweeper, sweeper_names,
                     "what writes images: a thread, or the core in steps"));
    add(list, processor("cpu", &c->snapshot_cpu, "processor of the thread that writes images"));
    add(list, number("restore_threads", &c->restore_threads, 0, 256,
                     "that read an image at the start; 0: two for each processor"));
}

static void list_session_keys(key_list_t *list, node_config_t *c)
{
    list->section = "session";
    add(list, choice("authentication", &c->authentication, authentication_names,
                     "none: names are believed; secrets: clients prove that they know theirs"));
    add(list,
        text("secrets_file", c->secrets_file, "lines `name = secret`, readable by its owner only"));
    add(list, number("max_sessions", &c->max_sessions, 1, 65536, "open at once"));
    add(list, number("max_connecting", &c->max_connecting, 1, 65536, "not yet open"));
    add(list, number("session_timeout_ms", &c->session_timeout_ms, 100, 3600000,
                     "a session is closed when nothing was heard of its client for so long"));
    add(list, number("session_backlog_bytes", &c->session_backlog_bytes, 4 * KIB, GIB,
                     "what may wait for a client before its session is closed as slow"));
    add(list, number("backlog_bytes", &c->backlog_bytes, 64 * KIB, 2 * GIB,
                     "what may wait for all clients together"));
    add(list, number("message_bytes_max", &c->message_bytes_max, 64, JOURNAL_PAYLOAD_MAX / 2,
                     "of a message of a client or of the service"));
}

static size_t list_keys(node_config_key_t keys[OWN_KEYS_MAX], node_config_t *config)
{
    key_list_t list = {.keys = keys};
    list_node_keys(&list, config);
    list_journal_keys(&list, config);
    list_snapshot_keys(&list, config);
    list_session_keys(&list, config);
    return list.count;
}

/* The node's keys, and the service's behind them. */
static size_t list_all_keys(node_config_key_t keys[KEYS_MAX], node_config_t *config,
                            const node_config_key_t *extra, size_t extra_count)
{
    const size_t count = list_keys(keys, config);
    OC_ASSERT(count + extra_count <= KEYS_MAX);
    if (extra_count > 0)
        memcpy(&keys[count], extra, extra_count * sizeof *extra);
    return count + extra_count;
}

void node_config_init(node_config_t *config)
{
    *config = (node_config_t){
        .ingress = "127.0.0.1:9010",
        .driver = NODE_DRIVER_INVOKER,
        .idle = NODE_IDLE_BACKOFF,
        .core_cpu = -1,
        .recovery = NODE_RECOVERY_OPEN,
        .time_interval_us = 1000,
        .max_timers = 4096,
        .sync = JOURNAL_SYNC_ALWAYS,
        .sync_period_ms = 100,
        .segment_bytes = 64 * MIB,
        .group_bytes = MIB,
        .ready_segments = 2,
        .low_space_bytes = 256 * MIB,
        .writer_cpu = -1,
        .retain = NODE_RETAIN_ALL,
        .snapshot_every_log_bytes = GIB,
        .snapshot_keep = 2,
        .snapshot_chain = 8,
        .snapshot_pool_percent = 25,
        .snapshot_block_bytes = 128 * KIB,
        .snapshot_bytes_per_s_max = 200000000,
        .snapshot_sweeper = NODE_SWEEPER_THREAD,
        .snapshot_cpu = -1,
        .authentication = NODE_AUTH_NONE,
        .max_sessions = 1024,
        .max_connecting = 256,
        .session_timeout_ms = 10000,
        .session_backlog_bytes = 4 * MIB,
        .backlog_bytes = 64 * MIB,
        .message_bytes_max = 64 * KIB,
    };
}

const char *node_config_find(const char *named, const char *dir, char path[NODE_CONFIG_PATH_MAX])
{
    if (named)
        return named;
    const int length = snprintf(path, NODE_CONFIG_PATH_MAX, "%s/" NODE_CONFIG_NAME, dir);
    if (length < 0 || (size_t)length >= NODE_CONFIG_PATH_MAX) /* of a directory refused anyway */
        return NULL;
    return access(path, F_OK) == 0 ? path : NULL;
}

bool node_config_is_member(const char *dir)
{
    static const char *const names[] = {"cluster/recording.log", "archive/archive.catalog"};
    char path[NODE_CONFIG_PATH_MAX + 16];
    const char *file = node_config_find(NULL, dir, path);
    bool found = file && config_file_has_section(file, "cluster");
    for (size_t i = 0; i < 2 && !found; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        found = access(path, F_OK) == 0;
    }
    return found;
}

oc_err_t node_config_read(node_config_t *config, const char *file, const node_config_key_t *extra,
                          size_t extra_count)
{
    node_config_key_t keys[KEYS_MAX];
    (void)snprintf(config->file, sizeof config->file, "%s", file);
    const size_t count = list_all_keys(keys, config, extra, extra_count);
    return config_file_read(file, keys, count);
}

oc_err_t node_config_read_part(node_config_t *config, const char *file,
                               const node_config_key_t *extra, size_t extra_count)
{
    node_config_key_t keys[KEYS_MAX];
    const size_t count = list_all_keys(keys, config, extra, extra_count);
    return config_file_read_part(file, keys, count);
}

void node_config_print_part(const node_config_t *config, const node_config_key_t *extra,
                            size_t extra_count, const char *const *without, FILE *file)
{
    node_config_key_t keys[KEYS_MAX];
    node_config_t copy = *config; /* the table points into one that could be written */
    const size_t count = list_all_keys(keys, &copy, extra, extra_count);
    config_file_print(keys, count, without, file);
}

void node_config_print(const node_config_t *config, const node_config_key_t *extra,
                       size_t extra_count, FILE *file)
{
    node_config_print_part(config, extra, extra_count, NULL, file);
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Values that came from elsewhere than a file are held to the same ranges. */
static oc_err_t check_ranges(const node_config_t *config)
{
    node_config_key_t keys[OWN_KEYS_MAX];
    node_config_t copy = *config;
    const size_t count = list_keys(keys, &copy);
    for (size_t i = 0; i < count; i++) {
        const oc_err_t err = config_key_check(&keys[i]);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

/* The characters of HOST in HOST:PORT; 0 if it is none. */
static size_t host_length(const char *address)
{
    const char *colon = strrchr(address, ':');
    if (!colon || strpbrk(address, "|?= ,") != NULL)
        return 0;
    return (size_t)(colon - address);
}

/* An address that stands for all of this machine's: to listen at, not to go to. */
static bool is_wildcard(const char *address)
{
    char host[NODE_TEXT_MAX];
    struct in_addr four;
    struct in6_addr six;
    size_t length = host_length(address);
    const bool brackets = length > 2 && address[0] == '[' && address[length - 1] == ']';
    if (brackets) {
        address++;
        length -= 2;
    }
    memcpy(host, address, length);
    host[length] = '\0';
    if (brackets)
        return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_UNSPECIFIED(&six);
    return inet_aton(host, &four) != 0 && four.s_addr == htonl(INADDR_ANY);
}

/* Where a client can go. Empty is allowed. */
static oc_err_t check_destination(const char *key, const char *address)
{
    if (address[0] == '\0')
        return OC_ERR_OK;
    char *end = NULL;
    const size_t length = host_length(address);
    const char *digits = address + length + 1;
    const unsigned long port = length > 0 ? strtoul(digits, &end, 10) : 0;
    if (port == 0 || port > UINT16_MAX || *digits < '0' || *digits > '9' || *end != '\0' ||
        is_wildcard(address))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[node] %s = %s: not HOST:PORT that a client can go to", key, address);
    return OC_ERR_OK;
}

static oc_err_t check_addresses(const node_config_t *config)
{
    oc_err_t err = check_destination("advertised", config->advertised);
    if (err == OC_ERR_OK)
        err = check_destination("redirect", config->redirect);
    if (err != OC_ERR_OK)
        return err;
    /* Clients are told it, after a restart for example, and could not come back. */
    if (is_wildcard(config->ingress) && !config->advertised[0] && !config->redirect[0])
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[node] ingress = %s: no client can be told to come to that; set "
                         "advertised = HOST:PORT in [node]",
                         config->ingress);
    return OC_ERR_OK;
}

oc_err_t node_config_check(const node_config_t *config)
{
    if (config->dir[0] == '\0')
        return error_set(OC_ERR_INVALID_CONFIG, "no directory for the journal is named");
    oc_err_t err = check_ranges(config);
    if (err == OC_ERR_OK)
        err = check_addresses(config);
    if (err != OC_ERR_OK)
        return err;
    if (!is_power_of_two(config->segment_bytes))
        return error_set(OC_ERR_INVALID_CONFIG, "segment_bytes = %" PRIu64 ": not a power of two",
                         config->segment_bytes);
    if (!is_power_of_two(config->group_bytes) || config->group_bytes > config->segment_bytes / 2)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "group_bytes = %" PRIu64 ": not a power of two of at most half of "
                         "segment_bytes = %" PRIu64,
                         config->group_bytes, config->segment_bytes);
    /* An entry takes at most a quarter of a group; the message has the session in front of it. */
    if (config->message_bytes_max + 64 > config->group_bytes / 4)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "message_bytes_max = %" PRIu64 ": at most a quarter of group_bytes = "
                         "%" PRIu64 " less 64",
                         config->message_bytes_max, config->group_bytes);
    if (config->session_backlog_bytes < 2 * config->message_bytes_max + 4 * KIB)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "session_backlog_bytes = %" PRIu64 ": less than two messages of "
                         "message_bytes_max = %" PRIu64 " and 4096",
                         config->session_backlog_bytes, config->message_bytes_max);
    if (config->session_backlog_bytes > config->backlog_bytes)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "session_backlog_bytes = %" PRIu64 ": more than backlog_bytes = %" PRIu64,
                         config->session_backlog_bytes, config->backlog_bytes);
    if (config->snapshot_block_bytes % STORAGE_BLOCK != 0)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[snapshot] block_bytes = %" PRIu64 ": not a multiple of %zu",
                         config->snapshot_block_bytes, STORAGE_BLOCK);
    if (config->authentication == NODE_AUTH_SECRETS && config->secrets_file[0] == '\0')
        return error_set(OC_ERR_INVALID_CONFIG,
                         "authentication = secrets needs secrets_file in [session]");
    return OC_ERR_OK;
}
