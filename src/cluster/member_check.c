/*
 * What must not be begun anew by accident. Called before a member starts its module, and by the
 * container, which notes that there is a log from now on.
 *
 * A module without recording.log begins with an empty log, whatever the archive holds. What a kill
 * may leave of a first start, and what is a loss, as Aeron orders its writes:
 *
 *   1. recording.log is made, empty, before anything is recorded. So where an archive has a log,
 *      the file was there.
 *   2. A leader lists its recording before it appends the first entry. So a cluster of one never
 *      has a log that is not listed.
 *   3. A follower that catches up from nothing records first and lists then: an empty list beside a
 *      log is what a kill leaves, and it catches up again. `joined` tells this from a list that
 *      became empty: it is written once the list names a log.
 *
 * It must not change what is the module's. Two files are refused although a kill can leave them so,
 * in the moments in which they are made: an empty node-state.dat, and a catalog without a header.
 */
#define _GNU_SOURCE
#include "cluster/member_check.h"

#include "base/error.h"
#include "base/storage.h"
#include "cluster/archive_catalog.h"
#include "cluster/recording_log.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOG_STREAM      INT32_C(100) /* of Aeron's, unless jvm_flags say another one */
#define LOG_STREAM_FLAG "-Daeron.cluster.log.stream.id="
#define CHECKSUM_FLAG   "-Daeron.archive.record.checksum="

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
    member_config_path(config, MEMBER_JOINED_FILE, path, sizeof path);
    FILE *file = fopen(path, "we");
    if (!file)
        return error_set(OC_ERR_WRITE, "%s: %s", path, strerror(errno));
    bool ok = fprintf(file, "cluster_id = %" PRIu64 "\n", config->cluster_id) > 0;
    ok = fflush(file) == 0 && fsync(fileno(file)) == 0 && ok;
    ok = fclose(file) == 0 && ok;
    if (!ok)
        return error_set(OC_ERR_WRITE, "%s cannot be written", path);
    return storage_device()->sync_dir(storage_device(), config->node.dir);
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

static int32_t log_stream(const member_config_t *config)
{
    const char *flag = strstr(config->jvm_flags, LOG_STREAM_FLAG);
    return flag ? (int32_t)strtol(flag + sizeof LOG_STREAM_FLAG - 1, NULL, 10) : LOG_STREAM;
}

/* Where a recording ends; what cannot be read is data too. */
static int64_t recorded_up_to(const char *archive, const recording_descriptor_t *recording)
{
    int64_t end;
    if (recording->stop_position >= 0)
        return recording->stop_position;
    return recording_end(archive, recording->id, recording->start_position, &end) == OC_ERR_OK
               ? end
               : INT64_MAX;
}

/* Refuses when the archive has a recording of a log that is not empty. */
static oc_err_t refuse_log(const member_config_t *config)
{
    char archive[PATH_MAX];
    char path[PATH_MAX];
    archive_catalog_t catalog;
    recording_descriptor_t recording;
    size_t offset = 0;
    member_config_path(config, "archive", archive, sizeof archive);
    member_config_path(config, "archive/" ARCHIVE_CATALOG_FILE, path, sizeof path);
    if (is_missing(path))
        return OC_ERR_OK;
    oc_err_t err = archive_catalog_load(&catalog, archive);
    if (err != OC_ERR_OK)
        return err;
    while (err == OC_ERR_OK && archive_catalog_next(&catalog, &offset, &recording))
        if (recording.valid && recording.stream_id == log_stream(config) &&
            recorded_up_to(archive, &recording) > recording.start_position)
            err = error_set(OC_ERR_DAMAGED,
                            "%s holds a log (recording %" PRId64 ", from position %" PRId64
                            " on), and cluster/" RECORDING_LOG_FILE
                            ", which lists it, is lost: put cluster back as it was; or move all "
                            "but outcry.conf away, and seed the member from another one (outcry "
                            "cluster seed), or begin anew without that state",
                            archive, recording.id, recording.start_position);
    archive_catalog_fini(&catalog);
    return err;
}

/* ---- The module's files ---- */

static oc_err_t check_torn(const member_config_t *config, const recording_log_t *log)
{
    if (log->whole == log->length)
        return OC_ERR_OK;
    return error_set(OC_ERR_DAMAGED,
                     "%s/cluster/" RECORDING_LOG_FILE ", the module's list of its recordings, is "
                     "torn: %zu of its %zu bytes are whole entries: put a copy back, or seed the "
                     "member from another one; to go on without the rest, which the module makes "
                     "anew from its log, cut it (truncate -s %zu)",
                     config->node.dir, log->whole, log->length, log->whole);
}

/* It is mapped, and begins with a version, which is never 0. */
static oc_err_t check_node_state(const member_config_t *config)
{
    char path[PATH_MAX];
    uint32_t version = 0;
    member_config_path(config, "cluster/node-state.dat", path, sizeof path);
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? OC_ERR_OK
                               : error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    (void)fread(&version, sizeof version, 1, file);
    (void)fclose(file);
    if (version != 0)
        return OC_ERR_OK;
    return error_set(OC_ERR_DAMAGED,
                     "%s is empty: the module notes there for which term the member has voted, and "
                     "does not start with such a one. Remove it, it is made anew; while other "
                     "members lead and follow, nothing depends on it",
                     path);
}

static oc_err_t check_list(const member_config_t *config, bool joined)
{
    char path[PATH_MAX];
    recording_log_t log;
    member_config_path(config, "cluster/" RECORDING_LOG_FILE, path, sizeof path);
    const bool missing = is_missing(path);
    oc_err_t err = read_list(config, &log);
    if (err == OC_ERR_OK)
        err = check_torn(config, &log);
    if (err == OC_ERR_OK && !lists_anything(&log) &&
        (missing || joined || member_config_count(config) == 1))
        err = refuse_log(config);
    recording_log_fini(&log);
    return err;
}

/* ---- Doorways ---- */

oc_err_t member_check_directory(const member_config_t *config)
{
    bool joined;
    uint64_t cluster_id = config->cluster_id;
    oc_err_t err = read_mark(config, &joined, &cluster_id);
    if (err == OC_ERR_OK && cluster_id != config->cluster_id)
        err = error_set(OC_ERR_INVALID_CONFIG,
                        "%s is of a member of the cluster with cluster_id = %" PRIu64
                        ", the configuration says %" PRIu64 ": a log stays with its cluster; put "
                        "cluster_id right, or take an empty directory",
                        config->node.dir, cluster_id, config->cluster_id);
    if (err == OC_ERR_OK)
        err = check_list(config, joined);
    return err == OC_ERR_OK ? check_node_state(config) : err;
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
