/*
 * Archive files by hand. Called by the tests of src/cluster that read, prune and seed.
 *
 * Invariant: written without the code under test, from docs/formats/aeron-files.md alone; segments
 * have their full length from the beginning, as the archive's have.
 */
#define _GNU_SOURCE
#include "lib/archive_maker.h"

#include "base/crc32c.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CATALOG_HEADER = 32,
    CATALOG_ALIGN = 64,
    CATALOG_BYTES = 64 * 1024, /* zeros behind the entries, as in a real one */
    ENTRY_STATE = 4,
    ENTRY_START = 72,
    ENTRY_STOP = 80,
    FRAME_HEADER = 32,
    LOG_ENTRY = 64,
    MTU = 1408,
};

static void put(uint8_t *bytes, size_t offset, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++)
        bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

static void write_at(const char *path, int64_t offset, const void *bytes, size_t length,
                     int64_t file_bytes)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    struct stat info;
    assert_int_equal(fstat(fd, &info), 0);
    if (info.st_size < file_bytes)
        assert_int_equal(ftruncate(fd, file_bytes), 0);
    assert_int_equal(pwrite(fd, bytes, length, offset), (ssize_t)length);
    (void)close(fd);
}

/* ---- Catalog ---- */

static void write_catalog(const archive_maker_t *self, int64_t offset, const void *bytes,
                          size_t length)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/archive.catalog", self->dir);
    write_at(path, offset, bytes, length, CATALOG_BYTES);
}

static void write_catalog_header(const archive_maker_t *self)
{
    uint8_t header[CATALOG_HEADER] = {0};
    put(header, 0, 3 << 16 | 1 << 8, 4);
    put(header, 4, CATALOG_HEADER, 4);
    put(header, 8, (uint64_t)self->next_id, 8);
    put(header, 16, CATALOG_ALIGN, 4);
    write_catalog(self, 0, header, sizeof header);
}

void archive_maker_init(archive_maker_t *self, const char *dir)
{
    *self = (archive_maker_t){.catalog_end = CATALOG_HEADER};
    const int n = snprintf(self->dir, sizeof self->dir, "%s", dir);
    assert_true(n > 0 && (size_t)n < sizeof self->dir);
    assert_true(mkdir(dir, 0755) == 0 || errno == EEXIST);
    write_catalog_header(self);
}

static size_t put_text(uint8_t *bytes, size_t offset, const char *text)
{
    put(bytes, offset, strlen(text), 4);
    memcpy(bytes + offset + 4, text, strlen(text));
    return offset + 4 + strlen(text);
}

void archive_maker_record(archive_maker_t *self, made_recording_t *recording, int64_t start,
                          int32_t term_bytes, int32_t segment_bytes)
{
    *recording = (made_recording_t){.archive = self,
                                    .id = self->next_id++,
                                    .catalog_offset = self->catalog_end,
                                    .first_base = start - start % term_bytes,
                                    .position = start,
                                    .initial_term_id = INT32_MAX - 1, /* soon wraps */
                                    .term_bytes = term_bytes,
                                    .segment_bytes = segment_bytes,
                                    .mtu_bytes = MTU};
    uint8_t entry[512] = {0};
    put(entry, ENTRY_STATE, 1, 4);
    put(entry, 48, (uint64_t)recording->id, 8);
    put(entry, 56, 1000, 8);
    put(entry, 64, (uint64_t)-1, 8);
    put(entry, ENTRY_START, (uint64_t)start, 8);
    put(entry, ENTRY_STOP, (uint64_t)-1, 8);
    put(entry, 88, (uint32_t)recording->initial_term_id, 4);
    put(entry, 92, (uint32_t)segment_bytes, 4);
    put(entry, 96, (uint32_t)term_bytes, 4);
    put(entry, 100, MTU, 4);
    put(entry, 104, 77, 4);
    put(entry, 108, 100, 4);
    size_t end = put_text(entry, 112, "aeron:udp?alias=log");
    end = put_text(entry, end, "aeron:udp?alias=log|term-length=64k");
    end = put_text(entry, end, "localhost:1234");
    end = (end + CATALOG_ALIGN - 1) / CATALOG_ALIGN * CATALOG_ALIGN;
    put(entry, 0, end - 32, 4);
    write_catalog(self, self->catalog_end, entry, end);
    self->catalog_end += (int64_t)end;
    write_catalog_header(self);
    made_recording_patch(recording, start, "", 0); /* zeros */
}

static void set_entry(const made_recording_t *self, int64_t offset, int64_t value, size_t width)
{
    uint8_t bytes[8];
    put(bytes, 0, (uint64_t)value, width);
    write_catalog(self->archive, self->catalog_offset + offset, bytes, width);
}

void made_recording_stop(made_recording_t *self)
{
    set_entry(self, ENTRY_STOP, self->position, 8);
}

void made_recording_state(const made_recording_t *self, int32_t state)
{
    set_entry(self, ENTRY_STATE, state, 4);
}

/* ---- Segments ---- */

static int64_t base_of(const made_recording_t *self, int64_t position)
{
    return position - (position - self->first_base) % self->segment_bytes;
}

