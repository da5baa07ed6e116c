/*
 * A newer sender to this build and this build to a newer receiver. The newer side is code that
 * sbe-tool generated from test/codec_extended: both schemas with version 2, fields appended and a
 * message more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/events_codec.h"
#include "codec/order_entry_codec.h"
#include "lib/codec_samples.h"

#include <events_v2/accepted.h>
#include <events_v2/logonReply.h>
#include <events_v2/notice.h>
#include <events_v2/trade.h>
#include <order_entry_v2/newOrder.h>
#include <order_entry_v2/quoteRequest.h>

#include <string.h>

enum { ROUNDS = 100, ROOM = 512, NEW_ORDER = 0, ACCEPTED = 0, TRADE = 2, LOGON_REPLY = 11 };

/* ---- A version 2 sender ----------------------------------------------------------------------*/

static size_t send_new_order(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    struct order_entry_v2_messageHeader header;
    struct order_entry_v2_newOrder m;
    struct order_entry_v2_orderFlags flags;
    order_entry_v2_newOrder_wrap_and_apply_header(&m, bytes, 0, ROOM, &header);
    order_entry_v2_newOrder_set_sequence(&m, c->sequence);
    order_entry_v2_newOrder_set_clientOrderId(&m, c->u.order.client_order_id.value);
    order_entry_v2_newOrder_set_price(&m, c->u.order.price_ticks);
    order_entry_v2_newOrder_set_quantity(&m, c->u.order.quantity_lots);
    order_entry_v2_newOrder_set_instrument(&m, c->instrument.value);
    order_entry_v2_newOrder_flags(&m, &flags);
    order_entry_v2_orderFlags_clear(&flags);
    order_entry_v2_orderFlags_set_postOnly(&flags, (c->flags & OC_FLAG_POST_ONLY) != 0);
    order_entry_v2_newOrder_set_side(&m, (enum order_entry_v2_side)c->side);
    order_entry_v2_newOrder_set_orderType(&m, (enum order_entry_v2_orderType)c->order_type);
    order_entry_v2_newOrder_set_timeInForce(&m, (enum order_entry_v2_timeInForce)c->time_in_force);
    order_entry_v2_newOrder_set_displayQuantity(&m, 11);
    order_entry_v2_newOrder_set_account(&m, 12);
    return 8 + order_entry_v2_newOrder_encoded_length(&m);
}

static size_t send_quote_request(char *bytes)
{
    struct order_entry_v2_messageHeader header;
    struct order_entry_v2_quoteRequest m;
    order_entry_v2_quoteRequest_wrap_and_apply_header(&m, bytes, 0, ROOM, &header);
    order_entry_v2_quoteRequest_set_sequence(&m, 1);
    order_entry_v2_quoteRequest_set_instrument(&m, 2);
    return 8 + order_entry_v2_quoteRequest_encoded_length(&m);
}

static void put_place(struct events_v2_outputHeader *place, const oc_output_t *output)
{
    events_v2_outputHeader_set_outboundSequence(place, output->outbound_sequence);
    events_v2_outputHeader_set_logPosition(place, output->position);
    events_v2_outputHeader_set_engineTime(place, output->time_ns);
    events_v2_outputHeader_set_term(place, output->term);
    events_v2_outputHeader_set_index(place, output->index);
}

static void put_order(struct events_v2_orderIdentity *order, const oc_event_t *e)
{
    events_v2_orderIdentity_set_clientOrderId(order, e->client_order_id.value);
    events_v2_orderIdentity_set_orderId(order, e->order_id.value);
    events_v2_orderIdentity_set_source(order, e->source.value);
    events_v2_orderIdentity_set_instrument(order, e->instrument.value);
}

