/*
 * The node's side of its images: what the keeper of images must know of its log and of its
 * configuration. Called by the duty cycle, between entries, and at start and end of a node.
 *
 * Invariants: an image counts only when the log on the device goes up to its position; the log
 * keeps what the oldest image needs. When images are begun, and whom that is told, image_keeper.c
 * decides.
 */
#define _GNU_SOURCE
#include "host/node_internal.h"

#include "base/assert.h"

/* ---- The log, as the sweeper's thread sees it (snapshot_log_t) ---- */

static uint64_t log_durable(void *context)
{
    return journal_durable(((const node_t *)context)->journal).value;
}

static oc_err_t log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    node_t *self = context;
    node_snapshots_t *snapshots = &self->snapshots;
    const journal_place_t at = {.position = {place->position}, .group = {place->group}};
    const oc_err_t err =
        journal_checksum_at(&snapshots->log, place->log_id, &at, snapshots->log_synced, checksum);
    if (err == OC_ERR_OK)
        snapshots->log_synced = at.position;
    return err;
}

static uint64_t log_sync_ns(void *context)
{
    return journal_sync_ns(((const node_t *)context)->journal);
}

/* ---- What the keeper asks of its host (image_keeper_host_t) ---- */

static void fill_place(void *context, image_place_t *place)
{
    const node_t *self = context;
    journal_place_t at;
    journal_place(self->journal, &at);
    OC_ASSERT(at.position.value >= self->position);
    place->log_id = journal_log_id(self->journal);
    place->position = at.position.value;
    place->group = at.group.value;
}

/* An image takes space from the log, which needs it more; unless it lets go of the log's. */
static bool has_space(void *context)
{
    const node_t *self = context;
    return self->condition == JOURNAL_FINE || self->config.retain == NODE_RETAIN_IMAGES;
}

/* Lets the journal remove what no image needs. */
static void release_log(void *context, uint64_t oldest)
{
    node_t *self = context;
    if (self->config.retain == NODE_RETAIN_IMAGES)
        journal_release(self->journal, (log_position_t){oldest});
}

/* ---- Life ---- */

static oc_err_t create_keeper(node_t *self)
{
    const node_config_t *config = &self->config;
    const image_keeper_config_t keeper = {
        .dir = config->dir,
        .storage = self->snapshots.log.storage,
        .replica = &self->replica,
        .log = {self, log_durable, log_checksum, log_sync_ns},
        .every_log_bytes = config->snapshot_every_log_bytes,
        .every_s = config->snapshot_every_s,
        .pool_percent = config->snapshot_pool_percent,
        .keep = (uint32_t)config->snapshot_keep,
        .chain_max = (uint32_t)config->snapshot_chain,
        .block_bytes = (uint32_t)config->snapshot_block_bytes,
        .bytes_per_s_max = config->snapshot_bytes_per_s_max,
        /* Above what the journal calls low, with the segment it prepares and one more. */
        .reserve_bytes = config->low_space_bytes + 2 * config->segment_bytes,
        .stepped = config->snapshot_sweeper == NODE_SWEEPER_CORE,
        .cpu = config->snapshot_cpu,
    };
    const image_keeper_host_t host = {
        .context = self,
        .name = "node",
        .place = fill_place,
        .may_begin = has_space,
        .released = release_log,
    };
    return image_keeper_create(&self->snapshots.keeper, &keeper, &host);
}

oc_err_t node_snapshot_start(node_t *self)
{
    node_snapshots_t *snapshots = &self->snapshots;
    OC_ASSERT(self->replica.entries > 0);
    OC_ASSERT(!snapshots->keeper);
    OC_ASSERT(self->position >= self->image_position);
    node_journal_config(&self->config, &snapshots->log);
    snapshots->log_synced = self->verdict.end; /* by journal_start() */
    const oc_err_t err = create_keeper(self);
    if (err != OC_ERR_OK)
        return err;
    image_keeper_from_t from = {.position = self->image_position,
                                .monotonic_ns = self->monotonic_ns};
    if (self->image_sequence != 0) {
        from.sequence = self->image_sequence;
        from.entries = self->replica.entries - self->replayed;
    }
    return image_keeper_start(snapshots->keeper, &from);
}

void node_snapshot_stop(node_t *self)
{
    image_keeper_destroy(self->snapshots.keeper);
    self->snapshots.keeper = NULL;
}

int node_snapshot_do_work(node_t *self)
{
    const bool ending = self->stopping || self->failure != OC_ERR_OK;
    return image_keeper_do_work(self->snapshots.keeper, self->monotonic_ns, self->position, ending);
}
