/*
 * The check of an engine whose arena was filled from an image, by several threads. Called by
 * exchange_restored(), and by the bench of restores.
 *
 * Invariant: which thread works out which part never changes the sum. Changes nothing in the arena.
 */
#include "service/restored_engine.h"

#include "base/assert.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct hash_part {
    const oc_engine_t *engine;
    unsigned part;
    unsigned parts;
    uint64_t sum;
    pthread_t thread;
    bool running;
} hash_part_t;

static void *sum_part(void *context)
{
    hash_part_t *part = context;
    part->sum = engine_hash_part(part->engine, part->part, part->parts);
    return NULL;
}

oc_err_t restored_engine_check(oc_engine_t *engine, unsigned threads)
{
    hash_part_t parts[RESTORED_ENGINE_THREADS_MAX];
    uint64_t sum = 0;
    OC_ASSERT(threads >= 1 && threads <= RESTORED_ENGINE_THREADS_MAX);
    const oc_err_t err = engine_restored(engine);
    if (err != OC_ERR_OK)
        return err;
    for (unsigned i = 0; i < threads; i++) {
        hash_part_t *part = &parts[i];
        *part = (hash_part_t){.engine = engine, .part = i, .parts = threads};
        part->running = i + 1 < threads && pthread_create(&part->thread, NULL, sum_part, part) == 0;
    }
    for (unsigned i = threads; i-- > 0;) { /* the last one is this thread's: first */
        if (!parts[i].running) {
            sum_part(&parts[i]);
        } else {
            const int failed = pthread_join(parts[i].thread, NULL);
            OC_ASSERT(failed == 0);
        }
        sum += parts[i].sum;
    }
    return engine_hash_check(engine, sum);
}
