/*
 * Unit tests of traces before they are played: the worst window is what a search of all finds,
 * compression keeps bursts and loses nothing by rounding. Run by ctest.
 */
#include "bench/trace_play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"

#define GAP_NS UINT64_C(100000) /* of bursts */

static void append(trace_play_t *play, uint64_t offset_ns, uint32_t bytes)
{
    trace_t *trace = &play->trace;
    trace->messages = realloc(trace->messages, (trace->count + 1) * sizeof *trace->messages);
    assert_non_null(trace->messages);
    trace->messages[trace->count++] = (trace_message_t){offset_ns, bytes};
}

/* Bursts of up to 20 sends, with longer gaps between them. */
static trace_play_t made(uint64_t seed, size_t count)
{
    trace_play_t play = {0};
    uint64_t offset_ns = 0;
    for (size_t i = 0; i < count; i++) {
        append(&play, offset_ns, 1 + prng_below(&seed, 1400));
        offset_ns += prng_below(&seed, 20) ? prng_below(&seed, 3) * prng_below(&seed, GAP_NS / 2)
                                           : GAP_NS + 1 + prng_below(&seed, 3000000);
    }
    return play;
}

static trace_play_t copy_of(const trace_play_t *play)
{
    trace_play_t copy = *play;
    const size_t bytes = play->trace.count * sizeof *play->trace.messages;
    copy.trace.messages = malloc(bytes);
    assert_non_null(copy.trace.messages);
    memcpy(copy.trace.messages, play->trace.messages, bytes);
    return copy;
}

static uint64_t weight_from(const trace_play_t *trace, size_t first, uint64_t window_ns,
                            bool by_bytes)
{
    uint64_t sum = 0;
    for (size_t i = first; i < trace->trace.count; i++)
        if (trace->trace.messages[i].offset_ns < trace->trace.messages[first].offset_ns + window_ns)
            sum += by_bytes ? trace->trace.messages[i].size : 1;
    return sum;
}

static void check_worst(const trace_play_t *trace, uint64_t window_ns, bool by_bytes)
{
    size_t worst = 0;
    for (size_t i = 1; i < trace->trace.count; i++)
        if (weight_from(trace, i, window_ns, by_bytes) >
            weight_from(trace, worst, window_ns, by_bytes))
            worst = i;
    trace_play_t cut = copy_of(trace);
    trace_play_keep_worst(&cut, window_ns, by_bytes);
    assert_int_equal(weight_from(&cut, 0, window_ns, by_bytes),
                     weight_from(trace, worst, window_ns, by_bytes));
    assert_int_equal(cut.trace.count, weight_from(trace, worst, window_ns, false));
    assert_int_equal(cut.window_ns, window_ns);
    for (size_t i = 0; i < cut.trace.count; i++) {
        assert_int_equal(cut.trace.messages[i].offset_ns,
                         trace->trace.messages[worst + i].offset_ns -
                             trace->trace.messages[worst].offset_ns);
        assert_int_equal(cut.trace.messages[i].size, trace->trace.messages[worst + i].size);
    }
    assert_true(fabs(trace_play_rate_per_s(&cut) -
                     (double)cut.trace.count * 1e9 / (double)window_ns) < 1e-6);
    trace_play_fini(&cut);
}

static void test_worst_window(void **state)
{
    (void)state;
    const uint64_t windows_ns[] = {1, 1000, 100000, 1000000, 7000000};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        trace_play_t trace = made(seed, 300);
        for (size_t i = 0; i < sizeof windows_ns / sizeof windows_ns[0]; i++) {
            check_worst(&trace, windows_ns[i], false);
            check_worst(&trace, windows_ns[i], true);
        }
        trace_play_fini(&trace);
    }
}

static void test_window_of_all(void **state)
{
    (void)state;
    trace_play_t trace = made(7, 100);
    trace_play_t cut = copy_of(&trace);
    const uint64_t last_ns = trace.trace.messages[99].offset_ns;
    trace_play_keep_worst(&cut, last_ns + 1, true);
    assert_int_equal(cut.trace.count, 100);
    assert_int_equal(cut.window_ns, 0);
    trace_play_keep_worst(&cut, last_ns, true);
    assert_int_equal(cut.window_ns, last_ns);
    assert_true(cut.trace.count < 100);
    trace_play_fini(&cut);
    trace_play_fini(&trace);
}

