/*
 * Unit tests of a load's flow: from the workload, and compiled from commands of a file. Run by
 * ctest.
 */
#include "bench/load_flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_workload(void **state)
{
    (void)state;
    workload_t workload;
    assert_int_equal(workload_init(&workload, WORKLOAD_W1, 500, 3000), OC_ERR_OK);
    const load_flow_t flow = {.workload = &workload, .count = 3500, .instrument_offset = 6};
    uint64_t highest = 0;
    for (uint64_t i = 0; i < flow.count; i++) {
        oc_command_t command;
        load_flow_command(&flow, i, &command);
        const uint64_t id = command.u.order.client_order_id.value;
        assert_int_equal(command.source.value, 0);
        assert_int_equal(command.sequence, 0);
        assert_int_equal(command.instrument.value, 7);
        /* What the load's ids rest on: numbers are dense, and no greater than the place. */
        if (command.type == OC_COMMAND_NEW)
            assert_int_equal(id, ++highest);
        else
            assert_true(id >= 1 && id <= highest);
        assert_true(id <= i + 1);
    }
    workload_fini(&workload);
}

static oc_command_t make(oc_command_type_t type, uint32_t source, uint64_t id)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = (uint8_t)type;
    command.source.value = source;
    command.instrument.value = 3;
    command.u.order.client_order_id.value = id;
    return command;
}

static void test_compile(void **state)
{
    (void)state;
    oc_command_t commands[] = {
        make(OC_COMMAND_SOURCE_ADD, 0, 1),
        make(OC_COMMAND_INSTRUMENT_ADD, 0, 0),
        make(OC_COMMAND_NEW, 1, UINT64_MAX),
        make(OC_COMMAND_NEW, 2, UINT64_MAX),
        make(OC_COMMAND_TIME, 0, 0),
        make(OC_COMMAND_CANCEL, 1, UINT64_MAX),
        make(OC_COMMAND_NEW, 1, UINT64_MAX),
        make(OC_COMMAND_MODIFY, 2, UINT64_MAX),
        make(OC_COMMAND_CANCEL, 1, 77),
        make(OC_COMMAND_MARK_PRICE, 1, 5),
        make(OC_COMMAND_CANCEL, 1, UINT64_MAX),
        make(OC_COMMAND_CANCEL, 1, UINT64_MAX),
    };
    commands[1].u.instrument.max_quantity_lots = INT64_MAX;
    commands[11].u.order.owner.value = 2;
    oc_command_t instruments[1];
    load_flow_compiled_t compiled;
    const size_t count = sizeof commands / sizeof commands[0];
    assert_int_equal(load_flow_compile(commands, count, instruments, 1, &compiled), OC_ERR_OK);
    assert_int_equal(compiled.left_out, 2);
    assert_int_equal(compiled.instrument_count, 1);
    assert_int_equal(instruments[0].instrument.value, 3);
    assert_true(instruments[0].u.instrument.max_quantity_lots <= INT64_MAX >> 27);
    assert_int_equal(compiled.count, 9);
    /* The same name is another order by source, and when it is entered again. */
    const uint64_t numbers[] = {1, 2, 1, 3, 2, 4, 5, 3, 2};
    for (size_t i = 0; i < compiled.count; i++) {
        assert_int_equal(commands[i].u.order.client_order_id.value, numbers[i]);
        assert_int_equal(commands[i].u.order.owner.value, 0);
    }
    const load_flow_t flow = {.commands = commands, .count = compiled.count};
    oc_command_t command;
    load_flow_command(&flow, 4, &command);
    assert_int_equal(command.type, OC_COMMAND_MODIFY);
    assert_int_equal(command.source.value, 0);
    assert_int_equal(command.instrument.value, 3);
}

static void test_compile_too_many_instruments(void **state)
{
    (void)state;
    oc_command_t commands[] = {make(OC_COMMAND_INSTRUMENT_ADD, 0, 0),
                               make(OC_COMMAND_INSTRUMENT_ADD, 0, 0)};
    oc_command_t instruments[1];
    load_flow_compiled_t compiled;
    assert_int_equal(load_flow_compile(commands, 2, instruments, 1, &compiled),
                     OC_ERR_INVALID_ARGUMENT);
}

static void test_mass_cancels(void **state)
{
    (void)state;
    oc_command_t commands[2];
    memset(commands, 0, sizeof commands);
    for (size_t i = 0; i < 2; i++)
        commands[i].type = OC_COMMAND_MASS_CANCEL;
    commands[0].u.mass_cancel.scope = OC_SCOPE_SOURCE;
    commands[1].u.mass_cancel.scope = OC_SCOPE_INSTRUMENT;
    oc_command_t instruments[1];
    load_flow_compiled_t compiled;
    assert_int_equal(load_flow_compile(commands, 2, instruments, 1, &compiled), OC_ERR_OK);
    assert_int_equal(compiled.count, 1);
    assert_int_equal(compiled.left_out, 1);
    assert_int_equal(commands[0].u.mass_cancel.scope, OC_SCOPE_INSTRUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workload),
        cmocka_unit_test(test_compile),
        cmocka_unit_test(test_compile_too_many_instruments),
        cmocka_unit_test(test_mass_cancels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
