/*
 * What must not be begun anew by accident. Called before a member starts its module, and by the
 * container, which notes that there is a log from now on.
 *
 * A module without entries in recording.log begins with an empty log, whatever else is there. What
 * tells of a log: an entry in recording.log; `joined`; an image; a segment file with data in it.
 *
 *     recording.log   archive.catalog   else               the start
 *     ---------------------------------------------------------------------------------------
 *     lists a log     has it            anything           goes on; so of a backup or a seed
 *     lists a log     lacks it          anything           is refused
 *     lists nothing   anything          joined or images   is refused
 *     missing         anything          data               is refused (1)
 *     empty           missing, blank    data               is refused (1)
 *     empty           made              data, one member   is refused (2)
 *     empty           has it            data, several      goes on: a catch-up was killed (3)
 *     empty           lacks it          data, several      is refused (1)
 *     lists nothing   anything          nothing            begins; so of a wiped member
 *
 * For what a kill may leave of a first start, and what is a loss, follows from how Aeron orders its
 * writes:
 *
 *   1. The catalog is made, then recording.log, empty, before anything is recorded; and a recording
 *      is in the catalog before it has data.
 *   2. A leader lists its recording before it appends the first entry. So a cluster of one never
 *      has a log that is not listed.
 *   3. A follower that catches up from nothing records first and lists then, and catches up again.
 *      `joined` tells this from a list that became empty: it is written once the list names a log.
 *
 * Two files are of no use to the module where a kill came while they were made: archive.catalog
 * without a header, and node-state.dat without its end. Such ones never held anything. They are
 * removed before there is a `joined`; later it was no kill that damaged them. Nothing else of the
 * module's must be changed.
 */
#define _GNU_SOURCE
#include "cluster/member_check.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/storage.h"
#include "cluster/archive_catalog.h"
#include "cluster/recording_log.h"
#include "cluster/recording_segments.h"
#include "snapshot/image.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECKSUM_FLAG "-Daeron.archive.record.checksum="
#define NODE_STATE    "cluster/node-state.dat"

/* What a directory has of a member's life. */
typedef struct member_traces {
    bool joined;
    bool list_there;
    bool images;
    archive_catalog_kind_t catalog;
    char segment[64]; /* a file with data that is to be listed, and is not; "": none */
} member_traces_t;

static bool is_missing(const char *path)
{
    return access(path, F_OK) != 0 && errno == ENOENT;
}

/* ---- The mark ---- */

/* An empty mark, of a machine that stopped while it was written, says nothing but that it is there;
 * *cluster_id is then as before. */
static oc_err_t read_mark(const member_config_t *config, bool *there, uint64_t *cluster_id)
{
    char path[PATH_MAX];
    member_config_path(config, MEMBER_JOINED_FILE, path, sizeof path);
    FILE *file = fopen(path, "re");
    *there = file || errno != ENOENT;
    if (!file)
        return *there ? error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno)) : OC_ERR_OK;
    (void)fscanf(file, "cluster_id = %" SCNu64, cluster_id);
    (void)fclose(file);
    return OC_ERR_OK;
}

static oc_err_t write_mark(const member_config_t *config)
{
    char path[PATH_MAX];
    char text[64];
    const int length =
        snprintf(text, sizeof text, "cluster_id = %" PRIu64 "\n", config->cluster_id);
    member_config_path(config, MEMBER_JOINED_FILE, path, sizeof path);
    return atomic_file_write(path, text, (size_t)length);
}

/* ---- What the module has listed ---- */

/* A list that is not there has no entries. */
static oc_err_t read_list(const member_config_t *config, recording_log_t *log)
{
    char dir[PATH_MAX];
    char path[PATH_MAX];
    *log = (recording_log_t){0};
    member_config_path(config, "cluster", dir, sizeof dir);
    member_config_path(config, "cluster/" RECORDING_LOG_FILE, path, sizeof path);
    return is_missing(path) ? OC_ERR_OK : recording_log_read(log, dir);
}

static bool lists_anything(const recording_log_t *log)
{
    for (size_t i = 0; i < log->count; i++)
        if (log->entries[i].valid)
            return true;
    return false;
}

/* ---- What the archive has recorded ---- */