static size_t send_accepted(const oc_output_t *output, char *bytes)
{
    const oc_event_t *e = &output->event;
    struct events_v2_messageHeader header;
    struct events_v2_accepted m;
    struct events_v2_outputHeader place;
    struct events_v2_orderIdentity order;
    events_v2_accepted_wrap_and_apply_header(&m, bytes, 0, ROOM, &header);
    put_place(events_v2_accepted_output(&m, &place), output);
    put_order(events_v2_accepted_order(&m, &order), e);
    events_v2_accepted_set_entry(&m, e->entry);
    events_v2_accepted_set_price(&m, e->price_ticks);
    events_v2_accepted_set_quantity(&m, e->quantity_lots);
    events_v2_accepted_set_open(&m, e->open_lots);
    events_v2_accepted_set_sequence(&m, e->sequence);
    events_v2_accepted_set_side(&m, (enum events_v2_side)e->side);
    events_v2_accepted_set_account(&m, 12);
    return 8 + events_v2_accepted_encoded_length(&m);
}

static size_t send_trade(const oc_output_t *output, char *bytes)
{
    const oc_event_t *e = &output->event;
    struct events_v2_messageHeader header;
    struct events_v2_trade m;
    struct events_v2_outputHeader place;
    struct events_v2_orderIdentity order;
    struct events_v2_orderAmounts amounts;
    events_v2_trade_wrap_and_apply_header(&m, bytes, 0, ROOM, &header);
    put_place(events_v2_trade_output(&m, &place), output);
    put_order(events_v2_trade_order(&m, &order), e);
    events_v2_trade_amounts(&m, &amounts);
    events_v2_orderAmounts_set_open(&amounts, e->open_lots);
    events_v2_orderAmounts_set_executed(&amounts, e->executed_lots);
    events_v2_trade_set_entry(&m, e->entry);
    events_v2_trade_set_price(&m, e->price_ticks);
    events_v2_trade_set_quantity(&m, e->quantity_lots);
    events_v2_trade_set_tradeId(&m, e->trade_id.value);
    events_v2_trade_set_side(&m, (enum events_v2_side)e->side);
    events_v2_trade_set_matchTime(&m, 13);
    events_v2_trade_set_account(&m, 12);
    return 8 + events_v2_trade_encoded_length(&m);
}

static size_t send_logon_reply(const oc_response_t *response, char *bytes)
{
    struct events_v2_messageHeader header;
    struct events_v2_logonReply m;
    struct events_v2_roles roles;
    events_v2_logonReply_wrap_and_apply_header(&m, bytes, 0, ROOM, &header);
    events_v2_logonReply_set_requestId(&m, response->request_id);
    events_v2_logonReply_set_sequence(&m, response->u.logon.sequence);
    events_v2_logonReply_set_outboundSequence(&m, response->u.logon.outbound_sequence);
    events_v2_logonReply_set_source(&m, response->u.logon.source.value);
    events_v2_logonReply_roles(&m, &roles);
    events_v2_roles_clear(&roles);
    events_v2_roles_set_trade(&roles, (response->u.logon.roles & OC_ROLE_TRADE) != 0);
    events_v2_roles_set_admin(&roles, (response->u.logon.roles & OC_ROLE_ADMIN) != 0);
    events_v2_logonReply_set_reason(&m, (enum events_v2_reason)response->u.logon.reason);
    events_v2_logonReply_set_lastStatus(&m, (enum events_v2_reason)response->u.logon.last_status);
    events_v2_logonReply_set_venueTime(&m, 14);
    return 8 + events_v2_logonReply_encoded_length(&m);
}

static size_t send_notice(char *bytes)
{
    struct events_v2_messageHeader header;
    struct events_v2_notice m;
    events_v2_notice_wrap_and_apply_header(&m, bytes, 0, ROOM, &header);
    events_v2_notice_set_venueTime(&m, 1);
    events_v2_notice_set_code(&m, 2);
    return 8 + events_v2_notice_encoded_length(&m);
}

/* ---- To this build ---------------------------------------------------------------------------*/

/* Decodes at *at, which moves on, and expects that request. */
static void expect_request(const char *bytes, size_t end, size_t *at, const oc_request_t *expected)
{
    oc_request_t request;
    size_t consumed;
    uint16_t template_id;
    assert_int_equal(order_entry_decode(bytes + *at, end - *at, &request, &consumed, &template_id),
                     expected != NULL ? OC_PROBLEM_NONE : OC_PROBLEM_TEMPLATE);
    if (expected != NULL)
        assert_memory_equal(&request, expected, sizeof request);
    else
        assert_int_equal(template_id, order_entry_v2_quoteRequest_sbe_template_id());
    *at += consumed;
}

