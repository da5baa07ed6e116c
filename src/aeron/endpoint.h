/*
 * Publications and subscriptions of a client that are waited for: adding is a question to the
 * driver, and where there is nothing else to do meanwhile it is asked here. Who has a duty cycle to
 * go on with polls for the answer by itself instead.
 *
 * After an error nothing is left: what the driver would give later is taken back. OC_ERR_TIMEOUT:
 * no answer in time; OC_ERR_TRANSPORT: what Aeron says is told. Whatever is given is the caller's,
 * and is closed by Aeron's own function.
 *
 * Threads: the owner of the embedded client, which is stepped.
 */
#ifndef AERON_ENDPOINT_H
#define AERON_ENDPOINT_H

#include "aeron/embedded.h"

typedef struct endpoint_request {
    embedded_t *embedded;
    const char *what;    /* for the text of an error, such as "the publication to the module" */
    const char *channel; /* an Aeron URI */
    int32_t stream;
    uint64_t timeout_ns;
} endpoint_request_t;

OC_MUST_CHECK oc_err_t endpoint_publication(const endpoint_request_t *request,
                                            aeron_publication_t **publication);
OC_MUST_CHECK oc_err_t endpoint_exclusive(const endpoint_request_t *request,
                                          aeron_exclusive_publication_t **publication);
/* Without handlers for images. */
OC_MUST_CHECK oc_err_t endpoint_subscription(const endpoint_request_t *request,
                                             aeron_subscription_t **subscription);

/* For a loop that waits for another process and began at `start_ns` (clock_wall_ns()): gives the
 * processor away for a moment in the first millisecond, and sleeps 50 microseconds after that. */
void endpoint_pause(uint64_t start_ns);

#endif
