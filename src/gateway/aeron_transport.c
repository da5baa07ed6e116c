/*
 * Aeron behind the gateway's transport table. Called by the gateway, and by a cluster member's
 * egress, which only sends; on_available_image() and on_unavailable_image() by Aeron inside
 * embedded_do_work(), by the same thread.
 *
 * Invariants: an image is used between those two calls only; a fragment that is refused leaves its
 * source's buffer as it was, since it comes again; no message is longer than its buffer. Must not
 * wait, except while it is created.
 */
#define _GNU_SOURCE

#include "gateway/aeron_transport.h"

#include "base/assert.h"
#include "base/error.h"
#include "codec/cluster_codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FLAG_BEGIN 0x80
#define FLAG_END   0x40

/* No datagram carries more. A frame that says so is forged, and must not be read to its end. */
#define FRAGMENT_BYTES_MAX 65504

/* The sender chooses how large the log of its stream is here, three terms that it can fill; Aeron's
 * default is 16 MiB, its limit 1 GiB. */
#define SOURCE_TERM_BYTES_MAX (64 * 1024 * 1024)

#define LISTEN_TIMEOUT_S 5

struct transport_publication {
    aeron_async_add_exclusive_publication_t *async; /* while it is being added */
    aeron_exclusive_publication_t *publication;
    size_t claim_bytes_max; /* longer messages go out in fragments */
    bool used;
    bool failed;
};

typedef struct image_slot {
    aeron_image_t *image; /* NULL: free */
    transport_source_t source;
    size_t length;   /* of what is put together */
    bool assembling; /* a first fragment was seen */
    bool too_long;   /* the rest is only counted */
} image_slot_t;

typedef struct aeron_transport {
    embedded_t *embedded;
    aeron_subscription_t *subscription;
    transport_publication_t *publications;
    image_slot_t *images;
    uint8_t *buffers; /* one of message_bytes_max for each image slot */
    size_t message_bytes_max;
    uint32_t publication_count;
    uint32_t image_count; /* slots */
    uint32_t image_end;   /* slots from here on are free */
    uint32_t first;       /* where the next poll begins */
    char address[AERON_CLIENT_MAX_LOCAL_ADDRESS_STR_LEN];
} aeron_transport_t;

/* What a fragment handler needs. */
typedef struct poll_state {
    aeron_transport_t *transport;
    image_slot_t *slot;
    transport_handler_t handler;
    void *handler_context;
    bool refused;
} poll_state_t;

static transport_publication_t *add(void *context, const char *channel, int32_t stream)
{
    aeron_transport_t *self = context;
    for (uint32_t i = 0; i < self->publication_count; i++) {
        transport_publication_t *publication = &self->publications[i];
        if (publication->used)
            continue;
        memset(publication, 0, sizeof *publication);
        if (aeron_async_add_exclusive_publication(
                &publication->async, embedded_aeron(self->embedded), channel, stream) < 0)
            return NULL;
        publication->used = true;
        return publication;
    }
    return NULL;
}

static void finish_adding(transport_publication_t *publication)
{
    const int added =
        aeron_async_add_exclusive_publication_poll(&publication->publication, publication->async);
    if (added == 0)
        return;
    publication->async = NULL; /* it is freed in both cases */
    aeron_publication_constants_t constants;
    if (added < 0 ||
        aeron_exclusive_publication_constants(publication->publication, &constants) < 0)
        publication->failed = true;
    else
        publication->claim_bytes_max = constants.max_payload_length;
}

static transport_state_t state(void *context, transport_publication_t *publication)
{
    (void)context;
    OC_ASSERT(publication->used);
    if (publication->async != NULL)
        finish_adding(publication);
    if (publication->async != NULL)
        return TRANSPORT_ADDING;
    if (publication->failed || aeron_exclusive_publication_is_closed(publication->publication))
        return TRANSPORT_FAILED;
    return aeron_exclusive_publication_is_connected(publication->publication)
               ? TRANSPORT_CONNECTED
               : TRANSPORT_UNCONNECTED;
}

