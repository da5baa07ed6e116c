/*
 * A client_link_t over Aeron: an egress subscription on a free port, an ingress publication, and
 * the driver inside the process (or one outside). When the driver has given us up, the next open()
 * makes all of it anew.
 */
#ifndef CLIENT_AERON_LINK_H
#define CLIENT_AERON_LINK_H

#include "client/client_link.h"

typedef struct aeron_link aeron_link_t;

typedef struct aeron_link_config {
    const char *egress;    /* HOST or HOST:PORT; NULL: chosen by the route to the ingress; copied */
    const char *aeron_dir; /* NULL: a driver is embedded; copied */
    bool threaded;         /* the embedded driver has a thread */
} aeron_link_config_t;

/* OC_ERR_NO_MEMORY, OC_ERR_INVALID_ARGUMENT, OC_ERR_TRANSPORT. The caller: aeron_link_destroy(). */
OC_MUST_CHECK oc_err_t aeron_link_create(aeron_link_t **link, const aeron_link_config_t *config);
void aeron_link_destroy(aeron_link_t *self); /* NULL is allowed */

/* The table; self is borrowed for its use. */
client_link_t aeron_link_table(aeron_link_t *self);

#endif
