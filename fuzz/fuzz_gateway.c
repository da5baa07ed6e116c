/*
 * Fuzzes the gateway's sessions: the bytes say what clients send, what the sink takes, what the log
 * says, what becomes durable, how ways out behave and how time goes. Must not crash, hang, send
 * what is not durable, send what no client could decode, or keep anything at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "gateway/gateway_internal.h"

enum { WAYS = 24, LOGGED_MAX = 64, STEPS_MAX = 4000 };

struct transport_publication {
    transport_state_t state;
    bool used;
};

/* What the sink was asked for and the log has not said yet. */
typedef struct pending {
    oc_session_id_t session;
    gateway_open_t open;
    oc_close_reason_t reason;
    bool opens;
} pending_t;

typedef struct fuzz {
    const uint8_t *at;
    size_t left;
    gateway_t *gateway;
    struct transport_publication ways[WAYS];
    pending_t pending[LOGGED_MAX];
    uint32_t pending_count;
    uint64_t next_session;
    uint64_t position;
    uint64_t durable;
    int64_t now_ns;
    uint8_t mood; /* bits: what is refused at the moment */
} fuzz_t;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t take(fuzz_t *fuzz)
{
    if (fuzz->left == 0)
        return 0;
    fuzz->left--;
    return *fuzz->at++;
}

static transport_publication_t *add(void *context, const char *channel, int32_t stream)
{
    fuzz_t *fuzz = context;
    OC_ASSERT(strlen(channel) < GATEWAY_CHANNEL_MAX);
    (void)stream;
    for (uint32_t i = 0; i < WAYS && (fuzz->mood & 1) == 0; i++) {
        if (!fuzz->ways[i].used) {
            fuzz->ways[i] =
                (struct transport_publication){.used = true, .state = TRANSPORT_CONNECTED};
            return &fuzz->ways[i];
        }
    }
    return NULL;
}

static transport_state_t state(void *context, transport_publication_t *way)
{
    (void)context;
    OC_ASSERT(way->used);
    return way->state;
}

static transport_sent_t send_message(void *context, transport_publication_t *way, const void *bytes,
                                     size_t length)
{
    fuzz_t *fuzz = context;
    OC_ASSERT(way->used);
    if ((fuzz->mood & 2) != 0)
        return TRANSPORT_BACK_PRESSURE;
    if (way->state != TRANSPORT_CONNECTED)
        return way->state == TRANSPORT_FAILED ? TRANSPORT_BROKEN : TRANSPORT_NOT_CONNECTED;
    cluster_message_t message;
    OC_ASSERT(cluster_decode(bytes, length, &message) == OC_PROBLEM_NONE);
    /* Application messages carry here the position they depend on. */
    if (message.type == CLUSTER_SESSION_MESSAGE)
        OC_ASSERT((uint64_t)message.timestamp <= fuzz->durable);
    return TRANSPORT_SENT;
}

static void close_way(void *context, transport_publication_t *way)
{
    (void)context;
    OC_ASSERT(way->used);
    way->used = false;
}

static bool source_alive(void *context, uint64_t source)
{
    const fuzz_t *fuzz = context;
    return (fuzz->mood & 4) == 0 || source % 2 == 0;
}

static const char *address(void *context)
{
    (void)context;
    return "127.0.0.1:9010";
}

static void destroy(void *context)
{
    (void)context;
}

/* A message of one of the kinds, most of it right, so that it gets somewhere. */
static size_t make_message(fuzz_t *fuzz, uint8_t *bytes, size_t capacity)
{
    static const cluster_type_t types[] = {CLUSTER_SESSION_MESSAGE,    CLUSTER_CONNECT_REQUEST,
                                           CLUSTER_CLOSE_REQUEST,      CLUSTER_KEEP_ALIVE,
                                           CLUSTER_CHALLENGE_RESPONSE, CLUSTER_ADMIN_REQUEST,
                                           CLUSTER_SESSION_EVENT,      CLUSTER_NEW_LEADER};
    static const char channel[] = "aeron:udp?endpoint=127.0.0.1:20001|term-length=64k";
    static const char name[] = "trader";
    const uint8_t what = take(fuzz);
    cluster_message_t message = {
        .type = types[what % 8],
        .session = take(fuzz) % 16,
        .term = (what & 0x80) != 0 ? take(fuzz) : 1,
        .correlation_id = take(fuzz),
        .version = (what & 0x40) != 0 ? take(fuzz) << 16 : CLUSTER_PROTOCOL_VERSION,
        .text = {.bytes = channel, .length = sizeof channel - 1},
        .data = {.bytes = name, .length = sizeof name - 1},
    };
    if ((what & 0x20) != 0) { /* texts and data from the input */
        const uint32_t length = take(fuzz);
        message.text.bytes = (const char *)fuzz->at;
        message.text.length = length < fuzz->left ? length : (uint32_t)fuzz->left;
        message.data = message.text;
    }
    return cluster_encode(&message, bytes, capacity);
}

