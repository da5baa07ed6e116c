/*
 * Reading the module's `recording.log` in a member's cluster directory: which recordings hold the
 * log and the snapshots. The layout is in docs/formats/aeron-files.md.
 *
 * Threads: any that has the recording_log_t for itself, or none that changes it.
 */
#ifndef CLUSTER_RECORDING_LOG_H
#define CLUSTER_RECORDING_LOG_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum recording_log_type {
    RECORDING_LOG_TERM = 0,
    RECORDING_LOG_SNAPSHOT = 1,
    RECORDING_LOG_STANDBY_SNAPSHOT = 2,
} recording_log_type_t;

#define RECORDING_LOG_FILE "recording.log"

#define RECORDING_LOG_ENTRY_BYTES 64 /* but for a STANDBY_SNAPSHOT, which is a multiple of it */

#define RECORDING_LOG_MODULE INT32_C(-1) /* service id of the module's own snapshot */

typedef struct recording_log_entry {
    int64_t recording;
    int64_t term; /* leadership term id */
    int64_t term_base;
    int64_t log_position; /* TERM: where it ended, -1: open; SNAPSHOT: where it was taken */
    int64_t timestamp;
    int32_t service; /* SNAPSHOT */
    int32_t type;    /* recording_log_type_t, or another value, of a newer module */
    bool valid;      /* false: the module does not use it any more */
} recording_log_entry_t;

typedef struct recording_log {
    recording_log_entry_t *entries; /* in the order of the file; owned */
    size_t count;
    size_t length; /* of the file, */
    size_t whole;  /* and of it up to where there are entries; less: it is torn, or being written */
} recording_log_t;

/* The bytes of a valid entry, which is no STANDBY_SNAPSHOT, for a file that is made anew. */
void recording_log_encode(const recording_log_entry_t *entry,
                          uint8_t bytes[RECORDING_LOG_ENTRY_BYTES]);

/* An entry whose end is missing, because it is being written, and all behind it are left out.
 * OC_ERR_OPEN: no module has ever run there; OC_ERR_READ, OC_ERR_NO_MEMORY; OC_ERR_FORMAT: far too
 * long for one. The caller: recording_log_fini(), also after an error. */
OC_MUST_CHECK oc_err_t recording_log_read(recording_log_t *self, const char *cluster_dir);
void recording_log_fini(recording_log_t *self);

/* The recording of the member's log, by the newest valid TERM entry; -1: none yet. */
int64_t recording_log_log(const recording_log_t *self);

/* The newest valid TERM entry; NULL: none yet. Borrowed. */
const recording_log_entry_t *recording_log_term(const recording_log_t *self);

/* The nth newest position at which the module and service 0 both have a valid snapshot; n = 0: the
 * newest. False: there are no more. Either pointer may be NULL; what they get is borrowed. */
bool recording_log_snapshot(const recording_log_t *self, size_t n,
                            const recording_log_entry_t **module,
                            const recording_log_entry_t **service);

#endif
