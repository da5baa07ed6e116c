/*
 * A sink of records that offers each one as a message of an Aeron publication. It fits
 * records_sink_t (records/records.h), which it does not know.
 *
 * A record that cannot be taken now (BACK_PRESSURED, ADMIN_ACTION) is offered again for as long as
 * keep_alive() agrees: a stream with a record less would be of no use, and who reads it slowly
 * makes it slow. Every other answer is an error and ends the stream. While it waits, and every 256
 * records, the client is kept alive, and an embedded driver without a thread of its own is stepped:
 * nothing would ever be taken otherwise.
 *
 * Threads: one, that of the publication.
 */
#ifndef AERON_RECORD_PUBLISHER_H
#define AERON_RECORD_PUBLISHER_H

#include "outcry/error.h"

#include <aeronc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where records go: an Aeron publication of either kind, or a fake. */
typedef struct record_publication {
    /* As aeron_publication_offer(): the position, or one of AERON_PUBLICATION_*. */
    int64_t (*offer)(void *context, const void *bytes, size_t length);
    void *context;
} record_publication_t;

typedef struct record_publisher {
    record_publication_t publication;
    /* Steps client and driver; may be NULL if others do. False: waiting is of no use any more. */
    bool (*keep_alive)(void *context);
    void *keep_alive_context;
    uint64_t records; /* taken */
    uint64_t retries; /* offers that were not */
} record_publisher_t;

/* Borrowed for the publisher's life. */
record_publication_t record_publication_exclusive(aeron_exclusive_publication_t *publication);
record_publication_t record_publication_shared(aeron_publication_t *publication);

/* `keep_alive` may be NULL. No undo. */
void record_publisher_init(record_publisher_t *self, const record_publication_t *publication,
                           bool (*keep_alive)(void *context), void *keep_alive_context);

/* Publishes one record. OC_ERR_NOT_CONNECTED: nobody listens; OC_ERR_CLOSED; OC_ERR_TOO_LONG: the
 * publication's last position is reached; OC_ERR_TIMEOUT: keep_alive() gave up; OC_ERR_TRANSPORT:
 * what Aeron says is told. */
OC_MUST_CHECK oc_err_t record_publisher_take(void *publisher, const void *bytes, size_t length);

/* For embedded_t: a keep_alive that steps it and never gives up. */
bool record_publisher_step_embedded(void *embedded);

#endif
