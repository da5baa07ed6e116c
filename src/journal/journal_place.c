/*
 * Reading back what the log's checksum is at a place, beside a journal that appends. Called by the
 * thread that commits images: an image counts only if the log on the device goes up to it.
 *
 * Invariants: it shares nothing with the running journal but the files, which it opens itself; it
 * looks at one segment's header and at one group, however long the log is. It must not take the
 * lock, or write.
 */
#include "journal/journal_internal.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>

static oc_err_t read_place(journal_t *self, uint64_t log_id, const journal_place_t *place,
                           log_position_t synced, uint32_t *checksum)
{
    const oc_err_t err = journal_segments_find_one(self, place->group.value);
    if (err != OC_ERR_OK)
        return err;
    if (self->log_id != log_id)
        return error_set(OC_ERR_DAMAGED,
                         "journal %s is of log %016" PRIx64 ", asked for is %016" PRIx64,
                         self->shown, self->log_id, log_id);
    if (self->config.sync != JOURNAL_SYNC_ALWAYS && synced.value < place->position.value) {
        const oc_err_t sync_err = journal_segments_sync(self, synced.value, place->position.value);
        if (sync_err != OC_ERR_OK)
            return sync_err;
    }
    return journal_recover_place(self, place, checksum);
}

oc_err_t journal_checksum_at(const journal_config_t *config, uint64_t log_id,
                             const journal_place_t *place, log_position_t synced,
                             uint32_t *checksum)
{
    OC_ASSERT(log_id != 0);
    *checksum = 0;
    journal_config_t own = *config;
    own.read_only = true;
    journal_t *self;
    oc_err_t err = journal_make(&self, &own);
    if (err != OC_ERR_OK)
        return err;
    err = read_place(self, log_id, place, synced, checksum);
    free(self);
    return err;
}
