/*
 * Driver, channels and messages of the transport benches. Called by the benches that measure Aeron
 * itself.
 *
 * Invariants: the plan says every parameter in the channel, so that a driver that runs elsewhere
 * with other defaults is measured with the same ones; nothing is sent that is not one frame. A
 * message that is not ours changes nothing.
 */
#define _GNU_SOURCE
#include "bench/wire.h"

#include "aeron/counter_table.h"
#include "aeron/endpoint.h"
#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/statvfs.h>

#define ANSWER_NS  UINT64_C(10000000000) /* of a driver */
#define MEMORY_DIR "/dev/shm"
#define TERM_MIN   (64U * 1024)
#define TERM_MAX   (1024U * 1024 * 1024)
#define MTU_MIN    64U
#define MTU_MAX    65504U
#define LOG_TERMS  3
#define FLAG_SIZE  32
#define UDP_PREFIX "aeron:udp?"
#define IPC_PREFIX "aeron:ipc"
#define HOST_SIZE  256

/* ---- A message ------------------------------------------------------------------------------- */

static void put(uint8_t *bytes, uint64_t value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

void wire_message_encode(const wire_message_t *message, uint8_t bytes[WIRE_MESSAGE_MIN])
{
    put(bytes, message->sequence, 8);
    put(bytes + 8, message->intended_ns, 8);
    put(bytes + 16, message->sent_ns, 8);
    put(bytes + 24, message->sender, 4);
    put(bytes + 28, message->kind, 2);
    put(bytes + 30, WIRE_MAGIC, 2);
}

bool wire_message_decode(wire_message_t *message, const uint8_t *bytes, size_t length)
{
    if (length < WIRE_MESSAGE_MIN || get(bytes + 30, 2) != WIRE_MAGIC)
        return false;
    *message = (wire_message_t){
        .sequence = get(bytes, 8),
        .intended_ns = get(bytes + 8, 8),
        .sent_ns = get(bytes + 16, 8),
        .sender = (uint32_t)get(bytes + 24, 4),
        .kind = (uint16_t)get(bytes + 28, 2),
    };
    return true;
}

/* ---- The plan: channels ---------------------------------------------------------------------- */

const char *wire_media_name(wire_media_t media)
{
    static const char *const names[] = {"ipc", "udp unicast", "udp multicast"};
    return names[media];
}

/* The value of `key` among the parameters of a channel, and its length; NULL: it has none. */
static const char *parameter(const char *channel, const char *key, size_t *length)
{
    const size_t key_length = strlen(key);
    const char *at = strchr(channel, '?');
    while (at != NULL) {
        at++;
        if (strncmp(at, key, key_length) == 0 && at[key_length] == '=') {
            at += key_length + 1;
            *length = strcspn(at, "|");
            return at;
        }
        at = strchr(at, '|');
    }
    return NULL;
}

/* Bytes as Aeron has them: a number, and k, m or g behind it. */
static bool parse_bytes(const char *text, size_t length, uint64_t *value)
{
    static const char suffixes[] = "kmgKMG";
    char *end;
    if (length == 0 || length > 12 || *text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 10);
    const size_t digits = (size_t)(end - text);
    if (digits == length)
        return true;
    const char *suffix = strchr(suffixes, *end);
    if (digits + 1 != length || suffix == NULL)
        return false;
    *value <<= 10 * ((suffix - suffixes) % 3 + 1);
    return true;
}

static bool is_multicast(const char *host)
{
    char *end;
    if (*host == '[')
        return strncmp(host + 1, "ff", 2) == 0 || strncmp(host + 1, "FF", 2) == 0;
    const unsigned long first = strtoul(host, &end, 10);
    return end != host && *end == '.' && first >= 224 && first <= 239;
}

/* Splits an endpoint at its last colon. */
static oc_err_t split_endpoint(const char *text, size_t length, char host[HOST_SIZE],
                               unsigned *port)
{
    const char *colon = memrchr(text, ':', length);
    char *end = NULL;
    const unsigned long number = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (colon == NULL || colon == text || end == colon + 1 || end != text + length ||
        number > 65535 || colon - text >= HOST_SIZE || colon[1] < '0' || colon[1] > '9')
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "the endpoint '%.*s': HOST:PORT expected, port 0 to 65535", (int)length,
                         text);
    (void)snprintf(host, HOST_SIZE, "%.*s", (int)(colon - text), text);
    *port = (unsigned)number;
    return OC_ERR_OK;
}

