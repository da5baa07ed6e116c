/*
 * The busiest window by hand, and against a search through all windows. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "calc/trace_window.h"

static uint64_t by_size(const void *context, uint32_t size)
{
    return size * *(const uint64_t *)context;
}

static void test_by_hand(void **state)
{
    (void)state;
    trace_message_t messages[] = {{0, 9}, {10, 1}, {20, 1}, {29, 1}, {30, 1}, {50, 8}};
    const trace_t trace = {messages, 6};
    trace_window_t window;
    trace_window_busiest(&trace, 20, NULL, NULL, &window); /* 10, 20, 29: 30 is one too late */
    assert_int_equal(window.first, 1);
    assert_int_equal(window.count, 3);
    assert_int_equal(window.weight, 3);
    trace_window_busiest(&trace, 21, NULL, NULL, &window);
    assert_int_equal(window.count, 4);
    const uint64_t twice = 2;
    trace_window_busiest(&trace, 20, by_size, &twice, &window);
    assert_int_equal(window.first, 0);
    assert_int_equal(window.count, 2);
    assert_int_equal(window.weight, 20);
    trace_window_busiest(&trace, 1, NULL, NULL, &window); /* the first of equal ones */
    assert_int_equal(window.first, 0);
    assert_int_equal(window.count, 1);
    trace_window_busiest(&trace, UINT64_MAX, NULL, NULL, &window);
    assert_int_equal(window.count, 6);
}

static void test_random(void **state)
{
    (void)state;
    enum { MESSAGES = 60 };
    uint64_t random = 99;
    const uint64_t once = 1;
    for (int round = 0; round < 300; round++) {
        trace_message_t messages[MESSAGES];
        uint64_t now_ns = 0;
        for (size_t i = 0; i < MESSAGES; i++) {
            now_ns += prng_below(&random, 4) ? prng_below(&random, 20) : 0;
            messages[i] = (trace_message_t){now_ns, 1 + prng_below(&random, 50)};
        }
        const trace_t trace = {messages, MESSAGES};
        const uint64_t length_ns = 1 + prng_below(&random, 100);
        uint64_t most = 0;
        for (uint64_t begin = 0; begin <= now_ns; begin++) {
            uint64_t weight = 0;
            for (size_t i = 0; i < MESSAGES; i++)
                if (messages[i].offset_ns >= begin && messages[i].offset_ns < begin + length_ns)
                    weight += messages[i].size;
            most = weight > most ? weight : most;
        }
        trace_window_t window;
        trace_window_busiest(&trace, length_ns, by_size, &once, &window);
        assert_int_equal(window.weight, most);
        uint64_t sum = 0;
        for (size_t i = 0; i < window.count; i++)
            sum += messages[window.first + i].size;
        assert_int_equal(sum, most);
        assert_true(messages[window.first + window.count - 1].offset_ns -
                        messages[window.first].offset_ns <
                    length_ns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