static void test_requests_of_a_newer_client_are_understood(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        oc_request_t orders[2];
        char bytes[3 * ROOM];
        size_t end = 0;
        for (int i = 0; i < 2; i++) {
            sample_request(&orders[i], NEW_ORDER, &seed);
            orders[i].u.command.flags &= OC_FLAG_POST_ONLY;
            const size_t size = send_new_order(&orders[i], bytes + end);
            assert_int_equal(size, 8 + sample_request_shapes[NEW_ORDER].block + 12);
            end += size;
            end += send_quote_request(bytes + end);
        }
        size_t at = 0;
        expect_request(bytes, end, &at, &orders[0]);
        expect_request(bytes, end, &at, NULL);
        expect_request(bytes, end, &at, &orders[1]);
        expect_request(bytes, end, &at, NULL);
        assert_int_equal(at, end);
    }
}

static void expect_response(const char *bytes, size_t end, size_t *at,
                            const oc_response_t *expected)
{
    oc_response_t response;
    size_t consumed;
    uint16_t template_id;
    assert_int_equal(events_decode(bytes + *at, end - *at, &response, &consumed, &template_id),
                     expected != NULL ? OC_PROBLEM_NONE : OC_PROBLEM_TEMPLATE);
    if (expected != NULL)
        assert_memory_equal(&response, expected, sizeof response);
    else
        assert_int_equal(template_id, events_v2_notice_sbe_template_id());
    *at += consumed;
}

static void test_responses_of_a_newer_venue_are_understood(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int round = 0; round < ROUNDS; round++) {
        oc_response_t accepted;
        oc_response_t trade;
        oc_response_t logon;
        char bytes[4 * ROOM];
        sample_response(&accepted, ACCEPTED, &seed);
        sample_response(&trade, TRADE, &seed);
        sample_response(&logon, LOGON_REPLY, &seed);
        logon.u.logon.roles &= OC_ROLE_TRADE | OC_ROLE_ADMIN;
        size_t end = send_notice(bytes);
        end += send_accepted(&accepted.u.output, bytes + end);
        end += send_trade(&trade.u.output, bytes + end);
        end += send_notice(bytes + end);
        end += send_logon_reply(&logon, bytes + end);
        size_t at = 0;
        expect_response(bytes, end, &at, NULL);
        expect_response(bytes, end, &at, &accepted);
        expect_response(bytes, end, &at, &trade);
        expect_response(bytes, end, &at, NULL);
        expect_response(bytes, end, &at, &logon);
        assert_int_equal(at, end);
    }
}

/* ---- From this build -------------------------------------------------------------------------*/

static void test_requests_of_this_build_are_understood_by_a_newer_venue(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < ROUNDS; round++) {
        oc_request_t request;
        char bytes[ROOM];
        memset(bytes, 0x11, sizeof bytes);
        sample_request(&request, NEW_ORDER, &seed);
        const oc_command_t *c = &request.u.command;
        const size_t size = order_entry_encode(&request, bytes, sizeof bytes);
        struct order_entry_v2_messageHeader h;
        struct order_entry_v2_newOrder m;
        struct order_entry_v2_orderFlags flags = {0};
        order_entry_v2_messageHeader_wrap(&h, bytes, 0, 2, size);
        assert_int_equal(order_entry_v2_messageHeader_schemaId(&h), 510);
        assert_int_equal(order_entry_v2_messageHeader_version(&h), 1);
        assert_non_null(order_entry_v2_newOrder_wrap_for_decode(
            &m, bytes, 8, order_entry_v2_messageHeader_blockLength(&h), 1, size));
        assert_int_equal(order_entry_v2_newOrder_sequence(&m), c->sequence);
        assert_int_equal(order_entry_v2_newOrder_clientOrderId(&m),
                         c->u.order.client_order_id.value);
        assert_int_equal(order_entry_v2_newOrder_quantity(&m), c->u.order.quantity_lots);
        assert_int_equal(order_entry_v2_newOrder_instrument(&m), c->instrument.value);
        order_entry_v2_newOrder_flags(&m, &flags);
        assert_int_equal(order_entry_v2_orderFlags_openQuantity(&flags),
                         (c->flags & OC_FLAG_OPEN_QUANTITY) != 0);
        assert_int_equal(order_entry_v2_newOrder_displayQuantity(&m), INT64_MIN);
        assert_int_equal(order_entry_v2_newOrder_account(&m), 0);
        assert_false(order_entry_v2_newOrder_account_in_acting_version(&m));
    }
}

