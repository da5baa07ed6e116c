/*
 * The module's list of recordings. Called by the container when it recovers, and by the offline
 * tools.
 *
 * Invariant: what is given out is what the module itself would use: the newest by leadership term
 * and position, not by place in the file, whose entries the module reuses. It must not write to a
 * file of the module's.
 */
#define _GNU_SOURCE
#include "cluster/recording_log.h"

#include "base/assert.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structs are read as they are");

typedef struct entry_on_disk {
    int64_t recording;
    int64_t term;
    int64_t term_base;
    int64_t log_position;
    int64_t timestamp;
    int32_t service;
    uint32_t type;            /* and ENTRY_INVALID */
    uint32_t endpoint_length; /* STANDBY_SNAPSHOT: an endpoint follows */
    uint8_t padding[12];
} entry_on_disk_t;

_Static_assert(sizeof(entry_on_disk_t) == RECORDING_LOG_ENTRY_BYTES, "on disk");
_Static_assert(offsetof(entry_on_disk_t, service) == 40, "on disk");
_Static_assert(offsetof(entry_on_disk_t, type) == 44, "on disk");
_Static_assert(offsetof(entry_on_disk_t, endpoint_length) == 48, "on disk");

#define ENTRY_INVALID (UINT32_C(1) << 31)
#define ENTRY_NULL    UINT32_MAX /* passed over by the module too */

enum {
    ENTRY_BYTES = RECORDING_LOG_ENTRY_BYTES,
    ENTRY_BYTES_MAX = 4096,
    ENDPOINT_OFFSET = 52,
    FILE_BYTES_MAX = 64 << 20, /* a million entries */
};

/* Bytes of the entry at `bytes`; 0: it is cut off, or cannot be one, as zeros cannot: a term ends
 * nowhere or behind 0. */
static size_t entry_bytes(const uint8_t *bytes, size_t room)
{
    static const uint8_t zeros[ENTRY_BYTES];
    entry_on_disk_t entry;
    if (room < ENTRY_BYTES || !memcmp(bytes, zeros, sizeof zeros))
        return 0;
    memcpy(&entry, bytes, sizeof entry);
    if ((entry.type & ~ENTRY_INVALID) != RECORDING_LOG_STANDBY_SNAPSHOT)
        return ENTRY_BYTES;
    if (entry.endpoint_length > ENTRY_BYTES_MAX - ENDPOINT_OFFSET)
        return 0;
    const size_t length =
        (ENDPOINT_OFFSET + entry.endpoint_length + ENTRY_BYTES - 1) & ~(size_t)(ENTRY_BYTES - 1);
    return length <= room ? length : 0;
}

static void take_entries(recording_log_t *self, const uint8_t *bytes, size_t length)
{
    size_t step;
    self->length = length;
    for (; (step = entry_bytes(bytes + self->whole, length - self->whole)) > 0;
         self->whole += step) {
        entry_on_disk_t entry;
        memcpy(&entry, bytes + self->whole, sizeof entry);
        if (entry.type == ENTRY_NULL)
            continue;
        self->entries[self->count++] =
            (recording_log_entry_t){.recording = entry.recording,
                                    .term = entry.term,
                                    .term_base = entry.term_base,
                                    .log_position = entry.log_position,
                                    .timestamp = entry.timestamp,
                                    .service = entry.service,
                                    .type = (int32_t)(entry.type & ~ENTRY_INVALID),
                                    .valid = (entry.type & ENTRY_INVALID) == 0};
    }
}

void recording_log_encode(const recording_log_entry_t *entry,
                          uint8_t bytes[RECORDING_LOG_ENTRY_BYTES])
{
    OC_ASSERT(entry->valid);
    OC_ASSERT(entry->type != RECORDING_LOG_STANDBY_SNAPSHOT);
    const entry_on_disk_t on_disk = {.recording = entry->recording,
                                     .term = entry->term,
                                     .term_base = entry->term_base,
                                     .log_position = entry->log_position,
                                     .timestamp = entry->timestamp,
                                     .service = entry->service,
                                     .type = (uint32_t)entry->type};
    memcpy(bytes, &on_disk, sizeof on_disk);
}