static transport_sent_t sent_of(transport_publication_t *publication, int64_t result)
{
    if (result >= 0)
        return TRANSPORT_SENT;
    if (result == AERON_PUBLICATION_BACK_PRESSURED || result == AERON_PUBLICATION_ADMIN_ACTION)
        return TRANSPORT_BACK_PRESSURE;
    if (result == AERON_PUBLICATION_NOT_CONNECTED)
        return TRANSPORT_NOT_CONNECTED;
    publication->failed = true;
    return TRANSPORT_BROKEN;
}

static transport_sent_t send(void *context, transport_publication_t *publication, const void *bytes,
                             size_t length)
{
    const transport_state_t now = publication->publication != NULL && !publication->failed
                                      ? TRANSPORT_CONNECTED
                                      : state(context, publication);
    if (now == TRANSPORT_FAILED)
        return TRANSPORT_BROKEN;
    if (now == TRANSPORT_ADDING)
        return TRANSPORT_NOT_CONNECTED;
    if (length > publication->claim_bytes_max)
        return sent_of(publication, aeron_exclusive_publication_offer(publication->publication,
                                                                      bytes, length, NULL, NULL));
    aeron_buffer_claim_t claim;
    const int64_t result =
        aeron_exclusive_publication_try_claim(publication->publication, length, &claim);
    if (result >= 0) {
        memcpy(claim.data, bytes, length);
        aeron_buffer_claim_commit(&claim);
    }
    return sent_of(publication, result);
}

static void close_publication(void *context, transport_publication_t *publication)
{
    aeron_transport_t *self = context;
    OC_ASSERT(publication->used);
    if (publication->async != NULL)
        aeron_async_add_exclusive_publication_cancel(embedded_aeron(self->embedded),
                                                     publication->async);
    if (publication->publication != NULL)
        aeron_exclusive_publication_close(publication->publication, NULL, NULL);
    memset(publication, 0, sizeof *publication);
}

static bool source_alive(void *context, uint64_t source)
{
    const aeron_transport_t *self = context;
    for (uint32_t i = 0; i < self->image_end; i++) {
        const image_slot_t *slot = &self->images[i];
        if (slot->image != NULL && slot->source.id == source)
            return true; /* a poll that comes to its end frees the slot */
    }
    return false;
}

/* 127.0.0.1:40123 or [::1]:40123; the port is not kept. */
static void copy_host(char host[TRANSPORT_HOST_MAX], const char *identity)
{
    const char *end = strrchr(identity, ':');
    size_t length = end != NULL ? (size_t)(end - identity) : strlen(identity);
    if (identity[0] == '[' && length >= 2) {
        identity++;
        length -= 2;
    }
    if (length >= TRANSPORT_HOST_MAX)
        length = TRANSPORT_HOST_MAX - 1;
    memset(host, 0, TRANSPORT_HOST_MAX);
    memcpy(host, identity, length);
}

static void on_available_image(void *context, aeron_subscription_t *subscription,
                               aeron_image_t *image)
{
    aeron_transport_t *self = context;
    aeron_image_constants_t constants;
    (void)subscription;
    if (aeron_image_constants(image, &constants) < 0)
        return;
    if (constants.term_buffer_length > SOURCE_TERM_BYTES_MAX) {
        aeron_image_reject(image, "term-length above 64m");
        return;
    }
    for (uint32_t i = 0; i < self->image_count; i++) {
        image_slot_t *slot = &self->images[i];
        if (slot->image != NULL)
            continue;
        memset(slot, 0, sizeof *slot);
        slot->image = image;
        slot->source.id = (uint64_t)constants.correlation_id + 1; /* from 0 on; ours is not 0 */
        copy_host(slot->source.host, constants.source_identity);
        if (i >= self->image_end)
            self->image_end = i + 1;
        return;
    }
    aeron_image_reject(image, "too many senders");
}

static void forget_image(aeron_transport_t *self, image_slot_t *slot)
{
    slot->image = NULL;
    while (self->image_end > 0 && self->images[self->image_end - 1].image == NULL)
        self->image_end--;
}

static void on_unavailable_image(void *context, aeron_subscription_t *subscription,
                                 aeron_image_t *image)
{
    aeron_transport_t *self = context;
    (void)subscription;
    for (uint32_t i = 0; i < self->image_end; i++) {
        if (self->images[i].image == image) {
            forget_image(self, &self->images[i]);
            return;
        }
    }
}

