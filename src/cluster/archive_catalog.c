/*
 * The catalog of an archive. Called by the reader of recordings for what a recording is, and by
 * prune and seed, which change or copy it.
 *
 * Invariants: nothing that the file says is believed before it lies within the bytes that were
 * read; loading ends where the archive itself would end. It must not write to a catalog that an
 * archive has open: the callers know whether one runs.
 */
#define _GNU_SOURCE
#include "cluster/archive_catalog.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "cluster/recording_segments.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structs are read as they are");

/* RecordingDescriptorHeader and RecordingDescriptor of the archive's schema, without strings. */
typedef struct catalog_entry {
    int32_t length; /* behind these 32 bytes, with padding */
    int32_t state;
    int32_t checksum; /* 0: the archive makes none */
    uint8_t reserved[20];
    int64_t control_session_id;
    int64_t correlation_id;
    int64_t recording_id;
    int64_t start_timestamp;
    int64_t stop_timestamp;
    int64_t start_position;
    int64_t stop_position;
    int32_t initial_term_id;
    int32_t segment_bytes;
    int32_t term_bytes;
    int32_t mtu_bytes;
    int32_t session_id;
    int32_t stream_id;
} catalog_entry_t;

_Static_assert(sizeof(catalog_entry_t) == 112, "on disk");
_Static_assert(offsetof(catalog_entry_t, checksum) == 8, "on disk");
_Static_assert(offsetof(catalog_entry_t, control_session_id) == 32, "on disk");
_Static_assert(offsetof(catalog_entry_t, recording_id) == 48, "on disk");
_Static_assert(offsetof(catalog_entry_t, start_position) == 72, "on disk");
_Static_assert(offsetof(catalog_entry_t, stop_position) == 80, "on disk");
_Static_assert(offsetof(catalog_entry_t, initial_term_id) == 88, "on disk");
_Static_assert(offsetof(catalog_entry_t, stream_id) == 108, "on disk");

typedef struct catalog_header {
    int32_t version; /* major << 16 | minor << 8 | patch */
    int32_t length;
    int64_t next_recording_id; /* 0: one more than the last entry's */
    int32_t alignment;         /* 0: entries of an old version, 1024 bytes each */
    uint8_t reserved[12];
} catalog_header_t;

_Static_assert(sizeof(catalog_header_t) == ARCHIVE_CATALOG_HEADER_BYTES, "on disk");
_Static_assert(offsetof(catalog_header_t, next_recording_id) == 8, "on disk");

enum {
    ENTRY_HEADER = 32, /* before what `length` counts */
    STATE_INVALID = 0,
    STATE_VALID = 1,
    READ_STEP = 64 * 1024,
    LENGTH_MAX = 1 << 20, /* of an entry: three channels are far shorter */
    OLD_ALIGNMENT = 1024,
    TERM_BYTES_MIN = 64 * 1024,
    TERM_BYTES_MAX = 1 << 30,
    MTU_BYTES_MAX = 65536, /* what fits into a datagram is less */
};

