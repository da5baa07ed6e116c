/*
 * The keys of [cluster]: names, ranges, help, defaults; what only several of them together show to
 * be wrong; and the members as Aeron and as clients want them listed. Called at the start of a
 * member, by what starts members, and by tools.
 *
 * Invariant: after member_config_check() every member's line has its five endpoints, and no
 * endpoint of the cluster is named twice. It must not look at the network or at files.
 */
#define _GNU_SOURCE
#include "cluster/member_config.h"

#include "base/assert.h"
#include "base/error.h"
#include "host/config_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* Of a channel's packets, as the driver takes them. */
enum { MTU_MIN = 64, MTU_MAX = 65504, MTU_STEP = 32 };

enum { KEYS = 17 + MEMBER_COUNT_MAX }; /* of [cluster] */

static const char *const module_names[] = {"start", "attach", NULL};
static const char *const driver_names[] = {"embedded", "external", NULL};
static const char *const snapshot_names[] = {"manifest", "archive", NULL};
static const char *const idle_names[] = {"backoff", "yield", "spin", NULL};

/* What only a node has: read from a file that both use, and never printed for a member. */
static const char *const of_a_node[] = {
    "journal",
    "node.ingress",
    "node.advertised",
    "node.redirect",
    "node.recovery",
    "session.max_connecting",
    NULL,
};

static const char *const endpoint_names[MEMBER_ENDPOINTS] = {"ingress", "consensus", "log",
                                                             "catchup", "archive"};

static const char *const member_names[MEMBER_COUNT_MAX] = {
    "member0", "member1", "member2", "member3", "member4",
    "member5", "member6", "member7", "member8",
};

static node_config_key_t number(const char *name, uint64_t *target, uint64_t low, uint64_t high,
                                const char *help)
{
    return (node_config_key_t){.section = "cluster",
                               .name = name,
                               .number = target,
                               .low = low,
                               .high = high,
                               .help = help};
}

static node_config_key_t text(const char *name, char *target, const char *help)
{
    return (node_config_key_t){.section = "cluster", .name = name, .text = target, .help = help};
}

static node_config_key_t choice(const char *name, int *target, const char *const *names,
                                const char *help)
{
    return (node_config_key_t){
        .section = "cluster", .name = name, .choice = target, .choices = names, .help = help};
}

static size_t list_processes(member_config_t *c, node_config_key_t *keys)
{
    size_t count = 0;
    keys[count++] = choice("module", &c->module, module_names,
                           "archive and consensus module: started by the member, or running "
                           "already on its driver");
    keys[count++] = choice("driver", &c->driver, driver_names,
                           "media driver: in the member's process, or one that runs in aeron_dir");
    keys[count++] = text("java", c->java, "program that runs the module; 17 or newer");
    keys[count++] = text("jar", c->jar, "of the module; empty: looked for beside this program");
    keys[count++] = text("jvm_flags", c->jvm_flags,
                         "more for the java command line; -Daeron.KEY=VALUE sets what is Aeron's");
    keys[count++] =
        text("idle", c->idle, "what the module's threads do when nothing is to be done");
    keys[count - 1].choices = idle_names;
    return count;
}

static size_t list_protocol(member_config_t *c, node_config_key_t *keys)
{
    size_t count = 0;
    keys[count++] = choice("snapshot", &c->snapshot, snapshot_names,
                           "answer to an official snapshot: a manifest at once, or the whole state "
                           "into the archive");
    keys[count++] = number("sync_level", &c->sync_level, 0, 2,
                           "of archive and module: 0 leave it to the system, 1 data, 2 all");
    keys[count++] = number("archive_segment_bytes", &c->archive_segment_bytes, 64 * KIB, GIB,
                           "of the archive's files, a power of two, at least a term of the log");
    keys[count++] = number("heartbeat_timeout_ms", &c->heartbeat_timeout_ms, 100, 600000,
                           "a leader that was silent for so long is taken for dead");
    keys[count++] = number("election_timeout_ms", &c->election_timeout_ms, 20, 600000,
                           "how long votes are waited for before an election begins again");
    keys[count++] = number("canvass_timeout_ms", &c->canvass_timeout_ms, 200, 3600000,
                           "how long a start waits for all members before most of them are enough");
    keys[count++] = text("log_channel", c->log_channel, "of the log, without endpoints");
    keys[count++] =
        text("ingress_channel", c->ingress_channel, "of clients' messages, without endpoints");
    keys[count++] = number("low_space_bytes", &c->low_space_bytes, 0, UINT64_C(1) << 50,
                           "free space on the device below which nothing new is taken on; below a "
                           "quarter of it the archive begins no recording");
    return count;
}