static oc_err_t read_media(const char *channel, wire_media_t *media)
{
    size_t length = 0;
    unsigned port;
    char host[HOST_SIZE];
    if (strcmp(channel, IPC_PREFIX) == 0 || strncmp(channel, IPC_PREFIX "?", 10) == 0) {
        *media = WIRE_IPC;
        return OC_ERR_OK;
    }
    const char *endpoint = parameter(channel, "endpoint", &length);
    if (strncmp(channel, UDP_PREFIX, sizeof UDP_PREFIX - 1) != 0 || endpoint == NULL)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "the channel '%.200s': aeron:ipc, or aeron:udp?endpoint=HOST:PORT and "
                         "what else it needs, expected",
                         channel);
    const oc_err_t err = split_endpoint(endpoint, length, host, &port);
    if (err != OC_ERR_OK)
        return err;
    *media = is_multicast(host) ? WIRE_MULTICAST : WIRE_UNICAST;
    if (*media == WIRE_MULTICAST && port == 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "the multicast group %s needs a port: both ends must know it", host);
    return OC_ERR_OK;
}

static oc_err_t keep_channel(char channel[WIRE_CHANNEL_SIZE], const char *prefix, const char *text)
{
    const int length = snprintf(channel, WIRE_CHANNEL_SIZE, "%s%s", prefix, text);
    if (length >= WIRE_CHANNEL_SIZE)
        return error_set(OC_ERR_TOO_LONG, "the channel %.64s...: at most %d characters", channel,
                         WIRE_CHANNEL_SIZE - 1);
    return OC_ERR_OK;
}

static oc_err_t choose_there(wire_plan_t *self, const wire_options_t *options)
{
    if (options->channel && options->endpoint)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "--channel and --endpoint exclude each other: the channel has its own");
    const char *endpoint = options->endpoint ? options->endpoint : WIRE_ENDPOINT_DEFAULT;
    const oc_err_t err = options->channel
                             ? keep_channel(self->channel, "", options->channel)
                             : keep_channel(self->channel, UDP_PREFIX "endpoint=", endpoint);
    return err == OC_ERR_OK ? read_media(self->channel, &self->media) : err;
}

/* Unless it is told: the other stream of the same channel, or a port of the same host. */
static oc_err_t choose_back(wire_plan_t *self, const wire_options_t *options)
{
    char host[HOST_SIZE];
    char endpoint[HOST_SIZE + 8];
    unsigned port;
    size_t length = 0;
    if (options->one_way && (options->back_channel || options->back_endpoint))
        return error_set(OC_ERR_INVALID_ARGUMENT, "there is no way back here");
    if (options->back_channel && options->back_endpoint)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "--back-channel and --back-endpoint exclude each other");
    if (options->one_way)
        return OC_ERR_OK;
    if (options->back_channel)
        return keep_channel(self->back, "", options->back_channel);
    if (options->back_endpoint)
        return keep_channel(self->back, UDP_PREFIX "endpoint=", options->back_endpoint);
    if (self->media != WIRE_UNICAST)
        return keep_channel(self->back, "", self->channel);
    if (options->apart)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "where the sender takes answers is missing: --back-endpoint HOST:PORT, "
                         "the same for both ends");
    const char *there = parameter(self->channel, "endpoint", &length);
    OC_ASSERT(there != NULL);
    const oc_err_t err = split_endpoint(there, length, host, &port);
    if (err != OC_ERR_OK)
        return err;
    (void)snprintf(endpoint, sizeof endpoint, "%s:0", host);
    return keep_channel(self->back, UDP_PREFIX "endpoint=", endpoint);
}

