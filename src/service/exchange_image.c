/*
 * The exchange and images of its pages: which arenas hold its state, and what is to be done when
 * they were filled from outside.
 *
 * Called by hosts through the table. Nothing of the exchange is replicated state but what lies in
 * the two arenas, so a restore has only to forget what lies beside them, and to check.
 *
 * Invariant: exchange_restored() may be called again after another load, whatever the one before
 * left. Must not change what was loaded.
 */
#define _GNU_SOURCE /* number of processors */
#include "base/assert.h"
#include "base/error.h"
#include "engine/engine_records.h"
#include "records/records.h"
#include "service/exchange_internal.h"
#include "service/restored_engine.h"

#include <unistd.h>

_Static_assert(EXCHANGE_THREADS_MAX <= RESTORED_ENGINE_THREADS_MAX, "the engine takes so many");
_Static_assert(EXCHANGE_THREADS_MAX <= RECORDS_THREADS_MAX, "the record stream too");

size_t exchange_arenas(void *context, oc_arena_t **arenas, size_t capacity)
{
    exchange_t *self = context;
    oc_arena_t *engine = engine_arena(self->engine);
    if (!engine)
        return 0; /* the reference engine lies in no arena: records it is */
    OC_ASSERT(capacity >= 2);
    arenas[0] = &self->arena;
    arenas[1] = engine;
    return 2;
}

unsigned exchange_thread_count(uint32_t asked)
{
    const long threads = asked ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
    if (threads < 1)
        return 1;
    return threads < EXCHANGE_THREADS_MAX ? (unsigned)threads : EXCHANGE_THREADS_MAX;
}

oc_err_t exchange_restored(void *context)
{
    exchange_t *self = context;
    OC_ASSERT(self->host != NULL);
    OC_ASSERT(engine_arena(self->engine) != NULL);
    exchange_reset(self);
    /* As id_map_init() leaves it: without that bit the map would not spread its keys. */
    if (self->header->hash_key[1] >> 63 == 0)
        return error_set(OC_ERR_DAMAGED, "exchange state: it has no hash key; the image is not "
                                         "that of an exchange that was started");
    const unsigned threads = exchange_thread_count(self->config.restore_threads);
    const oc_err_t err = self->wrong_sums_allowed ? engine_restored(self->engine)
                                                  : restored_engine_check(self->engine, threads);
    return err == OC_ERR_OK ? exchange_check(self) : err;
}
