/*
 * The codecs under everything an engine says and understands: random commands go through bytes
 * before the engine takes them, and each event comes back from its message to the byte. What the
 * vocabulary's comments promise about unused fields is held against the engine here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/events_codec.h"
#include "codec/order_entry_codec.h"
#include "lib/command_stream.h"

#include <string.h>

enum { SEEDS = 12, COMMANDS = 4000 };

typedef struct event_check {
    uint64_t events[OC_EVENT_COMPLETED + 1]; /* how many of each type */
    uint64_t outbound;
} event_check_t;

static void check_event(event_check_t *check, const oc_event_t *event)
{
    oc_response_t response = {.type = OC_RESPONSE_OUTPUT};
    oc_response_t back;
    char bytes[EVENTS_BYTES_MAX];
    size_t consumed;
    uint16_t template_id;
    response.u.output.event = *event;
    response.u.output.outbound_sequence = ++check->outbound;
    response.u.output.position = check->outbound * 96;
    response.u.output.index = (uint32_t)(check->outbound % 7);
    const size_t size = events_encode_output(&response.u.output, bytes);
    assert_true(size > 0);
    assert_int_equal(events_decode(bytes, size, &back, &consumed, &template_id), OC_PROBLEM_NONE);
    assert_int_equal(consumed, size);
    assert_int_equal(template_id, event->type);
    if (memcmp(&back, &response, sizeof back) != 0)
        fail_msg("event %s of entry %llu is not what it was", oc_event_type_name(event->type),
                 (unsigned long long)event->entry);
    check->events[event->type]++;
}

static void check_events(void *context, const oc_event_t *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_event(context, &events[i]);
}

static void ignore_events(void *context, const oc_event_t *events, size_t count)
{
    (void)context;
    (void)events;
    (void)count;
}

static bool is_of_the_host(const oc_command_t *command)
{
    return command->type == OC_COMMAND_SESSION_UP || command->type == OC_COMMAND_SESSION_DOWN ||
           command->type == OC_COMMAND_TIME;
}

/* Takes out of a command what is repeated in events although its type has no use for it, and flags
 * where no flag is allowed: messages have no fields for them. The least number is "absent" on the
 * wire: of a market order's price and of a quantity it is taken as 0. */
static void strip(oc_command_t *command)
{
    if (command->type == OC_COMMAND_NEW && command->order_type != OC_ORDER_LIMIT &&
        command->u.order.price_ticks == INT64_MIN)
        command->u.order.price_ticks = 0;
    if ((command->type == OC_COMMAND_NEW || command->type == OC_COMMAND_MODIFY) &&
        command->u.order.quantity_lots == INT64_MIN)
        command->u.order.quantity_lots = 0;
    if (command->type != OC_COMMAND_NEW && command->type != OC_COMMAND_MODIFY)
        command->flags = 0;
    if (command->type == OC_COMMAND_SOURCE_ADD || command->type == OC_COMMAND_SOURCE_RETIRE ||
        command->type == OC_COMMAND_CONFIGURE || command->type == OC_COMMAND_RESTRICTION)
        command->instrument.value = 0;
}

/* What no message can carry: commands that are the host's or none, and the null of a price. */
static bool cannot_be_sent(const oc_command_t *command)
{
    if (command->type == OC_COMMAND_NEW || command->type == OC_COMMAND_MODIFY)
        return command->u.order.price_ticks == INT64_MIN;
    return command->type == 0 || command->type > OC_COMMAND_LAST || is_of_the_host(command);
}

/* Through bytes and back, if a message can carry it; its sender and time are the venue's to say. */
static bool send(const oc_command_t *command, oc_command_t *received)
{
    oc_request_t request = {.type = OC_REQUEST_COMMAND, .u.command = *command};
    char bytes[ORDER_ENTRY_BYTES_MAX];
    size_t consumed;
    uint16_t template_id;
    *received = *command;
    const size_t size = order_entry_encode(&request, bytes, sizeof bytes);
    if (size == 0)
        return false;
    assert_int_equal(order_entry_decode(bytes, size, &request, &consumed, &template_id),
                     OC_PROBLEM_NONE);
    *received = request.u.command;
    assert_int_equal(received->source.value, 0);
    received->source = command->source;
    received->time_ns = command->time_ns;
    return true;
}

/* Two engines, one fed with what came through bytes, have the same state at the end. */
static uint64_t run(uint64_t seed, event_check_t *check)
{
    oc_engine_config_t config;
    oc_engine_t *sent = NULL;
    oc_engine_t *direct = NULL;
    command_stream_t stream;
    uint64_t messages = 0;
    oc_engine_config_init(&config);
    command_stream_init(&stream, seed, &config);
    assert_int_equal(oc_engine_create(&sent, &config, check_events, check), OC_ERR_OK);
    assert_int_equal(oc_engine_create(&direct, &config, ignore_events, NULL), OC_ERR_OK);
    for (int i = 0; i < COMMANDS; i++) {
        oc_command_t command;
        oc_command_t received;
        command_stream_next(&stream, sent, &command);
        strip(&command);
        if (send(&command, &received))
            messages++;
        else
            assert_true(cannot_be_sent(&command));
        const oc_err_t err = oc_engine_apply(direct, &command);
        assert_int_equal(oc_engine_apply(sent, &received), err);
        if (err != OC_ERR_OK)
            break;
    }
    assert_int_equal(oc_engine_state_hash(sent), oc_engine_state_hash(direct));
    assert_int_equal(oc_engine_output_hash(sent), oc_engine_output_hash(direct));
    oc_engine_destroy(sent);
    oc_engine_destroy(direct);
    return messages;
}

static void test_commands_and_events_survive_the_wire(void **state)
{
    (void)state;
    event_check_t check = {0};
    uint64_t messages = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        messages += run(seed, &check);
    assert_true(messages > (uint64_t)SEEDS * COMMANDS / 2);
    for (int type = OC_EVENT_ACCEPTED; type <= OC_EVENT_COMPLETED; type++)
        assert_true(check.events[type] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_and_events_survive_the_wire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
