/*
 * A client of examples/ledger.c, or of any service of outcry/service.h, in C: the client protocol
 * of Aeron Cluster over Aeron's own C client. Adds an amount to an account, and prints the balance.
 *
 *     outcry driver --dir /dev/shm/my-driver &
 *     ledger_client /dev/shm/my-driver HOST:PORT ACCOUNT AMOUNT
 *
 *     cc ledger_client.c -I... -laeron
 *
 * Every message of the protocol is one SBE message of Aeron's aeron-cluster-codecs.xml, in
 * little-endian fields, which are written here as structs. It connects once, to one address: a node
 * or the leader of a cluster. What a client for good needs beside it: to follow the redirect of a
 * member that does not lead (it is printed here) and a NewLeaderEvent (template 6), to answer a
 * challenge (template 7), and to connect again. After a lost connection it does not know whether
 * its last message was taken; a service that must not add twice numbers its clients' messages.
 */
#define _POSIX_C_SOURCE 200809L
#include <aeronc.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INGRESS_STREAM = 101, EGRESS_STREAM = 102, SCHEMA = 111, SCHEMA_VERSION = 13 };
enum { MESSAGE = 1, EVENT = 2, CONNECT = 3, CLOSE = 4, KEEP_ALIVE = 5 };
enum { PROTOCOL_VERSION = 0x000300, EVENT_OK = 0, TEXT_MAX = 256, WAIT_S = 10 };

#define PACKED __attribute__((packed))

/* In front of every message; `block` is the length of the fixed fields behind it. */
typedef struct PACKED header {
    uint16_t block;
    uint16_t template;
    uint16_t schema;
    uint16_t version;
} header_t;

/* Before a payload, both ways; the whole of a KEEP_ALIVE and a CLOSE, but for the timestamp. */
typedef struct PACKED session_header {
    header_t header;
    int64_t term;
    int64_t session;
    int64_t timestamp;
} session_header_t;

/* Then three times a length (4 bytes) and so many bytes: response channel, credentials, a name for
 * people. */
typedef struct PACKED connect_request {
    header_t header;
    int64_t correlation;
    int32_t response_stream;
    int32_t version;
} connect_request_t;

/* Then the length of a text, and the text. */
typedef struct PACKED session_event {
    header_t header;
    int64_t session;
    int64_t correlation;
    int64_t term;
    int32_t leader;
    int32_t code;
} session_event_t;

typedef struct request {
    uint64_t account;
    int64_t number;
} request_t;

typedef struct client {
    aeron_context_t *context;
    aeron_t *aeron;
    aeron_subscription_t *egress;
    aeron_exclusive_publication_t *ingress;
    char response_channel[TEXT_MAX];
    int64_t correlation;
    int64_t session;
    int64_t term;
    bool open;
    bool refused;
    bool answered;
    request_t answer;
} client_t;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool failed(const char *what)
{
    fprintf(stderr, "ledger_client: %s: %s\n", what, aeron_errmsg());
    return false;
}

/* ---- What comes ---- */

static void on_event(client_t *self, const uint8_t *bytes, size_t length)
{
    session_event_t event;
    if (length < sizeof event)
        return;
    memcpy(&event, bytes, sizeof event);
    if (event.correlation != self->correlation && event.session != self->session)
        return;
    self->open = event.code == EVENT_OK;
    self->session = event.session;
    self->term = event.term;
    if (self->open)
        return;
    const size_t text = sizeof event.header + event.header.block + sizeof(uint32_t);
    fprintf(stderr, "ledger_client: code %" PRId32 ": %.*s\n", event.code,
            text < length ? (int)(length - text) : 0, (const char *)bytes + text);
    self->refused = true;
}

static void on_fragment(void *context, const uint8_t *bytes, size_t length, aeron_header_t *unused)
{
    client_t *self = context;
    session_header_t header;
    (void)unused;
    if (length < sizeof header)
        return;
    memcpy(&header, bytes, sizeof header);
    if (header.header.schema != SCHEMA)
        return;
    if (header.header.template == EVENT)
        on_event(self, bytes, length);
    if (header.header.template != MESSAGE || header.session != self->session ||
        length != sizeof header + sizeof self->answer)
        return;
    memcpy(&self->answer, bytes + sizeof header, sizeof self->answer);
    self->answered = true;
}

/* Polls until *flag or a refusal. False: neither came. While it waits longer than a second a client
 * sends a KEEP_ALIVE in each, or the session times out. */
static bool wait_for(client_t *self, const bool *flag)
{
    const int64_t until_ns = now_ns() + WAIT_S * INT64_C(1000000000);
    const struct timespec pause = {.tv_nsec = 100000};
    while (!*flag && !self->refused && now_ns() < until_ns)
        if (aeron_subscription_poll(self->egress, on_fragment, self, 16) <= 0)
            nanosleep(&pause, NULL);
    if (!*flag && !self->refused)
        fprintf(stderr, "ledger_client: nobody answers\n");
    return *flag;
}

/* ---- What goes ---- */

