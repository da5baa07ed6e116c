/*
 * The client's link over Aeron. Called by the session through the table; created and destroyed by
 * client.c.
 *
 * Adding a subscription or a publication takes several steps of driver and client; state() looks
 * how far it is. Nothing is closed from inside poll(): the session opens only outside of it.
 *
 * Must not block. The exception is open(): making a driver takes some 40 ms, resolving a host name
 * as long as the resolver takes.
 */
#define _GNU_SOURCE
#include "client/aeron_link.h"

#include "aeron/embedded.h"
#include "base/assert.h"
#include "base/error.h"
#include "client/endpoints.h"
#include "codec/cluster_codec.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHANNEL_BYTES = 320, CLOSE_STEPS = 10 };

/* A way to a venue. */
typedef struct ingress {
    aeron_async_add_exclusive_publication_t *adding;
    aeron_exclusive_publication_t *publication;
    size_t payload_max;
    bool failed; /* its add was refused, or a call failed for good */
} ingress_t;

#define NONE_CHOSEN SIZE_MAX

struct aeron_link {
    char egress[ENDPOINT_BYTES]; /* "": by the route */
    char aeron_dir[4096];        /* "": embedded */
    bool threaded;
    embedded_t *embedded;
    aeron_async_add_subscription_t *adding_subscription;
    aeron_subscription_t *subscription;
    aeron_fragment_assembler_t *assembler;
    bool egress_failed;                   /* its add was refused, or a call failed for good */
    char response_channel[CHANNEL_BYTES]; /* "": not known yet */
    ingress_t ingress[ENDPOINTS_MAX];     /* the ways that are tried; then all but one are closed */
    size_t ingress_count;
    size_t chosen; /* NONE_CHOSEN: nobody has answered yet */
    /* Of the poll that is going on. */
    client_link_handler_t handler;
    void *handler_context;
};

static oc_err_t transport_error(const char *what)
{
    return error_set(OC_ERR_TRANSPORT, "client: %s: %s", what, embedded_error_line());
}

/* ---- Taking apart ---------------------------------------------------------------------------- */

static void close_way(aeron_link_t *self, ingress_t *way)
{
    if (way->adding)
        (void)aeron_async_add_exclusive_publication_cancel(embedded_aeron(self->embedded),
                                                           way->adding);
    if (way->publication)
        (void)aeron_exclusive_publication_close(way->publication, NULL, NULL);
    memset(way, 0, sizeof *way);
}

static void close_ingress(aeron_link_t *self)
{
    for (size_t i = 0; i < self->ingress_count; i++)
        close_way(self, &self->ingress[i]);
    self->ingress_count = 0;
    self->chosen = NONE_CHOSEN;
}

static void close_egress(aeron_link_t *self)
{
    aeron_t *aeron = embedded_aeron(self->embedded);
    if (self->adding_subscription)
        (void)aeron_async_add_subscription_cancel(aeron, self->adding_subscription);
    if (self->subscription)
        (void)aeron_subscription_close(self->subscription, NULL, NULL);
    if (self->assembler)
        (void)aeron_fragment_assembler_delete(self->assembler);
    self->adding_subscription = NULL;
    self->subscription = NULL;
    self->assembler = NULL;
    self->response_channel[0] = '\0';
    self->egress_failed = false;
}

