/*
 * Parked helper threads. Called by order_window.c for each window of orders.
 *
 * Parts are handed out by a counter, so that a thread that the system holds up leaves its share to
 * the others. The mutex orders everything else: a helper sees the job that was set before it was
 * woken, and the owner sees what the helpers stored before they said that they are done.
 *
 * Must not use a processor between jobs.
 */
#define _GNU_SOURCE
#include "records/encode_team.h"

#include "base/assert.h"
#include "base/error.h"
#include "records/records.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct encode_team {
    pthread_mutex_t lock; /* of all that is not atomic */
    pthread_cond_t begin;
    pthread_cond_t done;
    uint64_t job; /* count of jobs begun */
    bool ending;
    unsigned busy; /* helpers that have not done with the job */
    encode_work_t work;
    void *context;
    uint32_t parts;
    atomic_uint next;   /* part to be done; relaxed: it only hands out numbers */
    atomic_bool failed; /* relaxed: a hint to stop; the mutex orders its last value */
    unsigned helpers;
    pthread_t threads[RECORDS_THREADS_MAX];
};

static void do_parts(encode_team_t *self)
{
    while (!atomic_load_explicit(&self->failed, memory_order_relaxed)) {
        const uint32_t part = atomic_fetch_add_explicit(&self->next, 1, memory_order_relaxed);
        if (part >= self->parts)
            return;
        if (!self->work(self->context, part))
            atomic_store_explicit(&self->failed, true, memory_order_relaxed);
    }
}

static void *help(void *context)
{
    encode_team_t *self = context;
    uint64_t seen = 0;
    pthread_mutex_lock(&self->lock);
    for (;;) {
        while (self->job == seen && !self->ending)
            pthread_cond_wait(&self->begin, &self->lock);
        if (self->ending)
            break;
        seen = self->job;
        pthread_mutex_unlock(&self->lock);
        do_parts(self);
        pthread_mutex_lock(&self->lock);
        OC_ASSERT(self->busy > 0);
        if (--self->busy == 0)
            pthread_cond_signal(&self->done);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* Signals are for the program's other threads. */
static int start_helper(encode_team_t *self)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&self->threads[self->helpers], NULL, help, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        self->helpers++;
    return error;
}

oc_err_t encode_team_create(encode_team_t **self, unsigned threads)
{
    OC_ASSERT(threads >= 1);
    OC_ASSERT(threads <= RECORDS_THREADS_MAX);
    *self = NULL;
    encode_team_t *team = calloc(1, sizeof *team);
    if (!team)
        return error_set(OC_ERR_NO_MEMORY, "record stream: no memory for %u threads", threads);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begin, NULL);
    pthread_cond_init(&team->done, NULL);
    while (team->helpers + 1 < threads) {
        const int error = start_helper(team);
        if (error != 0) {
            const unsigned which = team->helpers + 2;
            encode_team_destroy(team);
            return error_set(OC_ERR_NO_MEMORY,
                             "record stream: thread %u of %u does not start: %s; use fewer", which,
                             threads, strerror(error));
        }
    }
    *self = team;
    return OC_ERR_OK;
}

void encode_team_destroy(encode_team_t *self)
{
    if (!self)
        return;
    pthread_mutex_lock(&self->lock);
    OC_ASSERT(self->busy == 0);
    self->ending = true;
    pthread_cond_broadcast(&self->begin);
    pthread_mutex_unlock(&self->lock);
    for (unsigned i = 0; i < self->helpers; i++)
        pthread_join(self->threads[i], NULL);
    pthread_cond_destroy(&self->done);
    pthread_cond_destroy(&self->begin);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

bool encode_team_run(encode_team_t *self, encode_work_t work, void *context, uint32_t parts)
{
    OC_ASSERT(self->busy == 0);
    self->work = work;
    self->context = context;
    self->parts = parts;
    atomic_store_explicit(&self->next, 0, memory_order_relaxed);
    atomic_store_explicit(&self->failed, false, memory_order_relaxed);
    const bool alone = parts <= 1 || self->helpers == 0;
    if (!alone) {
        pthread_mutex_lock(&self->lock);
        self->busy = self->helpers;
        self->job++;
        pthread_cond_broadcast(&self->begin);
        pthread_mutex_unlock(&self->lock);
    }
    do_parts(self);
    if (!alone) {
        pthread_mutex_lock(&self->lock);
        while (self->busy > 0)
            pthread_cond_wait(&self->done, &self->lock);
        pthread_mutex_unlock(&self->lock);
    }
    return !atomic_load_explicit(&self->failed, memory_order_relaxed);
}
