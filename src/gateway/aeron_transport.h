/*
 * The transport on Aeron: a subscription on UDP that all clients publish to, and an exclusive
 * publication for each client.
 *
 * Messages are put together from fragments in a buffer per source, whose memory is touched only if
 * that source sends such messages. Sources beyond the limit are refused by the driver's means.
 *
 * Threads: one, which also calls embedded_do_work(): sources come and go in there.
 */
#ifndef GATEWAY_AERON_TRANSPORT_H
#define GATEWAY_AERON_TRANSPORT_H

#include "aeron/embedded.h"
#include "gateway/transport.h"
#include "outcry/error.h"

typedef struct aeron_transport_config {
    const char *ingress;      /* HOST:PORT */
    uint32_t publications;    /* at most */
    uint32_t sources;         /* at most */
    size_t message_bytes_max; /* of a whole message from a source */
} aeron_transport_config_t;

/*
 * Listens; steps `embedded` (borrowed for the transport's life) until it does. Errors:
 * OC_ERR_NO_MEMORY, OC_ERR_INVALID_ARGUMENT (no HOST:PORT), OC_ERR_TRANSPORT. Undo:
 * transport->destroy().
 */
OC_MUST_CHECK oc_err_t aeron_transport_create(transport_t *transport,
                                              const aeron_transport_config_t *config,
                                              embedded_t *embedded);

/*
 * A transport that only sends, for at most `publications` (above 0) at a time: nothing is ever
 * polled, and address() is "". `embedded` as above. OC_ERR_NO_MEMORY. Undo: transport->destroy().
 */
OC_MUST_CHECK oc_err_t aeron_transport_create_outgoing(transport_t *transport,
                                                       uint32_t publications, embedded_t *embedded);

#endif
