/*
 * Checks response channels. Called by the gateway for connect requests, which anybody can send, and
 * for the channels of sessions that come back from the log.
 *
 * A channel text is a little program for the media driver, and this one comes from a stranger. So
 * nothing of it is handed on; a new text is written from what is understood:
 *
 *   aeron:udp, `endpoint` numeric (or "localhost"), unicast, port not 0: a name would have the
 *       driver ask a name server, and wait; a group address would have us flood a network.
 *   aeron:ipc: for clients that share the driver.
 *   `term-length` between what the longest message needs and 16 MiB, 256 KiB if absent: a log
 *       buffer is three terms of memory, and the driver's own limit is a gigabyte each.
 *   `mtu`, as far as it is a size that the driver takes.
 *
 * What only concerns the receiving end or is harmless is left out: alias, rcv-wnd, so-rcvbuf,
 * so-sndbuf, sparse, linger, reliable, tether, rejoin, group, eos, ssc, nak-delay, ttl. Every other
 * parameter refuses the channel, among them control and control-mode (destinations of the client's
 * choosing), interface, session-id, init-term-id, term-id, term-offset, fc, cc, tags, spies.
 */
#define _GNU_SOURCE

#include "gateway/response_channel.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TERM_BYTES_DEFAULT (256 * 1024)
#define TERM_BYTES_MAX     (16 * 1024 * 1024)
#define MTU_BYTES_MIN      1408
#define MTU_BYTES_MAX      65504

/* Aeron takes messages of at most an eighth of a term, their headers included. */
#define MESSAGES_PER_TERM 8
#define FRAME_HEADER_MAX  1024

typedef struct parameters {
    char endpoint[TRANSPORT_HOST_MAX + 8];
    uint64_t term_bytes; /* 0: not said */
    uint64_t mtu_bytes;
} parameters_t;

/* A number with k, m or g; 0 for anything else. */
static uint64_t parse_size(const char *text)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9' || strlen(text) > 12)
        return 0;
    uint64_t value = strtoull(text, &end, 10);
    if ((end[0] | 0x20) == 'k')
        value <<= 10;
    else if ((end[0] | 0x20) == 'm')
        value <<= 20;
    else if ((end[0] | 0x20) == 'g')
        value <<= 30;
    else
        return end[0] == '\0' ? value : 0;
    return end[1] == '\0' ? value : 0;
}

static bool is_ignored(const char *name)
{
    static const char *const ignored[] = {"alias",  "rcv-wnd",  "so-rcvbuf", "so-sndbuf", "sparse",
                                          "linger", "reliable", "tether",    "rejoin",    "group",
                                          "eos",    "ssc",      "nak-delay", "ttl"};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        if (strcmp(name, ignored[i]) == 0)
            return true;
    }
    return false;
}

static bool take_parameter(parameters_t *parameters, const char *name, const char *value)
{
    if (strcmp(name, "endpoint") == 0) {
        const int length = snprintf(parameters->endpoint, sizeof parameters->endpoint, "%s", value);
        return length > 0 && (size_t)length < sizeof parameters->endpoint;
    }
    if (strcmp(name, "term-length") == 0) {
        parameters->term_bytes = parse_size(value);
        return parameters->term_bytes != 0;
    }
    if (strcmp(name, "mtu") == 0) {
        parameters->mtu_bytes = parse_size(value);
        return parameters->mtu_bytes >= MTU_BYTES_MIN && parameters->mtu_bytes <= MTU_BYTES_MAX &&
               parameters->mtu_bytes % 32 == 0;
    }
    return is_ignored(name);
}

/* name=value|name=value; `text` is a copy that is cut up. */
static bool parse_parameters(parameters_t *parameters, char *text)
{
    while (text != NULL && text[0] != '\0') {
        char *next = strchr(text, '|');
        if (next != NULL)
            *next++ = '\0';
        char *value = strchr(text, '=');
        if (value == NULL)
            return false;
        *value++ = '\0';
        if (!take_parameter(parameters, text, value))
            return false;
        text = next;
    }
    return true;
}

