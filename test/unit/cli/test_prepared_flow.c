/*
 * Unit tests of prepared files: the commands of a small LOBSTER file lead a fresh engine to the
 * same state; limits; damage. Run by ctest.
 */
#include "cli/prepared_flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/temp_file.h"

static const char lobster[] = "34200.1,1,11,100,5000000,1\n"
                              "34200.2,1,12,50,5000100,-1\n"
                              "34200.3,2,11,40,5000000,1\n"
                              "34200.4,4,12,20,5000100,-1\n"
                              "34200.5,3,11,60,5000000,1\n";

static prepared_flow_options_t options_for(const temp_file_t *file)
{
    return (prepared_flow_options_t){.path = file->path,
                                     .format = FLOW_FORMAT_LOBSTER,
                                     .engine = OC_ENGINE_REFERENCE,
                                     .hash_outputs = true,
                                     .max_orders = 1000};
}

static void test_same_state(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, lobster, sizeof lobster - 1);
    const prepared_flow_options_t options = options_for(&file);
    prepared_flow_t flow;
    assert_int_equal(prepared_flow_read(&flow, &options), OC_ERR_OK);
    assert_int_equal(flow.count, 2 + 5); /* a source and an instrument first */
    oc_engine_t *engine;
    assert_int_equal(oc_engine_create(&engine, &flow.config, NULL, NULL), OC_ERR_OK);
    for (size_t i = 0; i < flow.count; i++)
        assert_int_equal(oc_engine_apply(engine, &flow.commands[i]), OC_ERR_OK);
    assert_int_equal(oc_engine_state_hash(engine), flow.state_hash);
    oc_engine_destroy(engine);
    prepared_flow_fini(&flow);
    temp_file_remove(&file);
}

static void test_limit(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, lobster, sizeof lobster - 1);
    prepared_flow_options_t options = options_for(&file);
    options.limit = 2;
    prepared_flow_t flow;
    assert_int_equal(prepared_flow_read(&flow, &options), OC_ERR_OK);
    assert_int_equal(flow.count, 2 + 2);
    prepared_flow_fini(&flow);
    temp_file_remove(&file);
}

static void test_damaged(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    const char bad[] = "34200.1,1,11,100,5000000,1\nno record\n";
    temp_file_write(&file, bad, sizeof bad - 1);
    const prepared_flow_options_t options = options_for(&file);
    prepared_flow_t flow;
    assert_int_equal(prepared_flow_read(&flow, &options), OC_ERR_FORMAT);
    assert_null(flow.commands);
    temp_file_remove(&file);
    assert_int_equal(prepared_flow_read(&flow, &options), OC_ERR_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_state),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