static bool is_power_of_two(int64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

/* ---- Reading ---- */

static int32_t entry_length(const archive_catalog_t *self, size_t offset)
{
    int32_t length;
    memcpy(&length, self->bytes + offset, sizeof length);
    return length;
}

static oc_err_t read_header(archive_catalog_t *self, size_t got, const char *path)
{
    catalog_header_t header;
    if (got < sizeof header)
        return error_set(OC_ERR_FORMAT, "%s: %zu bytes are no catalog of an archive", path, got);
    memcpy(&header, self->bytes, sizeof header);
    if (header.version >> 16 != ARCHIVE_CATALOG_MAJOR)
        return error_set(OC_ERR_FORMAT, "%s: version %d.%d.%d of a catalog, this build knows %d.x",
                         path, header.version >> 16, header.version >> 8 & 0xFF,
                         header.version & 0xFF, ARCHIVE_CATALOG_MAJOR);
    if (header.alignment != 0 && (!is_power_of_two(header.alignment) || header.alignment < 32 ||
                                  header.alignment > OLD_ALIGNMENT))
        return error_set(OC_ERR_DAMAGED, "%s: offset 16: entries aligned to %d bytes", path,
                         header.alignment);
    self->next_recording_id = header.next_recording_id;
    self->alignment = header.alignment == 0 ? OLD_ALIGNMENT : (size_t)header.alignment;
    self->first = header.alignment == 0 ? OLD_ALIGNMENT : sizeof header;
    return OC_ERR_OK;
}

/* Reads until `self` holds `need` bytes or the file ends. */
static oc_err_t read_up_to(archive_catalog_t *self, int fd, const char *path, size_t need,
                           size_t *got)
{
    while (*got < need) {
        const size_t room = *got + READ_STEP;
        uint8_t *bytes = realloc(self->bytes, room);
        if (!bytes)
            return error_set(OC_ERR_NO_MEMORY, "%zu bytes for %s", room, path);
        self->bytes = bytes;
        const ssize_t n = pread(fd, bytes + *got, READ_STEP, (off_t)*got);
        if (n < 0 && errno != EINTR)
            return error_set(OC_ERR_READ, "%s: %s", path, strerror(errno));
        if (n == 0)
            return OC_ERR_OK;
        if (n > 0)
            *got += (size_t)n;
    }
    return OC_ERR_OK;
}

static size_t frame_bytes(const archive_catalog_t *self, int32_t length)
{
    const size_t bytes = (size_t)length + ENTRY_HEADER;
    return (bytes + self->alignment - 1) & ~(self->alignment - 1);
}

/* A recording of such terms, segments and frames cannot be read or pruned. */
static bool entry_makes_sense(const catalog_entry_t *entry)
{
    return entry->recording_id >= 0 && entry->start_position >= 0 &&
           (entry->stop_position == -1 || (entry->stop_position >= entry->start_position &&
                                           entry->stop_position % RECORDING_FRAME_ALIGN == 0)) &&
           entry->start_position <= RECORDING_POSITION_MAX &&
           entry->stop_position <= RECORDING_POSITION_MAX &&
           entry->start_position % RECORDING_FRAME_ALIGN == 0 &&
           is_power_of_two(entry->term_bytes) && entry->term_bytes >= TERM_BYTES_MIN &&
           entry->term_bytes <= TERM_BYTES_MAX && is_power_of_two(entry->segment_bytes) &&
           entry->segment_bytes >= entry->term_bytes && entry->mtu_bytes > RECORDING_FRAME_HEADER &&
           entry->mtu_bytes <= MTU_BYTES_MAX && entry->mtu_bytes % RECORDING_FRAME_ALIGN == 0;
}

static oc_err_t read_entries(archive_catalog_t *self, int fd, const char *path)
{
    size_t got = 0;
    oc_err_t err = read_up_to(self, fd, path, ARCHIVE_CATALOG_HEADER_BYTES, &got);
    if (err == OC_ERR_OK)
        err = read_header(self, got, path);
    for (self->length = self->first; err == OC_ERR_OK;) {
        const size_t offset = self->length;
        err = read_up_to(self, fd, path, offset + sizeof(catalog_entry_t), &got);
        if (err != OC_ERR_OK || offset + sizeof(int32_t) > got || entry_length(self, offset) <= 0)
            break;
        const int32_t length = entry_length(self, offset);
        const size_t bytes = frame_bytes(self, length);
        if ((size_t)length < sizeof(catalog_entry_t) - ENTRY_HEADER || length > LENGTH_MAX)
            return error_set(OC_ERR_DAMAGED, "%s: offset %zu: an entry of %d bytes", path, offset,
                             length);
        err = read_up_to(self, fd, path, offset + bytes, &got);
        if (err == OC_ERR_OK && offset + bytes > got)
            return error_set(OC_ERR_DAMAGED, "%s: offset %zu: the file ends within an entry", path,
                             offset);
        catalog_entry_t entry;
        memcpy(&entry, self->bytes + offset, sizeof entry);
        if (err == OC_ERR_OK && entry.state == STATE_VALID && !entry_makes_sense(&entry))
            return error_set(OC_ERR_DAMAGED,
                             "%s: offset %zu: an entry that cannot be, recording "
                             "%" PRId64,
                             path, offset, entry.recording_id);
        self->length += bytes;
    }
    return err;
}

static bool make_path(char path[PATH_MAX], const char *archive_dir)
{
    const int n = snprintf(path, PATH_MAX, "%s/" ARCHIVE_CATALOG_FILE, archive_dir);
    return n > 0 && n < PATH_MAX;
}

oc_err_t archive_catalog_load(archive_catalog_t *self, const char *archive_dir)
{
    char path[PATH_MAX];
    *self = (archive_catalog_t){0};
    if (!make_path(path, archive_dir))
        return error_set(OC_ERR_OPEN, "the path is too long: %s", archive_dir);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    const oc_err_t err = read_entries(self, fd, path);
    (void)close(fd);
    if (err != OC_ERR_OK)
        archive_catalog_fini(self);
    return err;
}

/* The header's parts are written in their order, the alignment last; an old version had none, and
 * entries from where it is looked then. */
static bool is_blank(const uint8_t *bytes, size_t got)
{
    catalog_header_t header = {0};
    int32_t first = 0;
    memcpy(&header, bytes, got < sizeof header ? got : sizeof header);
    if (got >= OLD_ALIGNMENT + sizeof first)
        memcpy(&first, bytes + OLD_ALIGNMENT, sizeof first);
    return header.version == 0 || (header.alignment == 0 && first == 0);
}

oc_err_t archive_catalog_look(const char *archive_dir, archive_catalog_kind_t *kind)
{
    char path[PATH_MAX];
    archive_catalog_t read = {0};
    size_t got = 0;
    *kind = ARCHIVE_CATALOG_MISSING;
    if (!make_path(path, archive_dir))
        return error_set(OC_ERR_OPEN, "the path is too long: %s", archive_dir);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? OC_ERR_OK
                               : error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    const oc_err_t err = read_up_to(&read, fd, path, 2 * (size_t)OLD_ALIGNMENT, &got);
    (void)close(fd);
    *kind = err == OC_ERR_OK && is_blank(read.bytes, got) ? ARCHIVE_CATALOG_BLANK
                                                          : ARCHIVE_CATALOG_MADE;
    archive_catalog_fini(&read);
    return err;
}

void archive_catalog_fini(archive_catalog_t *self)
{
    free(self->bytes);
    *self = (archive_catalog_t){0};
}

/* The first string behind the fixed part; empty if it is not within the entry. */
static void copy_channel(const uint8_t *bytes, size_t room, char text[RECORDING_TEXT_MAX])
{
    uint32_t length = 0;
    text[0] = '\0';
    if (room < sizeof length)
        return;
    memcpy(&length, bytes, sizeof length);
    if (length > room - sizeof length)
        return;
    const size_t taken = length < RECORDING_TEXT_MAX ? length : RECORDING_TEXT_MAX - 1;
    memcpy(text, bytes + sizeof length, taken);
    text[taken] = '\0';
}

bool archive_catalog_next(const archive_catalog_t *self, size_t *offset,
                          recording_descriptor_t *descriptor)
{
    if (*offset == 0)
        *offset = self->first;
    if (*offset >= self->length)
        return false;
    catalog_entry_t entry;
    const uint8_t *bytes = self->bytes + *offset;
    const size_t length = frame_bytes(self, entry_length(self, *offset));
    OC_ASSERT(length >= sizeof entry && *offset + length <= self->length);
    memcpy(&entry, bytes, sizeof entry);
    *descriptor = (recording_descriptor_t){.id = entry.recording_id,
                                           .valid = entry.state == STATE_VALID,
                                           .start_position = entry.start_position,
                                           .stop_position = entry.stop_position,
                                           .start_timestamp_ms = entry.start_timestamp,
                                           .stop_timestamp_ms = entry.stop_timestamp,
                                           .initial_term_id = entry.initial_term_id,
                                           .segment_bytes = entry.segment_bytes,
                                           .term_bytes = entry.term_bytes,
                                           .mtu_bytes = entry.mtu_bytes,
                                           .session_id = entry.session_id,
                                           .stream_id = entry.stream_id,
                                           .catalog_offset = *offset,
                                           .catalog_length = length};
    copy_channel(bytes + sizeof entry, length - sizeof entry, descriptor->stripped_channel);
    *offset += length;
    return true;
}

bool archive_catalog_find(const archive_catalog_t *self, int64_t id,
                          recording_descriptor_t *descriptor)
{
    size_t offset = 0;
    while (archive_catalog_next(self, &offset, descriptor))
        if (descriptor->valid && descriptor->id == id)
            return true;
    return false;
}

/* ---- Changes ---- */

/* What the archive's checksum covers: as much as `length` says, or the part without padding that
 * was replaced by a shorter entry; only the first is made here. */
static int32_t entry_checksum(const uint8_t *entry)
{
    int32_t length;
    memcpy(&length, entry, sizeof length);
    return (int32_t)crc32c(0, entry + ENTRY_HEADER, (size_t)length);
}

/* Changes positions in the bytes of an entry, and its checksum if it has one. */
static oc_err_t change_entry(uint8_t *bytes, int64_t start, int64_t stop)
{
    catalog_entry_t entry;
    memcpy(&entry, bytes, sizeof entry);
    const bool sealed = entry.checksum != 0;
    if (sealed && entry.checksum != entry_checksum(bytes))
        return error_set(OC_ERR_FORMAT,
                         "the catalog's entry of recording %" PRId64 " has a checksum that is not "
                         "CRC-32C: only the archive itself can change it; start it first",
                         entry.recording_id);
    entry.start_position = start;
    entry.stop_position = stop;
    memcpy(bytes, &entry, sizeof entry);
    entry.checksum = sealed ? entry_checksum(bytes) : 0;
    memcpy(bytes, &entry, sizeof entry);
    return OC_ERR_OK;
}

static oc_err_t write_all(int fd, const char *path, const uint8_t *bytes, size_t length, off_t at)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = pwrite(fd, bytes + done, length - done, at + (off_t)done);
        if (n < 0 && errno != EINTR)
            return error_set(errno == ENOSPC ? OC_ERR_NO_SPACE : OC_ERR_WRITE, "%s: %s", path,
                             strerror(errno));
        if (n > 0)
            done += (size_t)n;
    }
    return OC_ERR_OK;
}

