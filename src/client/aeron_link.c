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

struct aeron_link {
    char egress[ENDPOINT_BYTES]; /* "": by the route */
    char aeron_dir[4096];        /* "": embedded */
    bool threaded;
    embedded_t *embedded;
    aeron_async_add_subscription_t *adding_subscription;
    aeron_async_add_exclusive_publication_t *adding_publication;
    aeron_subscription_t *subscription;
    aeron_exclusive_publication_t *publication;
    aeron_fragment_assembler_t *assembler;
    bool failed; /* an add was refused, or a call failed for good */
    bool was_up; /* this publication has been connected */
    size_t payload_max;
    char response_channel[CHANNEL_BYTES]; /* "": not known yet */
    /* Of the poll that is going on. */
    client_link_handler_t handler;
    void *handler_context;
};

static oc_err_t transport_error(const char *what)
{
    return error_set(OC_ERR_TRANSPORT, "client: %s: %s", what, embedded_error_line());
}

/* ---- Taking apart ---------------------------------------------------------------------------- */

static void close_ingress(aeron_link_t *self)
{
    aeron_t *aeron = embedded_aeron(self->embedded);
    if (self->adding_publication)
        (void)aeron_async_add_exclusive_publication_cancel(aeron, self->adding_publication);
    if (self->publication)
        (void)aeron_exclusive_publication_close(self->publication, NULL, NULL);
    self->adding_publication = NULL;
    self->publication = NULL;
    self->was_up = false;
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

static oc_err_t link_open(void *context, const char *endpoint)
{
    aeron_link_t *self = context;
    if (self->embedded && embedded_closed(self->embedded))
        close_all(self);
    oc_err_t err = self->embedded ? OC_ERR_OK : start_driver(self);
    if (err != OC_ERR_OK)
        return err;
    close_ingress(self);
    if (self->failed)
        close_egress(self);
    self->failed = false;
    if (!self->subscription && !self->adding_subscription)
        err = add_egress(self, endpoint);
    if (err != OC_ERR_OK)
        return err;
    char channel[CHANNEL_BYTES];
    (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s", endpoint);
    if (aeron_async_add_exclusive_publication(&self->adding_publication,
                                              embedded_aeron(self->embedded), channel,
                                              CLUSTER_INGRESS_STREAM) < 0)
        return transport_error(channel);
    return OC_ERR_OK;
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
        self->failed =
            done < 0 || aeron_fragment_assembler_create(&self->assembler, on_fragment, self) < 0;
    }
    if (!self->failed && self->subscription && !self->response_channel[0]) {
        char address[AERON_CLIENT_MAX_LOCAL_ADDRESS_STR_LEN];
        aeron_iovec_t vector = {.iov_base = (uint8_t *)address, .iov_len = sizeof address};
        const int count = aeron_subscription_local_sockaddrs(self->subscription, &vector, 1);
        self->failed = count < 0;
        if (count == 1)
            (void)snprintf(self->response_channel, sizeof self->response_channel,
                           "aeron:udp?endpoint=%s", address);
    }
}

static void await_ingress(aeron_link_t *self)
{
    aeron_publication_constants_t constants;
    if (!self->adding_publication)
        return;
    const int done =
        aeron_async_add_exclusive_publication_poll(&self->publication, self->adding_publication);
    if (done == 0)
        return;
    self->adding_publication = NULL;
    self->failed =
        done < 0 || aeron_exclusive_publication_constants(self->publication, &constants) < 0;
    if (!self->failed)
        self->payload_max = constants.max_payload_length;
}

static client_link_state_t link_state(void *context)
{
    aeron_link_t *self = context;
    if (!self->embedded || embedded_closed(self->embedded))
        return LINK_BROKEN;
    if (!self->failed)
        await_egress(self);
    if (!self->failed)
        await_ingress(self);
    if (self->failed || (!self->publication && !self->adding_publication))
        return LINK_BROKEN;
    if (!self->publication || !self->response_channel[0])
        return LINK_OPENING;
    if (aeron_exclusive_publication_is_closed(self->publication))
        return LINK_BROKEN;
    if (aeron_exclusive_publication_is_connected(self->publication)) {
        self->was_up = true;
        return LINK_UP;
    }
    return self->was_up ? LINK_DOWN : LINK_OPENING;
}

static const char *link_response_channel(void *context)
{
    const aeron_link_t *self = context;
    return self->response_channel;
}

static size_t link_message_max(void *context)
{
    const aeron_link_t *self = context;
    return self->payload_max;
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

static client_link_result_t link_send(void *context, const void *bytes, size_t length)
{
    aeron_link_t *self = context;
    if (!self->publication)
        return LINK_UNCONNECTED;
    aeron_buffer_claim_t claim;
    const int64_t position =
        aeron_exclusive_publication_try_claim(self->publication, length, &claim);
    if (position > 0) {
        memcpy(claim.data, bytes, length);
        (void)aeron_buffer_claim_commit(&claim);
        return LINK_SENT;
    }
    if (position == AERON_PUBLICATION_BACK_PRESSURED || position == AERON_PUBLICATION_ADMIN_ACTION)
        return LINK_BUSY;
    /* The term numbers are used up, or something that will not pass. */
    if (position == AERON_PUBLICATION_MAX_POSITION_EXCEEDED || position == AERON_PUBLICATION_ERROR)
        self->failed = true;
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
        self->failed = true;
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
        .state = link_state,
        .response_channel = link_response_channel,
        .message_max = link_message_max,
        .send = link_send,
        .poll = link_poll,
        .image_alive = link_image_alive,
        .step = link_step,
    };
}
