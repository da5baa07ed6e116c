/*
 * The look at a member's own endpoints. Called by a member's start, when its driver does not run
 * yet: whoever has a port then is a stranger.
 *
 * Invariant: nothing stays bound.
 */
#define _GNU_SOURCE
#include "cluster/member_ports.h"

#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A member that was killed lets go of its directory's lock a moment before its ports. */
enum { PREDECESSOR_LOOKS = 20 };
#define LOOK_NS 100000000L

/* HOST:PORT in its parts, an IPv6 address without its brackets. */
static void split(char *endpoint, const char **host, const char **port)
{
    char *colon = strrchr(endpoint, ':');
    *colon = '\0';
    *port = colon + 1;
    *host = endpoint;
    if (endpoint[0] == '[') {
        endpoint[strlen(endpoint) - 1] = '\0';
        *host = endpoint + 1;
    }
}

/* 0, or an error of getaddrinfo(). */
static int find(const char *host, const char *port, struct addrinfo **found)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV};
    return getaddrinfo(host, port, &hints, found);
}

/* Those are shared, and nobody's own. */
static bool is_multicast(const struct addrinfo *address)
{
    if (address->ai_family == AF_INET)
        return IN_MULTICAST(
            ntohl(((const struct sockaddr_in *)(const void *)address->ai_addr)->sin_addr.s_addr));
    return address->ai_family == AF_INET6 &&
           IN6_IS_ADDR_MULTICAST(
               &((const struct sockaddr_in6 *)(const void *)address->ai_addr)->sin6_addr);
}

static int try_bind(const struct addrinfo *address)
{
    const int fd = socket(address->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    const int reason = bind(fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    (void)close(fd);
    return reason;
}

/* 0, or an errno. */
static int why_not(const struct addrinfo *address)
{
    int reason = is_multicast(address) ? 0 : try_bind(address);
    for (int i = 0; reason == EADDRINUSE && i < PREDECESSOR_LOOKS; i++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
        reason = try_bind(address);
    }
    return reason;
}

static oc_err_t check(const member_config_t *config, uint32_t n)
{
    char endpoint[NODE_TEXT_MAX];
    char parts[NODE_TEXT_MAX];
    const char *host;
    const char *port;
    struct addrinfo *found;
    const uint32_t id = (uint32_t)config->id;
    if (!member_config_endpoint(config, id, n, endpoint, sizeof endpoint))
        return error_set(OC_ERR_INVALID_CONFIG, "[cluster] member%" PRIu32 ": no endpoints", id);
    memcpy(parts, endpoint, sizeof parts);
    split(parts, &host, &port);
    const int failed = find(host, port, &found);
    if (failed)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] member%" PRIu32 ": the host of its %s endpoint %s has no "
                         "address: %s",
                         id, member_config_endpoint_name(n), endpoint, gai_strerror(failed));
    const int reason = why_not(found);
    freeaddrinfo(found);
    if (reason == EADDRINUSE)
        return error_set(OC_ERR_REFUSED,
                         "[cluster] member%" PRIu32 ": another process has the port of its %s "
                         "endpoint %s (UDP): end it, or name another port on all members",
                         id, member_config_endpoint_name(n), endpoint);
    if (reason != 0)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[cluster] member%" PRIu32 ": its %s endpoint %s cannot be opened on this "
                         "machine: %s",
                         id, member_config_endpoint_name(n), endpoint, strerror(reason));
    return OC_ERR_OK;
}

oc_err_t member_ports_check(const member_config_t *config)
{
    oc_err_t err = OC_ERR_OK;
    for (uint32_t n = 0; err == OC_ERR_OK && n < MEMBER_ENDPOINTS; n++)
        err = check(config, n);
    return err;
}

void member_ports_tell_unknown(const member_config_t *config)
{
    char before[NODE_TEXT_MAX] = ""; /* most lines name one host five times */
    for (uint32_t i = 0; i < member_config_count(config); i++)
        for (uint32_t n = 0; n < MEMBER_ENDPOINTS; n++) {
            char endpoint[NODE_TEXT_MAX];
            const char *host;
            const char *port;
            struct addrinfo *found;
            if (i == config->id || !member_config_endpoint(config, i, n, endpoint, sizeof endpoint))
                continue;
            split(endpoint, &host, &port);
            if (strcmp(host, before) == 0)
                continue;
            (void)snprintf(before, sizeof before, "%s", host);
            const int failed = find(host, port, &found);
            if (failed)
                (void)fprintf(stderr,
                              "outcry: member %" PRIu64 ": the host %s of member %" PRIu32
                              " has no address now: %s; until it has, that one is not heard\n",
                              config->id, host, i, gai_strerror(failed));
            else
                freeaddrinfo(found);
        }
}
