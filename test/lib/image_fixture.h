/*
 * A small state and its images on a device in memory: two arenas and a stream that change at
 * random, images of them, full or incremental, and what each of them must load as.
 */
#ifndef LIB_IMAGE_FIXTURE_H
#define LIB_IMAGE_FIXTURE_H

#include "lib/storage_fake.h"
#include "snapshot/image.h"

#define IMAGE_FIXTURE_DIR      "log"
#define IMAGE_FIXTURE_ARENAS   2
#define IMAGE_FIXTURE_SECTIONS 3 /* the arenas, then the stream */

typedef struct image_fixture {
    storage_fake_t *fake;
    const storage_t *storage;
    image_store_t *store;
    image_writer_t *writer;
    oc_arena_t arenas[IMAGE_FIXTURE_ARENAS];
    uint32_t epochs[IMAGE_FIXTURE_ARENAS]; /* that the last image closed */
    uint8_t *stream;
    size_t stream_length;
    uint64_t sequence; /* of the last image; 0: none */
    uint64_t random;
    uint64_t position;
} image_fixture_t;

/* Arenas of so many pages, all zero, and an empty stream; no image. */
void image_fixture_init(image_fixture_t *self, size_t pages_0, size_t pages_1, uint64_t seed);
void image_fixture_fini(image_fixture_t *self);

/* Another process: writer and store are made anew. `restart`: of a device that was off. */
void image_fixture_reopen(image_fixture_t *self, bool restart);
/* Closes both, for a device that is off. */
void image_fixture_close(image_fixture_t *self);

/* Stores to so many random pages of an arena, a row of `row` pages each time. */
void image_fixture_change(image_fixture_t *self, size_t arena, size_t times, size_t row);
/* The stream becomes another one of that length. */
void image_fixture_set_stream(image_fixture_t *self, size_t length);

/* Writes and commits an image. Every error fails the test. */
const image_info_t *image_fixture_take(image_fixture_t *self, bool full);

/* The configuration that all images are made under. */
const char *image_fixture_configuration(void);

/* Fresh arenas of the same layout, and a stream: what an image is loaded into. */
typedef struct image_copy {
    oc_arena_t arenas[IMAGE_FIXTURE_ARENAS];
    uint8_t *stream;
    size_t stream_length;
    image_target_t targets[IMAGE_FIXTURE_SECTIONS];
} image_copy_t;

void image_copy_init(image_copy_t *self, const image_fixture_t *of);
void image_copy_fini(image_copy_t *self);
/* Drops the stream of an earlier load. */
void image_copy_drop_stream(image_copy_t *self);
/* Fails the test unless the copy, loaded from the last image, is the state: bytes, and stamps that
 * say which pages are not zero. */
void image_copy_check(const image_copy_t *self, const image_fixture_t *of);

/* Path of a file of an image; `ending` with its dot. Static, valid until the next call. */
const char *image_fixture_path(uint64_t sequence, const char *ending);

#endif
