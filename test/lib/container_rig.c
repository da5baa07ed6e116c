/*
 * A member without Aeron. Used by the tests of the container.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/container_rig.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { CYCLES = 60, IMAGE_CYCLES = 100000, ARCHIVE_SEGMENT = LOG_MAKER_SEGMENT_BYTES };

static void fill_config(container_rig_t *rig)
{
    member_config_t *config = &rig->config;
    member_config_init(config);
    (void)snprintf(config->node.dir, sizeof config->node.dir, "%s/member", rig->dir.path);
    for (int i = 0; i < 3; i++)
        (void)snprintf(config->members[i], NODE_TEXT_MAX,
                       "127.0.0.%d:1,127.0.0.%d:2,127.0.0.%d:3,127.0.0.%d:4,127.0.0.%d:5", i + 1,
                       i + 1, i + 1, i + 1, i + 1);
    config->id = 1;
    config->cluster_id = 7;
    config->low_space_bytes = 0;
    config->node.max_timers = 64;
    config->node.max_sessions = 16;
    config->node.snapshot_sweeper = NODE_SWEEPER_CORE;
    config->node.snapshot_every_log_bytes = 0;
    config->node.snapshot_every_s = 0;
    config->node.restore_threads = 1;
}

/* As the module does when the log begins. */
static void note_term(const container_rig_t *rig)
{
    const recording_log_entry_t term = {.recording = rig->recording.id,
                                        .log_position = -1,
                                        .timestamp = LOG_MAKER_START_NS,
                                        .type = RECORDING_LOG_TERM,
                                        .valid = true};
    archive_maker_log(container_rig_path(rig, "cluster"), &term, 1);
}

void container_rig_init(container_rig_t *rig, container_rig_images_t images)
{
    char path[300];
    memset(rig, 0, sizeof *rig);
    rig->images = images;
    temp_dir_make(&rig->dir);
    fill_config(rig);
    assert_int_equal(mkdir(rig->config.node.dir, 0755), 0);
    (void)snprintf(path, sizeof path, "%.280s/archive", rig->config.node.dir);
    archive_maker_init(&rig->archive, path);
    archive_maker_record(&rig->archive, &rig->recording, 0, LOG_MAKER_TERM_BYTES, ARCHIVE_SEGMENT);
    note_term(rig);
    log_maker_init(&rig->log, &rig->recording);
    fake_module_init(&rig->module, &rig->log);
    fake_transport_init(&rig->transport);
}

void container_rig_fini(container_rig_t *rig)
{
    container_rig_destroy(rig);
    fake_module_fini(&rig->module);
    fake_transport_fini(&rig->transport);
    log_maker_fini(&rig->log);
    temp_dir_remove(&rig->dir);
}

const char *container_rig_path(const container_rig_t *rig, const char *name)
{
    static char path[600];
    (void)snprintf(path, sizeof path, "%.280s/%.280s", rig->config.node.dir, name);
    return path;
}

static void init_divergence(container_rig_t *rig)
{
    const int32_t members[] = {0, 1, 2, 3, 4};
    if (rig->container && rig->members > 0)
        divergence_init(&rig->container->divergence, (int32_t)rig->config.id, members,
                        rig->members);
}

int container_rig_setup(void **state)
{
    container_rig_init(*state, CONTAINER_RIG_STREAM);
    return 0;
}

int container_rig_teardown(void **state)
{
    container_rig_fini(*state);
    return 0;
}

oc_err_t container_rig_create(container_rig_t *rig)
{
    assert_null(rig->container);
    tally_init(&rig->tally);
    if (rig->configuration)
        rig->tally.configuration = rig->configuration;
    if (rig->images == CONTAINER_RIG_STREAM)
        tally_keep_stream(&rig->tally);
    else if (rig->images == CONTAINER_RIG_ARENA)
        tally_keep_arena(&rig->tally);
    rig->transport.destroyed = false;
    rig->transport.state_at_add = TRANSPORT_CONNECTED;
    const transport_t transport = fake_transport_table(&rig->transport);
    const container_setup_t setup = {.service = &rig->tally.service,
                                     .config = &rig->config,
                                     .link = fake_module_link(&rig->module),
                                     .transport = &transport,
                                     .alone = true};
    const oc_err_t err = container_create(&rig->container, &setup);
    init_divergence(rig);
    return err;
}

static void assert_says(const char *part)
{
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' does not say '%s'", oc_err_context(), part);
}

void container_rig_create_fails(container_rig_t *rig, oc_err_t err, const char *part)
{
    assert_int_equal(container_rig_create(rig), err);
    assert_null(rig->container);
    assert_says(part);
}

void container_rig_destroy(container_rig_t *rig)
{
    container_destroy(rig->container);
    rig->container = NULL;
}

void container_rig_run(container_rig_t *rig)
{
    for (int i = 0; i < CYCLES; i++) {
        int work;
        if (container_do_work(rig->container, &work) != OC_ERR_OK)
            fail_msg("a cycle: %s", oc_err_context());
    }
}

