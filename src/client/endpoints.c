/*
 * Lists of addresses, as configured or as the venue tells them (REDIRECT, NewLeaderEvent). Called
 * by the session. What a venue sends is foreign text: everything is checked and bounded.
 */
#include "client/endpoints.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

bool endpoints_split(const char *address, char *host, size_t host_size, uint16_t *port)
{
    const char *colon = strrchr(address, ':');
    if (!colon || colon[1] < '0' || colon[1] > '9')
        return false;
    char *end;
    const unsigned long number = strtoul(colon + 1, &end, 10);
    const char *from = address;
    size_t length = (size_t)(colon - address);
    if (*end || end - colon > 6 || number > UINT16_MAX)
        return false;
    if (length > 2 && from[0] == '[' && from[length - 1] == ']') {
        from++;
        length -= 2;
    } else if (memchr(from, ':', length)) {
        return false; /* an IPv6 address needs its brackets */
    }
    if (length == 0 || length >= host_size)
        return false;
    memcpy(host, from, length);
    host[length] = '\0';
    *port = (uint16_t)number;
    return true;
}

/* One entry; `named`: with a member id in front. */
static bool parse_entry(endpoint_t *entry, const char *text, size_t length, bool named)
{
    char host[ENDPOINT_BYTES];
    uint16_t port;
    int32_t member = -1;
    if (named) {
        size_t digits = 0;
        member = 0;
        while (digits < length && digits < 6 && text[digits] >= '0' && text[digits] <= '9')
            member = member * 10 + (text[digits++] - '0');
        if (digits == 0 || digits >= length || text[digits] != '=')
            return false;
        text += digits + 1;
        length -= digits + 1;
    }
    if (length >= ENDPOINT_BYTES || memchr(text, '|', length) || memchr(text, '\0', length))
        return false;
    memset(entry, 0, sizeof *entry);
    entry->member = member;
    memcpy(entry->address, text, length);
    return endpoints_split(entry->address, host, sizeof host, &port) && port != 0;
}

bool endpoints_parse(endpoints_t *self, const char *text, size_t length)
{
    endpoints_t parsed = {0};
    const bool named = memchr(text, '=', length) != NULL;
    size_t at = 0;
    if (length == 0 || text[length - 1] == ',')
        return false;
    while (at < length) {
        const char *comma = memchr(text + at, ',', length - at);
        const size_t size = comma ? (size_t)(comma - text) - at : length - at;
        if (parsed.count == ENDPOINTS_MAX || (parsed.count > 0 && !named) ||
            !parse_entry(&parsed.list[parsed.count], text + at, size, named))
            return false;
        parsed.count++;
        at += size + 1;
    }
    OC_ASSERT(parsed.count > 0);
    *self = parsed;
    return true;
}

const char *endpoints_current(const endpoints_t *self)
{
    OC_ASSERT(self->current < self->count);
    return self->list[self->current].address;
}

void endpoints_next(endpoints_t *self)
{
    OC_ASSERT(self->count > 0);
    self->current = (self->current + 1) % self->count;
}

bool endpoints_choose(endpoints_t *self, int32_t member)
{
    for (uint32_t i = 0; i < self->count; i++)
        if (self->list[i].member == member) {
            self->current = i;
            return true;
        }
    return false;
}