static void test_outputs_of_this_build_are_understood_by_a_newer_client(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int round = 0; round < ROUNDS; round++) {
        oc_response_t response;
        char bytes[ROOM];
        memset(bytes, 0x11, sizeof bytes);
        sample_response(&response, TRADE, &seed);
        const oc_event_t *e = &response.u.output.event;
        const size_t size = events_encode_output(&response.u.output, bytes);
        struct events_v2_messageHeader h;
        struct events_v2_trade m;
        struct events_v2_outputHeader place = {0};
        struct events_v2_orderAmounts amounts = {0};
        events_v2_messageHeader_wrap(&h, bytes, 0, 2, size);
        assert_int_equal(events_v2_messageHeader_version(&h), 1);
        assert_non_null(events_v2_trade_wrap_for_decode(
            &m, bytes, 8, events_v2_messageHeader_blockLength(&h), 1, size));
        events_v2_trade_output(&m, &place);
        assert_int_equal(events_v2_outputHeader_logPosition(&place), response.u.output.position);
        events_v2_trade_amounts(&m, &amounts);
        assert_int_equal(events_v2_orderAmounts_executed(&amounts), e->executed_lots);
        assert_int_equal(events_v2_trade_price(&m), e->price_ticks);
        assert_int_equal(events_v2_trade_tradeId(&m), e->trade_id.value);
        assert_int_equal(events_v2_trade_matchTime(&m), INT64_MIN);
        assert_int_equal(events_v2_trade_account(&m), UINT32_MAX);
    }
}

static void test_answers_of_this_build_are_understood_by_a_newer_client(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < ROUNDS; round++) {
        oc_response_t response;
        char bytes[ROOM];
        memset(bytes, 0x11, sizeof bytes);
        sample_response(&response, LOGON_REPLY, &seed);
        const size_t size = events_encode(&response, bytes, sizeof bytes);
        struct events_v2_logonReply m;
        assert_non_null(events_v2_logonReply_wrap_for_decode(&m, bytes, 8, size - 8, 1, size));
        assert_int_equal(events_v2_logonReply_requestId(&m), response.request_id);
        assert_int_equal(events_v2_logonReply_sequence(&m), response.u.logon.sequence);
        assert_int_equal(events_v2_logonReply_source(&m), response.u.logon.source.value);
        assert_int_equal(events_v2_logonReply_venueTime(&m), INT64_MIN);
        sample_response(&response, ACCEPTED, &seed);
        const size_t accepted_size = events_encode(&response, bytes, sizeof bytes);
        struct events_v2_accepted accepted;
        assert_non_null(events_v2_accepted_wrap_for_decode(&accepted, bytes, 8, accepted_size - 8,
                                                           1, accepted_size));
        assert_int_equal(events_v2_accepted_open(&accepted), response.u.output.event.open_lots);
        assert_int_equal(events_v2_accepted_account(&accepted), UINT32_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_of_a_newer_client_are_understood),
        cmocka_unit_test(test_responses_of_a_newer_venue_are_understood),
        cmocka_unit_test(test_requests_of_this_build_are_understood_by_a_newer_venue),
        cmocka_unit_test(test_outputs_of_this_build_are_understood_by_a_newer_client),
        cmocka_unit_test(test_answers_of_this_build_are_understood_by_a_newer_client),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