static aeron_controlled_fragment_handler_action_t hand_over(poll_state_t *poll, const void *bytes,
                                                            size_t length)
{
    if (poll->handler(poll->handler_context, &poll->slot->source, bytes, length) == TRANSPORT_TAKEN)
        return AERON_ACTION_CONTINUE;
    poll->refused = true;
    return AERON_ACTION_ABORT;
}

/* A part of a message. */
static aeron_controlled_fragment_handler_action_t assemble(poll_state_t *poll, const uint8_t *bytes,
                                                           size_t length, uint8_t flags)
{
    aeron_transport_t *self = poll->transport;
    image_slot_t *slot = poll->slot;
    uint8_t *buffer = self->buffers + (size_t)(slot - self->images) * self->message_bytes_max;
    if ((flags & FLAG_BEGIN) != 0) {
        slot->assembling = true;
        slot->too_long = false;
        slot->length = 0;
    }
    if (!slot->assembling) /* the beginning went by before this stream was joined */
        return AERON_ACTION_CONTINUE;
    if (length > self->message_bytes_max - slot->length)
        slot->too_long = true;
    if (!slot->too_long)
        memcpy(buffer + slot->length, bytes, length);
    if ((flags & FLAG_END) == 0) {
        slot->length += slot->too_long ? 0 : length;
        return AERON_ACTION_CONTINUE;
    }
    const aeron_controlled_fragment_handler_action_t action =
        hand_over(poll, slot->too_long ? NULL : buffer, slot->length + length);
    if (action != AERON_ACTION_ABORT)
        slot->assembling = false;
    return action;
}

static aeron_controlled_fragment_handler_action_t on_fragment(void *context, const uint8_t *bytes,
                                                              size_t length, aeron_header_t *header)
{
    poll_state_t *poll = context;
    aeron_header_values_t values;
    if (length > FRAGMENT_BYTES_MAX || aeron_header_values(header, &values) < 0)
        return hand_over(poll, NULL, length);
    if ((values.frame.flags & (FLAG_BEGIN | FLAG_END)) == (FLAG_BEGIN | FLAG_END))
        return hand_over(poll, length > poll->transport->message_bytes_max ? NULL : bytes, length);
    return assemble(poll, bytes, length, values.frame.flags);
}

static int poll_sources(void *context, transport_handler_t handler, void *handler_context,
                        uint32_t limit)
{
    aeron_transport_t *self = context;
    poll_state_t poll = {.transport = self, .handler = handler, .handler_context = handler_context};
    const uint32_t end = self->image_end;
    int fragments = 0;
    if (end == 0)
        return 0;
    /* Another one begins each time: when the sink is full, whoever begins gets what is left. */
    self->first = self->first + 1 < end ? self->first + 1 : 0;
    for (uint32_t i = 0; i < end && !poll.refused; i++) {
        const uint32_t at = self->first + i < end ? self->first + i : self->first + i - end;
        image_slot_t *slot = &self->images[at];
        if (slot->image == NULL)
            continue;
        poll.slot = slot;
        const int polled = aeron_image_controlled_poll(slot->image, on_fragment, &poll, limit);
        if (polled > 0)
            fragments += polled;
        /* Its place is free at once, not only when the driver lets go of it. */
        else if (!poll.refused && aeron_image_is_end_of_stream(slot->image))
            forget_image(self, slot);
    }
    return fragments;
}

static const char *address(void *context)
{
    const aeron_transport_t *self = context;
    return self->address;
}

static void destroy(void *context)
{
    aeron_transport_t *self = context;
    for (uint32_t i = 0; i < self->publication_count; i++) {
        if (self->publications[i].used)
            close_publication(self, &self->publications[i]);
    }
    /* Without an agent thread this is done at once, with the last calls of on_unavailable_image. */
    if (self->subscription != NULL)
        aeron_subscription_close(self->subscription, NULL, NULL);
    embedded_do_work(self->embedded);
    free(self->publications);
    free(self->images);
    free(self->buffers);
    free(self);
}

static int64_t seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec;
}