typedef struct catalog_change {
    char path[PATH_MAX];
    int fd;
    off_t at;
    uint8_t *entry; /* its bytes */
} catalog_change_t;

/* Reads an entry of the catalog, and opens this for writing. */
static oc_err_t open_entry(const char *archive_dir, const recording_descriptor_t *descriptor,
                           catalog_change_t *change)
{
    const size_t length = (size_t)descriptor->catalog_length;
    OC_ASSERT(length >= sizeof(catalog_entry_t));
    change->at = (off_t)descriptor->catalog_offset;
    change->fd = -1;
    change->entry = malloc(length);
    if (!change->entry)
        return error_set(OC_ERR_NO_MEMORY, "an entry of %s", archive_dir);
    if (!make_path(change->path, archive_dir))
        return error_set(OC_ERR_OPEN, "the path is too long: %s", archive_dir);
    change->fd = open(change->path, O_RDWR | O_CLOEXEC);
    if (change->fd < 0)
        return error_set(OC_ERR_OPEN, "%s: %s", change->path, strerror(errno));
    return pread(change->fd, change->entry, length, change->at) == (ssize_t)length
               ? OC_ERR_OK
               : error_set(OC_ERR_READ, "%s: no entry at %" PRIu64, change->path,
                           descriptor->catalog_offset);
}