/* As node_config_read() takes them; borrowed from `config`. */
static size_t list_keys(member_config_t *config, node_config_key_t keys[KEYS])
{
    size_t count = 0;
    keys[count++] = number("id", &config->id, 0, MEMBER_COUNT_MAX - 1, "of this member");
    keys[count++] = number("cluster_id", &config->cluster_id, 0, INT32_MAX,
                           "of the cluster: its members have the same, other clusters another");
    for (size_t i = 0; i < MEMBER_COUNT_MAX; i++)
        keys[count++] = text(member_names[i], config->members[i],
                             "HOST:PORT of ingress,consensus,log,catchup,archive; empty: none");
    count += list_processes(config, &keys[count]);
    count += list_protocol(config, &keys[count]);
    OC_ASSERT(count == KEYS);
    return count;
}

void member_config_init(member_config_t *config)
{
    *config = (member_config_t){
        .module = MEMBER_MODULE_START,
        .driver = MEMBER_DRIVER_EMBEDDED,
        .snapshot = MEMBER_SNAPSHOT_MANIFEST,
        .java = "java",
        .idle = "backoff",
        .archive_segment_bytes = 128 * MIB,
        .heartbeat_timeout_ms = 10000,
        .election_timeout_ms = 1000,
        .canvass_timeout_ms = 60000,
        .low_space_bytes = 256 * MIB,
        .log_channel = "aeron:udp?term-length=64m",
        .ingress_channel = "aeron:udp?term-length=64k",
    };
    node_config_init(&config->node);
    /* The module is another process: it must not wait for the core to step the driver. */
    config->node.driver = NODE_DRIVER_SHARED;
}

oc_err_t member_config_read(member_config_t *config, const char *file,
                            const node_config_key_t *extra, size_t extra_count)
{
    node_config_key_t keys[KEYS + MEMBER_CONFIG_EXTRA_MAX];
    const size_t count = list_keys(config, keys);
    OC_ASSERT(extra_count <= MEMBER_CONFIG_EXTRA_MAX);
    if (extra_count > 0)
        memcpy(&keys[count], extra, extra_count * sizeof *extra);
    return node_config_read(&config->node, file, keys, count + extra_count);
}

oc_err_t member_config_read_part(member_config_t *config, const char *file)
{
    node_config_key_t keys[KEYS];
    const size_t count = list_keys(config, keys);
    return node_config_read_part(&config->node, file, keys, count);
}

void member_config_print(const member_config_t *config, const node_config_key_t *extra,
                         size_t extra_count, FILE *file)
{
    node_config_key_t keys[KEYS + MEMBER_CONFIG_EXTRA_MAX];
    member_config_t copy = *config; /* the table points into one that could be written */
    const size_t count = list_keys(&copy, keys);
    OC_ASSERT(extra_count <= MEMBER_CONFIG_EXTRA_MAX);
    if (extra_count > 0)
        memcpy(&keys[count], extra, extra_count * sizeof *extra);
    node_config_print_part(&config->node, keys, count + extra_count, of_a_node, file);
}

/* ---- Members ---- */

/* Where the nth of a list with commas begins, and its length; NULL: there are not so many. */
static const char *nth(const char *list, uint32_t n, size_t *length)
{
    for (; n > 0; n--) {
        list = strchr(list, ',');
        if (!list)
            return NULL;
        list++;
    }
    *length = strcspn(list, ",");
    return list;
}

