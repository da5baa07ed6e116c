/*
 * Images: captured states as files, each of a log position. The format is docs/formats/image.md.
 *
 * An image is a data file (header, pages, table with a CRC of each page) and a manifest, which is
 * renamed into place and synced last: what has no manifest does not exist. An incremental image
 * holds the pages changed since the image it names as its base, and needs that one's files: a
 * chain, which ends at a full one.
 *
 * Threads: one at a time, but for image_load(), which starts threads of its own.
 */
#ifndef SNAPSHOT_IMAGE_H
#define SNAPSHOT_IMAGE_H

#include "base/storage.h"
#include "outcry/arena.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMAGE_SECTIONS_MAX      8
#define IMAGE_CONFIGURATION_MAX 4096
#define IMAGE_CHAIN_MAX         64
#define IMAGE_DIR               "images" /* in the directory of the log */

/* What an image was taken at. */
typedef struct image_place {
    uint64_t log_id;       /* of the log that it belongs to */
    uint64_t position;     /* in it: everything before it is in the image, nothing behind it */
    uint64_t group;        /* start of the group of the log that ends at or spans `position` */
    uint64_t entries;      /* applied up to there since the beginning of the log */
    uint64_t state_hash;   /* of the service; 0 if it has none */
    int64_t time_ns;       /* of the last entry */
    uint32_t term;         /* of the last entry */
    uint32_t log_checksum; /* running checksum of the log up to `position` */
} image_place_t;

typedef enum image_section_kind {
    IMAGE_PAGES = 1,  /* pages of an arena; a page that is missing is zero */
    IMAGE_STREAM = 2, /* bytes, cut into pages; whole in every image */
} image_section_kind_t;

/* A part of the state: an arena, or a stream of bytes. */
typedef struct image_section {
    char name[OC_ARENA_NAME_MAX];
    image_section_kind_t kind;
    uint64_t layout; /* of the arena; 0 for a stream */
    uint64_t size;   /* bytes of the arena, or of the stream */
} image_section_t;

typedef struct image_info {
    uint64_t sequence; /* from 1, ascending in the order of their making */
    uint64_t base;     /* sequence of the image that it is incremental to; 0: full */
    image_place_t place;
    uint64_t pages;        /* in its file */
    uint64_t bytes;        /* of its file */
    uint64_t chain_bytes;  /* of all files that it needs */
    uint32_t chain_length; /* files that it needs, 1: full */
    uint32_t section_count;
    image_section_t sections[IMAGE_SECTIONS_MAX];
    int64_t made_ns; /* wall clock, for people */
} image_info_t;

/* ---- image_store.c: which images there are ---- */

typedef struct image_store image_store_t;

typedef struct image_store_config {
    const char *dir; /* of the log; images lie in IMAGE_DIR below it. Borrowed for the call */
    const storage_t *storage; /* borrowed for the store's life */
    bool read_only; /* for tools: nothing is changed, a missing directory is an empty one */
    uint32_t keep;  /* complete images kept, 1..64 */
} image_store_config_t;

/*
 * Lists the manifests. One that cannot be understood is no error: it is told by image_store_line()
 * and its image is not there; one of an unknown format version is never removed either. With write
 * access, files that no manifest names are removed.
 * OC_ERR_OPEN, OC_ERR_READ, OC_ERR_SYNC, OC_ERR_NO_MEMORY. The caller owns *store:
 * image_store_close().
 */
OC_MUST_CHECK oc_err_t image_store_open(image_store_t **store, const image_store_config_t *config);
void image_store_close(image_store_t *self); /* NULL is allowed */

/* Complete images whose chain is there, newest position first; of equal positions the one made
 * last. Borrowed until the next change of the store. */
size_t image_store_count(const image_store_t *self);
const image_info_t *image_store_at(const image_store_t *self, size_t n);
const image_info_t *image_store_find(const image_store_t *self, uint64_t sequence); /* or NULL */

/* The nth thing that was wrong at opening, in one line for people; NULL when there are no more. */
const char *image_store_line(const image_store_t *self, size_t n);

/* The highest sequence of a manifest of an unknown format version, which only another build can
 * read; 0: none. */
uint64_t image_store_unknown(const image_store_t *self);

/* Takes an image that was found to be bad off the list, and those built on it; before the first
 * commit only. Their files stay until the first image_store_retain(). */
void image_store_pass_over(image_store_t *self, uint64_t sequence);

/* The sequence number that the next image gets; each call gives a new one. */
uint64_t image_store_next_sequence(image_store_t *self);

/* Commits a finished image: manifest written, synced, renamed, directory synced. After an error the
 * image is not there, its files are removed (a failed sync may show it after a crash all the same).
 * OC_ERR_INVALID_ARGUMENT: its base is not listed, does not fit, or has the longest chain. */
OC_MUST_CHECK oc_err_t image_store_commit(image_store_t *self, const image_info_t *info);

/* Removes the finished data file of an image that is not committed after all. If that fails, the
 * next opening does it. */
void image_store_discard(image_store_t *self, uint64_t sequence);

/*
 * Removes what is not kept: all but the newest `keep` images, the newest that shares no file with
 * the newest of all, and what these need; and images that were passed over. Called only behind a
 * commit. With `dry_run` nothing is removed; the visitor sees the name of each file that goes.
 *
 * A file that is absent counts as removed. One that cannot be removed stays until the next call,
 * and with it what it is built on; the others go; the first error is returned. A removal of a
 * manifest that is not known to be durable leaves the data file to the next opening.
 */