/* Writes what counts of an entry, which no device tears: eight bytes at most. A checksum beside it
 * is looked at by nobody but the archive's own tool. */
static oc_err_t close_entry(catalog_change_t *change, oc_err_t err)
{
    if (err == OC_ERR_OK)
        err =
            write_all(change->fd, change->path, change->entry, sizeof(catalog_entry_t), change->at);
    if (err == OC_ERR_OK && fdatasync(change->fd) != 0)
        err = error_set(OC_ERR_SYNC, "%s: %s", change->path, strerror(errno));
    if (change->fd >= 0)
        (void)close(change->fd);
    free(change->entry);
    return err;
}

oc_err_t archive_catalog_set_start(const char *archive_dir,
                                   const recording_descriptor_t *descriptor, int64_t position)
{
    catalog_change_t change;
    oc_err_t err = open_entry(archive_dir, descriptor, &change);
    if (err == OC_ERR_OK) {
        catalog_entry_t entry;
        memcpy(&entry, change.entry, sizeof entry);
        err = change_entry(change.entry, position, entry.stop_position);
    }
    return close_entry(&change, err);
}

oc_err_t archive_catalog_set_stop(const char *archive_dir, const recording_descriptor_t *descriptor,
                                  int64_t position)
{
    catalog_change_t change;
    oc_err_t err = open_entry(archive_dir, descriptor, &change);
    if (err == OC_ERR_OK) {
        catalog_entry_t entry;
        memcpy(&entry, change.entry, sizeof entry);
        err = change_entry(change.entry, entry.start_position, position);
    }
    return close_entry(&change, err);
}

