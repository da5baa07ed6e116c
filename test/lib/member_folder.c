/*
 * Directories of members by hand. Called by the tests of the offline tools of a cluster.
 *
 * Invariant: as real members leave them: recordings of snapshots are stopped before recording.log
 * names them, the service's entry before the module's.
 */
#define _GNU_SOURCE
#include "lib/member_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "cluster/service_snapshot_internal.h"
#include "codec/cluster_service_codec.h"
#include "snapshot/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRY_MAX = 4096, STATE_BYTES = 100, IMAGE_BYTES = 3 * 4096 + 17 };

/* ---- The log ---- */

static int64_t append(member_folder_t *self, cluster_log_entry_t *entry)
{
    static uint8_t bytes[ENTRY_MAX];
    entry->timestamp = 1000 + self->log.position;
    const size_t length = cluster_log_encode(entry, bytes, sizeof bytes);
    assert_true(length > 0);
    return made_recording_append(&self->log, bytes, length);
}

void member_folder_init(member_folder_t *self)
{
    *self = (member_folder_t){0};
    temp_dir_make(&self->temp);
    (void)snprintf(self->dir, sizeof self->dir, "%s/member", self->temp.path);
    (void)snprintf(self->archive, sizeof self->archive, "%s/archive", self->dir);
    (void)snprintf(self->cluster, sizeof self->cluster, "%s/cluster", self->dir);
    assert_int_equal(mkdir(self->dir, 0755), 0);
    archive_maker_init(&self->maker, self->archive);
    archive_maker_record(&self->maker, &self->log, 0, MEMBER_FOLDER_TERM_BYTES,
                         MEMBER_FOLDER_SEGMENT_BYTES);
    const recording_log_entry_t term = {.recording = self->log.id,
                                        .log_position = -1,
                                        .timestamp = 999,
                                        .service = -1,
                                        .type = RECORDING_LOG_TERM,
                                        .valid = true};
    archive_maker_log(self->cluster, &term, 1);
    cluster_log_entry_t begin = {.type = CLUSTER_LOG_TERM,
                                 .log_position = 96,
                                 .leader = 1,
                                 .log_session = 77,
                                 .time_unit = CLUSTER_TIME_NANOS};
    (void)append(self, &begin);
    cluster_log_entry_t open = {.type = CLUSTER_LOG_OPEN,
                                .session = 1,
                                .correlation_id = 5,
                                .response_stream = 102,
                                .channel = {"aeron:udp?endpoint=localhost:9", 30},
                                .principal = {"alice", 5}};
    (void)append(self, &open);
}

void member_folder_fini(const member_folder_t *self)
{
    temp_dir_remove(&self->temp);
}

int64_t member_folder_message(member_folder_t *self, int64_t session, const void *bytes,
                              size_t length)
{
    cluster_log_entry_t entry = {
        .type = CLUSTER_LOG_MESSAGE, .session = session, .payload = {bytes, (uint32_t)length}};
    return append(self, &entry);
}

int64_t member_folder_grow(member_folder_t *self, int64_t position)
{
    uint8_t bytes[400];
    while (self->log.position < position) {
        memset(bytes, (int)self->messages, sizeof bytes);
        (void)member_folder_message(self, 1, bytes, 100 + self->messages++ % 300);
    }
    return self->log.position;
}

/* ---- Snapshots ---- */

static void append_mark(made_recording_t *recording, int64_t type_id, int64_t position,
                        cluster_snapshot_mark_t mark, uint32_t *crc)
{
    uint8_t bytes[256];
    const cluster_snapshot_message_t message = {.type = CLUSTER_SNAPSHOT_MARKER,
                                                .type_id = type_id,
                                                .log_position = position,
                                                .mark = (int32_t)mark,
                                                .time_unit = CLUSTER_TIME_NANOS};
    const size_t length = cluster_snapshot_encode(&message, bytes, sizeof bytes);
    assert_true(length > 0);
    *crc = crc32c(*crc, bytes, length);
    (void)made_recording_append(recording, bytes, length);
}

static snapshot_frame_t frame_of(snapshot_part_t part)
{
    snapshot_frame_t frame = {.version = SERVICE_SNAPSHOT_VERSION, .part = part};
    memcpy(frame.magic, SERVICE_SNAPSHOT_MAGIC, SERVICE_SNAPSHOT_MAGIC_SIZE);
    return frame;
}