/* Behind a restart of the service, or while it is busy, an offer is refused for a while. */
static bool send(client_t *self, const void *bytes, size_t length)
{
    const int64_t until_ns = now_ns() + WAIT_S * INT64_C(1000000000);
    const struct timespec pause = {.tv_nsec = 100000};
    while (aeron_exclusive_publication_offer(self->ingress, bytes, length, NULL, NULL) < 0) {
        if (now_ns() > until_ns)
            return failed("the message is not taken");
        nanosleep(&pause, NULL);
    }
    return true;
}

static session_header_t session_header(const client_t *self, uint16_t template, uint16_t block)
{
    return (session_header_t){.header = {block, template, SCHEMA, SCHEMA_VERSION},
                              .term = self->term,
                              .session = self->session};
}

static size_t put_text(uint8_t *at, const char *text)
{
    const uint32_t length = (uint32_t)strlen(text);
    memcpy(at, &length, sizeof length);
    memcpy(at + sizeof length, text, length);
    return sizeof length + length;
}

static bool open_session(client_t *self, const char *principal)
{
    uint8_t bytes[sizeof(connect_request_t) + 3 * (sizeof(uint32_t) + TEXT_MAX)];
    const connect_request_t request = {
        .header = {sizeof request - sizeof(header_t), CONNECT, SCHEMA, SCHEMA_VERSION},
        .correlation = self->correlation = now_ns(),
        .response_stream = EGRESS_STREAM,
        .version = PROTOCOL_VERSION};
    size_t length = sizeof request;
    memcpy(bytes, &request, sizeof request);
    length += put_text(bytes + length, self->response_channel);
    length += put_text(bytes + length, principal);
    length += put_text(bytes + length, "");
    return send(self, bytes, length) && wait_for(self, &self->open);
}

static bool ask(client_t *self, const request_t *request)
{
    uint8_t bytes[sizeof(session_header_t) + sizeof *request];
    const session_header_t header = session_header(self, MESSAGE, 24);
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + sizeof header, request, sizeof *request); /* the payload: what you like */
    return send(self, bytes, sizeof bytes) && wait_for(self, &self->answered);
}

static bool close_session(client_t *self)
{
    const session_header_t header = session_header(self, CLOSE, 16);
    return send(self, &header, sizeof header - sizeof header.timestamp);
}

/* ---- Aeron ---- */

/* Answers come to a free port of the loopback: from another machine, name an address of this one
 * that it reaches. */
static bool listen(client_t *self)
{
    aeron_async_add_subscription_t *async;
    char address[AERON_CLIENT_MAX_LOCAL_ADDRESS_STR_LEN] = "";
    aeron_iovec_t place = {.iov_base = (uint8_t *)address, .iov_len = sizeof address};
    int done;
    if (aeron_async_add_subscription(&async, self->aeron, "aeron:udp?endpoint=127.0.0.1:0",
                                     EGRESS_STREAM, NULL, NULL, NULL, NULL) < 0)
        return failed("no subscription");
    while ((done = aeron_async_add_subscription_poll(&self->egress, async)) == 0)
        ;
    if (done < 0)
        return failed("no subscription");
    while (aeron_subscription_local_sockaddrs(self->egress, &place, 1) == 0)
        ;
    (void)snprintf(self->response_channel, sizeof self->response_channel, "aeron:udp?endpoint=%s",
                   address);
    return true;
}

static bool publish(client_t *self, const char *endpoint)
{
    aeron_async_add_exclusive_publication_t *async;
    char channel[TEXT_MAX];
    int done;
    (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s", endpoint);
    if (aeron_async_add_exclusive_publication(&async, self->aeron, channel, INGRESS_STREAM) < 0)
        return failed(channel);
    while ((done = aeron_async_add_exclusive_publication_poll(&self->ingress, async)) == 0)
        ;
    return done > 0 || failed(channel);
}

static bool run(client_t *self, char **argv)
{
    const request_t request = {.account = strtoull(argv[3], NULL, 10),
                               .number = strtoll(argv[4], NULL, 10)};
    if (aeron_context_init(&self->context) < 0 || aeron_context_set_dir(self->context, argv[1]) < 0)
        return failed("no context");
    if (aeron_init(&self->aeron, self->context) < 0 || aeron_start(self->aeron) < 0)
        return failed("no driver");
    if (!listen(self) || !publish(self, argv[2]) || !open_session(self, "somebody") ||
        !ask(self, &request))
        return false;
    printf("account %" PRIu64 ": %" PRId64 "\n", self->answer.account, self->answer.number);
    return close_session(self);
}

int main(int argc, char **argv)
{
    client_t client = {.session = -1};
    if (argc != 5) {
        fprintf(stderr, "usage: ledger_client AERON_DIR HOST:PORT ACCOUNT AMOUNT\n");
        return 2;
    }
    const bool ok = run(&client, argv);
    if (client.aeron)
        aeron_close(client.aeron);
    if (client.context)
        aeron_context_close(client.context);
    return ok ? 0 : 1;
}