static void segment_path(const made_recording_t *self, int64_t base, char path[400])
{
    (void)snprintf(path, 400, "%s/%" PRId64 "-%" PRId64 ".rec", self->archive->dir, self->id, base);
}

void made_recording_patch(const made_recording_t *self, int64_t position, const void *bytes,
                          size_t length)
{
    char path[400];
    const int64_t base = base_of(self, position);
    segment_path(self, base, path);
    write_at(path, position - base, bytes, length, self->segment_bytes);
}

void made_recording_purge(made_recording_t *self, int64_t base)
{
    set_entry(self, ENTRY_START, base, 8);
    for (; self->first_base < base; self->first_base += self->segment_bytes) {
        char path[400];
        segment_path(self, self->first_base, path);
        assert_int_equal(unlink(path), 0);
    }
}

/* As an archive that makes checksums: of the bytes and their padding. */
static uint32_t frame_checksum(const void *bytes, size_t length)
{
    static const uint8_t zeros[32];
    return crc32c(crc32c(0, bytes, length), zeros, (32 - length % 32) % 32);
}

int64_t made_recording_frame(made_recording_t *self, uint8_t flags, uint16_t type,
                             const void *bytes, size_t length)
{
    uint8_t header[FRAME_HEADER] = {0};
    put(header, 0, length + FRAME_HEADER, 4);
    header[5] = flags;
    put(header, 6, type, 2);
    put(header, 8, (uint64_t)(self->position % self->term_bytes), 4);
    put(header, 12, self->checked && type == 1 ? frame_checksum(bytes, length) : 77, 4);
    put(header, 16, 100, 4);
    put(header, 20, (uint32_t)self->initial_term_id + (uint32_t)(self->position / self->term_bytes),
        4);
    made_recording_patch(self, self->position, header, sizeof header);
    if (bytes && length > 0)
        made_recording_patch(self, self->position + FRAME_HEADER, bytes, length);
    self->position += (int64_t)(length + FRAME_HEADER + 31) / 32 * 32;
    return self->position;
}

int64_t made_recording_append(made_recording_t *self, const void *bytes, size_t length)
{
    const size_t most = (size_t)self->mtu_bytes - FRAME_HEADER;
    const size_t whole = length / most;
    const size_t rest = length % most;
    const size_t last = rest > 0 || whole == 0 ? (rest + FRAME_HEADER + 31) / 32 * 32 : 0;
    const size_t need = whole * (size_t)self->mtu_bytes + last;
    const size_t left = (size_t)(self->term_bytes - self->position % self->term_bytes);
    if (need > left)
        (void)made_recording_frame(self, 0xC0, 0, NULL, left - FRAME_HEADER);
    size_t done = 0;
    do {
        const size_t part = length - done < most ? length - done : most;
        const unsigned flags = (done == 0 ? 0x80U : 0) | (done + part == length ? 0x40U : 0);
        (void)made_recording_frame(self, (uint8_t)flags, 1, (const uint8_t *)bytes + done, part);
        done += part;
    } while (done < length);
    return self->position;
}

int64_t made_recording_tear(made_recording_t *self)
{
    enum { PAGE = 4096, BEFORE = 64, LENGTH = 1300 };
    static const uint8_t zeros[LENGTH];
    uint8_t bytes[LENGTH];
    const int64_t page = (self->position / PAGE + 2) * PAGE;
    assert_int_equal((page + PAGE - 1) / self->term_bytes, self->position / self->term_bytes);
    memset(bytes, 9, sizeof bytes);
    (void)made_recording_frame(self, 0xC0, 0, NULL,
                               (size_t)(page - BEFORE - self->position - FRAME_HEADER));
    const int64_t start = self->position;
    (void)made_recording_frame(self, 0xC0, 1, bytes, sizeof bytes);
    made_recording_patch(self, page, zeros, (size_t)(self->position - page));
    self->position = start;
    return start;
}

/* ---- recording.log ---- */

void archive_maker_log(const char *cluster_dir, const recording_log_entry_t *entries, size_t count)
{
    char path[400];
    assert_true(mkdir(cluster_dir, 0755) == 0 || errno == EEXIST);
    (void)snprintf(path, sizeof path, "%s/recording.log", cluster_dir);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[LOG_ENTRY] = {0};
        put(bytes, 0, (uint64_t)entries[i].recording, 8);
        put(bytes, 8, (uint64_t)entries[i].term, 8);
        put(bytes, 16, (uint64_t)entries[i].term_base, 8);
        put(bytes, 24, (uint64_t)entries[i].log_position, 8);
        put(bytes, 32, (uint64_t)entries[i].timestamp, 8);
        put(bytes, 40, (uint32_t)entries[i].service, 4);
        put(bytes, 44, (uint32_t)entries[i].type | (entries[i].valid ? 0 : UINT32_C(1) << 31), 4);
        assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    }
    assert_int_equal(fclose(file), 0);
}

/* ---- Messages ---- */

size_t archive_sample(uint64_t n, uint8_t *bytes)
{
    const size_t length = n % 7 == 3 ? 1500 + n * 97 % 5000 : n * 31 % 300;
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(n * 131 + i * 7 + (i >> 8));
    return length;
}