static bool has_free_port(const char *channel)
{
    size_t length = 0;
    const char *endpoint = parameter(channel, "endpoint", &length);
    return endpoint != NULL && length >= 2 && strncmp(endpoint + length - 2, ":0", 2) == 0;
}

/* What two processes cannot find out by themselves. */
static oc_err_t check_apart(const wire_plan_t *self, const wire_options_t *options)
{
    if (!options->apart)
        return OC_ERR_OK;
    if (self->media == WIRE_IPC && !options->aeron_dir)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "aeron:ipc between two processes goes through one driver: --aeron-dir of "
                         "one that runs (outcry driver), the same for both ends");
    if (!options->channel && !options->endpoint)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "where the receiver takes messages is missing: --endpoint or --channel, "
                         "the same for both ends");
    if (has_free_port(self->channel) || has_free_port(self->back))
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "port 0 is one that is free, which the other process cannot know: name "
                         "a port");
    return OC_ERR_OK;
}

/* ---- The plan: parameters -------------------------------------------------------------------- */

typedef struct setting {
    const char *key;    /* in a channel */
    const char *option; /* on the command line */
    uint64_t given;     /* by that; 0: not */
    uint64_t usual;
    bool of_udp;
    uint32_t *value;
} setting_t;

/* Lets a channel say it; what it says by itself is to be the same, for both ways are one plan. */
static oc_err_t say(const setting_t *setting, uint64_t value, char channel[WIRE_CHANNEL_SIZE])
{
    char text[FLAG_SIZE + 16];
    uint64_t said = 0;
    size_t length = 0;
    const size_t used = strlen(channel);
    const char *in_channel = parameter(channel, setting->key, &length);
    if (in_channel && parse_bytes(in_channel, length, &said) && said == value)
        return OC_ERR_OK;
    if (in_channel)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "%s=%.*s in the back channel, and %" PRIu64
                         " for the way there: both ways have the same; leave it out of the back "
                         "channel",
                         setting->key, (int)length, in_channel, value);
    (void)snprintf(text, sizeof text, "%c%s=%" PRIu64, strchr(channel, '?') == NULL ? '?' : '|',
                   setting->key, value);
    if (used + strlen(text) >= WIRE_CHANNEL_SIZE)
        return error_set(OC_ERR_TOO_LONG, "the channel %.64s...: at most %d characters", channel,
                         WIRE_CHANNEL_SIZE - 1);
    (void)snprintf(channel + used, WIRE_CHANNEL_SIZE - used, "%s", text);
    return OC_ERR_OK;
}

/* From the option, from the channel, or as usual; a channel then says it in any case. */
static oc_err_t settle(const setting_t *setting, wire_plan_t *self)
{
    size_t length = 0;
    size_t back_length = 0;
    uint64_t value = setting->given ? setting->given : setting->usual;
    const char *in_channel = parameter(self->channel, setting->key, &length);
    if (setting->given && in_channel)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "%s, and %s in the channel: say it in one place only", setting->option,
                         setting->key);
    if (setting->of_udp && self->media == WIRE_IPC) {
        if (setting->given || in_channel || parameter(self->back, setting->key, &back_length))
            return error_set(OC_ERR_INVALID_ARGUMENT, "%s is of UDP, and aeron:ipc has no socket",
                             setting->option);
        return OC_ERR_OK;
    }
    if (in_channel && !parse_bytes(in_channel, length, &value))
        return error_set(OC_ERR_INVALID_ARGUMENT, "%s=%.*s in the channel: bytes expected",
                         setting->key, (int)length, in_channel);
    if (value == 0 || value > TERM_MAX)
        return error_set(OC_ERR_INVALID_ARGUMENT, "%s: %" PRIu64 " bytes, allowed are 1 to %u",
                         setting->option, value, TERM_MAX);
    *setting->value = (uint32_t)value;
    const oc_err_t err = say(setting, value, self->channel);
    return err == OC_ERR_OK && *self->back ? say(setting, value, self->back) : err;
}

