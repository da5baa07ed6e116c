/*
 * What the two files of the fast engine's load offer each other.
 */
#ifndef ENGINE_FAST_LOAD_H
#define ENGINE_FAST_LOAD_H

#include "engine/fast_state.h"

/* All orders are in: puts them into the lists of their sources, in order-id order, and sees that
 * ids and priorities were given once each. OC_ERR_DAMAGED, OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t fast_load_lists(fast_engine_t *e);

#endif
