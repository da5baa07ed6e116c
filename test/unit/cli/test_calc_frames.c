/*
 * Unit tests of `outcry calc frames`: Aeron's figures, beside those that were noted. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/calc.h"
#include "lib/capture.h"
#include "lib/temp_file.h"

#include <string.h>

static capture_t captured;
static temp_file_t file;

#define CALC(...)                                                                                  \
    capture_main(calc_frames_main, (const char *const[]){"frames", __VA_ARGS__, NULL}, &captured)

/* A trace of the test's own; removed by remove_trace(). */
static void make_trace(const char *text)
{
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
}

static int remove_trace(void **state)
{
    (void)state;
    temp_file_remove(&file);
    return 0;
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(CALC("--size=32"), 0);
    capture_assert_out(&captured, "\nmtu_1408_max_payload_bytes: 1376\n"
                                  "mtu_1408_datagrams_per_message: 1\nmtu_1408_frame_bytes: 64\n"
                                  "mtu_1408_wire_bytes: 110\nmtu_1408_frames_per_datagram: 22\n"
                                  "mtu_1408_noted_frames_per_datagram: 40\n");
    capture_assert_out(&captured, "\nmtu_8192_frames_per_datagram: 128\n"
                                  "mtu_8192_noted_frames_per_datagram: 230\n");
    capture_assert_out(&captured, "\nmtu_8960_frames_per_datagram: 140\n"
                                  "mtu_8960_noted_frames_per_datagram: 250\n");
    capture_assert_out(&captured, "\nmtu_65504_frames_per_datagram: 1023\n");
    assert_int_equal(CALC("--size=288", "--json"), 0);
    capture_assert_out(&captured, "\"mtu_1408_frames_per_datagram\": 4, "
                                  "\"mtu_1408_noted_frames_per_datagram\": \"4-5\", ");
    assert_int_equal(CALC("--size=1344", "--mtu=8192"), 0);
    capture_assert_out(&captured, "\nmtu_8192_frames_per_datagram: 5\n"
                                  "mtu_8192_noted_frames_per_datagram: 6\n");
    assert_null(strstr(captured.out, "mtu_1408"));
}

static void test_a_long_message(void **state)
{
    (void)state;
    assert_int_equal(CALC("--size=2753", "--mtu=1408"), 0);
    capture_assert_out(&captured, "\nmtu_1408_datagrams_per_message: 3\n"
                                  "mtu_1408_frame_bytes: 2880\nmtu_1408_wire_bytes: 3018\n"
                                  "mtu_1408_frames_per_datagram: 1\n");
    assert_null(strstr(captured.out, "noted"));
}

static void test_trace(void **state)
{
    (void)state;
    make_trace("0,170\n10,100\n2000000,1400\n");
    assert_int_equal(CALC("--trace", file.path, "--mtu=1408"), 0);
    capture_assert_out(&captured, "\nmtu_1408_frame_bytes: 1856\nmtu_1408_datagrams_alone: 4\n"
                                  "mtu_1408_datagrams_packed: 3\n"
                                  "mtu_1408_frames_per_datagram: 1.33\n");
}

static void test_refusals(void **state)
{
    (void)state;
    assert_int_equal(CALC("--size=32", "--mtu=9001"), 2);
    assert_string_equal(
        captured.err,
        "outcry: calc frames: option --mtu: '9001' is not a multiple of 32; 8992 is\n");
    assert_int_equal(CALC("--size=0"), 2);
    assert_string_equal(captured.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_a_long_message),
        cmocka_unit_test_teardown(test_trace, remove_trace),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
