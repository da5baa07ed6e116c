/*
 * A request to a node's control socket by a thread of its own, while the test steps the node.
 */
#ifndef LIB_CONTROL_ASKING_H
#define LIB_CONTROL_ASKING_H

#include "host/control.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct control_asking {
    const char *dir;
    const char *request;
    pthread_t thread;
    _Atomic bool done;
    oc_err_t err;
    char answer[CONTROL_LINE_MAX];
    char context[512]; /* of the error */
} control_asking_t;

/* Asks; `dir` is the node's directory. Both texts are borrowed until the end. */
void control_asking_begin(control_asking_t *self, const char *dir, const char *request);

/* Calls `pump` until there is an answer; returns the request's error. */
oc_err_t control_asking_end(control_asking_t *self, void (*pump)(void *context), void *context);

/* The number behind `key`, which ends in '=', in the answer; the test fails if it is not there. */
uint64_t control_asking_told(const control_asking_t *self, const char *key);

#endif
