/*
 * Whether a venue kept its promise: its log, applied again by the reference engine, against what
 * clients wrote down as it came (bench/response_log.h).
 *
 * The proof reads only: the log, and the clients' own. It knows nothing of the run. Where a log is
 * kept is a table of functions: a node's journal here, a member's recording in
 * bench/cluster_proof.h.
 */
#ifndef BENCH_RECOVERY_PROOF_H
#define BENCH_RECOVERY_PROOF_H

#include "outcry/engine.h"
#include "outcry/error.h"
#include "outcry/service.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the applying of a whole log has led. */
typedef struct recovery_log_end {
    uint64_t entries;
    uint64_t position;
    uint64_t state_hash;  /* of the service */
    uint64_t output_hash; /* 0: not known */
} recovery_log_end_t;

/* A log from its beginning. Both functions are needed; they only read. */
typedef struct recovery_log {
    void *context;
    /* The configuration that it was made under, as the service gave it; *length 0: none yet. */
    oc_err_t (*configuration)(void *context, void *bytes, size_t size, size_t *length);
    /* Applies all of it to a service that has applied nothing. */
    oc_err_t (*replay)(void *context, const oc_service_t *service, recovery_log_end_t *end);
} recovery_log_t;

typedef struct recovery_proof {
    uint64_t entries; /* of the log */
    uint64_t position;
    uint64_t state_hash;  /* by the reference engine */
    uint64_t output_hash; /* likewise; 0: not known */
    uint64_t fast_state_hash;
    uint64_t sources;      /* that the clients' log begins: who was promised anything */
    uint64_t outputs;      /* in the clients' log */
    uint64_t acknowledged; /* of them: answers to a command, other than sequence rejects */
    uint64_t fills;        /* of them: TRADE and FILL */
    uint64_t lost;         /* outputs of the log, from where the clients' log says that a source
                              begins, that the clients' log lacks */
    uint64_t doubled;      /* outputs that come again in the clients' log */
    uint64_t wrong;        /* outputs that are not, to the byte, what the log gives, or of a source
                              that did not begin; beginnings behind the log's end, or again */
} recovery_proof_t;

/*
 * Compares; fills in *proof. A broken promise is no error but a count. `responses` is the clients'
 * log. Errors: those of reading either, OC_ERR_NO_MEMORY.
 */
OC_MUST_CHECK oc_err_t recovery_proof_of(const recovery_log_t *log, const char *responses,
                                         recovery_proof_t *proof);

/* Only applies the log, with one kind of engine. */
OC_MUST_CHECK oc_err_t recovery_proof_replay(const recovery_log_t *log, oc_engine_kind_t kind,
                                             recovery_log_end_t *end);

/* recovery_proof_of() with the journal in the directory of a node. */
OC_MUST_CHECK oc_err_t recovery_proof(const char *dir, const char *responses,
                                      recovery_proof_t *proof);

/* True if nothing is lost, doubled or wrong, and both engines agree. A clients' log in which no
 * source begins proves nothing: false. */
bool recovery_proof_holds(const recovery_proof_t *proof);

#endif
