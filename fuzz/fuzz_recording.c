/*
 * Fuzzes what is read of a member's directory: the input is cut into a catalog, a segment and a
 * recording.log, as they are, and once more with what would stop a reader at once made right: the
 * catalog's version, sizes of terms, segments and frames, terms and offsets of frames. Must not
 * crash, read beside anything, or run on; what comes must be in order and inside of the recording.
 */
#define _GNU_SOURCE
#include "base/assert.h"
#include "cluster/archive_catalog.h"
#include "cluster/recording.h"
#include "cluster/recording_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CATALOG_BYTES = 288, LOG_BYTES = 256, TERM_BYTES = 65536, ENTRY = 32, FRAMES_MAX = 64 };

static char dir[64]; /* in memory, made once, reused; the files are written over */

static void write_file(const char *name, const void *bytes, size_t length)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    OC_ASSERT(fd >= 0);
    OC_ASSERT(write(fd, bytes, length) == (ssize_t)length);
    (void)close(fd);
}

static void remove_all(void)
{
    static const char *const names[] = {"archive.catalog", "0-0.rec", "recording.log"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(dir);
}

static void put(uint8_t *bytes, size_t offset, uint64_t value, size_t width)
{
    memcpy(bytes + offset, &value, width);
}

static void read_messages(int64_t start)
{
    recording_reader_t *reader;
    recording_message_t message;
    bool found = true;
    int64_t last = start;
    if (recording_reader_open(&reader, dir, 0, start) != OC_ERR_OK)
        return;
    /* In two halves, so that a limit falls into the middle of something. */
    for (int64_t limit = start + 500; found; limit = INT64_MAX) {
        while (recording_reader_next(reader, limit, &message, &found) == OC_ERR_OK && found) {
            OC_ASSERT(message.start >= last);
            OC_ASSERT(message.position > message.start);
            OC_ASSERT(message.position <= limit);
            last = message.position;
            volatile uint8_t sum = 0;
            for (size_t i = 0; i < message.length; i++)
                sum = (uint8_t)(sum + message.bytes[i]);
        }
        OC_ASSERT(recording_reader_position(reader) >= last);
        found = limit != INT64_MAX;
    }
    recording_reader_close(reader);
}

static bool visit(void *context, const recording_descriptor_t *descriptor)
{
    size_t *count = context;
    OC_ASSERT(strlen(descriptor->stripped_channel) < RECORDING_TEXT_MAX);
    OC_ASSERT(descriptor->catalog_offset + descriptor->catalog_length <= CATALOG_BYTES);
    ++*count;
    return true;
}

static void read_log(void)
{
    recording_log_t log;
    if (recording_log_read(&log, dir) == OC_ERR_OK) {
        const recording_log_entry_t *module;
        const recording_log_entry_t *service;
        OC_ASSERT(log.count <= LOG_BYTES / 64);
        for (size_t n = 0; recording_log_snapshot(&log, n, &module, &service); n++) {
            OC_ASSERT(n < log.count);
            OC_ASSERT(module->log_position == service->log_position);
        }
        (void)recording_log_log(&log);
    }
    recording_log_fini(&log);
}

static void use(void)
{
    recording_descriptor_t descriptor;
    size_t count = 0;
    int64_t end;
    (void)!recording_list(dir, visit, &count);
    if (recording_find(dir, 0, &descriptor) == OC_ERR_OK) {
        read_messages(descriptor.start_position);
        if (recording_end(dir, 0, descriptor.start_position, &end) == OC_ERR_OK)
            OC_ASSERT(end >= descriptor.start_position);
    }
    read_log();
}

static void mend_catalog(uint8_t *catalog)
{
    put(catalog, 0, 3 << 16 | 1 << 8, 4);
    put(catalog, 16, 64, 4);
    put(catalog, ENTRY, CATALOG_BYTES - ENTRY - 32, 4);
    put(catalog, ENTRY + 4, 1, 4);
    put(catalog, ENTRY + 48, 0, 8);
    put(catalog, ENTRY + 72, catalog[ENTRY + 72] / 32 * 32, 8);
    if (catalog[ENTRY + 80] % 2 == 0)
        put(catalog, ENTRY + 80, UINT64_MAX, 8);
    else
        put(catalog, ENTRY + 80, catalog[ENTRY + 81] * UINT64_C(32), 8);
    put(catalog, ENTRY + 92, TERM_BYTES, 4);
    put(catalog, ENTRY + 96, TERM_BYTES, 4);
    put(catalog, ENTRY + 100, 32 * (2 + catalog[ENTRY + 100] % UINT64_C(32)), 4);
}

/* Frames one behind another: their places are made right, lengths are kept short. */
static void mend_frames(uint8_t *segment, size_t size, const uint8_t *catalog)
{
    size_t at = catalog[ENTRY + 72];
    for (int n = 0; n < FRAMES_MAX && at + 32 <= size; n++) {
        uint32_t length;
        uint32_t term;
        memcpy(&length, segment + at, sizeof length);
        memcpy(&term, catalog + ENTRY + 88, sizeof term);
        if (length == 0)
            return;
        length = 32 + length % 512;
        put(segment, at, length, 4);
        put(segment, at + 6, segment[at + 6] % 2, 2);
        put(segment, at + 8, at, 4);
        put(segment, at + 20, term, 4);
        at += (length + 31) / 32 * 32;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (dir[0] == '\0') {
        (void)snprintf(dir, sizeof dir, "/dev/shm/outcry-fuzz-recording-%ld", (long)getpid());
        (void)mkdir(dir, 0700);
        (void)atexit(remove_all);
    }
    if (size < CATALOG_BYTES + LOG_BYTES || size > CATALOG_BYTES + LOG_BYTES + TERM_BYTES)
        return -1;
    uint8_t *bytes = malloc(size);
    OC_ASSERT(bytes != NULL);
    memcpy(bytes, data, size);
    uint8_t *segment = bytes + CATALOG_BYTES + LOG_BYTES;
    const size_t segment_bytes = size - CATALOG_BYTES - LOG_BYTES;
    for (int mended = 0; mended < 2; mended++) {
        write_file("archive.catalog", bytes, CATALOG_BYTES);
        write_file("recording.log", bytes + CATALOG_BYTES, LOG_BYTES);
        write_file("0-0.rec", segment, segment_bytes);
        use();
        mend_catalog(bytes);
        mend_frames(segment, segment_bytes, bytes);
    }
    free(bytes);
    return 0;
}
