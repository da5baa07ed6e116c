/*
 * How tools find a member. Called by the subcommands of `outcry cluster`.
 *
 * It changes nothing, and keeps no lock: the member may run or not.
 */
#define _GNU_SOURCE
#include "cli/cluster_place.h"

#include "base/error.h"
#include "base/storage.h"
#include "cluster/module_lock.h"
#include "host/driver_dir.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { WHY_BYTES = 400 }; /* of another error's text, for ours */

/* Nothing of it is changed by looking, so it is not made either. */
static oc_err_t check_dir(const char *dir)
{
    struct stat info;
    if (stat(dir, &info) != 0)
        return error_set(OC_ERR_OPEN, "%s: %s", dir, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return error_set(OC_ERR_OPEN, "%s: no directory; --dir names that of a member", dir);
    if (strlen(dir) > MEMBER_DIR_MAX)
        return error_set(OC_ERR_TOO_LONG, "the directory's name is longer than %d characters",
                         MEMBER_DIR_MAX);
    return OC_ERR_OK;
}

oc_err_t cluster_place_open(cluster_place_t *self, const char *dir)
{
    char file[MEMBER_DIR_MAX + 32];
    struct stat info;
    member_config_init(&self->config);
    oc_err_t err = check_dir(dir);
    if (err != OC_ERR_OK)
        return err;
    (void)snprintf(self->config.node.dir, sizeof self->config.node.dir, "%s", dir);
    member_config_path(&self->config, NODE_CONFIG_NAME, file, sizeof file);
    if (stat(file, &info) != 0)
        return error_set(OC_ERR_OPEN, "%s: %s; is %s the directory of a member?", file,
                         strerror(errno), dir);
    if (!member_config_is_cluster(file))
        return error_set(OC_ERR_OPEN, "%s has no section [cluster]: no member's", file);
    err = member_config_read_part(&self->config, file);
    if (err == OC_ERR_OK)
        err = member_config_check(&self->config);
    if (err == OC_ERR_OK && !self->config.node.aeron_dir[0])
        err = driver_dir_of(dir, self->config.node.aeron_dir, sizeof self->config.node.aeron_dir);
    return err;
}

bool cluster_place_neighbour(const cluster_place_t *self, uint32_t member,
                             cluster_place_t *neighbour)
{
    char dir[sizeof self->config.node.dir + 32];
    (void)snprintf(dir, sizeof dir, "%s/../m%" PRIu32, self->config.node.dir, member);
    if (cluster_place_open(neighbour, dir) != OC_ERR_OK)
        return false;
    return neighbour->config.id == member &&
           neighbour->config.cluster_id == self->config.cluster_id &&
           memcmp(neighbour->config.members, self->config.members, sizeof self->config.members) ==
               0;
}

/* Whether a process has the directory; true also when it cannot be seen. */
static bool is_run(const cluster_place_t *self)
{
    char path[MEMBER_DIR_MAX + 32];
    bool module;
    const storage_t *storage = storage_device();
    member_config_path(&self->config, "lock", path, sizeof path);
    return storage->probe(storage, path) != OC_ERR_OK ||
           module_lock_probe(self->config.node.dir, &module, NULL) != OC_ERR_OK || module;
}

/* Where nobody runs that is what is to be said; of the driver nothing where it is the member's. */
static oc_err_t absent(const cluster_place_t *self, oc_err_t err, bool has_driver)
{
    char why[WHY_BYTES];
    char reason[WHY_BYTES + 8] = "";
    const char *dir = self->config.node.dir;
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    if (is_run(self))
        return error_set(err, "%s", why);
    if (has_driver || self->config.driver == MEMBER_DRIVER_EXTERNAL)
        (void)snprintf(reason, sizeof reason, " (%s)", why);
    return error_set(err,
                     "member %" PRIu64 " in %s does not run%s: start it (outcry member --dir %s, "
                     "or the program of a service of your own), then ask again",
                     self->config.id, dir, reason, dir);
}

oc_err_t cluster_place_counters(const cluster_place_t *self, counter_table_t **table,
                                module_counters_t *counters)
{
    oc_err_t err = counter_table_open(table, self->config.node.aeron_dir);
    if (err != OC_ERR_OK)
        return absent(self, err, false);
    err = module_counters_find(counters, *table, (int64_t)self->config.cluster_id);
    if (err == OC_ERR_OK)
        return err;
    counter_table_close(*table);
    *table = NULL;
    return absent(self, err, true);
}

bool cluster_place_leads(const cluster_place_t *self)
{
    counter_table_t *table;
    module_counters_t counters;
    if (cluster_place_counters(self, &table, &counters) != OC_ERR_OK)
        return false;
    const bool leads =
        module_counters_value(&counters, MODULE_COUNTER_ROLE) == MODULE_ROLE_LEADER &&
        module_counters_value(&counters, MODULE_COUNTER_ELECTION_STATE) == MODULE_ELECTION_CLOSED;
    counter_table_close(table);
    return leads;
}

bool cluster_place_find_leader(cluster_place_t *self)
{
    cluster_place_t other;
    if (cluster_place_leads(self))
        return true;
    for (uint32_t i = 0; i < member_config_count(&self->config); i++) {
        if (i == self->config.id || !cluster_place_neighbour(self, i, &other) ||
            !cluster_place_leads(&other))
            continue;
        *self = other;
        return true;
    }
    return false;
}
