/*
 * Addresses of a venue, as people write them and as a venue sends them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/endpoints.h"

#include <stdio.h>
#include <string.h>

static bool parse(endpoints_t *endpoints, const char *text)
{
    return endpoints_parse(endpoints, text, strlen(text));
}

static void test_one(void **state)
{
    (void)state;
    endpoints_t endpoints;
    assert_true(parse(&endpoints, "venue.example:9010"));
    assert_int_equal(endpoints.count, 1);
    assert_string_equal(endpoints_current(&endpoints), "venue.example:9010");
    endpoints_next(&endpoints);
    assert_string_equal(endpoints_current(&endpoints), "venue.example:9010");
    assert_false(endpoints_choose(&endpoints, 0));
    /* Not terminated: only so much is read. */
    assert_true(endpoints_parse(&endpoints, "10.0.0.1:80garbage", 11));
    assert_string_equal(endpoints_current(&endpoints), "10.0.0.1:80");
}

static void test_list(void **state)
{
    (void)state;
    endpoints_t endpoints;
    assert_true(parse(&endpoints, "0=a:1,12=b:2,2=[::1]:3"));
    assert_int_equal(endpoints.count, 3);
    assert_string_equal(endpoints_current(&endpoints), "a:1");
    endpoints_next(&endpoints);
    assert_string_equal(endpoints_current(&endpoints), "b:2");
    assert_true(endpoints_choose(&endpoints, 2));
    assert_string_equal(endpoints_current(&endpoints), "[::1]:3");
    endpoints_next(&endpoints);
    assert_string_equal(endpoints_current(&endpoints), "a:1");
    assert_true(endpoints_choose(&endpoints, 12));
    assert_false(endpoints_choose(&endpoints, 1));
    assert_string_equal(endpoints_current(&endpoints), "b:2");
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",       "host",        ":1",         "host:",     "host:0", "host:65536",
        "h:1x",   "::1:80",      "a:1,b:2",    "0=a:1,b:2", "=a:1",   "x=a:1",
        "0=a:1,", "1234567=a:1", "a:1|term=1", "0=,1=a:1",  "0=a:-1", "0=a:1,,1=b:2",
    };
    endpoints_t endpoints = {.count = 77};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (parse(&endpoints, texts[i]))
            fail_msg("'%s'", texts[i]);
        assert_int_equal(endpoints.count, 77);
    }
    assert_false(endpoints_parse(&endpoints, "a:1\0:2", 6));
    char text[1200] = "";
    size_t length = 0;
    for (int i = 0; i <= ENDPOINTS_MAX; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%d=a:1", i ? "," : "", i);
    assert_false(endpoints_parse(&endpoints, text, length));
    memset(text, 'a', 300);
    memcpy(text + 300, ":1", 3);
    assert_false(parse(&endpoints, text));
}

static void test_split(void **state)
{
    (void)state;
    char host[16];
    uint16_t port = 1;
    assert_true(endpoints_split("[fe80::1]:0", host, sizeof host, &port));
    assert_string_equal(host, "fe80::1");
    assert_int_equal(port, 0);
    assert_true(endpoints_split("h:65535", host, sizeof host, &port));
    assert_int_equal(port, 65535);
    assert_false(endpoints_split("a.name.too.long.for.it:1", host, sizeof host, &port));
    assert_false(endpoints_split("h:000001234567", host, sizeof host, &port));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