static int poll_sources(void *context, transport_handler_t handler, void *handler_context,
                        uint32_t limit)
{
    fuzz_t *fuzz = context;
    const uint8_t count = take(fuzz) % 4;
    int taken = 0;
    for (uint32_t i = 0; i < count && i < limit; i++) {
        uint8_t bytes[1024];
        size_t length = 0;
        const uint8_t what = take(fuzz);
        const transport_source_t source = {.id = what % 8 + 1U, .host = "127.0.0.1"};
        if (what < 200) {
            length = make_message(fuzz, bytes, sizeof bytes);
        } else { /* the input as it is */
            length = take(fuzz);
            length = length < fuzz->left ? length : fuzz->left;
            memcpy(bytes, fuzz->at, length);
        }
        if (what >= 250)
            handler(handler_context, &source, NULL, length);
        else if (handler(handler_context, &source, bytes, length) == TRANSPORT_AGAIN)
            break;
        taken++;
    }
    return taken;
}

static bool remember(fuzz_t *fuzz, const pending_t *pending)
{
    if (fuzz->pending_count == LOGGED_MAX)
        return false;
    fuzz->pending[fuzz->pending_count++] = *pending;
    return true;
}

static bool on_open(void *context, oc_session_id_t session, const gateway_open_t *open)
{
    fuzz_t *fuzz = context;
    return (fuzz->mood & 8) == 0 &&
           remember(fuzz, &(pending_t){.session = session, .open = *open, .opens = true});
}

static bool on_message(void *context, oc_session_id_t session, const void *bytes, size_t length)
{
    fuzz_t *fuzz = context;
    if ((fuzz->mood & 16) != 0)
        return false;
    fuzz->position++;
    gateway_send(fuzz->gateway, session, bytes, length, fuzz->position, (int64_t)fuzz->position);
    return true;
}

static bool on_close(void *context, oc_session_id_t session, oc_close_reason_t reason)
{
    fuzz_t *fuzz = context;
    return (fuzz->mood & 32) == 0 &&
           remember(fuzz, &(pending_t){.session = session, .reason = reason});
}

static oc_session_id_t reserve_session(void *context)
{
    fuzz_t *fuzz = context;
    return (oc_session_id_t){.value = ++fuzz->next_session};
}

/* The log says what was asked for first. */
static void apply(fuzz_t *fuzz)
{
    if (fuzz->pending_count == 0)
        return;
    const pending_t first = fuzz->pending[0];
    fuzz->pending_count--;
    memmove(fuzz->pending, fuzz->pending + 1, fuzz->pending_count * sizeof fuzz->pending[0]);
    fuzz->position++;
    if (!first.opens)
        gateway_session_closed(fuzz->gateway, first.session, first.reason, fuzz->position);
    else if (gateway_session_opened(fuzz->gateway, first.session, &first.open, fuzz->position))
        gateway_send(fuzz->gateway, first.session, "hello", 5, fuzz->position,
                     (int64_t)fuzz->position);
}

static void step(fuzz_t *fuzz)
{
    const uint8_t what = take(fuzz);
    switch (what % 8) {
    case 0:
        fuzz->mood = take(fuzz);
        break;
    case 1:
        fuzz->now_ns += (int64_t)take(fuzz) * 1000 * 1000 * 10;
        break;
    case 2:
        fuzz->ways[take(fuzz) % WAYS].state = (transport_state_t)(what >> 3) % 4;
        break;
    case 3:
        fuzz->durable = fuzz->position;
        break;
    default:
        apply(fuzz);
    }
    fuzz->now_ns += 1000 * 1000;
    gateway_do_work(fuzz->gateway, fuzz->now_ns, fuzz->durable, (what & 0x80) != 0);
}

/* What was there before a restart. */
static void restore(fuzz_t *fuzz)
{
    const uint8_t count = take(fuzz) % 4;
    for (uint8_t i = 0; i < count; i++) {
        gateway_open_t open = {.response_channel = "aeron:udp?endpoint=127.0.0.1:20001",
                               .channel_length = 34};
        if (take(fuzz) > 200)
            open.response_channel[take(fuzz) % 34] = (char)take(fuzz);
        const oc_session_id_t session = {.value = ++fuzz->next_session};
        if (gateway_session_restored(fuzz->gateway, session, &open) && take(fuzz) > 128)
            gateway_session_closed(fuzz->gateway, session, 1, ++fuzz->position);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_t *fuzz = calloc(1, sizeof *fuzz);
    OC_ASSERT(fuzz != NULL);
    fuzz->at = data;
    fuzz->left = size;
    gateway_config_t config;
    gateway_config_init(&config);
    config.max_sessions = 4;
    config.max_connecting = 3;
    config.message_bytes_max = 2048;
    config.session_backlog_bytes = 8192;
    config.backlog_bytes = 5 * 4096;
    const transport_t transport = {.context = fuzz,
                                   .add = add,
                                   .state = state,
                                   .send = send_message,
                                   .close = close_way,
                                   .source_alive = source_alive,
                                   .poll = poll_sources,
                                   .address = address,
                                   .destroy = destroy};
    const gateway_sink_t sink = {.context = fuzz,
                                 .open = on_open,
                                 .message = on_message,
                                 .close = on_close,
                                 .reserve_session = reserve_session};
    const oc_err_t err = gateway_create_on(&fuzz->gateway, &config, &transport, &sink);
    OC_ASSERT(err == OC_ERR_OK);
    gateway_set_term(fuzz->gateway, 1);
    restore(fuzz);
    for (int steps = 0; fuzz->left > 0 && steps < STEPS_MAX; steps++)
        step(fuzz);
    gateway_destroy(fuzz->gateway);
    for (uint32_t i = 0; i < WAYS; i++)
        OC_ASSERT(!fuzz->ways[i].used);
    free(fuzz);
    return 0;
}
