/*
 * Whether a venue kept its promise: the log of a node's directory, applied again by the reference
 * engine, against what clients wrote down as it came (bench/response_log.h).
 *
 * The proof reads only: the journal, and the clients' own log. It knows nothing of the run.
 */
#ifndef BENCH_RECOVERY_PROOF_H
#define BENCH_RECOVERY_PROOF_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct recovery_proof {
    uint64_t entries; /* of the log */
    uint64_t position;
    uint64_t state_hash; /* by the reference engine */
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
OC_MUST_CHECK oc_err_t recovery_proof(const char *dir, const char *responses,
                                      recovery_proof_t *proof);

/* True if nothing is lost, doubled or wrong, and both engines agree. A clients' log in which no
 * source begins proves nothing: false. */
bool recovery_proof_holds(const recovery_proof_t *proof);

#endif