static oc_err_t settle_all(wire_plan_t *self, const wire_options_t *options)
{
    const uint64_t receive = embedded_granted_bytes(SO_RCVBUF, WIRE_SOCKET_DEFAULT);
    const uint64_t send = embedded_granted_bytes(SO_SNDBUF, WIRE_SOCKET_DEFAULT);
    const setting_t first[] = {
        {"mtu", "--mtu", options->mtu, WIRE_MTU_DEFAULT, false, &self->mtu},
        {"term-length", "--term-length", options->term_length, WIRE_TERM_DEFAULT, false,
         &self->term_length},
        {"so-rcvbuf", "--so-rcvbuf", options->so_rcvbuf, receive, true, &self->so_rcvbuf},
        {"so-sndbuf", "--so-sndbuf", options->so_sndbuf, send, true, &self->so_sndbuf},
    };
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        const oc_err_t err = settle(&first[i], self);
        if (err != OC_ERR_OK)
            return err;
    }
    const setting_t window = {
        "rcv-wnd", "--receiver-window",   options->receiver_window, self->so_rcvbuf,
        true,      &self->receiver_window};
    return settle(&window, self);
}

static oc_err_t check_sizes(const wire_plan_t *self)
{
    const uint32_t term = self->term_length;
    if (self->mtu < MTU_MIN || self->mtu > MTU_MAX || self->mtu % WIRE_FRAME_BYTES != 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "--mtu: %" PRIu32 " bytes, allowed are multiples of 32 from %u to %u",
                         self->mtu, MTU_MIN, MTU_MAX);
    if (term < TERM_MIN || term > TERM_MAX || (term & (term - 1)) != 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "--term-length: %" PRIu32 " bytes, allowed are powers of two from %u "
                         "to %u",
                         term, TERM_MIN, TERM_MAX);
    if (self->mtu > term / 8)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "--mtu %" PRIu32 " is more than an eighth of --term-length %" PRIu32
                         ": Aeron allows no such frames; give longer terms",
                         self->mtu, term);
    if (self->message_bytes < WIRE_MESSAGE_MIN)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "a message of %" PRIu32 " bytes: the header alone has %d",
                         self->message_bytes, WIRE_MESSAGE_MIN);
    if (self->message_bytes > self->mtu - WIRE_FRAME_BYTES)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "a message of %" PRIu32 " bytes does not fit one frame of --mtu %" PRIu32
                         ", which takes %" PRIu32 "; --mtu up to %u is possible",
                         self->message_bytes, self->mtu, self->mtu - WIRE_FRAME_BYTES, MTU_MAX);
    return OC_ERR_OK;
}

static oc_err_t check_granted(const char *option, const char *limit, int socket_option,
                              uint32_t wanted)
{
    const size_t granted = embedded_granted_bytes(socket_option, wanted);
    if (granted >= wanted)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "%s: %" PRIu32 " bytes, but the system grants %zu; raise %s or give less",
                     option, wanted, granted, limit);
}

