/*
 * Modules looked at and asked by the benches of clusters.
 *
 * Invariants: a value is believed only while the driver's counters are those that were opened; what
 * the thread of a snapshot writes is read only behind `done`.
 */
#define _GNU_SOURCE
#include "bench/module_watch.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "cluster/member_config.h"

#include <stdio.h>
#include <string.h>

#define SNAPSHOT_NS UINT64_C(300000000000)
#define PAUSE_NS    200000  /* between two looks */
#define AGAIN_NS    1000000 /* between two tries to open */

/* A module makes its counters one by one. */
static bool all_found(const module_counters_t *counters)
{
    static const module_counter_t wanted[] = {
        MODULE_COUNTER_STATE,           MODULE_COUNTER_ROLE, MODULE_COUNTER_ELECTION_STATE,
        MODULE_COUNTER_COMMIT_POSITION, MODULE_COUNTER_TERM,
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!counters->found[wanted[i]])
            return false;
    return true;
}

oc_err_t module_watch_open(module_watch_t *self, const char *aeron_dir)
{
    memset(self, 0, sizeof *self);
    oc_err_t err = counter_table_open(&self->table, aeron_dir);
    if (err != OC_ERR_OK) {
        self->table = NULL;
        return err;
    }
    err = module_counters_find(&self->counters, self->table, 0);
    if (err == OC_ERR_OK && !all_found(&self->counters))
        err = error_set(OC_ERR_NOT_CONNECTED, "%s: its module has just begun", aeron_dir);
    if (err != OC_ERR_OK)
        module_watch_close(self);
    return err;
}

void module_watch_close(module_watch_t *self)
{
    counter_table_close(self->table);
    self->table = NULL;
}

bool module_watch_joined(const module_watch_t *self)
{
    OC_ASSERT(self->table != NULL);
    return module_counters_alive(&self->counters) &&
           module_counters_value(&self->counters, MODULE_COUNTER_ELECTION_STATE) ==
               MODULE_ELECTION_CLOSED &&
           module_counters_value(&self->counters, MODULE_COUNTER_STATE) == MODULE_STATE_ACTIVE;
}

bool module_watch_leads(const module_watch_t *self)
{
    return module_watch_joined(self) &&
           module_counters_value(&self->counters, MODULE_COUNTER_ROLE) == MODULE_ROLE_LEADER;
}

int64_t module_watch_term(const module_watch_t *self)
{
    return module_counters_value(&self->counters, MODULE_COUNTER_TERM);
}

int64_t module_watch_position(const module_watch_t *self)
{
    return module_counters_value(&self->counters, MODULE_COUNTER_COMMIT_POSITION);
}

oc_err_t module_watch_wait(module_watch_t *self, const char *aeron_dir, int64_t position,
                           int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    oc_err_t err = OC_ERR_OK;
    memset(self, 0, sizeof *self);
    while (err == OC_ERR_OK) {
        const bool open = self->table || module_watch_open(self, aeron_dir) == OC_ERR_OK;
        if (open && module_watch_joined(self) && module_watch_position(self) >= position)
            return OC_ERR_OK;
        err = clock_wall_ns() < deadline
                  ? process_sleep(open ? PAUSE_NS : AGAIN_NS)
                  : error_set(OC_ERR_TIMEOUT, "%s: its module has not joined after %.1f s",
                              aeron_dir, (double)timeout_ns / 1e9);
    }
    module_watch_close(self);
    return err;
}

/* ---- An official snapshot ---- */

static oc_err_t toggle_and_wait(module_snapshot_t *self, embedded_t *embedded,
                                const module_counters_t *counters)
{
    const int64_t before = module_counters_value(counters, MODULE_COUNTER_SNAPSHOTS);
    self->trigger_ns = clock_wall_ns();
    if (!module_counters_toggle(counters, MODULE_TOGGLE_NEUTRAL, MODULE_TOGGLE_SNAPSHOT))
        return error_set(OC_ERR_REFUSED, "%s: the module's toggle is not free", self->aeron_dir);
    while (module_counters_value(counters, MODULE_COUNTER_SNAPSHOTS) == before) {
        if (clock_wall_ns() - self->trigger_ns > SNAPSHOT_NS)
            return error_set(OC_ERR_TIMEOUT, "%s: no snapshot", self->aeron_dir);
        if (module_counters_value(counters, MODULE_COUNTER_TOGGLE) == MODULE_TOGGLE_NEUTRAL &&
            module_counters_value(counters, MODULE_COUNTER_STATE) == MODULE_STATE_ACTIVE &&
            module_counters_value(counters, MODULE_COUNTER_SNAPSHOTS) == before)
            return error_set(OC_ERR_REFUSED, "%s: the service gave no snapshot", self->aeron_dir);
        (void)embedded_do_work(embedded);
        const oc_err_t err = process_sleep(PAUSE_NS);
        if (err != OC_ERR_OK)
            return err;
    }
    self->recorded_ns = clock_wall_ns();
    return OC_ERR_OK;
}

