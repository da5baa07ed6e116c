/*
 * A view into the segments for reading: any range of positions inside one segment, as memory. Reads
 * large blocks, and while they are read in order, the next ones ahead in a thread.
 */
#ifndef JOURNAL_JOURNAL_WINDOW_H
#define JOURNAL_JOURNAL_WINDOW_H

#include "journal/journal_internal.h"

#define JOURNAL_WINDOW_BYTES (UINT32_C(1024) * 1024)

#define JOURNAL_WINDOW_AHEAD 4 /* blocks read ahead; so many, since either side may be held up */

/* A block that is asked for or read ahead. */
typedef struct journal_block {
    uint64_t offset; /* in the file */
    uint32_t length;
    uint8_t *bytes;
    size_t got;
    oc_err_t err;
} journal_block_t;

/* A thread that reads the next blocks of a file while the last one is worked on. */
typedef struct journal_ahead {
    pthread_t thread;
    bool running;
    pthread_mutex_t mutex; /* of what follows, and of the file while `done` is below `asked` */
    pthread_cond_t changed;
    bool stop;
    uint64_t asked; /* blocks, since the beginning */
    uint64_t done;
    uint64_t taken;       /* the window's alone */
    storage_file_t *file; /* borrowed */
    journal_block_t blocks[JOURNAL_WINDOW_AHEAD];
} journal_ahead_t;

typedef struct journal_window {
    const journal_t *journal; /* borrowed */
    uint8_t
        *buffers[JOURNAL_WINDOW_AHEAD + 1]; /* of what is in memory, and of what is read ahead */
    uint32_t current;
    uint8_t *bytes; /* of `begin`, in the current buffer */
    uint64_t begin; /* positions in memory */
    uint64_t end;
    storage_file_t *file;
    uint64_t file_base; /* JOURNAL_NO_SEGMENT: none is open */
    uint64_t read_bytes;
    journal_ahead_t ahead;
} journal_window_t;

OC_MUST_CHECK oc_err_t journal_window_init(journal_window_t *self, const journal_t *journal);
void journal_window_fini(journal_window_t *self);

/* The one whole block at `position`, a multiple of its size; borrowed until the next call. Reads no
 * more than that. */
OC_MUST_CHECK oc_err_t journal_window_peek(journal_window_t *self, uint64_t position,
                                           const uint8_t **bytes);

/* Loads what is not there; see journal_window_at(). */
OC_MUST_CHECK oc_err_t journal_window_load(journal_window_t *self, uint64_t position,
                                           uint32_t length);

/*
 * The `length` bytes (at most JOURNAL_PAYLOAD_MAX and a header) at `position`, which must lie in
 * one ready segment; borrowed until the next call. As aligned as the position is.
 */
OC_MUST_CHECK static inline oc_err_t journal_window_at(journal_window_t *self, uint64_t position,
                                                       uint32_t length, const uint8_t **bytes)
{
    if (position < self->begin || position + length > self->end) {
        const oc_err_t err = journal_window_load(self, position, length);
        if (err != OC_ERR_OK)
            return err;
    }
    *bytes = self->bytes + (position - self->begin);
    return OC_ERR_OK;
}

#endif
