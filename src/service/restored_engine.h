/*
 * Takes an engine into use whose arena was filled from an image: engine_restored(), and the hash of
 * all items, each part by a thread of its own.
 */
#ifndef SERVICE_RESTORED_ENGINE_H
#define SERVICE_RESTORED_ENGINE_H

#include "engine/engine_records.h"

#define RESTORED_ENGINE_THREADS_MAX 64

/* By `threads` threads, the caller's among them: 1..RESTORED_ENGINE_THREADS_MAX. Where a thread
 * cannot be had the caller does its part. Errors: those of engine_restored() and
 * engine_hash_check(). */
OC_MUST_CHECK oc_err_t restored_engine_check(oc_engine_t *engine, unsigned threads);

#endif
