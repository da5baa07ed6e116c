/*
 * Fuzzes recovery: the bytes are laid over the beginning of a one-segment journal, as they are, and
 * once more with every checksum made right, because behind a checksum nothing would ever be
 * reached. Must not crash, hang or read past its input; what it accepts must be accepted again
 * after a start, with the same entries.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "journal/journal_internal.h"

#define SEGMENT_BYTES (UINT32_C(128) << 10)
#define LOG_ID        UINT64_C(0x0123456789abcdef)
#define FILES         4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A storage table of a few files in memory, without faults; "lock" is one of them. */
struct storage_file {
    char name[64];
    uint8_t *bytes;
    uint64_t size;
    bool there;
};

static storage_file_t files[FILES];

static storage_file_t *find(const char *path)
{
    for (int i = 0; i < FILES; i++)
        if (files[i].there && !strcmp(files[i].name, path))
            return &files[i];
    return NULL;
}

static oc_err_t make_dir(const storage_t *self, const char *dir)
{
    (void)self;
    (void)dir;
    return OC_ERR_OK;
}

static oc_err_t list(const storage_t *self, const char *dir, storage_visitor_t visitor,
                     void *context)
{
    (void)self;
    (void)dir;
    for (int i = 0; i < FILES; i++)
        if (files[i].there && !visitor(context, strrchr(files[i].name, '/') + 1))
            break;
    return OC_ERR_OK;
}

static oc_err_t free_bytes(const storage_t *self, const char *dir, uint64_t *bytes)
{
    (void)self;
    (void)dir;
    *bytes = 0;
    return OC_ERR_OK;
}

static oc_err_t rename_file(const storage_t *self, const char *from, const char *to)
{
    (void)self;
    storage_file_t *file = find(from);
    OC_ASSERT(file != NULL);
    memcpy(file->name, to, strlen(to) + 1);
    return OC_ERR_OK;
}

static oc_err_t remove_file(const storage_t *self, const char *path)
{
    (void)self;
    find(path)->there = false;
    return OC_ERR_OK;
}

static oc_err_t open_file(const storage_t *self, const char *path, storage_mode_t mode,
                          storage_file_t **file)
{
    (void)self;
    *file = find(path);
    for (int i = 0; mode == STORAGE_CREATE && !*file && i < FILES; i++) {
        if (files[i].there)
            continue;
        *file = &files[i];
        files[i].there = true;
        files[i].size = SEGMENT_BYTES;
        memset(files[i].bytes, 0, SEGMENT_BYTES);
        memcpy(files[i].name, path, strlen(path) + 1);
    }
    return *file ? OC_ERR_OK : error_set(OC_ERR_OPEN, "no file");
}

static oc_err_t lock_file(const storage_t *self, const char *path, storage_file_t **file)
{
    return open_file(self, path, STORAGE_CREATE, file);
}

static void close_file(storage_file_t *file)
{
    (void)file;
}

static oc_err_t size_of_file(storage_file_t *file, uint64_t *bytes)
{
    *bytes = file->size;
    return OC_ERR_OK;
}

static oc_err_t read_file(storage_file_t *file, uint64_t offset, void *bytes, size_t length,
                          size_t *got)
{
    *got = offset >= file->size           ? 0
           : file->size - offset < length ? (size_t)(file->size - offset)
                                          : length;
    memcpy(bytes, file->bytes + offset, *got);
    return OC_ERR_OK;
}

static oc_err_t write_file(storage_file_t *file, uint64_t offset, const void *bytes, size_t length)
{
    OC_ASSERT(offset + length <= SEGMENT_BYTES);
    memcpy(file->bytes + offset, bytes, length);
    return OC_ERR_OK;
}

static oc_err_t sync_file(storage_file_t *file)
{
    (void)file;
    return OC_ERR_OK;
}

