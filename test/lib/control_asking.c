/*
 * Requests to control sockets. Called by tests of nodes.
 */
#include "lib/control_asking.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_NS INT64_C(20000000000)

static void *ask(void *context)
{
    control_asking_t *self = context;
    self->err =
        control_request(self->dir, self->request, self->answer, sizeof self->answer, TIMEOUT_NS);
    (void)snprintf(self->context, sizeof self->context, "%s", oc_err_context());
    atomic_store(&self->done, true);
    return NULL;
}

void control_asking_begin(control_asking_t *self, const char *dir, const char *request)
{
    memset(self, 0, sizeof *self);
    self->dir = dir;
    self->request = request;
    assert_int_equal(pthread_create(&self->thread, NULL, ask, self), 0);
}

oc_err_t control_asking_end(control_asking_t *self, void (*pump)(void *context), void *context)
{
    while (!atomic_load(&self->done))
        pump(context);
    assert_int_equal(pthread_join(self->thread, NULL), 0);
    return self->err;
}

uint64_t control_asking_told(const control_asking_t *self, const char *key)
{
    const char *at = strstr(self->answer, key);
    if (!at)
        fail_msg("no %s in: %s", key, self->answer);
    return strtoull(at + strlen(key), NULL, 10);
}