bool member_config_endpoint(const member_config_t *config, uint32_t member, uint32_t n, char *text,
                            size_t size)
{
    size_t length;
    if (member >= MEMBER_COUNT_MAX || n >= MEMBER_ENDPOINTS)
        return false;
    const char *at = nth(config->members[member], n, &length);
    if (!at || length == 0 || length >= size)
        return false;
    memcpy(text, at, length);
    text[length] = '\0';
    return true;
}

const char *member_config_endpoint_name(uint32_t n)
{
    OC_ASSERT(n < MEMBER_ENDPOINTS);
    return endpoint_names[n];
}

uint32_t member_config_count(const member_config_t *config)
{
    uint32_t count = 0;
    while (count < MEMBER_COUNT_MAX && config->members[count][0])
        count++;
    return count;
}

static bool append(char *text, size_t size, size_t *used, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool append(char *text, size_t size, size_t *used, const char *format, ...)
{
    va_list arguments;
    if (*used >= size)
        return false;
    va_start(arguments, format);
    const int length = vsnprintf(text + *used, size - *used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= size - *used)
        return false;
    *used += (size_t)length;
    return true;
}

bool member_config_aeron_members(const member_config_t *config, char *text, size_t size)
{
    const uint32_t count = member_config_count(config);
    size_t used = 0;
    bool fits = count > 0;
    for (uint32_t i = 0; fits && i < count; i++)
        fits =
            append(text, size, &used, "%s%" PRIu32 ",%s", i > 0 ? "|" : "", i, config->members[i]);
    return fits;
}

bool member_config_endpoints(const member_config_t *config, char *text, size_t size)
{
    const uint32_t count = member_config_count(config);
    size_t used = 0;
    bool fits = count > 0;
    for (uint32_t i = 0; fits && i < count; i++) {
        char ingress[NODE_TEXT_MAX];
        fits = member_config_endpoint(config, i, 0, ingress, sizeof ingress) &&
               append(text, size, &used, "%s%" PRIu32 "=%s", i > 0 ? "," : "", i, ingress);
    }
    return fits;
}

/* ---- Checks ---- */

/* HOST:PORT that another machine can send to. */
static bool is_endpoint(const char *text)
{
    const char *colon = strrchr(text, ':');
    if (!colon || colon == text || colon[1] < '0' || colon[1] > '9' || strpbrk(text, "|?= ,;"))
        return false;
    /* Of the colons in an IPv6 address the last one is none of a port. */
    const char *first = strchr(text, ':');
    if (first != colon && (text[0] != '[' || colon[-1] != ']'))
        return false;
    if (colon[1] == '0') /* one way to write a port, so that equal ones look equal */
        return false;
    char *end;
    const unsigned long port = strtoul(colon + 1, &end, 10);
    return *end == '\0' && port > 0 && port <= UINT16_MAX;
}

static oc_err_t check_member(const member_config_t *config, uint32_t member)
{
    size_t length;
    const char *line = config->members[member];
    for (uint32_t n = 0; n < MEMBER_ENDPOINTS; n++) {
        char endpoint[NODE_TEXT_MAX];
        if (!member_config_endpoint(config, member, n, endpoint, sizeof endpoint))
            return error_set(OC_ERR_INVALID_CONFIG,
                             "[cluster] member%" PRIu32 " = %s: its %s endpoint is missing; wanted "
                             "are HOST:PORT of ingress,consensus,log,catchup,archive",
                             member, line, endpoint_names[n]);
        if (!is_endpoint(endpoint))
            return error_set(OC_ERR_INVALID_CONFIG,
                             "[cluster] member%" PRIu32 " = %s: its %s endpoint '%s' is not "
                             "HOST:PORT",
                             member, line, endpoint_names[n], endpoint);
    }
    if (nth(line, MEMBER_ENDPOINTS, &length))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] member%" PRIu32 " = %s: more than five endpoints", member,
                         line);
    return OC_ERR_OK;
}