static void append_ours(made_recording_t *recording, int64_t position, bool stream, uint32_t crc)
{
    const snapshot_header_t header = {.frame = frame_of(SNAPSHOT_PART_HEADER),
                                      .position = (uint64_t)position,
                                      .log_id = MEMBER_FOLDER_LOG_ID,
                                      .entries = 2,
                                      .time_unit = CLUSTER_TIME_NANOS,
                                      .kind = stream ? SERVICE_SNAPSHOT_STREAM
                                                     : SERVICE_SNAPSHOT_MANIFEST};
    crc = crc32c(crc, &header, sizeof header);
    (void)made_recording_append(recording, &header, sizeof header);
    uint32_t messages = 3;
    if (stream) {
        uint8_t bytes[sizeof(snapshot_state_t) + STATE_BYTES] = {0};
        const snapshot_state_t head = {.frame = frame_of(SNAPSHOT_PART_STATE),
                                       .length = STATE_BYTES};
        memcpy(bytes, &head, sizeof head);
        crc = crc32c(crc, bytes, sizeof bytes);
        (void)made_recording_append(recording, bytes, sizeof bytes);
        messages++;
    }
    snapshot_end_t end = {.frame = frame_of(SNAPSHOT_PART_END),
                          .bytes = stream ? STATE_BYTES : 0,
                          .messages = messages};
    end.crc = crc32c(crc, &end, offsetof(snapshot_end_t, crc));
    (void)made_recording_append(recording, &end, sizeof end);
}

int64_t member_folder_snapshot(member_folder_t *self, int64_t position, bool stream)
{
    made_recording_t service;
    made_recording_t module;
    uint32_t crc = 0;
    archive_maker_record(&self->maker, &service, 0, MEMBER_FOLDER_TERM_BYTES,
                         MEMBER_FOLDER_SEGMENT_BYTES);
    append_mark(&service, CLUSTER_SNAPSHOT_TYPE_SERVICE, position, CLUSTER_SNAPSHOT_BEGIN, &crc);
    append_mark(&service, CLUSTER_SNAPSHOT_TYPE_SERVICE, position, CLUSTER_SNAPSHOT_END, &crc);
    append_ours(&service, position, stream, crc);
    made_recording_stop(&service);
    archive_maker_record(&self->maker, &module, 0, MEMBER_FOLDER_TERM_BYTES,
                         MEMBER_FOLDER_SEGMENT_BYTES);
    append_mark(&module, 1, position, CLUSTER_SNAPSHOT_BEGIN, &crc);
    append_mark(&module, 1, position, CLUSTER_SNAPSHOT_END, &crc);
    made_recording_stop(&module);
    const recording_log_entry_t entries[] = {
        {.recording = service.id,
         .log_position = position,
         .timestamp = 5,
         .service = 0,
         .type = RECORDING_LOG_SNAPSHOT,
         .valid = true},
        {.recording = module.id,
         .log_position = position,
         .timestamp = 5,
         .service = -1,
         .type = RECORDING_LOG_SNAPSHOT,
         .valid = true},
    };
    archive_maker_log(self->cluster, entries, 2);
    return service.id;
}

/* ---- Images ---- */

static void write_image(image_writer_t *writer, image_info_t *info)
{
    const image_place_t place = info->place;
    assert_int_equal(image_writer_begin(writer, info, "c", 1), OC_ERR_OK);
    for (uint32_t page = 0; page < (IMAGE_BYTES + 4095) / 4096; page++) {
        uint8_t *room = image_writer_room(writer);
        const size_t used = page < IMAGE_BYTES / 4096 ? 4096 : IMAGE_BYTES % 4096;
        memset(room, 0, OC_ARENA_PAGE_SIZE);
        memset(room, (int)(place.position + page), used);
        assert_int_equal(image_writer_put(writer, 0, page), OC_ERR_OK);
    }
    assert_int_equal(image_writer_finish(writer, &place, info), OC_ERR_OK);
}

uint64_t member_folder_image(const member_folder_t *self, int64_t position, uint64_t base,
                             uint64_t log_id)
{
    image_store_t *store;
    image_writer_t *writer;
    const image_store_config_t config = {.dir = self->dir, .storage = storage_device(), .keep = 64};
    const image_writer_config_t writing = {
        .dir = self->dir, .storage = storage_device(), .block_bytes = 64 * 1024};
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OK);
    assert_int_equal(image_writer_create(&writer, &writing), OC_ERR_OK);
    image_info_t info = {.sequence = image_store_next_sequence(store),
                         .base = base,
                         .made_ns = 1,
                         .section_count = 1,
                         .sections = {{.name = "state", .kind = IMAGE_STREAM, .size = IMAGE_BYTES}},
                         .place = {.log_id = log_id,
                                   .position = (uint64_t)position,
                                   .group = CLUSTER_TIME_NANOS,
                                   .entries = 2,
                                   .term = 1}};
    write_image(writer, &info);
    assert_int_equal(image_store_commit(store, &info), OC_ERR_OK);
    const uint64_t sequence = info.sequence;
    image_writer_destroy(writer);
    image_store_close(store);
    return sequence;
}

bool member_folder_has(const member_folder_t *self, int64_t recording, int64_t base)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%" PRId64 "-%" PRId64 ".rec", self->archive, recording,
                   base);
    return access(path, F_OK) == 0;
}
