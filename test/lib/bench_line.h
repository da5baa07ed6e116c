/*
 * Command lines of `outcry bench`: called within the test, and what those of several benches have
 * to say to the same words.
 */
#ifndef LIB_BENCH_LINE_H
#define LIB_BENCH_LINE_H

#include "cli/subcommand.h"
#include "lib/capture.h"

typedef struct bench_line {
    const char *const *head;  /* "bench", its name and more; ends with NULL */
    const char *usage;        /* what its help begins with */
    const char *const *small; /* options of a small run, without --dir; end with NULL */
    capture_t captured;       /* what the last call printed */
} bench_line_t;

/* Calls it with the words behind its head, which end with NULL; returns the exit status. */
int bench_line_run(bench_line_t *self, const char *const *words);

/* The same with the words one by one. */
#define BENCH_LINE(self, ...) bench_line_run(self, (const char *const[]){__VA_ARGS__, NULL})

/* Fail the test unless the words are a usage error. */
#define BENCH_LINE_REFUSED(self, ...)                                                              \
    assert_int_equal(BENCH_LINE(self, __VA_ARGS__), EXIT_STATUS_USAGE)

/* The same, and unless `text` is in what was said. */
#define BENCH_LINE_REFUSED_WITH(self, text, ...)                                                   \
    do {                                                                                           \
        BENCH_LINE_REFUSED(self, __VA_ARGS__);                                                     \
        capture_assert_err(&(self)->captured, text);                                               \
    } while (0)

/* Fails the test unless each of the keys, which end with NULL, is in what was printed. */
void bench_line_expect_keys(const bench_line_t *self, const char *const *keys);

/* Fails the test unless --dir is missed, and too few orders and no rounds are usage errors; for a
 * bench of clusters also what is wrong for the terms that all of them have. */
void bench_line_expect_usage(bench_line_t *self);
void bench_line_expect_cluster_usage(bench_line_t *self);

/* Tests, whose state is the line: --help prints the usage; a folder that cannot be is told with
 * status 1, after the conditions. */
void bench_line_test_help(void **state);
void bench_line_test_no_folder(void **state);

/* The same for benches of clusters, whose terms are in the help, and told before anything runs. */
void bench_line_test_cluster_help(void **state);
void bench_line_test_cluster_no_folder(void **state);

#endif
