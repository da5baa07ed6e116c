/*
 * The proof of bench/recovery_proof.h for a member of a cluster: the log is the member's own
 * recording of it, read from the archive's files.
 */
#ifndef BENCH_CLUSTER_PROOF_H
#define BENCH_CLUSTER_PROOF_H

#include "bench/recovery_proof.h"

/*
 * Applies the log of the member in `dir` up to `position`, which the member has applied while it
 * runs, or had at its end; 0: all that is recorded, of a member that does not run. Where the log
 * ends before that, proof->position says so.
 *
 * The configuration is what the first leader has said in the log. Errors: those of
 * recovery_proof_of() and of the recording; OC_ERR_FORMAT: nobody has said it.
 */
OC_MUST_CHECK oc_err_t cluster_proof(const char *dir, uint64_t position, const char *responses,
                                     recovery_proof_t *proof);

/* Where that log leads, with the fast engine: for a member that has ended. Errors as above. */
OC_MUST_CHECK oc_err_t cluster_proof_end(const char *dir, uint64_t position,
                                         recovery_log_end_t *end);

#endif