static bool is_zeros(const uint8_t *bytes, size_t count)
{
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/* Segments are made of zeros, most of which are holes. What cannot be read is data too. */
static bool has_data(int dir, const char *name)
{
    uint8_t bytes[16384];
    const int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    off_t at = 0;
    ssize_t n = 1;
    bool found = fd < 0;
    while (!found && n > 0) {
        at = lseek(fd, at, SEEK_DATA);
        n = at >= 0 ? pread(fd, bytes, sizeof bytes, at) : errno == ENXIO ? 0 : -1;
        found = n < 0 || !is_zeros(bytes, (size_t)n);
        at += n;
    }
    if (fd >= 0)
        (void)close(fd);
    return found;
}

/* Whatever has become of it since. */
static bool is_known(const archive_catalog_t *catalog, int64_t id)
{
    recording_descriptor_t recording;
    for (size_t offset = 0; archive_catalog_next(catalog, &offset, &recording);)
        if (recording.id == id)
            return true;
    return false;
}

/* The name of a segment with data, of a recording that is not in `known`; "": there is none. */
static oc_err_t find_segment(const char *archive, const archive_catalog_t *known, char name[64])
{
    int64_t id;
    int64_t base;
    DIR *dir = opendir(archive);
    name[0] = '\0';
    if (!dir)
        return errno == ENOENT ? OC_ERR_OK
                               : error_set(OC_ERR_OPEN, "%s: %s", archive, strerror(errno));
    const struct dirent *entry;
    while (!name[0] && (entry = readdir(dir)) != NULL)
        if (recording_segment_name(entry->d_name, &id, &base) && !is_known(known, id) &&
            has_data(dirfd(dir), entry->d_name))
            (void)snprintf(name, 64, "%.63s", entry->d_name);
    (void)closedir(dir);
    return OC_ERR_OK;
}

/* With several members, a log that is recorded in order and not listed may be a catch-up. */
static oc_err_t find_unlisted(const member_config_t *config, member_traces_t *traces)
{
    char archive[PATH_MAX];
    archive_catalog_t known = {0};
    oc_err_t err = OC_ERR_OK;
    member_config_path(config, "archive", archive, sizeof archive);
    if (traces->list_there && traces->catalog == ARCHIVE_CATALOG_MADE &&
        member_config_count(config) > 1)
        err = archive_catalog_load(&known, archive);
    if (err == OC_ERR_OK)
        err = find_segment(archive, &known, traces->segment);
    archive_catalog_fini(&known);
    return err;
}

static oc_err_t find_images(const member_config_t *config, bool *there)
{
    image_store_t *images;
    const image_store_config_t how = {
        .dir = config->node.dir, .storage = storage_device(), .read_only = true, .keep = 1};
    if (is_missing(config->node.dir))
        return OC_ERR_OK;
    const oc_err_t err = image_store_open(&images, &how);
    if (err != OC_ERR_OK)
        return err;
    *there = image_store_count(images) > 0 || image_store_line(images, 0);
    image_store_close(images);
    return OC_ERR_OK;
}

/* ---- A log that is lost ---- */

/* Not longer, for an error has room for 500 characters with the path. */
#define WAYS_OUT                                                                                   \
    "put archive, cluster and images back as they were, or move all but outcry.conf away and "     \
    "seed "                                                                                        \
    "it (outcry cluster seed); without that, one of several members joins anew where most others " \
    "have the log from its beginning, and a single one begins an empty log"

static oc_err_t refuse_lost(const member_config_t *config, const member_traces_t *traces)
{
    char segment[128] = "";
    if (traces->segment[0])
        (void)snprintf(segment, sizeof segment, "%sarchive/%s with recorded data",
                       traces->joined || traces->images ? ", " : "", traces->segment);
    return error_set(OC_ERR_DAMAGED,
                     "%s: its log is lost: there is %s%s%s%s, but "
                     "cluster/" RECORDING_LOG_FILE " %s%s: " WAYS_OUT,
                     config->node.dir, traces->joined ? "the mark " MEMBER_JOINED_FILE : "",
                     traces->joined && traces->images ? ", " : "",
                     traces->images ? "an image in " IMAGE_DIR : "", segment,
                     traces->list_there ? "lists no log" : "is missing",
                     traces->catalog == ARCHIVE_CATALOG_MISSING
                         ? ", and archive/" ARCHIVE_CATALOG_FILE " is missing"
                     : traces->catalog == ARCHIVE_CATALOG_BLANK
                         ? ", and archive/" ARCHIVE_CATALOG_FILE " is empty"
                         : "");
}

static oc_err_t check_unlisted(const member_config_t *config, member_traces_t *traces)
{
    oc_err_t err = find_images(config, &traces->images);
    if (err == OC_ERR_OK)
        err = find_unlisted(config, traces);
    if (err != OC_ERR_OK)
        return err;
    return traces->joined || traces->images || traces->segment[0] ? refuse_lost(config, traces)
                                                                  : OC_ERR_OK;
}

static oc_err_t refuse_catalog(const member_config_t *config, const char *how)
{
    return error_set(OC_ERR_DAMAGED,
                     "%s: cluster/" RECORDING_LOG_FILE
                     " lists this member's log, and archive/" ARCHIVE_CATALOG_FILE " %s: " WAYS_OUT,
                     config->node.dir, how);
}

/* A recording of a snapshot may be gone: the module takes an older one. */
static oc_err_t check_listed(const member_config_t *config, const recording_log_t *log,
                             const member_traces_t *traces)
{
    char archive[PATH_MAX];
    archive_catalog_t catalog;
    recording_descriptor_t recording;
    const int64_t id = recording_log_log(log);
    if (traces->catalog != ARCHIVE_CATALOG_MADE)
        return refuse_catalog(config,
                              traces->catalog == ARCHIVE_CATALOG_BLANK ? "is empty" : "is missing");
    if (id < 0)
        return OC_ERR_OK;
    member_config_path(config, "archive", archive, sizeof archive);
    oc_err_t err = archive_catalog_load(&catalog, archive);
    if (err != OC_ERR_OK)
        return err;
    if (!archive_catalog_find(&catalog, id, &recording))
        err = refuse_catalog(config, "has no such recording");
    archive_catalog_fini(&catalog);
    return err;
}

/* ---- The module's files ---- */

static oc_err_t check_torn(const member_config_t *config, const recording_log_t *log)
{
    char advice[96] = "remove it, for there is no log yet";
    if (log->whole == log->length)
        return OC_ERR_OK;
    if (lists_anything(log))
        (void)snprintf(advice, sizeof advice,
                       "or, to go on without the rest, which the module makes anew from its log, "
                       "cut it (truncate -s %zu)",
                       log->whole);
    return error_set(OC_ERR_DAMAGED,
                     "%s/cluster/" RECORDING_LOG_FILE ", the module's list of its recordings, is "
                     "torn: %zu of its %zu bytes are whole entries: put a copy back, or seed the "
                     "member from another one; %s",
                     config->node.dir, log->whole, log->length, advice);
}

static oc_err_t check_list(const member_config_t *config, member_traces_t *traces)
{
    char archive[PATH_MAX];
    char path[PATH_MAX];
    recording_log_t log;
    member_config_path(config, "archive", archive, sizeof archive);
    member_config_path(config, "cluster/" RECORDING_LOG_FILE, path, sizeof path);
    traces->list_there = !is_missing(path);
    oc_err_t err = archive_catalog_look(archive, &traces->catalog);
    if (err != OC_ERR_OK)
        return err;
    err = read_list(config, &log);
    if (err == OC_ERR_OK)
        err = lists_anything(&log) ? check_listed(config, &log, traces)
                                   : check_unlisted(config, traces);
    if (err == OC_ERR_OK) /* the last, so that what it advises helps */
        err = check_torn(config, &log);
    recording_log_fini(&log);
    return err;
}

/* Of node-state.dat: a version, at first 0; then frames, the last of which says that it is made. */
enum {
    NODE_STATE_VERSION = 3 << 8, /* 0.3.0 */
    NODE_STATE_BYTES = 4096,     /* that are looked at */
    NODE_STATE_HEADER = 8,
    NODE_STATE_FRAME = 16,
    NODE_STATE_TEMPLATE = 2, /* offsets within a frame */
    NODE_STATE_LENGTH = 8,
    NODE_STATE_FOOTER = 304,
};

static bool node_state_ends(const uint8_t *bytes, size_t got)
{
    for (size_t at = NODE_STATE_HEADER; at + NODE_STATE_FRAME <= got;) {
        uint16_t template_id;
        int32_t length;
        memcpy(&template_id, bytes + at + NODE_STATE_TEMPLATE, sizeof template_id);
        memcpy(&length, bytes + at + NODE_STATE_LENGTH, sizeof length);
        if (template_id == NODE_STATE_FOOTER)
            return true;
        if (length < NODE_STATE_FRAME || length > NODE_STATE_BYTES)
            return false;
        at += ((size_t)length + 7) & ~(size_t)7;
    }
    return false;
}

/* Whether it is there and a kill came while it was made; of another version nothing is known. */
static oc_err_t look_at_node_state(const char *path, bool *unmade)
{
    uint8_t bytes[NODE_STATE_BYTES];
    uint32_t version = 0;
    FILE *file = fopen(path, "re");
    *unmade = false;
    if (!file)
        return errno == ENOENT ? OC_ERR_OK
                               : error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    const size_t got = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    if (got >= sizeof version)
        memcpy(&version, bytes, sizeof version);
    *unmade = version == 0 || (version == NODE_STATE_VERSION && !node_state_ends(bytes, got));
    return OC_ERR_OK;
}

static oc_err_t check_node_state(const member_config_t *config, bool joined)
{
    char path[PATH_MAX];
    bool unmade;
    member_config_path(config, NODE_STATE, path, sizeof path);
    const oc_err_t err = look_at_node_state(path, &unmade);
    if (err != OC_ERR_OK || !unmade || !joined)
        return err;
    return error_set(OC_ERR_DAMAGED,
                     "%s is empty or cut off: the module notes there for which term the member has "
                     "voted, and does not start with such a one. Remove it, it is made anew; while "
                     "other members lead and follow, nothing depends on it",
                     path);
}

static oc_err_t remove_unmade(const char *path)
{
    if (unlink(path) != 0)
        return error_set(OC_ERR_WRITE, "%s: %s", path, strerror(errno));
    (void)fprintf(stderr, "outcry: %s was left empty by a start that was killed: it is made anew\n",
                  path);
    return OC_ERR_OK;
}

/* ---- Doorways ---- */

oc_err_t member_check_directory(const member_config_t *config)
{
    member_traces_t traces = {0};
    uint64_t cluster_id = config->cluster_id;
    oc_err_t err = read_mark(config, &traces.joined, &cluster_id);
    if (err == OC_ERR_OK && cluster_id != config->cluster_id)
        err = error_set(OC_ERR_INVALID_CONFIG,
                        "%s is of a member of the cluster with cluster_id = %" PRIu64
                        ", the configuration says %" PRIu64 ": a log stays with its cluster; put "
                        "cluster_id right, or take an empty directory",
                        config->node.dir, cluster_id, config->cluster_id);
    if (err == OC_ERR_OK)
        err = check_list(config, &traces);
    return err == OC_ERR_OK ? check_node_state(config, traces.joined) : err;
}

oc_err_t member_check_clear(const member_config_t *config)
{
    char archive[PATH_MAX];
    char path[PATH_MAX];
    bool joined;
    bool unmade;
    uint64_t cluster_id = 0;
    archive_catalog_kind_t catalog;
    oc_err_t err = read_mark(config, &joined, &cluster_id);
    if (err != OC_ERR_OK || joined)
        return err;
    member_config_path(config, "archive", archive, sizeof archive);
    member_config_path(config, "archive/" ARCHIVE_CATALOG_FILE, path, sizeof path);
    err = archive_catalog_look(archive, &catalog);
    if (err == OC_ERR_OK && catalog == ARCHIVE_CATALOG_BLANK)
        err = remove_unmade(path);
    member_config_path(config, NODE_STATE, path, sizeof path);
    if (err == OC_ERR_OK)
        err = look_at_node_state(path, &unmade);
    return err == OC_ERR_OK && unmade ? remove_unmade(path) : err;
}

/* Of a log that is empty, as in a backup, its snapshots tell. One whose recording was purged since
 * says nothing. */
oc_err_t member_check_checksums(const member_config_t *config, bool *checksums)
{
    char archive[PATH_MAX];
    recording_log_t log;
    int64_t last = -1;
    member_config_path(config, "archive", archive, sizeof archive);
    *checksums = !strstr(config->jvm_flags, CHECKSUM_FLAG);
    oc_err_t err = read_list(config, &log);
    for (size_t i = 0; err == OC_ERR_OK && *checksums && i < log.count; i++) {
        const recording_log_entry_t *entry = &log.entries[i];
        if (!entry->valid || entry->recording == last)
            continue;
        last = entry->recording;
        err = recording_may_be_checked(archive, last, checksums);
        if (err == OC_ERR_OPEN)
            err = OC_ERR_OK;
    }
    recording_log_fini(&log);
    return err;
}

oc_err_t member_check_note_joined(const member_config_t *config, bool *noted)
{
    recording_log_t log;
    uint64_t cluster_id = UINT64_MAX;
    oc_err_t err = read_mark(config, noted, &cluster_id);
    if (err != OC_ERR_OK || cluster_id == config->cluster_id)
        return err;
    *noted = false;
    err = read_list(config, &log);
    const bool listed = err == OC_ERR_OK && recording_log_log(&log) >= 0;
    recording_log_fini(&log);
    if (!listed)
        return err;
    err = write_mark(config);
    *noted = err == OC_ERR_OK;
    return err;
}
