/*
 * Makes and reads the directories of a local cluster. Called by bench/local_cluster.c.
 *
 * Invariants: a member's outcry.conf appears whole, by a rename, and the last one is the sign that
 * the folder is complete; what is there is never written over. Ports are taken below those that the
 * system gives to anybody, so that a member that is started again finds its own free.
 */
#define _GNU_SOURCE
#include "bench/cluster_folder.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/remove_tree.h"
#include "cluster/module_lock.h"
#include "host/driver_dir.h"
#include "host/node_config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MEMBERS_DEFAULT = 3,
    PORT_FIRST = 10000,
    PORT_COUNT = 20000,
    PORT_TRIES = 2000,
    TEXT_MAX = 1 << 16, /* of a configuration file */
    ID_LINES_MAX = 64,
    TEXTS_MAX = 2 * TEXT_MAX + ID_LINES_MAX, /* the user's two, and that */
};

/* What a laptop can carry: three JVMs, and drivers whose buffers are in memory. */
typedef struct preset {
    const char *section;
    const char *key;
    const char *value;
} preset_t;

static const preset_t presets[] = {
    {"cluster", "heartbeat_timeout_ms", "2000"},
    {"cluster", "election_timeout_ms", "500"},
    {"cluster", "canvass_timeout_ms", "5000"},
    {"cluster", "log_channel", "aeron:udp?term-length=4m"},
    {"cluster", "archive_segment_bytes", "64M"},
    {"cluster", "jvm_flags", "-Xms64m -Xmx192m -XX:+UseSerialGC"},
};

void cluster_folder_dir(const cluster_folder_t *self, uint32_t member,
                        char path[CLUSTER_FOLDER_PATH])
{
    (void)snprintf(path, CLUSTER_FOLDER_PATH, "%s/m%" PRIu32, self->base, member);
}

void cluster_folder_file(const cluster_folder_t *self, uint32_t member, const char *name,
                         char path[CLUSTER_FOLDER_PATH])
{
    (void)snprintf(path, CLUSTER_FOLDER_PATH, "%s/m%" PRIu32 "/%s", self->base, member, name);
}

oc_err_t cluster_folder_aeron_dir(const cluster_folder_t *self, uint32_t member, char *path,
                                  size_t size)
{
    char dir[CLUSTER_FOLDER_PATH];
    cluster_folder_dir(self, member, dir);
    return driver_dir_of(dir, path, size);
}

/* ---- Ports ---- */

static int bind_to(uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* Free ones, all different: each is held until all are found. */
static oc_err_t choose_ports(uint16_t *ports, size_t count)
{
    int sockets[MEMBER_COUNT_MAX * MEMBER_ENDPOINTS];
    size_t found = 0;
    OC_ASSERT(count <= sizeof sockets / sizeof sockets[0]);
    for (int i = 0; i < PORT_TRIES && found < count; i++) {
        uint32_t number;
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
            break;
        ports[found] = (uint16_t)(PORT_FIRST + number % PORT_COUNT);
        sockets[found] = bind_to(ports[found]);
        if (sockets[found] >= 0)
            found++;
    }
    for (size_t i = 0; i < found; i++)
        (void)close(sockets[i]);
    if (found < count)
        return error_set(OC_ERR_OPEN, "%zu free UDP ports of 127.0.0.1 were not found: %s", count,
                         strerror(errno));
    return OC_ERR_OK;
}

/* ---- The user's lines ---- */

static oc_err_t read_text(const char *file, char text[TEXT_MAX])
{
    FILE *stream = fopen(file, "re");
    if (!stream)
        return error_set(OC_ERR_OPEN, "%s: %s", file, strerror(errno));
    const size_t length = fread(text, 1, TEXT_MAX - 1, stream);
    text[length] = '\0';
    const bool whole = feof(stream) != 0;
    (void)fclose(stream);
    if (!whole)
        return error_set(OC_ERR_READ, "%s: cannot be read, or is longer than %d bytes", file,
                         TEXT_MAX - 1);
    return OC_ERR_OK;
}

/* Whether the lines give a key a value. A name that ends in * stands for all that begin so. */
static bool mentions(const char *text, const char *section, const char *key)
{
    const size_t section_length = strlen(section);
    const size_t key_length = strcspn(key, "*");
    const bool any_end = key[key_length] == '*';
    bool inside = false;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        line += strspn(line, " \t\r");
        if (*line == '[')
            inside = !strncmp(line + 1, section, section_length) && line[section_length + 1] == ']';
        else if (inside && !strncmp(line, key, key_length) &&
                 (any_end || strchr(" \t=:", line[key_length])))
            return true;
    }
    return false;
}