static bool is_unicast(const char *host, bool v6)
{
    struct in_addr four;
    struct in6_addr six;
    if (v6)
        return inet_pton(AF_INET6, host, &six) == 1 && six.s6_addr[0] != 0xff &&
               !IN6_IS_ADDR_UNSPECIFIED(&six);
    if (inet_pton(AF_INET, host, &four) != 1)
        return false;
    const uint32_t address = ntohl(four.s_addr);
    return address >> 24 != 0 && address >> 28 < 0xe; /* from 224.0.0.0 on: groups, broadcast */
}

/* HOST:PORT or [HOST]:PORT; the host goes to `host`, without brackets. */
static bool parse_endpoint(const char *endpoint, char host[TRANSPORT_HOST_MAX], unsigned *port)
{
    const char *colon = strrchr(endpoint, ':');
    if (colon == NULL || colon == endpoint)
        return false;
    const bool v6 = endpoint[0] == '[';
    const char *from = v6 ? endpoint + 1 : endpoint;
    const char *to = v6 ? colon - 1 : colon;
    if (to <= from || (v6 && *to != ']') || (size_t)(to - from) >= TRANSPORT_HOST_MAX)
        return false;
    memset(host, 0, TRANSPORT_HOST_MAX);
    memcpy(host, from, (size_t)(to - from));
    if (!v6 && strcmp(host, "localhost") == 0)
        snprintf(host, TRANSPORT_HOST_MAX, "127.0.0.1");

    char *end = NULL;
    const unsigned long number = strtoul(colon + 1, &end, 10);
    if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || number == 0 || number > 65535)
        return false;
    *port = (unsigned)number;
    return is_unicast(host, v6);
}

static uint64_t choose_term(uint64_t asked, size_t message_bytes_max)
{
    const uint64_t wanted = asked == 0 ? TERM_BYTES_DEFAULT : asked;
    uint64_t term = 64 * 1024;
    while (term < TERM_BYTES_MAX &&
           (term < wanted || term / MESSAGES_PER_TERM < message_bytes_max + FRAME_HEADER_MAX))
        term *= 2;
    return term;
}

static bool is_printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    }
    return true;
}

bool response_channel_parse(response_channel_t *channel, const char *text, size_t length,
                            size_t message_bytes_max)
{
    static const char udp[] = "aeron:udp";
    static const char ipc[] = "aeron:ipc";
    const size_t scheme = sizeof udp - 1;
    memset(channel, 0, sizeof *channel);
    if (length < scheme || length >= GATEWAY_CHANNEL_MAX || !is_printable(text, length))
        return false;
    char copy[GATEWAY_CHANNEL_MAX];
    memcpy(copy, text, length);
    copy[length] = '\0';
    const bool is_udp = strncmp(copy, udp, scheme) == 0;
    if (!is_udp && strncmp(copy, ipc, scheme) != 0)
        return false;
    parameters_t parameters = {0};
    if (copy[scheme] != '\0' && copy[scheme] != '?')
        return false;
    if (copy[scheme] == '?' && !parse_parameters(&parameters, copy + scheme + 1))
        return false;

    unsigned port = 0;
    if (is_udp ? !parse_endpoint(parameters.endpoint, channel->host, &port)
               : parameters.endpoint[0] != '\0')
        return false;
    const char *bracket = strchr(channel->host, ':') != NULL ? "[" : "";
    char endpoint[TRANSPORT_HOST_MAX + 32] = "";
    char mtu[32] = "";
    if (is_udp)
        snprintf(endpoint, sizeof endpoint, "endpoint=%s%s%s:%u|", bracket, channel->host,
                 bracket[0] == '\0' ? "" : "]", port);
    if (parameters.mtu_bytes != 0)
        snprintf(mtu, sizeof mtu, "|mtu=%u", (unsigned)parameters.mtu_bytes);
    const int written =
        snprintf(channel->text, sizeof channel->text, "%s?%sterm-length=%u%s", is_udp ? udp : ipc,
                 endpoint, (unsigned)choose_term(parameters.term_bytes, message_bytes_max), mtu);
    channel->length = (uint32_t)written;
    return written > 0 && (size_t)written < sizeof channel->text;
}

bool response_channel_matches(const char *channel_host, const char *host)
{
    if (channel_host[0] == '\0')
        return strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0 ||
               strncmp(host, "aeron", 5) == 0;
    return strcmp(channel_host, host) == 0;
}
