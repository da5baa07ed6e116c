/*
 * The other end of an echo: sends back whatever message of ours comes, with its header and its
 * size; what follows the header is zero, and is not copied.
 *
 * Within the sender's process it has a thread and a client of its own; as a process of its own it
 * serves in the foreground until its sender says goodbye or a signal comes.
 *
 * Threads: the owner's; reflector_stall() and what it leaves may be used by the owner while the
 * thread runs.
 */
#ifndef BENCH_REFLECTOR_H
#define BENCH_REFLECTOR_H

#include "bench/wire.h"

#include <pthread.h>
#include <stdatomic.h>

#define REFLECTOR_CPU_ANY (-1)

typedef struct reflector_counts {
    uint64_t reflected;
    uint64_t dropped;   /* nobody took the answer to a message of a run */
    uint64_t strangers; /* no message of ours */
} reflector_counts_t;

typedef struct reflector {
    wire_t wire;
    wire_in_t in;
    wire_out_t out;
    bool yield; /* with nothing to do the processor is given away; else it spins */
    int cpu;
    reflector_counts_t counts; /* after its end */
    bool goodbye;              /* was said */
    oc_err_t err;              /* of its thread, and the words for it */
    char why[256];
    pthread_t thread;
    bool running;
    atomic_bool stop;
    /* A stall that is asked for, and then when it was. */
    _Atomic uint64_t stall_ns;
    _Atomic uint64_t stall_begin_ns;
    _Atomic uint64_t stall_end_ns;
} reflector_t;

/* Takes messages on the driver of `other` (borrowed, lives longer): self->in.channel is where. */
OC_MUST_CHECK oc_err_t reflector_join(reflector_t *self, const wire_t *other);

/* Opens the way back to where the sender takes it, and begins. */
OC_MUST_CHECK oc_err_t reflector_start(reflector_t *self, const char *back_channel);

/* Ends the thread, if it runs, and closes. A zeroed struct is allowed. The error of the thread. */
oc_err_t reflector_end(reflector_t *self);

/* In the foreground, without reflector_join(): opens by the options, calls `ready` with the wire,
 * and serves. OC_ERR_OK after a goodbye or a signal (process_take_signals()). */
OC_MUST_CHECK oc_err_t reflector_serve(reflector_t *self, const wire_options_t *options,
                                       void (*ready)(const wire_t *wire));

/* Asks for one stall: it sleeps once for so long, with whatever comes waiting. */
void reflector_stall(reflector_t *self, uint64_t stall_ns);

#endif