static const storage_t table = {
    .make_dir = make_dir,
    .list = list,
    .sync_dir = make_dir,
    .free_bytes = free_bytes,
    .rename = rename_file,
    .remove = remove_file,
    .lock = lock_file,
    .open = open_file,
    .close = close_file,
    .size = size_of_file,
    .read = read_file,
    .write = write_file,
    .sync = sync_file,
};

/* ---- The log under test ---- */

static oc_err_t count_entry(void *context, const journal_entry_t *entry)
{
    /* Touches what it was given. */
    const uint8_t *bytes = entry->payload;
    volatile uint8_t last = entry->length ? bytes[entry->length - 1] : 0;
    (void)last;
    ++*(uint64_t *)context;
    return OC_ERR_OK;
}

/* The entries found, or -1 for what is refused. */
static int64_t recover(bool start)
{
    journal_config_t config;
    journal_config_init(&config);
    config.dir = "log";
    config.storage = &table;
    config.group_bytes = 64 << 10;
    config.groups = 2;
    journal_t *journal = NULL;
    journal_verdict_t verdict;
    uint64_t entries = 0;
    oc_err_t err = journal_open(&journal, &config);
    if (err == OC_ERR_OK)
        err = journal_recover(journal, (log_position_t){0}, count_entry, &entries, &verdict);
    /* The highest term has no successor, and a full segment needs another one. */
    if (err == OC_ERR_OK && start && verdict.term < UINT32_MAX)
        err = journal_start_stepped(journal);
    (void)journal_close(journal);
    return err == OC_ERR_OK ? (int64_t)entries : -1;
}

static void set_up(const uint8_t *data, size_t size)
{
    for (int i = 0; i < FILES; i++) {
        files[i].there = false;
        if (!files[i].bytes)
            files[i].bytes = aligned_alloc(STORAGE_BLOCK, SEGMENT_BYTES);
        OC_ASSERT(files[i].bytes != NULL);
    }
    storage_file_t *file = NULL;
    OC_ASSERT(open_file(&table, "log/0000000000000000.journal", STORAGE_CREATE, &file) ==
              OC_ERR_OK);
    if (size > 0)
        memcpy(file->bytes, data, size < SEGMENT_BYTES ? size : SEGMENT_BYTES);
}

/* Makes header, positions, chain and checksums right wherever a frame may be meant. */
static void mend(void)
{
    uint8_t *bytes = files[0].bytes;
    journal_segment_header_t header = {
        .version = JOURNAL_VERSION, .segment_bytes = SEGMENT_BYTES, .log_id = LOG_ID};
    memcpy(header.magic, JOURNAL_MAGIC, JOURNAL_MAGIC_SIZE);
    header.crc = crc32c(0, &header, offsetof(journal_segment_header_t, crc));
    memcpy(bytes, &header, sizeof header);
    uint32_t checksum = 0;
    for (uint32_t at = STORAGE_BLOCK; at < SEGMENT_BYTES;) {
        journal_frame_t *frame = (journal_frame_t *)(void *)(bytes + at);
        if (frame->length < sizeof *frame || frame->length > SEGMENT_BYTES - at) {
            at = (uint32_t)journal_block_up(at + 1);
            continue;
        }
        frame->position = at;
        frame->reserved = 0;
        if (frame->type == JOURNAL_OWN_GROUP && frame->length >= 48)
            memcpy(bytes + at + offsetof(journal_group_t, checksum) + sizeof *frame, &checksum,
                   sizeof checksum);
        frame->crc = journal_frame_crc(frame, journal_salt(LOG_ID));
        checksum = journal_chain(checksum, frame);
        at += journal_frame_bytes(frame->length - (uint32_t)sizeof *frame);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    set_up(data, size);
    (void)recover(false);
    set_up(data, size);
    mend();
    const int64_t entries = recover(false);
    if (entries >= 0 && recover(true) >= 0)
        OC_ASSERT(recover(false) == entries);
    return 0;
}
