/*
 * A node that a bench starts, fills, ends and starts again. Run by ctest; needs the program.
 */
#define _GNU_SOURCE
#include "bench/measured_node.h"
#include "bench/measured_venue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/temp_dir.h"

static const char small[] = "[exchange]\nmax_orders = 10000\nmax_levels = 2000\nmax_sources = 16\n"
                            "kept_outputs = 64\n[journal]\nsegment_bytes = 1M\n"
                            "group_bytes = 512K\nlow_space_bytes = 0\n";

static void test_fill_and_restart(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    measured_node_t node;
    assert_int_equal(measured_node_init(&node, dir.path, "some", OUTCRY_PROGRAM), OC_ERR_OK);
    assert_int_equal(measured_node_start(&node, small), OC_ERR_OK);
    assert_non_null(strstr(node.ingress, "127.0.0.1:"));
    assert_int_equal(measured_venue_fill(node.ingress, 2000), OC_ERR_OK);
    measured_node_kill(&node);
    assert_int_equal(measured_node_start(&node, small), OC_ERR_OK);
    assert_int_equal(measured_venue_fill(node.ingress, 100), OC_ERR_OK);
    assert_int_equal(measured_node_stop(&node), OC_ERR_OK);
    measured_node_fini(&node);
    assert_int_equal(rmdir(dir.path), 0); /* empty again */
}

static void test_cpu_lines(void **state)
{
    (void)state;
    char line[64];
    measured_node_cpu_line(line, sizeof line, "core_cpu", -1);
    assert_string_equal(line, "core_cpu = any\n");
    measured_node_cpu_line(line, sizeof line, "core_cpu", 3);
    assert_string_equal(line, "core_cpu = 3\n");
}

static void test_numbers(void **state)
{
    (void)state;
    const char answer[] = "sequence=7 my_bytes=1 bytes=22\nposition=333 x";
    assert_int_equal(measured_node_number(answer, "sequence"), 7);
    assert_int_equal(measured_node_number(answer, "bytes"), 22);
    assert_int_equal(measured_node_number(answer, "position"), 333);
    assert_int_equal(measured_node_number(answer, "pos"), 0);
    assert_int_equal(measured_node_number(answer, "pages"), 0);
}

static void test_impossible(void **state)
{
    (void)state;
    measured_node_t node;
    assert_int_equal(measured_node_init(&node, "/nowhere/folder", "some", NULL), OC_ERR_OPEN);
    measured_node_fini(&node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_and_restart),
        cmocka_unit_test(test_cpu_lines),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
