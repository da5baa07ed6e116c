/*
 * Terms of benches of clusters where none can be: neither the folder nor the peer is there.
 */
#ifndef LIB_NOWHERE_TERMS_H
#define LIB_NOWHERE_TERMS_H

#include "bench/measured_cluster.h"

extern const cluster_terms_t nowhere_terms;

/* Fail the test unless a bench that ended with `err` found no folder, no peer, and said which. */
void nowhere_assert_no_folder(oc_err_t err);
void nowhere_assert_no_peer(oc_err_t err);

#endif