/* Inner gaps are as they were; the others are longer than inner ones still, and their sum is the
 * factor's share to the nanosecond, where none of them met that limit. */
static void check_compressed(const trace_play_t *trace, uint64_t thousandths)
{
    trace_play_t pressed = copy_of(trace);
    trace_play_compress(&pressed, GAP_NS, thousandths);
    uint64_t outer_ns = 0;
    uint64_t pressed_ns = 0;
    assert_int_equal(pressed.trace.count, trace->trace.count);
    assert_int_equal(pressed.trace.messages[0].offset_ns, 0);
    for (size_t i = 1; i < trace->trace.count; i++) {
        const uint64_t gap_ns =
            trace->trace.messages[i].offset_ns - trace->trace.messages[i - 1].offset_ns;
        const uint64_t now_ns =
            pressed.trace.messages[i].offset_ns - pressed.trace.messages[i - 1].offset_ns;
        assert_int_equal(pressed.trace.messages[i].size, trace->trace.messages[i].size);
        if (gap_ns <= GAP_NS) {
            assert_int_equal(now_ns, gap_ns);
            continue;
        }
        assert_true(now_ns > GAP_NS);
        if (now_ns == GAP_NS + 1)
            continue;
        outer_ns += gap_ns;
        pressed_ns += now_ns;
        const uint64_t share_ns = gap_ns * 1000 / thousandths;
        assert_true(now_ns == share_ns || now_ns == share_ns + 1);
    }
    const uint64_t share_ns = outer_ns * 1000 / thousandths;
    assert_true(pressed_ns <= share_ns && share_ns - pressed_ns <= 1);
    trace_play_fini(&pressed);
}

static void test_compress(void **state)
{
    (void)state;
    const uint64_t factors[] = {1000, 1500, 1001, 7000, 30000, 1000000, 333, 1, 1000000000};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        trace_play_t trace = made(seed, 20000);
        for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
            check_compressed(&trace, factors[i]);
        trace_play_t same = copy_of(&trace);
        trace_play_compress(&same, GAP_NS, 1000);
        assert_memory_equal(same.trace.messages, trace.trace.messages,
                            trace.trace.count * sizeof *trace.trace.messages);
        trace_play_fini(&same);
        trace_play_fini(&trace);
    }
}

/* The gap behind the last send of a window is one like the others. */
static void test_compressed_window(void **state)
{
    (void)state;
    trace_play_t trace = {0};
    append(&trace, 0, 1);
    append(&trace, 10, 1);
    append(&trace, 5000000, 1);
    trace_play_keep_worst(&trace, 2000010, false);
    assert_int_equal(trace.trace.count, 2);
    trace_play_compress(&trace, GAP_NS, 4000);
    assert_int_equal(trace.window_ns, 10 + 500000);
    assert_true(fabs(trace_play_rate_per_s(&trace) - 2e9 / 500010) < 1e-6);
    trace_play_fini(&trace);
}

static void test_rate_and_limits(void **state)
{
    (void)state;
    trace_play_t trace = {0};
    append(&trace, 0, 1);
    assert_true(trace_play_rate_per_s(&trace) < 1e-9); /* one moment tells no rate */
    append(&trace, 500000000, 1);
    append(&trace, 1000000000, 1);
    assert_true(fabs(trace_play_rate_per_s(&trace) - 2.0) < 1e-9);
    assert_int_equal(trace_play_length_ns(&trace), 1000000001);
    append(&trace, TRACE_PLAY_SPAN_NS_MAX, 1);
    trace_play_compress(&trace, 0, 1); /* stretched as far as can be */
    assert_true(trace.trace.messages[3].offset_ns == TRACE_PLAY_SPAN_NS_MAX * 1000);
    trace_play_fini(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worst_window),    cmocka_unit_test(test_window_of_all),
        cmocka_unit_test(test_compress),        cmocka_unit_test(test_compressed_window),
        cmocka_unit_test(test_rate_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
