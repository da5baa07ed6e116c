/*
 * The venue of the workloads and its book: all its orders, or an error. Run by ctest; needs the
 * program.
 */
#define _GNU_SOURCE
#include "bench/measured_venue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/measured_node.h"
#include "lib/temp_dir.h"

static const char small[] = "[exchange]\nmax_orders = 10000\nmax_levels = 2000\nmax_sources = 16\n"
                            "kept_outputs = 64\n[journal]\nsegment_bytes = 1M\n"
                            "group_bytes = 512K\nlow_space_bytes = 0\n";

static void test_venue(void **state)
{
    (void)state;
    load_venue_config_t config;
    measured_venue_config("127.0.0.1:1", &config, 2);
    assert_string_equal(config.ingress, "127.0.0.1:1");
    assert_int_equal(config.clients, 2);
    assert_int_equal(config.first_source.value, MEASURED_VENUE_SOURCE);
    assert_int_equal(config.instrument_count, 1);
    assert_int_equal(config.instruments[0].type, OC_COMMAND_INSTRUMENT_ADD);
}

static void test_book_too_small(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    measured_node_t node;
    assert_int_equal(measured_node_init(&node, dir.path, "some", OUTCRY_PROGRAM), OC_ERR_OK);
    assert_int_equal(measured_node_start(&node, small), OC_ERR_OK);
    assert_int_equal(measured_venue_fill(node.ingress, 10001), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "1 rejected"));
    assert_int_equal(measured_node_fini(&node, OC_ERR_OK), OC_ERR_OK);
    assert_int_equal(rmdir(dir.path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_venue),
        cmocka_unit_test(test_book_too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
