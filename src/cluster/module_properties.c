/*
 * The properties of a member's module, in the format of java.util.Properties. Called when a member
 * starts its module.
 *
 * Invariant: the file is complete under its name or it is not there under it. Keys are those that
 * ModuleProperties of cluster/java knows.
 */
#define _GNU_SOURCE
#include "cluster/module_properties.h"

#include "base/error.h"
#include "cluster/member_check.h"
#include "cluster/module_lock.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Backslash begins an escape there, and blanks before a value are passed over. */
static void put(FILE *file, const char *key, const char *value)
{
    (void)fprintf(file, "outcry.%s=", key);
    if (value[0] == ' ')
        (void)fputc('\\', file);
    for (; *value; value++) {
        if (*value == '\\')
            (void)fputc('\\', file);
        (void)fputc(*value, file);
    }
    (void)fputc('\n', file);
}

static void put_number(FILE *file, const char *key, uint64_t value)
{
    (void)fprintf(file, "outcry.%s=%" PRIu64 "\n", key, value);
}

static void put_timeouts(FILE *file, const member_config_t *config)
{
    put_number(file, "session.timeout.ms", config->node.session_timeout_ms);
    put_number(file, "heartbeat.timeout.ms", config->heartbeat_timeout_ms);
    put_number(file, "election.timeout.ms", config->election_timeout_ms);
    put_number(file, "canvass.timeout.ms", config->canvass_timeout_ms);
}

/* In Aeron's own words, which ModuleProperties passes on. Its replays check what they send. */
static void put_checksums(FILE *file)
{
    (void)fputs("aeron.archive.record.checksum=io.aeron.archive.checksum.Crc32c\n"
                "aeron.archive.replay.checksum=io.aeron.archive.checksum.Crc32c\n",
                file);
}

static void put_all(FILE *file, const member_config_t *config, const char *aeron_dir,
                    const char *members)
{
    char lock[PATH_MAX];
    char log[PATH_MAX];
    member_config_path(config, MODULE_LOCK_FILE, lock, sizeof lock);
    member_config_path(config, "module.log", log, sizeof log);
    (void)fputs("# Written at each start of the member: changes are lost.\n", file);
    put(file, "dir", config->node.dir);
    put(file, "lock.file", lock);
    put(file, "log.file", log);
    put(file, "aeron.dir", aeron_dir);
    put_number(file, "cluster.id", config->cluster_id);
    put_number(file, "member.id", config->id);
    put(file, "members", members);
    put_number(file, "sync.level", config->sync_level);
    put_number(file, "segment.bytes", config->archive_segment_bytes);
    put_number(file, "low.space.bytes", config->low_space_bytes);
    put_number(file, "max.sessions", config->node.max_sessions);
    put_timeouts(file, config);
    const bool secrets = config->node.authentication == NODE_AUTH_SECRETS;
    put(file, "authentication", secrets ? "secrets" : "none");
    put(file, "secrets.file", config->node.secrets_file);
    put(file, "log.channel", config->log_channel);
    put(file, "ingress.channel", config->ingress_channel);
    put(file, "idle", config->idle);
}

oc_err_t module_properties_write(const member_config_t *config, const char *aeron_dir)
{
    char path[PATH_MAX];
    char draft[PATH_MAX];
    char members[MEMBER_COUNT_MAX * (NODE_TEXT_MAX + 8)];
    if (!member_config_aeron_members(config, members, sizeof members))
        return error_set(OC_ERR_INVALID_CONFIG, "[cluster]: the members' endpoints are too long");
    bool checksums;
    const oc_err_t err = member_check_checksums(config, &checksums);
    if (err != OC_ERR_OK)
        return err;
    member_config_path(config, "module.properties", path, sizeof path);
    member_config_path(config, "module.properties.new", draft, sizeof draft);
    FILE *file = fopen(draft, "we");
    if (!file)
        return error_set(OC_ERR_WRITE, "%s: %s", draft, strerror(errno));
    put_all(file, config, aeron_dir, members);
    if (checksums)
        put_checksums(file);
    const bool written = !ferror(file);
    if (fclose(file) != 0 || !written || rename(draft, path) != 0) {
        const int reason = errno;
        (void)unlink(draft);
        return error_set(OC_ERR_WRITE, "%s: %s", path, strerror(reason));
    }
    return OC_ERR_OK;
}
