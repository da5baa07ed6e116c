/*
 * A whole client: sends one order, prints everything that the venue says, and ends when the order
 * is answered. The venue must know who it is, and the instrument:
 *
 *     outcry admin --ingress HOST:PORT source add 7 --roles trade
 *     outcry admin --ingress HOST:PORT principal bind alice 7
 *     outcry admin --ingress HOST:PORT instrument add 900 --low 1 --high 1000 --max-quantity 100 \
 *         --state continuous
 *     client HOST:PORT
 */
#include "outcry/client.h"

#include <inttypes.h>
#include <stdio.h>

/* Called by oc_client_poll(), once for each output, in order. */
static void on_response(void *context, const oc_response_t *response)
{
    (void)context;
    if (response->type != OC_RESPONSE_OUTPUT)
        return;
    const oc_event_t *event = &response->u.output.event;
    printf("output %" PRIu64 ": %s, order %" PRIu64 ", open %" PRId64 ", executed %" PRId64
           ", %s\n",
           response->u.output.outbound_sequence, oc_event_type_name(event->type),
           event->client_order_id.value, event->open_lots, event->executed_lots,
           oc_reason_name(event->reason));
}

static oc_err_t trade(oc_client_t *client)
{
    uint64_t sequence;
    const oc_command_t order = {
        .type = OC_COMMAND_NEW,
        .side = OC_SIDE_BUY,
        .time_in_force = OC_TIF_IOC, /* nothing is left behind */
        .instrument = {900},
        .u.order = {.client_order_id = {1}, .price_ticks = 500, .quantity_lots = 10},
    };
    const oc_err_t err = oc_client_send(client, &order, &sequence);
    /* Polling also sends what waits, keeps the session alive, and connects again. */
    while (err == OC_ERR_OK && oc_client_oldest_unanswered(client) != 0 &&
           oc_client_state(client) != OC_CLIENT_CLOSED)
        oc_client_poll(client, 64);
    return err;
}

int main(int argc, char **argv)
{
    oc_client_config_t config;
    oc_client_t *client;
    oc_client_config_init(&config);
    config.ingress = argc > 1 ? argv[1] : "127.0.0.1:9010";
    config.principal = "alice";
    config.source.value = 7;
    oc_err_t err = oc_client_connect(&client, &config, on_response, NULL);
    if (err == OC_ERR_OK) {
        err = trade(client);
        oc_client_close(client);
    }
    if (err != OC_ERR_OK)
        fprintf(stderr, "client: %s: %s\n", oc_err_text(err), oc_err_context());
    return err != OC_ERR_OK;
}