/* Steps everything until the subscription is there and its port known. */
static oc_err_t listen(aeron_transport_t *self, const char *ingress)
{
    char channel[512];
    aeron_async_add_subscription_t *async = NULL;
    const int64_t deadline = seconds_now() + LISTEN_TIMEOUT_S;
    snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s", ingress);
    if (aeron_async_add_subscription(&async, embedded_aeron(self->embedded), channel,
                                     CLUSTER_INGRESS_STREAM, on_available_image, self,
                                     on_unavailable_image, self) < 0)
        return error_set(OC_ERR_TRANSPORT, "cannot listen at %s: %s", ingress,
                         embedded_error_line());
    aeron_iovec_t text = {.iov_base = (uint8_t *)self->address, .iov_len = sizeof self->address};
    for (;;) {
        embedded_do_work(self->embedded);
        if (self->subscription == NULL) {
            if (aeron_async_add_subscription_poll(&self->subscription, async) < 0)
                return error_set(OC_ERR_TRANSPORT, "cannot listen at %s: %s", ingress,
                                 embedded_error_line());
        } else if (aeron_subscription_local_sockaddrs(self->subscription, &text, 1) > 0) {
            return OC_ERR_OK;
        }
        if (seconds_now() > deadline)
            return error_set(OC_ERR_TRANSPORT,
                             "cannot listen at %s: the Aeron driver does not answer", ingress);
    }
}

/* HOST:PORT without anything that would change the channel. */
static bool is_address(const char *text)
{
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon == text || strlen(text) > 255 || strpbrk(text, "|?= ,") != NULL)
        return false;
    char *end = NULL;
    const unsigned long port = strtoul(colon + 1, &end, 10);
    return colon[1] >= '0' && colon[1] <= '9' && *end == '\0' && port <= 65535;
}

static void fill_table(transport_t *transport, aeron_transport_t *self)
{
    *transport = (transport_t){
        .context = self,
        .add = add,
        .state = state,
        .send = send,
        .close = close_publication,
        .source_alive = source_alive,
        .poll = poll_sources,
        .address = address,
        .destroy = destroy,
    };
}

/* Memory for the publications alone; NULL: there is none. */
static aeron_transport_t *create_outgoing(uint32_t publications, embedded_t *embedded)
{
    OC_ASSERT(publications > 0);
    aeron_transport_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->embedded = embedded;
    self->publication_count = publications;
    self->publications = calloc(publications, sizeof *self->publications);
    if (self->publications == NULL) {
        free(self);
        return NULL;
    }
    return self;
}

oc_err_t aeron_transport_create_outgoing(transport_t *transport, uint32_t publications,
                                         embedded_t *embedded)
{
    aeron_transport_t *self = create_outgoing(publications, embedded);
    if (self == NULL)
        return error_set(OC_ERR_NO_MEMORY, "transport: %u publications", publications);
    fill_table(transport, self);
    return OC_ERR_OK;
}

oc_err_t aeron_transport_create(transport_t *transport, const aeron_transport_config_t *config,
                                embedded_t *embedded)
{
    if (config->ingress == NULL || !is_address(config->ingress))
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "the ingress address \"%.80s\" is not HOST:PORT, as 127.0.0.1:9010",
                         config->ingress == NULL ? "" : config->ingress);
    OC_ASSERT(config->sources > 0);
    aeron_transport_t *self = create_outgoing(config->publications, embedded);
    if (self == NULL)
        return error_set(OC_ERR_NO_MEMORY, "gateway: the transport");
    self->message_bytes_max = config->message_bytes_max;
    self->image_count = config->sources;
    self->images = calloc(config->sources, sizeof *self->images);
    /* As large as this is, memory that nobody writes to is not taken from the machine. */
    self->buffers = calloc(config->sources, config->message_bytes_max);
    oc_err_t err = OC_ERR_NO_MEMORY;
    if (self->images == NULL || self->buffers == NULL)
        error_set(err, "gateway: %u senders with messages of %zu bytes", config->sources,
                  config->message_bytes_max);
    else
        err = listen(self, config->ingress);
    if (err != OC_ERR_OK) {
        destroy(self);
        return err;
    }
    fill_table(transport, self);
    return OC_ERR_OK;
}