/* The port, if the host is this machine by its usual name or address; else NULL. */
static const char *local_port(const char *endpoint)
{
    static const char *const hosts[] = {"localhost:", "127.0.0.1:"};
    for (int i = 0; i < 2; i++)
        if (strncasecmp(endpoint, hosts[i], strlen(hosts[i])) == 0)
            return endpoint + strlen(hosts[i]);
    return NULL;
}

/* Other names are not looked up. */
static bool is_same(const char *a, const char *b)
{
    const char *const ports[2] = {local_port(a), local_port(b)};
    return ports[0] && ports[1] ? strcmp(ports[0], ports[1]) == 0 : strcasecmp(a, b) == 0;
}

static oc_err_t check_different(const member_config_t *config, uint32_t count)
{
    char endpoint[2][NODE_TEXT_MAX];
    for (uint32_t a = 0; a < count * MEMBER_ENDPOINTS; a++)
        for (uint32_t b = 0; b < a; b++) {
            const uint32_t members[2] = {b / MEMBER_ENDPOINTS, a / MEMBER_ENDPOINTS};
            const uint32_t places[2] = {b % MEMBER_ENDPOINTS, a % MEMBER_ENDPOINTS};
            for (int i = 0; i < 2; i++)
                if (!member_config_endpoint(config, members[i], places[i], endpoint[i],
                                            sizeof endpoint[i]))
                    return OC_ERR_INVALID_CONFIG; /* not after check_member() */
            if (is_same(endpoint[0], endpoint[1]))
                return error_set(OC_ERR_INVALID_CONFIG,
                                 "[cluster] %s is the %s endpoint of member%" PRIu32
                                 " and the %s endpoint of member%" PRIu32 ": all must differ",
                                 endpoint[0], endpoint_names[places[0]], members[0],
                                 endpoint_names[places[1]], members[1]);
        }
    return OC_ERR_OK;
}

static oc_err_t check_members(const member_config_t *config)
{
    const uint32_t count = member_config_count(config);
    if (count == 0)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] names no members; member0 = HOST:PORT of "
                         "ingress,consensus,log,catchup,archive is the first");
    for (uint32_t i = count; i < MEMBER_COUNT_MAX; i++)
        if (config->members[i][0])
            return error_set(OC_ERR_INVALID_CONFIG,
                             "[cluster] member%" PRIu32 " is named and member%" PRIu32
                             " is not: ids are 0, 1, 2 and so on without a hole",
                             i, count);
    if (config->id >= count)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] id = %" PRIu64 ": there are %" PRIu32
                         " members, with ids from 0 to %" PRIu32,
                         config->id, count, count - 1);
    for (uint32_t i = 0; i < count; i++) {
        const oc_err_t err = check_member(config, i);
        if (err != OC_ERR_OK)
            return err;
    }
    return check_different(config, count);
}

/* The value of a channel's parameter, as Aeron reads it; 0: none. *bad: it is no size. */
static uint64_t channel_size(const char *channel, const char *key, bool *bad)
{
    const size_t length = strlen(key);
    const char *at = channel;
    *bad = false;
    do {
        at = strstr(at + 1, key);
    } while (at && ((at[-1] != '?' && at[-1] != '|') || at[length] != '='));
    if (!at)
        return 0;
    char *end;
    at += length + 1;
    uint64_t value = strtoull(at, &end, 10);
    const char *const units = "kKmMgG";
    const char *unit = *end ? strchr(units, *end) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)((unit - units) / 2 + 1) : 0;
    end += unit ? 1 : 0;
    *bad = *at < '0' || *at > '9' || (*end && *end != '|') || value > GIB;
    return *bad ? 0 : value << shift;
}

