/*
 * A device in memory behind the storage table, with faults and power cuts.
 *
 * Each file has its content as reads see it and as it is durable, in sectors of 512 bytes; names
 * have the same two sides. A sync makes content durable, sync_dir names. A power cut decides for
 * each sector and each name that was not durable whether it made it, by the seed.
 *
 * Faults count down: the nth operation that the fault can hit is hit, so that a test can run the
 * same thing with n = 1, 2, 3, ... until storage_fake_fault_pending() says that it came through.
 *
 * Any thread may use the table; the functions below are for the test's thread while no other one is
 * in the table. A misuse (an offset inside a block, a file of another table) fails the test.
 */
#ifndef LIB_STORAGE_FAKE_H
#define LIB_STORAGE_FAKE_H

#include "base/storage.h"

#define STORAGE_FAKE_SECTOR 512

typedef enum storage_fake_fault {
    STORAGE_FAKE_NO_FAULT,
    STORAGE_FAKE_WRITE_ERROR, /* write: nothing of it is there */
    STORAGE_FAKE_SHORT_WRITE, /* write: the first sectors are there, then an error */
    STORAGE_FAKE_TORN_WRITE,  /* write: any of its sectors are there, then the power is cut */
    STORAGE_FAKE_NO_SPACE,    /* write or new file: OC_ERR_NO_SPACE */
    STORAGE_FAKE_SYNC_ERROR,  /* sync or sync_dir: what was to be synced may be lost later */
    STORAGE_FAKE_READ_ERROR,  /* read */
    STORAGE_FAKE_POWER_CUT,   /* anything that changes: the power is cut before it */
    STORAGE_FAKE_KILL,        /* anything that changes: the process is gone before it */
} storage_fake_fault_t;

typedef struct storage_fake storage_fake_t;

/* An empty device of 1 TiB. The caller owns it: storage_fake_destroy(), when all files are
 * closed. */
storage_fake_t *storage_fake_create(uint64_t seed);
void storage_fake_destroy(storage_fake_t *self);

/* Borrowed for the life of the device. */
const storage_t *storage_fake_table(storage_fake_t *self);

/* The nth (from 1) operation from now that `fault` can hit is hit, once. Replaces an earlier
 * one. */
void storage_fake_fault(storage_fake_t *self, storage_fake_fault_t fault, uint64_t nth);
bool storage_fake_fault_pending(const storage_fake_t *self);

/* Room for so many bytes in all files together. */
void storage_fake_set_capacity(storage_fake_t *self, uint64_t bytes);

/*
 * The power goes: what is not durable is lost or kept, by the seed, and every operation fails until
 * storage_fake_restart(). With storage_fake_kill() only the process goes: nothing is lost.
 */
void storage_fake_power_cut(storage_fake_t *self);
void storage_fake_kill(storage_fake_t *self);
bool storage_fake_is_off(const storage_fake_t *self);

/* Another process on the same device; the handles of the one before must be closed. */
void storage_fake_restart(storage_fake_t *self);

/* The content of a file, borrowed until the next change, or NULL. */
uint8_t *storage_fake_bytes(storage_fake_t *self, const char *path, uint64_t *size);
/* Flips bits of a byte, on both sides. */
void storage_fake_flip(storage_fake_t *self, const char *path, uint64_t offset, uint8_t mask);
/* Makes a file durably out of these bytes, in place of one of that name. */
void storage_fake_put(storage_fake_t *self, const char *path, const void *bytes, size_t size);

/* So far: operations that change something, and bytes written. */
uint64_t storage_fake_operations(const storage_fake_t *self);
uint64_t storage_fake_bytes_written(const storage_fake_t *self);

#endif
