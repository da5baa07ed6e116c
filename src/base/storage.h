/*
 * Files as the journal and the image store see them: a table of functions, so that the same code
 * runs on the real device, on one in memory, and on one that fails where a test wants it to.
 *
 * Every write and read is of whole blocks at block offsets from block-aligned memory
 * (STORAGE_BLOCK), because the real table goes around the page cache (O_DIRECT; where a file system
 * refuses that, through it, with the same promises). Written bytes are durable after sync() of
 * their file; a name (created, renamed, removed) after sync_dir() of its directory. A failed sync
 * is final: the caller must not try again and believe the second answer.
 *
 * Errors leave the file's name and the system's reason in oc_err_context(). Functions of one table
 * may be called from several threads, those of one file from one thread at a time; but read() of
 * one file may be called by several at once, while nothing else is done with it.
 */
#ifndef BASE_STORAGE_H
#define BASE_STORAGE_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORAGE_BLOCK ((size_t)4096)

typedef struct storage_file storage_file_t; /* each table defines its own */

typedef enum storage_mode {
    STORAGE_READ,        /* the file is there */
    STORAGE_READ_CACHED, /* as READ, but a read of what lies in the page cache anyway is taken from
                            there. The file must not shrink while it is open */
    STORAGE_WRITE,       /* the file is there; for reading too */
    STORAGE_CACHED,      /* as WRITE, through the page cache: a write returns at once, outlives the
                            process, and only after sync() the machine */
    STORAGE_CREATE,      /* the file is new, it is an error if the name is taken; for reading too */
} storage_mode_t;

/* Called for each name in a directory but "." and ".."; return false to end the listing. */
typedef bool (*storage_visitor_t)(void *context, const char *name);

typedef struct storage storage_t;
struct storage {
    /* Makes a directory, and its parents; fine if it is there. */
    oc_err_t (*make_dir)(const storage_t *self, const char *dir);
    oc_err_t (*list)(const storage_t *self, const char *dir, storage_visitor_t visitor,
                     void *context);
    oc_err_t (*sync_dir)(const storage_t *self, const char *dir);
    /* Bytes that an ordinary user may still allocate on the device of `dir`. */
    oc_err_t (*free_bytes)(const storage_t *self, const char *dir, uint64_t *bytes);
    oc_err_t (*rename)(const storage_t *self, const char *from, const char *to);
    oc_err_t (*remove)(const storage_t *self, const char *path);
    /* Takes the file `path` (created if absent) for this process alone until close(), or until the
     * process ends, however it ends. Waits 100 ms for those that only look at it. OC_ERR_LOCKED:
     * another process has it. */
    oc_err_t (*lock)(const storage_t *self, const char *path, storage_file_t **file);
    /* Looks whether another process has the lock `path`, and keeps nothing of it: OC_ERR_LOCKED if
     * so, OC_ERR_OK also if there is no such file. OC_ERR_OPEN: it cannot be looked at. */
    oc_err_t (*probe)(const storage_t *self, const char *path);
    /* The caller owns *file: close(). OC_ERR_OPEN. */
    oc_err_t (*open)(const storage_t *self, const char *path, storage_mode_t mode,
                     storage_file_t **file);
    void (*close)(storage_file_t *file); /* NULL is allowed */
    oc_err_t (*size)(storage_file_t *file, uint64_t *bytes);
    /* Reads up to `length` bytes; *got is less only at the end of the file. OC_ERR_READ. */
    oc_err_t (*read)(storage_file_t *file, uint64_t offset, void *bytes, size_t length,
                     size_t *got);
    /* Writes all of it. OC_ERR_NO_SPACE, OC_ERR_WRITE: how much was written is unknown. */
    oc_err_t (*write)(storage_file_t *file, uint64_t offset, const void *bytes, size_t length);
    /* OC_ERR_SYNC: what was written since the last sync may be there or not. */
    oc_err_t (*sync)(storage_file_t *file);
    void *context;
};

/* The real device. Static, never freed. */
const storage_t *storage_device(void);

#endif