static oc_err_t check_sockets(const wire_plan_t *self)
{
    if (self->media == WIRE_IPC)
        return OC_ERR_OK;
    oc_err_t err = check_granted("--so-rcvbuf", "net.core.rmem_max", SO_RCVBUF, self->so_rcvbuf);
    if (err == OC_ERR_OK)
        err = check_granted("--so-sndbuf", "net.core.wmem_max", SO_SNDBUF, self->so_sndbuf);
    if (err != OC_ERR_OK)
        return err;
    if (self->so_sndbuf < self->mtu)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "--so-sndbuf %" PRIu32 " is below one datagram of --mtu %" PRIu32,
                         self->so_sndbuf, self->mtu);
    if (self->receiver_window < self->mtu)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "--receiver-window %" PRIu32 " is below one datagram of --mtu %" PRIu32
                         ": nothing could be sent",
                         self->receiver_window, self->mtu);
    if (self->receiver_window > self->so_rcvbuf)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "--receiver-window %" PRIu32 " is above --so-rcvbuf %" PRIu32
                         ": the receiver would grant what its socket cannot hold",
                         self->receiver_window, self->so_rcvbuf);
    return OC_ERR_OK;
}

oc_err_t wire_plan_init(wire_plan_t *self, const wire_options_t *options)
{
    memset(self, 0, sizeof *self);
    self->message_bytes =
        options->message_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)options->message_bytes;
    self->stream = options->stream ? (int32_t)options->stream : WIRE_STREAM_DEFAULT;
    self->back_stream = self->stream + 1;
    oc_err_t err = choose_there(self, options);
    if (err == OC_ERR_OK)
        err = choose_back(self, options);
    wire_media_t back = self->media;
    if (err == OC_ERR_OK && *self->back)
        err = read_media(self->back, &back);
    if (err == OC_ERR_OK && (back == WIRE_IPC) != (self->media == WIRE_IPC))
        err = error_set(OC_ERR_INVALID_ARGUMENT,
                        "the way there is %s and the way back %s: both by UDP or both by IPC",
                        wire_media_name(self->media), wire_media_name(back));
    if (err == OC_ERR_OK)
        err = check_apart(self, options);
    if (err == OC_ERR_OK)
        err = settle_all(self, options);
    if (err == OC_ERR_OK)
        err = check_sizes(self);
    return err == OC_ERR_OK ? check_sockets(self) : err;
}

uint32_t wire_plan_window(const wire_plan_t *self)
{
    const uint32_t ahead = self->term_length / 2;
    return self->media == WIRE_IPC || self->receiver_window > ahead ? ahead : self->receiver_window;
}

/* ---- One end --------------------------------------------------------------------------------- */

/* Logs are sparse files: what does not fit is noticed only when it is written, and ends the
 * process. */
static oc_err_t check_memory(const wire_plan_t *plan, unsigned publications)
{
    struct statvfs info;
    const uint64_t logs = (uint64_t)publications * (plan->media == WIRE_IPC ? 1 : 2);
    const uint64_t needed = logs * LOG_TERMS * plan->term_length;
    if (statvfs(MEMORY_DIR, &info) != 0)
        return OC_ERR_OK; /* the driver says it better */
    const uint64_t free_bytes = (uint64_t)info.f_bavail * info.f_frsize;
    if (needed <= free_bytes)
        return OC_ERR_OK;
    return error_set(OC_ERR_NO_SPACE,
                     "--term-length %" PRIu32 ": up to %" PRIu64 " MiB of logs, and " MEMORY_DIR
                     " has %" PRIu64 " MiB free; give shorter terms",
                     plan->term_length, needed >> 20, free_bytes >> 20);
}

static oc_err_t open_client(wire_t *self, const char *aeron_dir)
{
    counter_table_t *table;
    embedded_config_t config;
    /* Aeron itself would wait ten seconds for a driver that is not there. */
    const oc_err_t err = counter_table_open(&table, aeron_dir);
    if (err != OC_ERR_OK)
        return err;
    counter_table_close(table);
    embedded_config_init(&config);
    config.dir = aeron_dir;
    config.threading = EMBEDDED_EXTERNAL;
    return embedded_create(&self->embedded, &config);
}