static oc_err_t take_snapshot(module_snapshot_t *self)
{
    embedded_config_t config;
    embedded_t *embedded = NULL;
    counter_table_t *table = NULL;
    module_counters_t counters;
    embedded_config_init(&config);
    config.dir = self->aeron_dir;
    config.threading = EMBEDDED_EXTERNAL;
    oc_err_t err = embedded_create(&embedded, &config);
    if (err != OC_ERR_OK)
        return err;
    err = counter_table_of(&table, embedded);
    if (err == OC_ERR_OK)
        err = module_counters_find(&counters, table, 0);
    if (err == OC_ERR_OK)
        err = toggle_and_wait(self, embedded, &counters);
    counter_table_close(table);
    embedded_destroy(embedded);
    return err;
}

static void *snapshot_main(void *context)
{
    module_snapshot_t *self = context;
    self->err = take_snapshot(self);
    if (self->err != OC_ERR_OK)
        (void)snprintf(self->context, sizeof self->context, "%s", oc_err_context());
    /* Release: times and error. */
    atomic_store_explicit(&self->done, true, memory_order_release);
    return NULL;
}

oc_err_t module_snapshot_start(module_snapshot_t *self, const char *aeron_dir)
{
    memset(self, 0, sizeof *self);
    self->aeron_dir = aeron_dir;
    const int failed = pthread_create(&self->thread, NULL, snapshot_main, self);
    if (failed)
        return error_set(OC_ERR_NO_MEMORY, "cannot start a thread: %s", strerror(failed));
    return OC_ERR_OK;
}

bool module_snapshot_done(void *context)
{
    /* Acquire: times and error. */
    return atomic_load_explicit(&((module_snapshot_t *)context)->done, memory_order_acquire);
}

oc_err_t module_snapshot_finish(module_snapshot_t *self)
{
    (void)pthread_join(self->thread, NULL);
    return self->err == OC_ERR_OK ? OC_ERR_OK : error_set(self->err, "%s", self->context);
}

/* ---- Of all members ---- */

typedef struct everywhere {
    module_watch_t watches[MEMBER_COUNT_MAX];
    int64_t before[MEMBER_COUNT_MAX];
    uint32_t members;
} everywhere_t;

static int64_t snapshots(const module_watch_t *watch)
{
    return module_counters_value(&watch->counters, MODULE_COUNTER_SNAPSHOTS);
}

static oc_err_t wait_all(const everywhere_t *self)
{
    const uint64_t deadline = clock_wall_ns() + SNAPSHOT_NS;
    for (uint32_t i = 0; i < self->members; i++)
        while (snapshots(&self->watches[i]) == self->before[i]) {
            if (clock_wall_ns() >= deadline || !module_counters_alive(&self->watches[i].counters))
                return error_set(OC_ERR_TIMEOUT, "no snapshot of the %uth member", (unsigned)i);
            const oc_err_t err = process_sleep(PAUSE_NS);
            if (err != OC_ERR_OK)
                return err;
        }
    return OC_ERR_OK;
}

oc_err_t module_snapshot_everywhere(const char (*dirs)[MODULE_WATCH_DIR], uint32_t members,
                                    uint32_t leader)
{
    everywhere_t self = {.members = members};
    module_snapshot_t snapshot;
    oc_err_t err = OC_ERR_OK;
    OC_ASSERT(members <= MEMBER_COUNT_MAX);
    OC_ASSERT(leader < members);
    for (uint32_t i = 0; err == OC_ERR_OK && i < members; i++) {
        err = module_watch_open(&self.watches[i], dirs[i]);
        if (err == OC_ERR_OK)
            self.before[i] = snapshots(&self.watches[i]);
    }
    if (err == OC_ERR_OK)
        err = module_snapshot_start(&snapshot, dirs[leader]);
    if (err == OC_ERR_OK)
        err = module_snapshot_finish(&snapshot);
    if (err == OC_ERR_OK)
        err = wait_all(&self);
    for (uint32_t i = 0; i < members; i++)
        module_watch_close(&self.watches[i]);
    return err;
}
