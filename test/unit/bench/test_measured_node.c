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

#include "base/process_signals.h"
#include "lib/temp_dir.h"

#include <signal.h>
#include <stdio.h>

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
    assert_int_equal(measured_node_fini(&node, OC_ERR_OK), OC_ERR_OK);
    assert_int_equal(rmdir(dir.path), 0); /* empty again */
}

/* As a bench ends that got a signal: whatever it takes for the reason, the node ends in order. */
static void test_interrupted(void **state)
{
    (void)state;
    temp_dir_t dir;
    char ingress[sizeof((measured_node_t *)NULL)->ingress];
    temp_dir_make(&dir);
    measured_node_t node;
    assert_true(process_take_signals());
    assert_int_equal(measured_node_init(&node, dir.path, "some", OUTCRY_PROGRAM), OC_ERR_OK);
    assert_int_equal(measured_node_start(&node, small), OC_ERR_OK);
    (void)snprintf(ingress, sizeof ingress, "%s", node.ingress);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(measured_venue_fill(ingress, 2000), OC_ERR_INTERRUPTED);
    char aeron_dir[sizeof node.aeron_dir];
    (void)snprintf(aeron_dir, sizeof aeron_dir, "%s", node.aeron_dir);
    assert_int_equal(access(aeron_dir, F_OK), 0);
    assert_int_equal(measured_node_fini(&node, OC_ERR_CLOSED), OC_ERR_INTERRUPTED);
    assert_string_equal(oc_err_context(), "interrupted");
    assert_int_not_equal(access(aeron_dir, F_OK), 0);
    process_give_signals_back();
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
    oc_err_t err = measured_node_init(&node, "/nowhere/folder", "some", NULL);
    assert_int_equal(err, OC_ERR_OPEN);
    err = measured_node_fini(&node, err);
    assert_int_equal(err, OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/nowhere/folder"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_and_restart), cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_cpu_lines),        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