OC_MUST_CHECK oc_err_t image_store_retain(image_store_t *self, bool dry_run,
                                          storage_visitor_t visitor, void *context);

/* The same in steps: one file of an image goes in each, until *done. An error does not end it. */
OC_MUST_CHECK oc_err_t image_store_retain_step(image_store_t *self, bool *done);

/* The lowest position among the images that image_store_retain() keeps for themselves, not only
 * because others need their files: the log is needed from there on. UINT64_MAX when there is no
 * image. */
uint64_t image_store_oldest(const image_store_t *self);

/* ---- image_writer.c: making a data file ---- */

typedef struct image_writer image_writer_t;

typedef struct image_writer_config {
    const char *dir; /* of the log. Borrowed for the call */
    const storage_t *storage;
    uint32_t block_bytes;     /* written at once: multiple of 4 KiB, 64 KiB..4 MiB */
    uint64_t bytes_per_s_max; /* 0: no limit but the pace */
    /* Time of the log's syncs of late, in ns, 0: none. NULL: the log is not minded. */
    uint64_t (*sync_ns)(void *context);
    void *sync_context;
} image_writer_config_t;

/* Buffers are faulted in here. OC_ERR_NO_MEMORY, OC_ERR_INVALID_CONFIG. */
OC_MUST_CHECK oc_err_t image_writer_create(image_writer_t **writer,
                                           const image_writer_config_t *config);
void image_writer_destroy(image_writer_t *self); /* NULL is allowed; abandons what is unfinished */

/* Begins the file of image `info` (sequence, base, sections are used; copied). `configuration` are
 * the bytes that a new log would begin with. */
OC_MUST_CHECK oc_err_t image_writer_begin(image_writer_t *self, const image_info_t *info,
                                          const void *configuration, size_t length);

/* Room for the next page (OC_ARENA_PAGE_SIZE), valid until the next call; the same again if
 * nothing was put. */
void *image_writer_room(image_writer_t *self);

/* Takes what is in the room as a page of a section; pages of a section ascend, sections too. Writes
 * when a block is full. After an error of this or of image_writer_finish() the file is removed, and
 * another one can be begun. */
OC_MUST_CHECK oc_err_t image_writer_put(image_writer_t *self, uint32_t section, uint32_t page);

/* How long to wait, in ns, before the next put so that the log's syncs do not suffer; 0: go on. */
uint64_t image_writer_wait_ns(image_writer_t *self, uint64_t now_ns);

/* `hurry`: the pace is not kept any more, the pool runs out. */
void image_writer_hurry(image_writer_t *self, bool hurry);

/* After the last put, as often as wanted: writes one more block of what is behind the pages; *done:
 * all of it is written. Errors as for image_writer_put(). */
OC_MUST_CHECK oc_err_t image_writer_rest(image_writer_t *self, bool *done);

/* Writes what image_writer_rest() has not, then the header, and syncs the file. Fills in *info:
 * what image_writer_begin() was given, with place, pages, bytes, and made_ns if that was 0. */
OC_MUST_CHECK oc_err_t image_writer_finish(image_writer_t *self, const image_place_t *place,
                                           image_info_t *info);

/* Closes and removes the unfinished file. Nothing if there is none. */
void image_writer_abandon(image_writer_t *self);

/* ---- image_load.c: reading ---- */

/* Where a section goes. One of arena and stream is set, by the section's kind. */
typedef struct image_target {
    oc_arena_t *arena; /* sealed; its name, layout and size must be those of the section */
    uint8_t **stream;  /* out: malloc'ed, owned by the caller */
    size_t *stream_length;
} image_target_t;

/*
 * Loads an image with its chain, each page checked, by `threads` threads (0: two for each
 * processor, so that one checks while the other waits for the device). All arenas end up restored
 * (oc_arena_restored()). Errors: OC_ERR_INVALID_CONFIG (the layouts or sections differ: both are
 * named, and the way out; nothing was changed), OC_ERR_DAMAGED (file and offset are named),
 * OC_ERR_OPEN, OC_ERR_READ, OC_ERR_NO_MEMORY. After an error the arenas are in no state to be used,
 * but can be loaded again: each page that is not zero has a stamp.
 */
OC_MUST_CHECK oc_err_t image_load(const image_store_t *store, const image_info_t *info,
                                  const image_target_t *targets, size_t count, unsigned threads);

/* The same without a target: every byte of every file that the image needs is checked. */
OC_MUST_CHECK oc_err_t image_verify(const image_store_t *store, const image_info_t *info,
                                    unsigned threads);

/* The configuration that the image was made under; at most IMAGE_CONFIGURATION_MAX bytes. */
OC_MUST_CHECK oc_err_t image_configuration(const image_store_t *store, const image_info_t *info,
                                           void *bytes, size_t size, size_t *length);

/* ---- image_fold.c: a chain becomes one full image ---- */

typedef struct image_fold image_fold_t;

/* Begins to make a full image of the same place as `info`: opens all files of the chain and reads
 * their tables. The writer is borrowed until the end. */
OC_MUST_CHECK oc_err_t image_fold_begin(image_fold_t **fold, image_store_t *store,
                                        image_writer_t *writer, const image_info_t *info);
/* Some pages more, a block of the table, the sync of the file, or the commit; *done: the image is
 * committed. An error ends it. */
OC_MUST_CHECK oc_err_t image_fold_step(image_fold_t *self, bool *done);
/* Bytes that the new image may take yet, at most. */
uint64_t image_fold_left(const image_fold_t *self);
/* In any state; NULL is allowed; removes what is half made. */
void image_fold_end(image_fold_t *self);

#endif
