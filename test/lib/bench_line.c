/*
 * Command lines of benches. Called by the tests of src/cli/bench_*.c.
 *
 * Invariant: no call here gets as far as a measurement: there is no folder for one.
 */
#include "lib/bench_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WORDS_MAX = 24 };

/* Puts `words` behind the `count` that are there, and returns how many there are now. */
static size_t append(const char **all, size_t count, const char *const *words)
{
    for (; *words; words++) {
        assert_true(count < WORDS_MAX);
        all[count++] = *words;
    }
    all[count] = NULL;
    return count;
}

int bench_line_run(bench_line_t *self, const char *const *words)
{
    const char *all[WORDS_MAX + 1];
    (void)append(all, append(all, 0, self->head), words);
    return capture_main(bench_main, all, &self->captured);
}

void bench_line_expect_keys(const bench_line_t *self, const char *const *keys)
{
    for (; *keys; keys++)
        capture_assert_out(&self->captured, *keys);
}

void bench_line_expect_usage(bench_line_t *self)
{
    BENCH_LINE_REFUSED(self, "--orders", "1000");
    capture_assert_err(&self->captured, "--dir is missing");
    BENCH_LINE_REFUSED(self, "--dir", "d", "--orders", "1");
    BENCH_LINE_REFUSED(self, "--dir", "d", "--rounds", "0");
}

void bench_line_expect_cluster_usage(bench_line_t *self)
{
    bench_line_expect_usage(self);
    BENCH_LINE_REFUSED(self, "--dir", "d", "--sync", "3");
    BENCH_LINE_REFUSED(self, "--dir", "d", "--members", "10");
}

void bench_line_test_help(void **state)
{
    bench_line_t *self = *state;
    assert_int_equal(BENCH_LINE(self, "--help"), 0);
    capture_assert_out(&self->captured, self->usage);
}

void bench_line_test_no_folder(void **state)
{
    bench_line_t *self = *state;
    const char *all[WORDS_MAX + 1] = {"--dir", "/nowhere/folder"};
    (void)append(all, 2, self->small);
    assert_int_equal(bench_line_run(self, all), EXIT_STATUS_FAILED);
    capture_assert_err(&self->captured, "/nowhere/folder");
    capture_assert_out(&self->captured, "load_average: ");
}

void bench_line_test_cluster_help(void **state)
{
    const bench_line_t *self = *state;
    bench_line_test_help(state);
    capture_assert_out(&self->captured, "--peer FOLDER");
    capture_assert_out(&self->captured, "  --members N          of the cluster, ");
}

void bench_line_test_cluster_no_folder(void **state)
{
    const bench_line_t *self = *state;
    bench_line_test_no_folder(state);
    capture_assert_out(&self->captured, "sync_level: 2\n");
    capture_assert_out(&self->captured, "jvm_flags: -XX:+UseParallelGC ");
}
