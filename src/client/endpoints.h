/*
 * Where the venue can be reached: HOST:PORT, or a cluster's list `0=HOST:PORT,1=HOST:PORT,...`, of
 * which one is tried at a time.
 */
#ifndef CLIENT_ENDPOINTS_H
#define CLIENT_ENDPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENDPOINTS_MAX  16
#define ENDPOINT_BYTES 256

typedef struct endpoint {
    int32_t member; /* -1: unnamed */
    char address[ENDPOINT_BYTES];
} endpoint_t;

typedef struct endpoints {
    endpoint_t list[ENDPOINTS_MAX];
    uint32_t count;
    uint32_t current;
} endpoints_t;

/* Reads `text` (not terminated); false, with *self untouched, when it is none of the two forms. */
bool endpoints_parse(endpoints_t *self, const char *text, size_t length);

/* The one to use now; borrowed until the next call. */
const char *endpoints_current(const endpoints_t *self);

/* Goes on to the next one, around the list. */
void endpoints_next(endpoints_t *self);

/* Goes to a member's; false when it is not in the list. */
bool endpoints_choose(endpoints_t *self, int32_t member);

/*
 * Splits HOST:PORT or [HOST]:PORT into the host, without brackets, and the port. False when there
 * is no port in 0..65535, or the host is empty or does not fit.
 */
bool endpoints_split(const char *address, char *host, size_t host_size, uint16_t *port);

#endif