static oc_err_t check_channel(const char *key, const char *channel)
{
    bool bad_term;
    bool bad_mtu;
    if (strncmp(channel, "aeron:udp", 9) != 0)
        return error_set(OC_ERR_INVALID_CONFIG, "[cluster] %s = %s: not a channel aeron:udp?...",
                         key, channel);
    if (strstr(channel, "endpoint=") || strstr(channel, "control="))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] %s = %s: endpoints are those of the members", key, channel);
    const uint64_t term = channel_size(channel, "term-length", &bad_term);
    const uint64_t mtu = channel_size(channel, "mtu", &bad_mtu);
    if (bad_term || (term != 0 && (term < 64 * KIB || term > GIB || (term & (term - 1)) != 0)))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] %s = %s: term-length is a power of two from 64k to 1g", key,
                         channel);
    if (bad_mtu || (mtu != 0 && (mtu < MTU_MIN || mtu > MTU_MAX || mtu % MTU_STEP != 0)))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] %s = %s: mtu is a multiple of %d from %d to %d", key, channel,
                         MTU_STEP, MTU_MIN, MTU_MAX);
    return OC_ERR_OK;
}

/* The channels were checked. */
static oc_err_t check_segment(const member_config_t *config)
{
    bool bad;
    const uint64_t segment = config->archive_segment_bytes;
    if ((segment & (segment - 1)) != 0)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] archive_segment_bytes = %" PRIu64 ": not a power of two",
                         segment);
    if (channel_size(config->log_channel, "term-length", &bad) > segment)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] archive_segment_bytes = %" PRIu64
                         ": less than a term of log_channel = %s",
                         segment, config->log_channel);
    return OC_ERR_OK;
}

static oc_err_t check_values(const member_config_t *config)
{
    oc_err_t err = check_channel("log_channel", config->log_channel);
    if (err == OC_ERR_OK)
        err = check_channel("ingress_channel", config->ingress_channel);
    if (err == OC_ERR_OK)
        err = check_segment(config);
    if (err != OC_ERR_OK)
        return err;
    /* The module demands it of itself, in words of its own. */
    if (config->canvass_timeout_ms < 2 * config->heartbeat_timeout_ms)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] canvass_timeout_ms = %" PRIu64
                         ": less than twice heartbeat_timeout_ms = %" PRIu64,
                         config->canvass_timeout_ms, config->heartbeat_timeout_ms);
    if (config->driver == MEMBER_DRIVER_EXTERNAL && !config->node.aeron_dir[0])
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] driver = external needs its directory: aeron_dir in [node]");
    if (config->module == MEMBER_MODULE_START && !config->java[0])
        return error_set(OC_ERR_INVALID_CONFIG, "[cluster] java is empty: what runs the module?");
    return OC_ERR_OK;
}

/* The node's own check, without what a member does not use. */
static oc_err_t check_node(const member_config_t *config)
{
    node_config_t used = config->node;
    node_config_t fresh;
    node_config_init(&fresh);
    memcpy(used.ingress, fresh.ingress, sizeof used.ingress);
    memcpy(used.advertised, fresh.advertised, sizeof used.advertised);
    memcpy(used.redirect, fresh.redirect, sizeof used.redirect);
    used.segment_bytes = fresh.segment_bytes;
    used.group_bytes = fresh.group_bytes;
    return node_config_check(&used);
}

oc_err_t member_config_check(const member_config_t *config)
{
    node_config_key_t keys[KEYS];
    member_config_t copy = *config;
    const size_t count = list_keys(&copy, keys);
    for (size_t i = 0; i < count; i++) {
        const oc_err_t err = config_key_check(&keys[i]);
        if (err != OC_ERR_OK)
            return err;
    }
    if (strlen(config->node.dir) > MEMBER_DIR_MAX)
        return error_set(OC_ERR_INVALID_CONFIG, "the directory's name is longer than %d characters",
                         MEMBER_DIR_MAX);
    oc_err_t err = check_members(config);
    if (err == OC_ERR_OK)
        err = check_values(config);
    return err == OC_ERR_OK ? check_node(config) : err;
}

/* ---- Files ---- */

bool member_config_is_cluster(const char *file)
{
    return config_file_has_section(file, "cluster");
}

void member_config_path(const member_config_t *config, const char *name, char *path, size_t size)
{
    const int length = snprintf(path, size, "%s/%s", config->node.dir, name);
    OC_ASSERT(length > 0);
    OC_ASSERT((size_t)length < size);
}
