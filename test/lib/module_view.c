/*
 * A view of a module's counters. Called by the tests that need its exact moments.
 *
 * Invariant: it is a client of the member's driver of its own, so that the member does not know.
 */
#include "lib/module_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void module_view_open(module_view_t *self, cluster_rig_t *rig, uint32_t member)
{
    char aeron_dir[128];
    embedded_config_t config;
    *self = (module_view_t){.embedded = NULL};
    embedded_config_init(&config);
    config.threading = EMBEDDED_EXTERNAL;
    config.dir = aeron_dir;
    if (cluster_folder_aeron_dir(local_cluster_folder(rig->cluster), member, aeron_dir,
                                 sizeof aeron_dir) != OC_ERR_OK ||
        embedded_create(&self->embedded, &config) != OC_ERR_OK ||
        counter_table_of(&self->table, self->embedded) != OC_ERR_OK ||
        module_counters_find(&self->counters, self->table, 0) != OC_ERR_OK)
        cluster_rig_fail(rig, "the module of member %u: %s", member, oc_err_context());
}

void module_view_close(module_view_t *self)
{
    counter_table_close(self->table);
    embedded_destroy(self->embedded);
}

bool module_view_snapshot(const module_view_t *self)
{
    return module_counters_alive(&self->counters) &&
           module_counters_toggle(&self->counters, MODULE_TOGGLE_NEUTRAL, MODULE_TOGGLE_SNAPSHOT);
}

bool module_view_records(const module_view_t *self)
{
    return module_counters_value(&self->counters, MODULE_COUNTER_STATE) == MODULE_STATE_SNAPSHOT;
}
