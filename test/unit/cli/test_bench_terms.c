/*
 * The terms of benches of clusters: read, told, and the ratios at the end.
 */
#define _GNU_SOURCE
#include "cli/bench_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/temp_dir.h"

static capture_t captured;
static bench_terms_t terms;
static uint64_t extra;

/* Of the terms, which are those of the arguments and end with them. */
enum { KEPT = 256 };
static char dir[KEPT];
static char peer[KEPT];
static char idle[KEPT];

static void keep(char copy[KEPT], const char *text)
{
    (void)snprintf(copy, KEPT, "%s", text ? text : "");
}

/* A bench that measures nothing. */
static int bench(int argc, char **argv)
{
    bench_terms_init(&terms, "nothing", 3);
    const option_t table[] = {option_number("extra", &extra, 1, 9)};
    const int status = bench_terms_read(&terms, argc, argv, table, 1, "usage: nothing\n");
    if (status >= 0)
        return status;
    keep(dir, terms.terms.dir);
    keep(peer, terms.terms.peer);
    keep(idle, terms.terms.idle);
    if (!bench_terms_begin(&terms))
        return EXIT_STATUS_FAILED;
    bench_terms_number(&terms, "peer_", "gap_ms", 2.25, 1);
    bench_terms_whole(&terms, "", "lost", 7);
    bench_terms_ratio(&terms, "ratio", 1, 8);
    return bench_terms_end(&terms, extra != 9);
}

#define BENCH(...)                                                                                 \
    capture_main(bench, (const char *const[]){"nothing", __VA_ARGS__, NULL}, &captured)

static void test_terms(void **state)
{
    (void)state;
    temp_dir_t folder;
    char script[KEPT + 16];
    temp_dir_make(&folder);
    (void)snprintf(script, sizeof script, "%s/run.sh", folder.path);
    assert_int_equal(BENCH("--dir", "d", "--peer", folder.path), EXIT_STATUS_USAGE);
    assert_non_null(strstr(captured.err, "nothing: --peer: "));
    assert_non_null(strstr(captured.err, "/run.sh: No such file or directory"));
    FILE *file = fopen(script, "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(BENCH("--dir", "d", "--peer", folder.path, "--orders", "5000", "--sync", "1",
                           "--heap-mb", "512", "--gc", "G1GC", "--idle", "spin", "--extra", "3"),
                     0);
    assert_int_equal(extra, 3);
    assert_string_equal(dir, "d");
    assert_string_equal(peer, folder.path);
    assert_string_equal(idle, "spin");
    assert_int_equal(terms.terms.members, 3);
    assert_int_equal(terms.terms.orders, 5000);
    assert_int_equal(terms.terms.sync_level, 1);
    assert_non_null(strstr(captured.out, "jvm_flags: -XX:+UseG1GC -Xms512m "));
    assert_non_null(
        strstr(captured.out, "\npeer_gap_ms: 2.2\nlost: 7\nratio: 0.125\nload_average_end: "));
    assert_non_null(strstr(captured.out, "\nsteal_pct: "));
    temp_dir_remove(&folder);
}

/* Nothing but the object, so that it can be read by a program. */
static void test_json(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--dir", "d", "--json", "--extra", "3"), 0);
    assert_int_equal(captured.out[0], '{');
    assert_non_null(strstr(captured.out, "\"ratio\": 0.125, \"load_average_end\": "));
    assert_ptr_equal(strchr(captured.out, '\n'), captured.out + strlen(captured.out) - 1);
}

static void test_failed(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--dir", "d", "--extra", "9"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(captured.out, "ratio: 0.125"));
}

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--help"), 0);
    assert_non_null(strstr(captured.out, "usage: nothing\n"));
    assert_int_equal(BENCH("--extra", "1"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(captured.err, "nothing: --dir is missing"));
    assert_int_equal(BENCH("--dir", "d", "--extra", "10"), EXIT_STATUS_USAGE);
    assert_int_equal(BENCH("--dir", "d", "--idle", "nap"), EXIT_STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_failed),
        cmocka_unit_test(test_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
