/*
 * The transport in memory. A closed publication keeps what was sent on it; its place is not used
 * again while there are others.
 */
#include "lib/fake_transport.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fake_transport_init(fake_transport_t *fake)
{
    memset(fake, 0, sizeof *fake);
    fake->state_at_add = TRANSPORT_CONNECTED;
}

static void forget_sent(struct transport_publication *publication)
{
    for (uint32_t i = 0; i < publication->sent_count; i++)
        free(publication->sent[i].bytes);
    free(publication->sent);
    publication->sent = NULL;
    publication->sent_count = 0;
}

void fake_transport_fini(fake_transport_t *fake)
{
    for (uint32_t i = 0; i < FAKE_PUBLICATIONS; i++)
        forget_sent(&fake->publications[i]);
    for (uint32_t i = 0; i < fake->ingress_count; i++)
        free(fake->ingress[i].message.bytes);
    free(fake->ingress);
    memset(fake, 0, sizeof *fake);
}

/* Never used ones first, so that tests find what they added under its number. */
static struct transport_publication *unused(fake_transport_t *fake)
{
    for (int old = 0; old < 2; old++) {
        for (uint32_t i = 0; i < FAKE_PUBLICATIONS; i++) {
            struct transport_publication *publication = &fake->publications[i];
            if (!publication->used && (old == 1 || publication->added == 0))
                return publication;
        }
    }
    return NULL;
}

static transport_publication_t *add(void *context, const char *channel, int32_t stream)
{
    fake_transport_t *fake = context;
    struct transport_publication *publication = unused(fake);
    if (publication == NULL)
        return NULL;
    if (fake->add_fails > 0) {
        fake->add_fails--;
        return NULL;
    }
    forget_sent(publication);
    memset(publication, 0, sizeof *publication);
    publication->sent = calloc(FAKE_SENT_MAX, sizeof *publication->sent);
    OC_ASSERT(publication->sent != NULL);
    snprintf(publication->channel, sizeof publication->channel, "%s", channel);
    publication->stream = stream;
    publication->state = fake->state_at_add;
    publication->used = true;
    publication->added = ++fake->publication_count;
    return publication;
}

static transport_state_t state(void *context, transport_publication_t *publication)
{
    (void)context;
    OC_ASSERT(publication->used);
    return publication->state;
}

static fake_message_t copy_of(const void *bytes, size_t length)
{
    fake_message_t message = {.length = length};
    if (bytes != NULL) {
        message.bytes = malloc(length + 1);
        OC_ASSERT(message.bytes != NULL);
        memcpy(message.bytes, bytes, length);
    }
    return message;
}

static transport_sent_t send_message(void *context, transport_publication_t *publication,
                                     const void *bytes, size_t length)
{
    (void)context;
    OC_ASSERT(publication->used);
    if (publication->state == TRANSPORT_FAILED)
        return TRANSPORT_BROKEN;
    if (publication->state != TRANSPORT_CONNECTED)
        return TRANSPORT_NOT_CONNECTED;
    if (publication->back_pressure > 0) {
        publication->back_pressure--;
        return TRANSPORT_BACK_PRESSURE;
    }
    OC_ASSERT(publication->sent_count < FAKE_SENT_MAX);
    publication->sent[publication->sent_count++] = copy_of(bytes, length);
    return TRANSPORT_SENT;
}

static void close_publication(void *context, transport_publication_t *publication)
{
    (void)context;
    OC_ASSERT(publication->used);
    publication->used = false;
}

static bool source_alive(void *context, uint64_t source)
{
    const fake_transport_t *fake = context;
    return source != fake->dead_source;
}

static int poll_sources(void *context, transport_handler_t handler, void *handler_context,
                        uint32_t limit)
{
    fake_transport_t *fake = context;
    uint32_t done = 0;
    while (done < fake->ingress_count && done < limit) {
        const fake_ingress_t *next = &fake->ingress[done];
        if (handler(handler_context, &next->source, next->message.bytes, next->message.length) ==
            TRANSPORT_AGAIN)
            break;
        free(fake->ingress[done].message.bytes);
        done++;
    }
    fake->ingress_count -= done;
    if (done > 0)
        memmove(fake->ingress, fake->ingress + done, fake->ingress_count * sizeof *fake->ingress);
    return (int)done;
}

static const char *address(void *context)
{
    (void)context;
    return "127.0.0.1:9010";
}

static void destroy(void *context)
{
    fake_transport_t *fake = context;
    OC_ASSERT(!fake->destroyed);
    fake->destroyed = true;
}

transport_t fake_transport_table(fake_transport_t *fake)
{
    return (transport_t){
        .context = fake,
        .add = add,
        .state = state,
        .send = send_message,
        .close = close_publication,
        .source_alive = source_alive,
        .poll = poll_sources,
        .address = address,
        .destroy = destroy,
    };
}

void fake_transport_receive(fake_transport_t *fake, uint64_t source, const char *host,
                            const void *bytes, size_t length)
{
    if (fake->ingress_count == fake->ingress_capacity) {
        fake->ingress_capacity = fake->ingress_capacity * 2 + 64;
        fake->ingress = realloc(fake->ingress, fake->ingress_capacity * sizeof *fake->ingress);
        OC_ASSERT(fake->ingress != NULL);
    }
    fake_ingress_t *next = &fake->ingress[fake->ingress_count++];
    memset(next, 0, sizeof *next);
    next->source.id = source;
    snprintf(next->source.host, sizeof next->source.host, "%s", host);
    next->message = copy_of(bytes, length);
}

uint32_t fake_transport_used(const fake_transport_t *fake)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < FAKE_PUBLICATIONS; i++)
        used += fake->publications[i].used;
    return used;
}
