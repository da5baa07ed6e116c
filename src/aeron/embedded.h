/*
 * An Aeron media driver and client inside this process, in a directory of their own; or a client
 * alone, attached to a driver that runs elsewhere.
 *
 * With EMBEDDED_INVOKER there is no thread: embedded_do_work() steps driver and client. Otherwise
 * the driver has its threads and embedded_do_work() steps the client only. Never call it more than
 * ten seconds apart: the driver takes a silent client for dead.
 *
 * Errors that Aeron reports in the background are counted and the last one is kept; none of them
 * ends the process (Aeron's own default would).
 *
 * Threads: one, the owner.
 */
#ifndef AERON_EMBEDDED_H
#define AERON_EMBEDDED_H

#include "outcry/error.h"

#include <aeronc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum embedded_threading {
    EMBEDDED_INVOKER,   /* no thread */
    EMBEDDED_SHARED,    /* one */
    EMBEDDED_DEDICATED, /* conductor, sender, receiver */
    EMBEDDED_EXTERNAL,  /* no driver: one runs in `dir` */
} embedded_threading_t;

typedef struct embedded_config {
    const char
        *dir; /* of the driver: removed at start and at the end unless EXTERNAL, so it must be
                        this process's alone; "": one is made under /dev/shm from pid and a count */
    embedded_threading_t threading;
    uint32_t term_bytes;   /* of publications that do not say; power of two, 64 KiB..1 GiB */
    uint32_t mtu_bytes;    /* multiple of 32, at most 65504 */
    uint32_t socket_bytes; /* SO_RCVBUF, SO_SNDBUF and receiver window; as far as the system lets */
    int64_t image_timeout_ns; /* how long a silent sender is taken for alive */
} embedded_config_t;

/* Invoker, 1 MiB terms, 8 KiB datagrams, 2 MiB sockets, 5 s. */
void embedded_config_init(embedded_config_t *config);

typedef struct embedded embedded_t;

/* OC_ERR_TRANSPORT, OC_ERR_NO_MEMORY. The caller owns *embedded: embedded_destroy(). */
OC_MUST_CHECK oc_err_t embedded_create(embedded_t **embedded, const embedded_config_t *config);
void embedded_destroy(embedded_t *self); /* NULL is allowed */

/* How much of `wanted` the system grants for a socket buffer; `option` is SO_RCVBUF or SO_SNDBUF.
 * A driver refuses to work with more. */
size_t embedded_granted_bytes(int option, size_t wanted);

/* Borrowed, valid until embedded_destroy(). */
aeron_t *embedded_aeron(embedded_t *self);
const char *embedded_dir(const embedded_t *self);

/* Returns how much was done; 0 is idle. */
int embedded_do_work(embedded_t *self);

/* How many errors came in the background; `last` is the newest text, borrowed, "" if none. */
uint64_t embedded_errors(const embedded_t *self, const char **last);

/* What Aeron says of this thread's last failure, in one line: the innermost cause and the words
 * that go with it, without its call stack. Borrowed until the thread's next call. */
const char *embedded_error_line(void);

/* True when the driver gave the client up (a stall of ten seconds): start anew. */
bool embedded_closed(const embedded_t *self);

#endif
