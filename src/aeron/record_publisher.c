/*
 * Records over an Aeron publication. Called by a member for its part of an official snapshot.
 *
 * Invariants: a record is either taken whole by Aeron or the stream ends with an error; records
 * keep their order. There is no limit to retrying here on purpose: a bounded retry would turn a
 * slow reader into a lost snapshot. It ends when the reader goes away, because the publication is
 * then not connected any more, or when keep_alive() says so: what is still worth waiting for only
 * the caller knows.
 */
#define _GNU_SOURCE
#include "aeron/record_publisher.h"

#include "aeron/embedded.h"
#include "base/assert.h"
#include "base/error.h"

#include <sched.h>

enum { RECORDS_PER_STEP = 256 };

static int64_t offer_exclusive(void *context, const void *bytes, size_t length)
{
    return aeron_exclusive_publication_offer(context, bytes, length, NULL, NULL);
}

static int64_t offer_shared(void *context, const void *bytes, size_t length)
{
    return aeron_publication_offer(context, bytes, length, NULL, NULL);
}

record_publication_t record_publication_exclusive(aeron_exclusive_publication_t *publication)
{
    return (record_publication_t){.offer = offer_exclusive, .context = publication};
}

record_publication_t record_publication_shared(aeron_publication_t *publication)
{
    return (record_publication_t){.offer = offer_shared, .context = publication};
}

void record_publisher_init(record_publisher_t *self, const record_publication_t *publication,
                           bool (*keep_alive)(void *context), void *keep_alive_context)
{
    *self = (record_publisher_t){.publication = *publication,
                                 .keep_alive = keep_alive,
                                 .keep_alive_context = keep_alive_context};
}

bool record_publisher_step_embedded(void *embedded)
{
    (void)embedded_do_work(embedded);
    return true;
}

static bool step(record_publisher_t *self)
{
    return !self->keep_alive || self->keep_alive(self->keep_alive_context);
}

static oc_err_t given_up(const record_publisher_t *self)
{
    return error_set(OC_ERR_TIMEOUT,
                     "record stream: given up behind %llu records; begin anew when the reader "
                     "takes them again",
                     (unsigned long long)self->records);
}

static oc_err_t refused(const record_publisher_t *self, int64_t answer)
{
    const unsigned long long record = self->records;
    switch (answer) {
    case AERON_PUBLICATION_NOT_CONNECTED:
        return error_set(OC_ERR_NOT_CONNECTED,
                         "record stream: nobody listens any more at record %llu; begin anew when "
                         "somebody does",
                         record);
    case AERON_PUBLICATION_CLOSED:
        return error_set(OC_ERR_CLOSED,
                         "record stream: the publication was closed at record %llu; begin anew "
                         "with another one",
                         record);
    case AERON_PUBLICATION_MAX_POSITION_EXCEEDED:
        return error_set(OC_ERR_TOO_LONG,
                         "record stream: the publication is at its last position at record %llu; "
                         "begin anew with longer terms",
                         record);
    default:
        return error_set(OC_ERR_TRANSPORT,
                         "record stream: record %llu was refused with %lld: %s; are its terms long "
                         "enough (eight times a record)?",
                         record, (long long)answer, embedded_error_line());
    }
}

oc_err_t record_publisher_take(void *publisher, const void *bytes, size_t length)
{
    record_publisher_t *self = publisher;
    OC_ASSERT(self->publication.offer != NULL);
    for (;;) {
        const int64_t answer = self->publication.offer(self->publication.context, bytes, length);
        if (answer >= 0)
            break;
        if (answer != AERON_PUBLICATION_BACK_PRESSURED && answer != AERON_PUBLICATION_ADMIN_ACTION)
            return refused(self, answer);
        self->retries++;
        if (!step(self))
            return given_up(self);
        sched_yield(); /* the reader may need this processor */
    }
    self->records++;
    if (self->records % RECORDS_PER_STEP == 0 && !step(self))
        return given_up(self);
    return OC_ERR_OK;
}
