/*
 * The good clients. Called by tests of a node under hostile clients.
 *
 * One sells and the other buys, a lot at a time at the same price, so what the one has traded in
 * the end is what the other has. The thread must not call anything that fails a test: it counts,
 * and the test judges what good_pair_stop() leaves.
 */
#define _GNU_SOURCE
#include "lib/good_pair.h"

#include "base/cycle_clock.h"
#include "outcry/model.h"

#include <string.h>
#include <time.h>

#define SECOND INT64_C(1000000000)

enum { STEP_NS = 200000, SEND_NS = 1000000, UNANSWERED = 256, PRICE = 500 };

static int64_t now_ns(void)
{
    return (int64_t)clock_wall_ns();
}

static bool is_answer(const oc_event_t *event)
{
    switch (event->type) {
    case OC_EVENT_ACCEPTED:
        return true;
    case OC_EVENT_REJECTED:
        return event->reason != OC_REASON_SEQUENCE_GAP &&
               event->reason != OC_REASON_DUPLICATE_SEQUENCE;
    default:
        return false;
    }
}

static void on_output(good_trader_t *self, const oc_output_t *output)
{
    const oc_event_t *event = &output->event;
    self->wrong += output->outbound_sequence != self->last_output + 1;
    self->last_output = output->outbound_sequence;
    if (event->type == OC_EVENT_TRADE || event->type == OC_EVENT_FILL)
        self->lots += (uint64_t)event->quantity_lots;
    if (!is_answer(event))
        return;
    self->wrong += event->sequence != self->last_answered + 1;
    self->wrong += event->type == OC_EVENT_REJECTED;
    self->last_answered = event->sequence;
    self->answered++;
    const int64_t took = now_ns() - self->sent_ns[event->sequence % GOOD_PAIR_TIMES];
    if (took > self->worst_ns)
        self->worst_ns = took;
}

static void on_response(void *context, const oc_response_t *response)
{
    good_trader_t *self = context;
    if (response->type == OC_RESPONSE_OUTPUT)
        on_output(self, &response->u.output);
    else
        self->gaps += response->type == OC_RESPONSE_GAP;
}

static void send_one(good_trader_t *self, oc_side_t side)
{
    oc_command_t *order = oc_client_claim(self->client);
    if (order == NULL)
        return;
    order->type = OC_COMMAND_NEW;
    order->instrument.value = GOOD_PAIR_INSTRUMENT;
    order->side = (uint8_t)side;
    order->u.order.client_order_id.value = self->sent + 1;
    order->u.order.price_ticks = PRICE;
    order->u.order.quantity_lots = 1;
    self->sent_ns[(self->sent + 1) % GOOD_PAIR_TIMES] = now_ns();
    (void)oc_client_commit(self->client);
    self->sent++;
}

static void step(good_pair_t *self)
{
    const struct timespec pause = {.tv_nsec = STEP_NS};
    for (int i = 0; i < 2; i++)
        (void)oc_client_poll(self->traders[i].client, 64);
    atomic_store_explicit(&self->answers, self->traders[0].answered + self->traders[1].answered,
                          memory_order_relaxed); /* a number for the test to look at */
    (void)nanosleep(&pause, NULL);
}

static int trade(void *context)
{
    good_pair_t *self = context;
    good_trader_t *traders = self->traders;
    int64_t next_ns = now_ns();
    /* Relaxed: only that it is seen some time matters. */
    while (!atomic_load_explicit(&self->stop, memory_order_relaxed)) {
        if (now_ns() >= next_ns) {
            send_one(&traders[0], OC_SIDE_SELL);
            send_one(&traders[1], OC_SIDE_BUY);
            next_ns = now_ns() + SEND_NS;
        }
        step(self);
    }
    const int64_t end = now_ns() + 10 * SECOND;
    while (now_ns() < end && !self->settled) {
        step(self);
        self->settled = traders[0].answered == traders[0].sent &&
                        traders[1].answered == traders[1].sent &&
                        traders[0].lots == traders[1].lots;
    }
    return 0;
}

static const char *connect_one(good_pair_t *self, int index, const oc_client_config_t *config)
{
    good_trader_t *trader = &self->traders[index];
    return oc_client_connect(&trader->client, config, on_response, trader) == OC_ERR_OK
               ? NULL
               : oc_err_context();
}

const char *good_pair_start(good_pair_t *self, const char *ingress, const char *principal,
                            const char *secret)
{
    memset(self, 0, sizeof *self);
    oc_client_config_t config;
    oc_client_config_init(&config);
    config.ingress = ingress;
    config.principal = principal;
    config.secret = secret;
    config.secret_length = secret != NULL ? strlen(secret) : 0;
    config.unanswered_max = UNANSWERED;
    config.connect_timeout_ns = 20 * SECOND;
    config.keepalive_interval_ns = SECOND / 4;
    for (int i = 0; i < 2; i++) {
        config.source.value = GOOD_PAIR_SOURCE + (uint32_t)i;
        const char *problem = connect_one(self, i, &config);
        if (problem != NULL)
            return problem;
    }
    self->running = thrd_create(&self->thread, trade, self) == thrd_success;
    return self->running ? NULL : "no thread";
}

void good_pair_stop(good_pair_t *self)
{
    if (!self->running)
        return;
    atomic_store_explicit(&self->stop, true, memory_order_relaxed);
    (void)thrd_join(self->thread, NULL);
    self->running = false;
}