oc_err_t archive_catalog_invalidate(const char *archive_dir,
                                    const recording_descriptor_t *descriptor)
{
    catalog_change_t change;
    const oc_err_t err = open_entry(archive_dir, descriptor, &change);
    if (err == OC_ERR_OK) {
        const int32_t invalid = STATE_INVALID;
        memcpy(change.entry + offsetof(catalog_entry_t, state), &invalid, sizeof invalid);
    }
    return close_entry(&change, err);
}

static const archive_catalog_kept_t *find_kept(const archive_catalog_kept_t *kept, size_t count,
                                               const recording_descriptor_t *descriptor)
{
    for (size_t i = 0; descriptor->valid && i < count; i++)
        if (kept[i].id == descriptor->id)
            return &kept[i];
    return NULL;
}

/* In the order of the catalog: an archive refuses ids that do not ascend. */
static oc_err_t write_kept(archive_catalog_t *self, int fd, const char *path,
                           const archive_catalog_kept_t *kept, size_t count)
{
    catalog_header_t header = {.version = ARCHIVE_CATALOG_MAJOR << 16 | 1 << 8,
                               .length = sizeof header,
                               .next_recording_id = self->next_recording_id,
                               .alignment = (int32_t)self->alignment};
    off_t at = sizeof header;
    oc_err_t err = OC_ERR_OK;
    size_t written = 0;
    recording_descriptor_t descriptor;
    for (size_t offset = 0; err == OC_ERR_OK && archive_catalog_next(self, &offset, &descriptor);) {
        const archive_catalog_kept_t *one = find_kept(kept, count, &descriptor);
        if (!one)
            continue;
        uint8_t *entry = self->bytes + descriptor.catalog_offset;
        err = change_entry(entry, one->start_position, one->stop_position);
        if (err == OC_ERR_OK)
            err = write_all(fd, path, entry, (size_t)descriptor.catalog_length, at);
        at += (off_t)descriptor.catalog_length;
        if (header.next_recording_id <= one->id)
            header.next_recording_id = one->id + 1;
        written++;
    }
    if (err == OC_ERR_OK && written != count)
        return error_set(OC_ERR_DAMAGED, "%s: only %zu of %zu recordings are in the catalog", path,
                         written, count);
    return err == OC_ERR_OK ? write_all(fd, path, (const uint8_t *)&header, sizeof header, 0) : err;
}

oc_err_t archive_catalog_write(archive_catalog_t *self, const char *archive_dir,
                               const archive_catalog_kept_t *kept, size_t count)
{
    char path[PATH_MAX];
    if (!make_path(path, archive_dir))
        return error_set(OC_ERR_OPEN, "the path is too long: %s", archive_dir);
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    oc_err_t err = write_kept(self, fd, path, kept, count);
    if (close(fd) != 0 && err == OC_ERR_OK)
        err = error_set(OC_ERR_WRITE, "%s: %s", path, strerror(errno));
    return err;
}
