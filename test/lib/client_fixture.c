/*
 * The fixture of the client's tests; see the header.
 */
#include "lib/client_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define MS INT64_C(1000000)

client_fixture_t fixture;

static void on_response(void *context, const oc_response_t *response)
{
    assert_ptr_equal(context, &fixture);
    switch (response->type) {
    case OC_RESPONSE_OUTPUT:
        assert_int_equal(response->u.output.outbound_sequence, fixture.last_output + 1);
        fixture.last_output++;
        fixture.outputs++;
        if (response->u.output.event.type == OC_EVENT_ACCEPTED) {
            assert_true(response->u.output.event.sequence > fixture.last_accepted);
            fixture.last_accepted = response->u.output.event.sequence;
            fixture.accepted++;
        }
        fixture.refused_sequence += response->u.output.event.type == OC_EVENT_REJECTED;
        break;
    case OC_RESPONSE_LOGON:
        fixture.logons++;
        break;
    case OC_RESPONSE_GAP:
        fixture.gaps++;
        fixture.gap_outputs += response->u.gap.last - fixture.last_output;
        fixture.last_output = response->u.gap.last;
        break;
    case OC_RESPONSE_REPLY:
        fixture.replies++;
        break;
    case OC_RESPONSE_MESSAGE_REJECTED:
        fixture.rejected++;
        break;
    default:
        fail();
    }
}

void client_fixture_start(void)
{
    const client_link_t link = fake_venue_link(&fixture.venue);
    assert_int_equal(client_session_init(&fixture.session, &fixture.config, &link), OC_ERR_OK);
    fixture.session.handler = on_response;
    fixture.session.handler_context = &fixture;
    fixture.last_output = fixture.config.outbound_sequence;
}

int client_fixture_setup(void **state)
{
    (void)state;
    memset(&fixture, 0, sizeof fixture);
    fake_venue_init(&fixture.venue);
    fixture.now_ns = 1000 * MS;
    fixture.config = (oc_client_config_t){.ingress = "127.0.0.1:9010",
                                          .principal = "alice",
                                          .source = {7},
                                          .unanswered_max = 64,
                                          .connect_timeout_ns = 5000 * MS,
                                          .reconnect_timeout_ns = 60000 * MS,
                                          .keepalive_interval_ns = 1000 * MS};
    return 0;
}

int client_fixture_teardown(void **state)
{
    (void)state;
    client_session_fini(&fixture.session);
    fake_venue_fini(&fixture.venue);
    return 0;
}

/* Lets time pass, a millisecond a poll. */
void run_ms(int64_t milliseconds)
{
    for (int64_t i = 0; i < milliseconds; i++) {
        fixture.now_ns += MS;
        (void)client_session_poll(&fixture.session, fixture.now_ns, 64);
    }
}

/* How many milliseconds it took to be ready; fails after `limit`. */
int64_t ready_within(int64_t limit)
{
    for (int64_t i = 0; i < limit; i++) {
        run_ms(1);
        if (fixture.session.phase == CLIENT_READY)
            return i;
    }
    fail_msg("not ready within %d ms: %s", (int)limit, fixture.session.reason);
    return 0;
}

bool send_one(void)
{
    oc_command_t *command = client_outbox_claim(&fixture.session.outbox);
    if (!command)
        return false;
    command->type = OC_COMMAND_NEW;
    command->instrument.value = 1;
    command->u.order.client_order_id.value = fixture.session.outbox.next;
    command->u.order.price_ticks = 100;
    command->u.order.quantity_lots = 1;
    (void)client_outbox_commit(&fixture.session.outbox);
    fixture.session.counts.sent++;
    client_session_collect(&fixture.session);
    return true;
}

void send_some(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_true(send_one());
}

void assert_all_answered(uint64_t count)
{
    assert_int_equal(fixture.venue.taken, count);
    assert_int_equal(fixture.accepted, count);
    assert_int_equal(fixture.session.outbox.answered, count);
    assert_int_equal(fixture.session.outbox.oldest, fixture.session.outbox.next);
}

void assert_ended(oc_err_t err, const char *part)
{
    assert_int_equal(fixture.session.phase, CLIENT_ENDED);
    assert_int_equal(fixture.session.end, err);
    if (!strstr(fixture.session.reason, part))
        fail_msg("'%s' does not say '%s'", fixture.session.reason, part);
}