/* Reads a whole file, which may grow meanwhile. */
static oc_err_t read_bytes(int fd, const char *path, uint8_t **bytes, size_t *length)
{
    size_t room = 0;
    for (;;) {
        if (*length == room) {
            room = room > 0 ? room * 2 : ENTRY_BYTES_MAX;
            uint8_t *grown = room <= FILE_BYTES_MAX ? realloc(*bytes, room) : NULL;
            if (!grown)
                return error_set(room > FILE_BYTES_MAX ? OC_ERR_FORMAT : OC_ERR_NO_MEMORY,
                                 "%s: %zu bytes are too many", path, room);
            *bytes = grown;
        }
        const ssize_t n = pread(fd, *bytes + *length, room - *length, (off_t)*length);
        if (n < 0 && errno != EINTR)
            return error_set(OC_ERR_READ, "%s: %s", path, strerror(errno));
        if (n == 0)
            return OC_ERR_OK;
        if (n > 0)
            *length += (size_t)n;
    }
}

oc_err_t recording_log_read(recording_log_t *self, const char *cluster_dir)
{
    char path[PATH_MAX];
    uint8_t *bytes = NULL;
    size_t length = 0;
    *self = (recording_log_t){0};
    const int n = snprintf(path, sizeof path, "%s/" RECORDING_LOG_FILE, cluster_dir);
    if (n < 0 || (size_t)n >= sizeof path)
        return error_set(OC_ERR_OPEN, "the path is too long: %s", cluster_dir);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    oc_err_t err = read_bytes(fd, path, &bytes, &length);
    (void)close(fd);
    if (err == OC_ERR_OK) {
        self->entries = calloc(length / ENTRY_BYTES + 1, sizeof *self->entries);
        if (self->entries)
            take_entries(self, bytes, length);
        else
            err = error_set(OC_ERR_NO_MEMORY, "%zu entries of %s", length / ENTRY_BYTES, path);
    }
    free(bytes);
    return err;
}

void recording_log_fini(recording_log_t *self)
{
    free(self->entries);
    *self = (recording_log_t){0};
}

const recording_log_entry_t *recording_log_term(const recording_log_t *self)
{
    const recording_log_entry_t *newest = NULL;
    for (size_t i = 0; i < self->count; i++) {
        const recording_log_entry_t *entry = &self->entries[i];
        if (entry->valid && entry->type == RECORDING_LOG_TERM &&
            (!newest || entry->term >= newest->term))
            newest = entry;
    }
    return newest;
}

int64_t recording_log_log(const recording_log_t *self)
{
    const recording_log_entry_t *term = recording_log_term(self);
    return term ? term->recording : -1;
}

/* The valid snapshot of a service at the same place as the module's. */
static const recording_log_entry_t *find_service(const recording_log_t *self,
                                                 const recording_log_entry_t *module)
{
    const recording_log_entry_t *found = NULL;
    for (size_t i = 0; i < self->count; i++) {
        const recording_log_entry_t *entry = &self->entries[i];
        if (entry->valid && entry->type == RECORDING_LOG_SNAPSHOT && entry->service == 0 &&
            entry->term == module->term && entry->log_position == module->log_position)
            found = entry;
    }
    return found;
}

/* Whether `a` is of a later place than `b`; NULL is later than all. */
static bool is_later(const recording_log_entry_t *a, const recording_log_entry_t *b)
{
    if (!b)
        return false;
    if (!a)
        return true;
    return a->term != b->term ? a->term > b->term : a->log_position > b->log_position;
}

/* The newest whole snapshot before `below`. */
static const recording_log_entry_t *newest_before(const recording_log_t *self,
                                                  const recording_log_entry_t *below)
{
    const recording_log_entry_t *newest = NULL;
    for (size_t i = 0; i < self->count; i++) {
        const recording_log_entry_t *entry = &self->entries[i];
        if (entry->valid && entry->type == RECORDING_LOG_SNAPSHOT &&
            entry->service == RECORDING_LOG_MODULE && is_later(below, entry) &&
            (!newest || !is_later(newest, entry)) && find_service(self, entry))
            newest = entry;
    }
    return newest;
}

bool recording_log_snapshot(const recording_log_t *self, size_t n,
                            const recording_log_entry_t **module,
                            const recording_log_entry_t **service)
{
    const recording_log_entry_t *found = newest_before(self, NULL);
    for (; found && n > 0; n--)
        found = newest_before(self, found);
    if (!found)
        return false;
    if (module)
        *module = found;
    if (service)
        *service = find_service(self, found);
    return true;
}