oc_err_t wire_open(wire_t *self, const wire_options_t *options)
{
    embedded_config_t config;
    memset(self, 0, sizeof *self);
    oc_err_t err = wire_plan_init(&self->plan, options);
    if (err != OC_ERR_OK)
        return err;
    if (options->aeron_dir)
        return open_client(self, options->aeron_dir);
    err = check_memory(&self->plan, options->publications);
    if (err != OC_ERR_OK)
        return err;
    self->own_driver = true;
    self->dedicated = options->dedicated;
    embedded_config_init(&config);
    config.threading = options->dedicated ? EMBEDDED_DEDICATED : EMBEDDED_SHARED;
    return embedded_create(&self->embedded, &config);
}

oc_err_t wire_join(wire_t *self, const wire_t *other)
{
    memset(self, 0, sizeof *self);
    self->plan = other->plan;
    return open_client(self, embedded_dir(other->embedded));
}

void wire_close(wire_t *self)
{
    embedded_destroy(self->embedded);
    self->embedded = NULL;
}

static endpoint_request_t request_of(wire_t *wire, const char *what, const char *channel,
                                     int32_t stream)
{
    return (endpoint_request_t){
        .embedded = wire->embedded,
        .what = what,
        .channel = channel,
        .stream = stream,
        .timeout_ns = ANSWER_NS,
    };
}

/* The driver tells which port was free when it has bound the socket. */
static oc_err_t resolve_port(wire_in_t *self, wire_t *wire)
{
    const uint64_t start_ns = clock_wall_ns();
    for (;;) {
        char channel[WIRE_CHANNEL_SIZE];
        const int length = aeron_subscription_try_resolve_channel_endpoint_port(
            self->subscription, channel, sizeof channel);
        if (length > 0 && length < WIRE_CHANNEL_SIZE) {
            memcpy(self->channel, channel, sizeof channel);
            return OC_ERR_OK;
        }
        if (length != 0)
            return error_set(OC_ERR_TRANSPORT, "the port of %s: %s", self->channel,
                             embedded_error_line());
        if (clock_wall_ns() - start_ns > ANSWER_NS)
            return error_set(OC_ERR_TIMEOUT, "the driver does not tell the port of %s",
                             self->channel);
        (void)embedded_do_work(wire->embedded);
        endpoint_pause(start_ns);
    }
}

oc_err_t wire_in_open(wire_in_t *self, wire_t *wire, const char *channel, int32_t stream)
{
    memset(self, 0, sizeof *self);
    oc_err_t err = keep_channel(self->channel, "", channel);
    if (err != OC_ERR_OK)
        return err;
    const endpoint_request_t request = request_of(wire, "the subscription", channel, stream);
    err = endpoint_subscription(&request, &self->subscription);
    if (err != OC_ERR_OK || !has_free_port(channel))
        return err;
    err = resolve_port(self, wire);
    if (err != OC_ERR_OK)
        wire_in_close(self);
    return err;
}

oc_err_t wire_out_open(wire_out_t *self, wire_t *wire, const char *channel, int32_t stream)
{
    memset(self, 0, sizeof *self);
    const endpoint_request_t request = request_of(wire, "the publication", channel, stream);
    return endpoint_exclusive(&request, &self->publication);
}

void wire_in_close(wire_in_t *self)
{
    if (self->subscription != NULL)
        (void)aeron_subscription_close(self->subscription, NULL, NULL);
    self->subscription = NULL;
}

void wire_out_close(wire_out_t *self)
{
    if (self->publication != NULL)
        (void)aeron_exclusive_publication_close(self->publication, NULL, NULL);
    self->publication = NULL;
}

bool wire_out_connected(const wire_out_t *self)
{
    return aeron_exclusive_publication_is_connected(self->publication);
}

bool wire_in_connected(const wire_in_t *self)
{
    return aeron_subscription_is_connected(self->subscription);
}