static void close_all(aeron_link_t *self)
{
    if (!self->embedded)
        return;
    close_ingress(self);
    close_egress(self);
    for (int i = 0; i < CLOSE_STEPS; i++)
        (void)embedded_do_work(self->embedded);
    embedded_destroy(self->embedded);
    self->embedded = NULL;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static oc_err_t start_driver(aeron_link_t *self)
{
    embedded_config_t config;
    embedded_config_init(&config);
    config.dir = self->aeron_dir;
    config.threading = self->aeron_dir[0] ? EMBEDDED_EXTERNAL
                       : self->threaded   ? EMBEDDED_SHARED
                                          : EMBEDDED_INVOKER;
    return embedded_create(&self->embedded, &config);
}

/* HOST, without a port, of the address from which packets to the endpoint leave. */
static oc_err_t local_address(const char *endpoint, char *text, size_t size)
{
    char host[ENDPOINT_BYTES];
    char service[8];
    uint16_t port;
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
    if (!endpoints_split(endpoint, host, sizeof host, &port))
        return error_set(OC_ERR_INVALID_ARGUMENT, "client: '%s' is not HOST:PORT", endpoint);
    (void)snprintf(service, sizeof service, "%u", port);
    const int failed = getaddrinfo(host, service, &hints, &found);
    if (failed)
        return error_set(OC_ERR_TRANSPORT, "client: %s: %s", host, gai_strerror(failed));
    const int descriptor = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool done = descriptor >= 0 && connect(descriptor, found->ai_addr, found->ai_addrlen) == 0 &&
                getsockname(descriptor, (struct sockaddr *)&address, &length) == 0 &&
                getnameinfo((struct sockaddr *)&address, length, host, sizeof host, NULL, 0,
                            NI_NUMERICHOST) == 0;
    if (descriptor >= 0)
        (void)close(descriptor);
    freeaddrinfo(found);
    if (!done)
        return error_set(OC_ERR_TRANSPORT, "client: there is no route to %s", endpoint);
    (void)snprintf(text, size, strchr(host, ':') ? "[%s]" : "%s", host);
    return OC_ERR_OK;
}

static oc_err_t add_egress(aeron_link_t *self, const char *endpoint)
{
    char host[ENDPOINT_BYTES + 2];
    char channel[CHANNEL_BYTES];
    uint16_t port;
    if (!self->egress[0]) {
        const oc_err_t err = local_address(endpoint, host, sizeof host);
        if (err != OC_ERR_OK)
            return err;
        (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s:0", host);
    } else if (endpoints_split(self->egress, host, sizeof host, &port)) {
        (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s", self->egress);
    } else {
        (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s:0", self->egress);
    }
    if (aeron_async_add_subscription(&self->adding_subscription, embedded_aeron(self->embedded),
                                     channel, CLUSTER_EGRESS_STREAM, NULL, NULL, NULL, NULL) < 0)
        return transport_error(channel);
    return OC_ERR_OK;
}

/* The address from which the first of the endpoints that can be found at all is reached. */
static oc_err_t add_egress_for(aeron_link_t *self, const char *const *endpoints, size_t count)
{
    oc_err_t err = OC_ERR_TRANSPORT;
    for (size_t i = 0; i < count && err != OC_ERR_OK; i++)
        err = add_egress(self, endpoints[i]);
    return err;
}

static oc_err_t add_ingress(aeron_link_t *self, const char *endpoint)
{
    char channel[CHANNEL_BYTES];
    ingress_t *way = &self->ingress[self->ingress_count++];
    memset(way, 0, sizeof *way);
    (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s", endpoint);
    if (aeron_async_add_exclusive_publication(&way->adding, embedded_aeron(self->embedded), channel,
                                              CLUSTER_INGRESS_STREAM) == 0)
        return OC_ERR_OK;
    way->failed = true;
    return transport_error(channel);
}

static oc_err_t link_open(void *context, const char *const *endpoints, size_t count)
{
    aeron_link_t *self = context;
    OC_ASSERT(count > 0);
    OC_ASSERT(count <= ENDPOINTS_MAX);
    if (self->embedded && embedded_closed(self->embedded))
        close_all(self);
    oc_err_t err = self->embedded ? OC_ERR_OK : start_driver(self);
    if (err != OC_ERR_OK)
        return err;
    close_ingress(self);
    if (self->egress_failed)
        close_egress(self);
    if (!self->subscription && !self->adding_subscription)
        err = add_egress_for(self, endpoints, count);
    if (err != OC_ERR_OK)
        return err;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        err = add_ingress(self, endpoints[i]);
        any = any || err == OC_ERR_OK;
    }
    return any ? OC_ERR_OK : err;
}

/* ---- How far it is --------------------------------------------------------------------------- */

static void on_fragment(void *clientd, const uint8_t *buffer, size_t length, aeron_header_t *header)
{
    const aeron_link_t *self = clientd;
    aeron_header_values_t values;
    if (aeron_header_values(header, &values) == 0)
        self->handler(self->handler_context, values.frame.session_id, buffer, length);
}

static void await_egress(aeron_link_t *self)
{
    if (self->adding_subscription) {
        const int done =
            aeron_async_add_subscription_poll(&self->subscription, self->adding_subscription);
        if (done == 0)
            return;
        self->adding_subscription = NULL;
        self->egress_failed =
            done < 0 || aeron_fragment_assembler_create(&self->assembler, on_fragment, self) < 0;
    }
    if (!self->egress_failed && self->subscription && !self->response_channel[0]) {
        char address[AERON_CLIENT_MAX_LOCAL_ADDRESS_STR_LEN];
        aeron_iovec_t vector = {.iov_base = (uint8_t *)address, .iov_len = sizeof address};
        const int count = aeron_subscription_local_sockaddrs(self->subscription, &vector, 1);
        self->egress_failed = count < 0;
        if (count == 1)
            (void)snprintf(self->response_channel, sizeof self->response_channel,
                           "aeron:udp?endpoint=%s", address);
    }
}

static void await_way(ingress_t *way)
{
    aeron_publication_constants_t constants;
    if (!way->adding)
        return;
    const int done = aeron_async_add_exclusive_publication_poll(&way->publication, way->adding);
    if (done == 0)
        return;
    way->adding = NULL;
    way->failed =
        done < 0 || aeron_exclusive_publication_constants(way->publication, &constants) < 0;
    if (!way->failed)
        way->payload_max = constants.max_payload_length;
}

static bool is_connected(const ingress_t *way)
{
    return !way->failed && way->publication &&
           aeron_exclusive_publication_is_connected(way->publication);
}

static bool is_broken(const ingress_t *way)
{
    return way->failed ||
           (way->publication && aeron_exclusive_publication_is_closed(way->publication));
}

/* Looks who answers; returns whether somebody still may. */
static bool await_ingress(aeron_link_t *self)
{
    bool hope = false;
    for (size_t i = 0; i < self->ingress_count && self->chosen == NONE_CHOSEN; i++) {
        await_way(&self->ingress[i]);
        hope = hope || !is_broken(&self->ingress[i]);
        if (self->response_channel[0] && is_connected(&self->ingress[i]))
            self->chosen = i;
    }
    for (size_t i = 0; i < self->ingress_count && self->chosen != NONE_CHOSEN; i++)
        if (i != self->chosen)
            close_way(self, &self->ingress[i]);
    return hope || self->chosen != NONE_CHOSEN;
}

static client_link_state_t link_state(void *context)
{
    aeron_link_t *self = context;
    if (!self->embedded || embedded_closed(self->embedded))
        return LINK_BROKEN;
    if (!self->egress_failed)
        await_egress(self);
    if (self->egress_failed)
        return LINK_BROKEN;
    if (self->chosen == NONE_CHOSEN) {
        if (!await_ingress(self))
            return LINK_BROKEN;
        return self->chosen != NONE_CHOSEN ? LINK_UP : LINK_OPENING;
    }
    const ingress_t *way = &self->ingress[self->chosen];
    if (is_broken(way))
        return LINK_BROKEN;
    return is_connected(way) ? LINK_UP : LINK_DOWN;
}

static size_t link_chosen(void *context)
{
    const aeron_link_t *self = context;
    OC_ASSERT(self->chosen < self->ingress_count);
    return self->chosen;
}

static const char *link_response_channel(void *context)
{
    const aeron_link_t *self = context;
    return self->response_channel;
}

static size_t link_message_max(void *context)
{
    const aeron_link_t *self = context;
    return self->chosen == NONE_CHOSEN ? 0 : self->ingress[self->chosen].payload_max;
}

static bool link_image_alive(void *context, int32_t image)
{
    aeron_link_t *self = context;
    if (!self->subscription)
        return false;
    aeron_image_t *found = aeron_subscription_image_by_session_id(self->subscription, image);
    if (!found)
        return false;
    const bool closed = aeron_image_is_closed(found);
    (void)aeron_subscription_image_release(self->subscription, found);
    return !closed;
}

/* ---- Traffic --------------------------------------------------------------------------------- */

/* The position, or Aeron's word for why not. */
static int64_t offer(aeron_exclusive_publication_t *publication, const void *bytes, size_t length,
                     size_t payload_max)
{
    if (length > payload_max)
        return aeron_exclusive_publication_offer(publication, bytes, length, NULL, NULL);
    aeron_buffer_claim_t claim;
    const int64_t position = aeron_exclusive_publication_try_claim(publication, length, &claim);
    if (position > 0) {
        memcpy(claim.data, bytes, length);
        (void)aeron_buffer_claim_commit(&claim);
    }
    return position;
}

static client_link_result_t link_send(void *context, const void *bytes, size_t length)
{
    aeron_link_t *self = context;
    if (self->chosen == NONE_CHOSEN)
        return LINK_UNCONNECTED;
    ingress_t *way = &self->ingress[self->chosen];
    const int64_t position = offer(way->publication, bytes, length, way->payload_max);
    if (position > 0)
        return LINK_SENT;
    if (position == AERON_PUBLICATION_BACK_PRESSURED || position == AERON_PUBLICATION_ADMIN_ACTION)
        return LINK_BUSY;
    /* The term numbers are used up, or something that will not pass. */
    if (position == AERON_PUBLICATION_MAX_POSITION_EXCEEDED || position == AERON_PUBLICATION_ERROR)
        way->failed = true;
    return LINK_UNCONNECTED;
}

static size_t link_poll(void *context, client_link_handler_t handler, void *handler_context,
                        size_t limit)
{
    aeron_link_t *self = context;
    if (!self->subscription || !self->assembler)
        return 0;
    self->handler = handler;
    self->handler_context = handler_context;
    const int count = aeron_subscription_poll(self->subscription, aeron_fragment_assembler_handler,
                                              self->assembler, limit);
    if (count < 0)
        self->egress_failed = true;
    return count > 0 ? (size_t)count : 0;
}

static void link_step(void *context)
{
    aeron_link_t *self = context;
    if (self->embedded)
        (void)embedded_do_work(self->embedded);
}

/* ---- Life ------------------------------------------------------------------------------------ */

oc_err_t aeron_link_create(aeron_link_t **link, const aeron_link_config_t *config)
{
    *link = NULL;
    if ((config->egress && strlen(config->egress) >= ENDPOINT_BYTES) ||
        (config->aeron_dir && strlen(config->aeron_dir) >= sizeof(*link)->aeron_dir))
        return error_set(OC_ERR_INVALID_ARGUMENT, "client: egress or Aeron directory is too long");
    aeron_link_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "client: %zu bytes", sizeof *self);
    if (config->egress)
        memcpy(self->egress, config->egress, strlen(config->egress));
    if (config->aeron_dir)
        memcpy(self->aeron_dir, config->aeron_dir, strlen(config->aeron_dir));
    self->threaded = config->threaded;
    self->chosen = NONE_CHOSEN;
    const oc_err_t err = start_driver(self);
    if (err != OC_ERR_OK) {
        free(self);
        return err;
    }
    *link = self;
    return OC_ERR_OK;
}

void aeron_link_destroy(aeron_link_t *self)
{
    if (!self)
        return;
    close_all(self);
    free(self);
}

client_link_t aeron_link_table(aeron_link_t *self)
{
    return (client_link_t){
        .context = self,
        .open = link_open,
        .chosen = link_chosen,
        .state = link_state,
        .response_channel = link_response_channel,
        .message_max = link_message_max,
        .send = link_send,
        .poll = link_poll,
        .image_alive = link_image_alive,
        .step = link_step,
    };
}