static oc_err_t check_text(const char *text)
{
    static const preset_t own[] = {
        {"cluster", "id", NULL}, {"cluster", "member*", NULL}, {"node", "aeron_dir", NULL}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (mentions(text, own[i].section, own[i].key))
            return error_set(OC_ERR_INVALID_CONFIG,
                             "[%s] %s: every member of a local cluster gets one of its own; leave "
                             "it out",
                             own[i].section, own[i].key);
    return OC_ERR_OK;
}

/* So that no other cluster has it; what the user chose stays. */
static oc_err_t add_id(char text[TEXTS_MAX])
{
    uint32_t number;
    const size_t used = strlen(text);
    if (mentions(text, "cluster", "cluster_id"))
        return OC_ERR_OK;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return error_set(OC_ERR_READ, "no random numbers: %s", strerror(errno));
    OC_ASSERT(used + ID_LINES_MAX <= TEXTS_MAX);
    (void)snprintf(text + used, ID_LINES_MAX, "\n[cluster]\ncluster_id = %" PRIu32 "\n",
                   1 + number % INT32_MAX);
    return OC_ERR_OK;
}

/* ---- Writing ---- */

static oc_err_t make_dir(const char *path, bool *made)
{
    if (mkdir(path, 0777) == 0)
        *made = true;
    else if (errno != EEXIST)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    return OC_ERR_OK;
}

/* Where the user chose the terms, files that hold them are the user's to choose as well. */
static bool is_wanted(const preset_t *preset, const char *text)
{
    if (mentions(text, preset->section, preset->key))
        return false;
    return strcmp(preset->key, "archive_segment_bytes") != 0 ||
           !mentions(text, "cluster", "log_channel");
}

static void print_members(FILE *file, const uint16_t *ports, uint32_t members)
{
    for (uint32_t i = 0; i < members; i++) {
        (void)fprintf(file, "member%" PRIu32 " = ", i);
        for (uint32_t n = 0; n < MEMBER_ENDPOINTS; n++)
            (void)fprintf(file, "%s127.0.0.1:%u", n > 0 ? "," : "",
                          (unsigned)ports[i * MEMBER_ENDPOINTS + n]);
        (void)fprintf(file, "\n");
    }
}

static oc_err_t write_member(const cluster_folder_t *self, uint32_t member, const char *text,
                             const uint16_t *ports)
{
    char path[CLUSTER_FOLDER_PATH];
    char name[CLUSTER_FOLDER_PATH];
    char aeron_dir[128] = "";
    if (self->external_driver) {
        const oc_err_t err = cluster_folder_aeron_dir(self, member, aeron_dir, sizeof aeron_dir);
        if (err != OC_ERR_OK)
            return err;
    }
    cluster_folder_file(self, member, NODE_CONFIG_NAME ".new", path);
    cluster_folder_file(self, member, NODE_CONFIG_NAME, name);
    FILE *file = fopen(path, "we");
    if (!file)
        return error_set(OC_ERR_WRITE, "%s: %s", path, strerror(errno));
    (void)fprintf(file, "%s\n", text);
    if (self->external_driver)
        (void)fprintf(file, "[node]\naeron_dir = %s\n", aeron_dir);
    (void)fprintf(file, "[cluster]\nid = %" PRIu32 "\n", member);
    if (self->external_driver)
        (void)fprintf(file, "driver = external\n");
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++)
        if (is_wanted(&presets[i], text))
            (void)fprintf(file, "%s = %s\n", presets[i].key, presets[i].value);
    print_members(file, ports, self->members);
    const bool written = ferror(file) == 0;
    if (fclose(file) != 0 || !written || rename(path, name) != 0)
        return error_set(OC_ERR_WRITE, "%s: %s", path, strerror(errno));
    return OC_ERR_OK;
}