wire_sent_t wire_send(wire_out_t *self, const wire_message_t *message, uint32_t bytes)
{
    aeron_buffer_claim_t claim;
    OC_ASSERT(bytes >= WIRE_MESSAGE_MIN);
    int64_t position = aeron_exclusive_publication_try_claim(self->publication, bytes, &claim);
    /* The log has turned to its next term, which takes it: nobody was in the way. */
    if (UNLIKELY(position == AERON_PUBLICATION_ADMIN_ACTION))
        position = aeron_exclusive_publication_try_claim(self->publication, bytes, &claim);
    if (LIKELY(position >= 0)) {
        wire_message_encode(message, claim.data);
        (void)aeron_buffer_claim_commit(&claim);
        return WIRE_SENT;
    }
    if (position == AERON_PUBLICATION_BACK_PRESSURED || position == AERON_PUBLICATION_ADMIN_ACTION)
        return WIRE_BUSY;
    return position == AERON_PUBLICATION_NOT_CONNECTED ? WIRE_AWAY : WIRE_DEAD;
}

int wire_poll(wire_in_t *self, aeron_fragment_handler_t handler, void *context, size_t limit)
{
    return aeron_subscription_poll(self->subscription, handler, context, limit);
}

/* ---- For reports ----------------------------------------------------------------------------- */

static void add_text(wire_facts_t *facts, const char *name, const char *value)
{
    OC_ASSERT(facts->count < WIRE_FACTS_MAX);
    wire_fact_t *fact = &facts->items[facts->count++];
    fact->name = name;
    fact->is_number = false;
    (void)snprintf(fact->value, sizeof fact->value, "%s", value);
}

static void add_number(wire_facts_t *facts, const char *name, int64_t value)
{
    char text[FLAG_SIZE];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    add_text(facts, name, text);
    facts->items[facts->count - 1].is_number = true;
}

/* Aeron takes them from the environment; ours sets none. */
static void add_idle(wire_facts_t *facts, bool dedicated)
{
    static const char *const names[] = {"AERON_SHARED_IDLE_STRATEGY", "AERON_SENDER_IDLE_STRATEGY",
                                        "AERON_RECEIVER_IDLE_STRATEGY",
                                        "AERON_CONDUCTOR_IDLE_STRATEGY"};
    char text[WIRE_CHANNEL_SIZE] = "";
    const size_t first = dedicated ? 1 : 0;
    const size_t end = dedicated ? sizeof names / sizeof names[0] : 1;
    for (size_t i = first; i < end; i++) {
        const char *value = getenv(names[i]);
        const size_t used = strlen(text);
        if (value && *value && used < sizeof text)
            (void)snprintf(text + used, sizeof text - used, "%s%s=%s", used ? " " : "", names[i],
                           value);
    }
    add_text(facts, "driver_idle", *text ? text : "Aeron's own (backoff)");
}

void wire_facts(const wire_t *self, wire_facts_t *facts)
{
    const wire_plan_t *plan = &self->plan;
    memset(facts, 0, sizeof *facts);
    add_text(facts, "transport", wire_media_name(plan->media));
    add_text(facts, "channel", plan->channel);
    add_number(facts, "stream", plan->stream);
    if (*plan->back) {
        add_text(facts, "back_channel", plan->back);
        add_number(facts, "back_stream", plan->back_stream);
    }
    add_number(facts, "message_bytes", plan->message_bytes);
    add_number(facts, "mtu", plan->mtu);
    add_number(facts, "term_length", plan->term_length);
    if (plan->media != WIRE_IPC) {
        add_number(facts, "so_rcvbuf", plan->so_rcvbuf);
        add_number(facts, "so_sndbuf", plan->so_sndbuf);
        add_number(facts, "receiver_window", plan->receiver_window);
    }
    add_number(facts, "window_in_effect", wire_plan_window(plan));
    add_text(facts, "driver",
             !self->own_driver ? "external"
             : self->dedicated ? "embedded, three threads"
                               : "embedded, one thread");
    if (self->own_driver)
        add_idle(facts, self->dedicated);
    add_text(facts, "aeron_dir", embedded_dir(self->embedded));
    add_text(facts, "aeron_version", aeron_version_text());
}
