/*
 * Directories of members that never ran. Used by the tests of what reads such directories.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "host/image_keeper.h"
#include "lib/member_maker.h"

#include <stdio.h>
#include <sys/stat.h>

#define TIME_INTERVAL_NS INT64_C(1000000)

static void list_log(const member_maker_t *self)
{
    char path[400];
    const recording_log_entry_t entry = {.recording = self->recording.id,
                                         .log_position = -1,
                                         .service = -1,
                                         .type = RECORDING_LOG_TERM,
                                         .valid = true};
    (void)snprintf(path, sizeof path, "%s/cluster", self->dir);
    assert_int_equal(mkdir(path, 0755), 0);
    archive_maker_log(path, &entry, 1);
}

void member_maker_init(member_maker_t *self, const char *dir, const oc_service_t *service)
{
    char path[400];
    const replica_config_t config = {REPLICA_SESSIONS_MAX, MEMBER_MAKER_TIMERS, 1376};
    *self = (member_maker_t){.applied = 0};
    (void)snprintf(self->dir, sizeof self->dir, "%s", dir);
    assert_int_equal(mkdir(dir, 0755), 0);
    (void)snprintf(path, sizeof path, "%s/archive", dir);
    archive_maker_init(&self->archive, path);
    archive_maker_record(&self->archive, &self->recording, 0, LOG_MAKER_TERM_BYTES,
                         LOG_MAKER_SEGMENT_BYTES);
    list_log(self);
    log_maker_init(&self->log, &self->recording);
    assert_int_equal(replica_init(&self->replica, service, &config), OC_ERR_OK);
    log_applier_init(&self->applier, &self->replica, 0, TIME_INTERVAL_NS);
}

void member_maker_fini(member_maker_t *self)
{
    replica_fini(&self->replica);
    log_maker_fini(&self->log);
}

void member_maker_apply(member_maker_t *self)
{
    if (log_maker_feed(&self->log, &self->applied, &self->applier) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

/* ---- Images ---- */

static uint64_t log_durable(void *context)
{
    (void)context;
    return UINT64_MAX;
}

static oc_err_t log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    (void)context;
    *checksum = place->log_checksum;
    return OC_ERR_OK;
}

static uint64_t log_sync_ns(void *context)
{
    (void)context;
    return 0;
}

static void fill_place(void *context, image_place_t *place)
{
    log_applier_place(&((const member_maker_t *)context)->applier, place);
}

uint64_t member_maker_image(member_maker_t *self, bool diverged)
{
    char dir[400];
    image_keeper_t *keeper;
    snapshot_status_t status;
    (void)snprintf(dir, sizeof dir, "%s%s", self->dir, diverged ? "/diverged-image" : "");
    if (diverged)
        (void)mkdir(dir, 0755);
    const image_keeper_config_t config = {.dir = dir,
                                          .storage = storage_device(),
                                          .replica = &self->replica,
                                          .log = {self, log_durable, log_checksum, log_sync_ns},
                                          .pool_percent = 10,
                                          .keep = 64,
                                          .chain_max = 4,
                                          .block_bytes = 64 * 1024,
                                          .stepped = true,
                                          .cpu = -1};
    const image_keeper_host_t host = {.context = self, .name = "member", .place = fill_place};
    /* Those that are there go on to count. */
    const image_keeper_from_t from = {.sequence = diverged ? 0 : self->image_sequence};
    assert_int_equal(image_keeper_create(&keeper, &config, &host), OC_ERR_OK);
    assert_int_equal(image_keeper_start(keeper, &from), OC_ERR_OK);
    if (image_keeper_begin(keeper, true) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    do {
        (void)image_keeper_do_work(keeper, 1, self->applier.position, true);
        image_keeper_status(keeper, &status);
    } while (status.running);
    if (status.err != OC_ERR_OK)
        fail_msg("%s", status.line);
    image_keeper_destroy(keeper);
    if (!diverged)
        self->image_sequence = status.sequence;
    return status.position;
}
