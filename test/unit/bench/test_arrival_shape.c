/*
 * Unit tests of shapes as text: read, named back, refused with what is allowed. Run by ctest.
 */
#include "bench/arrival_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_shape(const char *text, const char *named, const arrival_shape_t *expected)
{
    arrival_shape_t shape;
    arrival_shape_t again;
    char name[ARRIVAL_NAME_SIZE];
    assert_int_equal(arrival_shape_parse(&shape, text), OC_ERR_OK);
    assert_memory_equal(&shape, expected, sizeof shape);
    arrival_shape_name(&shape, name, sizeof name);
    assert_string_equal(name, named);
    assert_int_equal(arrival_shape_parse(&again, name), OC_ERR_OK);
    assert_memory_equal(&again, &shape, sizeof shape);
}

static arrival_shape_t made(arrival_kind_t kind, uint64_t burst, uint64_t idle_ms, uint64_t peak)
{
    arrival_shape_t shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = kind;
    shape.burst = burst;
    shape.idle_ms = idle_ms;
    shape.peak_per_ms = peak;
    return shape;
}

static void test_rates(void **state)
{
    (void)state;
    arrival_shape_t shape = made(ARRIVAL_STEADY, 1, 0, 0);
    assert_shape("steady", "steady:1", &shape);
    assert_shape("steady:1", "steady:1", &shape);
    shape.burst = ARRIVAL_BURST_MAX;
    assert_shape("steady:1000000", "steady:1000000", &shape);
    shape = made(ARRIVAL_POISSON, 0, 0, 0);
    assert_shape("poisson", "poisson", &shape);
    assert_true(arrival_shape_takes_rate(&shape));
}

static void test_onoff(void **state)
{
    (void)state;
    arrival_shape_t shape = made(ARRIVAL_ONOFF, 50000, 1000, 0);
    assert_shape("onoff:50000:1000", "onoff:50000:1000", &shape);
    assert_false(arrival_shape_takes_rate(&shape));
    shape.peak_per_ms = 650;
    assert_shape("onoff:50000:1000:650", "onoff:50000:1000:650", &shape);
    shape.idle_ms = 0;
    assert_shape("onoff:50000:0:650", "onoff:50000:0:650", &shape);
}

static arrival_shape_t trace(const char *path, uint64_t thousandths)
{
    arrival_shape_t shape = made(ARRIVAL_TRACE, 0, 0, 0);
    memcpy(shape.path, path, strlen(path));
    shape.factor_thousandths = thousandths;
    return shape;
}

static void test_trace(void **state)
{
    (void)state;
    arrival_shape_t shape = trace("day.pcap", 1000);
    assert_shape("trace:day.pcap", "trace:day.pcap:1", &shape);
    assert_false(arrival_shape_takes_rate(&shape));
    shape = trace("day.pcap", 2500);
    assert_shape("trace:day.pcap:2.5", "trace:day.pcap:2.500", &shape);
    shape = trace("day.pcap", 1);
    assert_shape("trace:day.pcap:0.001", "trace:day.pcap:0.001", &shape);
    shape = trace("day.pcap", 12050);
    assert_shape("trace:day.pcap:12.05", "trace:day.pcap:12.050", &shape);
    /* Not a factor, so a part of the name. */
    shape = trace("a:b", 1000);
    assert_shape("trace:a:b", "trace:a:b:1", &shape);
    shape = trace("a:1.2345", 1000);
    assert_shape("trace:a:1.2345", "trace:a:1.2345:1", &shape);
    shape = trace("a:2.x", 1000);
    assert_shape("trace:a:2.x", "trace:a:2.x:1", &shape);
    shape = trace("a:", 1000);
    assert_shape("trace:a:", "trace:a::1", &shape);
    shape = trace("a:7", 1000);
    assert_shape("trace:a:7:1", "trace:a:7:1", &shape);
}

static void refuse(const char *text, const char *part)
{
    arrival_shape_t shape;
    assert_int_equal(arrival_shape_parse(&shape, text), OC_ERR_INVALID_ARGUMENT);
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' is not in '%s'", part, oc_err_context());
}

static void test_refused(void **state)
{
    (void)state;
    refuse("", "no such shape");
    refuse("stead", "no such shape");
    refuse("steadyy:1", "no such shape");
    refuse("steady:", "1 to 1000000 sends");
    refuse("steady:0", "1 to 1000000 sends");
    refuse("steady:1000001", "1 to 1000000 sends");
    refuse("steady:1:2", "1 to 1000000 sends");
    refuse("steady:-1", "1 to 1000000 sends");
    refuse("steady:99999999999999999999999", "1 to 1000000 sends");
    refuse("poisson:1", "nothing behind it");
    refuse("onoff", "onoff:BURST:IDLE_MS");
    refuse("onoff:5", "onoff:BURST:IDLE_MS");
    refuse("onoff:0:5", "onoff:BURST:IDLE_MS");
    refuse("onoff:5:3600001", "onoff:BURST:IDLE_MS");
    refuse("onoff:5:5:0", "onoff:BURST:IDLE_MS");
    refuse("onoff:5:5:1000001", "onoff:BURST:IDLE_MS");
    refuse("onoff:5:5:5:5", "onoff:BURST:IDLE_MS");
    refuse("onoff:5:0", "at least 1 ms");
    refuse("trace", "names a file");
    refuse("trace:", "names a file");
    refuse("trace:f:0", "0.001 to 1000000");
    refuse("trace:f:0.0", "0.001 to 1000000");
    refuse("trace:f:1000000.001", "0.001 to 1000000");
    char path[ARRIVAL_PATH_SIZE + 10] = "trace:";
    memset(path + 6, 'x', ARRIVAL_PATH_SIZE);
    refuse(path, "at most 1023 bytes, not 1024");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_onoff),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