/* The member with the highest id first: when m0 has its configuration, all have. */
static oc_err_t write_all(const cluster_folder_t *self, const char *text)
{
    uint16_t ports[MEMBER_COUNT_MAX * MEMBER_ENDPOINTS];
    bool made;
    oc_err_t err = choose_ports(ports, (size_t)self->members * MEMBER_ENDPOINTS);
    for (uint32_t i = self->members; err == OC_ERR_OK && i > 0; i--) {
        char dir[CLUSTER_FOLDER_PATH];
        cluster_folder_dir(self, i - 1, dir);
        err = make_dir(dir, &made);
        if (err == OC_ERR_OK)
            err = write_member(self, i - 1, text, ports);
    }
    return err;
}

static oc_err_t make(cluster_folder_t *self, const cluster_folder_config_t *config)
{
    char *text = malloc(TEXTS_MAX);
    oc_err_t err = OC_ERR_OK;
    if (!text)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a configuration");
    text[0] = '\0';
    if (config->file)
        err = read_text(config->file, text);
    if (err == OC_ERR_OK && config->lines) {
        const size_t used = strlen(text);
        const int length = snprintf(text + used, TEXT_MAX, "\n%s", config->lines);
        if (length < 0 || length >= TEXT_MAX)
            err = error_set(OC_ERR_TOO_LONG, "the configuration's lines are too long");
    }
    if (err == OC_ERR_OK)
        err = check_text(text);
    if (err == OC_ERR_OK && config->own_id)
        err = add_id(text);
    if (err == OC_ERR_OK)
        err = write_all(self, text);
    free(text);
    return err;
}

/* ---- Reading ---- */

/* Takes over what the configurations say, and judges them before anything is started. */
static oc_err_t take(cluster_folder_t *self, uint32_t wanted)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < count; i++) {
        member_config_t config;
        char path[CLUSTER_FOLDER_PATH];
        member_config_init(&config);
        cluster_folder_file(self, i, NODE_CONFIG_NAME, path);
        oc_err_t err = member_config_read_part(&config, path);
        if (err != OC_ERR_OK)
            return err;
        (void)snprintf(config.node.dir, sizeof config.node.dir, "%s/m%" PRIu32, self->base, i);
        err = member_config_check(&config);
        if (err != OC_ERR_OK)
            return err;
        count = member_config_count(&config);
        self->external_driver = config.driver == MEMBER_DRIVER_EXTERNAL;
        if (!member_config_endpoints(&config, self->ingress, sizeof self->ingress))
            return error_set(OC_ERR_INVALID_CONFIG, "%s: the list of members is too long", path);
    }
    self->members = count;
    if (wanted != 0 && wanted != count)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "%s holds a cluster of %" PRIu32 " members, not of %" PRIu32
                         "; remove it, or name another directory",
                         self->base, count, wanted);
    return OC_ERR_OK;
}

oc_err_t cluster_folder_open(cluster_folder_t *self, const cluster_folder_config_t *config)
{
    char first[CLUSTER_FOLDER_PATH];
    *self = (cluster_folder_t){.external_driver = config->external_driver};
    OC_ASSERT(config->members <= MEMBER_COUNT_MAX);
    self->members = config->members ? config->members : MEMBERS_DEFAULT;
    const int length = snprintf(self->base, sizeof self->base, "%s", config->base);
    if (length <= 0 || (size_t)length > sizeof self->base - 16)
        return error_set(OC_ERR_TOO_LONG, "the directory's name is empty or too long");
    oc_err_t err = make_dir(self->base, &self->made);
    if (err != OC_ERR_OK)
        return err;
    cluster_folder_file(self, 0, NODE_CONFIG_NAME, first);
    if (access(first, F_OK) != 0)
        err = make(self, config);
    return err == OC_ERR_OK ? take(self, config->members) : err;
}

void cluster_folder_clean(const cluster_folder_t *self)
{
    char path[128];
    for (uint32_t i = 0; i < self->members; i++)
        if (cluster_folder_aeron_dir(self, i, path, sizeof path) == OC_ERR_OK)
            (void)remove_tree(path);
}

long cluster_folder_module_pid(const cluster_folder_t *self, uint32_t member)
{
    char dir[CLUSTER_FOLDER_PATH];
    bool held = false;
    long pid = 0;
    cluster_folder_dir(self, member, dir);
    return module_lock_probe(dir, &held, &pid) == OC_ERR_OK && held ? pid : 0;
}