void container_rig_run_fails(container_rig_t *rig, oc_err_t err, const char *part)
{
    oc_err_t got = OC_ERR_OK;
    int work;
    for (int i = 0; i < CYCLES && got == OC_ERR_OK; i++)
        got = container_do_work(rig->container, &work);
    assert_int_equal(got, err);
    assert_says(part);
    assert_int_equal(container_do_work(rig->container, &work), err); /* and nothing comes of it */
    assert_says(part);
}

void container_rig_join(container_rig_t *rig, bool leads)
{
    const int64_t acks = rig->module.acks;
    fake_module_join(&rig->module, rig->container->log.position, INT64_MAX, false, leads);
    container_rig_run(rig);
    assert_int_equal(rig->module.acks, acks + 1);
    assert_int_equal(rig->container->role, leads ? OC_HOST_ACTIVE : OC_HOST_FOLLOWER);
}

void container_rig_begin(container_rig_t *rig, bool leads)
{
    assert_int_equal(container_rig_create(rig), OC_ERR_OK);
    fake_module_start(&rig->module);
    container_rig_run(rig);
    assert_int_equal(rig->module.acks, 1);
    container_rig_join(rig, leads);
    (void)log_maker_term(&rig->log, 0);
    (void)log_maker_open(&rig->log, 1, "ann");
    container_rig_commit(rig);
}

void container_rig_commit(container_rig_t *rig)
{
    rig->module.recorded_known = true;
    rig->module.recording = rig->recording.id;
    rig->module.recorded = rig->log.position;
    fake_module_commit(&rig->module);
    container_rig_run(rig);
    if (rig->module.state == MODULE_LOG_JOINED)
        assert_int_equal(rig->container->log.position, rig->log.position);
}

int64_t container_rig_keep_tape(container_rig_t *rig)
{
    made_recording_t recording;
    const message_tape_t *tape = &rig->module.tape;
    archive_maker_record(&rig->archive, &recording, 0, LOG_MAKER_TERM_BYTES, ARCHIVE_SEGMENT);
    for (size_t i = 0; i < tape->count; i++)
        (void)made_recording_append(&recording, tape->messages[i].bytes, tape->messages[i].length);
    made_recording_stop(&recording);
    return recording.id;
}

int64_t container_rig_snapshot(container_rig_t *rig)
{
    const int64_t snapshots = rig->module.snapshots;
    (void)log_maker_snapshot(&rig->log);
    container_rig_commit(rig);
    assert_int_equal(rig->module.snapshots, snapshots + 1);
    return container_rig_keep_tape(rig);
}

void container_rig_image(container_rig_t *rig, bool full)
{
    snapshot_status_t status;
    container_t *self = rig->container;
    image_keeper_status(self->keeper, &status);
    const uint64_t completed = status.completed;
    if (image_keeper_begin(self->keeper, full) != OC_ERR_OK)
        fail_msg("no image is begun: %s", oc_err_context());
    for (int i = 0; i < IMAGE_CYCLES && status.completed == completed; i++) {
        int work;
        assert_int_equal(container_do_work(self, &work), OC_ERR_OK);
        image_keeper_status(self->keeper, &status);
        if (status.err != OC_ERR_OK && !status.running)
            fail_msg("no image: %s", status.line);
    }
    assert_int_equal(status.completed, completed + 1);
}

oc_err_t container_rig_restart(container_rig_t *rig)
{
    container_rig_destroy(rig);
    fake_module_fini(&rig->module);
    fake_module_init(&rig->module, &rig->log);
    fake_transport_fini(&rig->transport);
    fake_transport_init(&rig->transport);
    return container_rig_create(rig);
}

void container_rig_recover(container_rig_t *rig, uint64_t position, int64_t recording)
{
    if (recording < 0)
        fake_module_start(&rig->module);
    else
        fake_module_start_at(&rig->module, rig->log.term, position, rig->log.timestamp, recording);
    container_rig_run(rig);
    assert_int_equal(rig->module.acks, 1);
    assert_int_equal(rig->module.last_ack.position, position);
    assert_int_equal(rig->module.last_ack.relevant_id, FAKE_MODULE_CLIENT);
}

void container_rig_replay(container_rig_t *rig)
{
    const uint64_t from = (uint64_t)rig->module.last_ack.position;
    if (from == rig->log.position)
        return;
    fake_module_join(&rig->module, from, rig->log.position, true, false);
    fake_module_commit(&rig->module);
    container_rig_run(rig);
    assert_int_equal(rig->container->log.position, rig->log.position);
    assert_int_equal(rig->module.state, MODULE_LOG_NONE); /* it ends there, and was left */
}

void container_rig_damage(const char *path, long offset)
{
    uint8_t byte;
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, offset < 0 ? SEEK_END : SEEK_SET), 0);
    const long at = ftell(file);
    assert_int_equal(fread(&byte, 1, 1, file), 1);
    byte ^= 0x55;
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fwrite(&byte, 1, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}
