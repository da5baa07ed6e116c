/*
 * Writes a set of histograms as .hlog and .hgrm into the directory named by the first argument,
 * with what the library thinks of them; test/system/test_hdr_java.sh compares that with the
 * official Java HdrHistogram. Without an argument (ctest) it checks that all files can be written.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/histogram.h"
#include "base/prng.h"
#include "bench/hdr_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *directory;

static void fill_empty(histogram_t *h)
{
    (void)h;
}

static void fill_zero(histogram_t *h)
{
    histogram_record(h, 0);
}

static void fill_one(histogram_t *h)
{
    histogram_record(h, 123456789);
}

static void fill_small(histogram_t *h)
{
    for (uint64_t v = 0; v < 5000; v += 3)
        histogram_record_many(h, v, v % 7);
}

/* Every power of two that the files can tell, and its neighbours. */
static void fill_wide(histogram_t *h)
{
    for (unsigned bit = 0; bit < 63; bit++) {
        histogram_record(h, UINT64_C(1) << bit);
        histogram_record(h, (UINT64_C(1) << bit) - 1);
        histogram_record_many(h, (UINT64_C(1) << bit) + (UINT64_C(1) << bit) / 3, bit);
    }
    histogram_record(h, INT64_MAX);
}

/* Latencies: most near 40 us, a tail of a thousandth to 20 ms. */
static void fill_millions(histogram_t *h)
{
    uint64_t random = 42;
    for (unsigned i = 0; i < 3000000; i++) {
        const uint64_t draw = prng_next(&random);
        const uint64_t usual = 30000 + (draw >> 49) + (draw >> 50);
        histogram_record(h, draw % 1000 == 7 ? usual + (draw >> 40) : usual);
    }
}

static void fill_huge_counts(histogram_t *h)
{
    histogram_record_many(h, 1000, UINT64_C(1) << 40);
    histogram_record_many(h, 1000000, UINT64_C(999999999));
    histogram_record_many(h, 1000000000, 3);
}

static const struct {
    const char *name;
    void (*fill)(histogram_t *h);
} kinds[] = {
    {"empty", fill_empty},
    {"zero", fill_zero},
    {"one", fill_one},
    {"small", fill_small},
    {"wide", fill_wide},
    {"millions", fill_millions},
    {"huge-counts", fill_huge_counts},
};

static FILE *open_facts(const char *name, const char *suffix, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/%s.%s", directory, name, suffix);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    return file;
}

/* As tools/java's HdrPercentiles prints them: a bucket's highest value stands for it. */
static void write_facts(const char *name, const histogram_t *h)
{
    char path[512];
    FILE *file = open_facts(name, "facts", path, sizeof path);
    const char *const percents[] = {"50", "90", "99", "99.9", "99.99"};
    fprintf(file, "count: %" PRIu64 "\n", histogram_count(h));
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
        const uint64_t value = histogram_percentile(h, strtod(percents[i], NULL));
        fprintf(file, "p%s: %" PRIu64 "\n", percents[i],
                histogram_count(h) ? histogram_bucket_high(value) : 0);
    }
    fprintf(file, "max: %" PRIu64 "\n",
            histogram_count(h) ? histogram_bucket_high(histogram_max(h)) : 0);
    assert_int_equal(fclose(file), 0);
}

/* The log in two intervals, so that the reader has to add them up. */
static void write_log(const char *name, const histogram_t *h)
{
    char path[512];
    histogram_t *nothing = histogram_create();
    assert_non_null(nothing);
    (void)snprintf(path, sizeof path, "%s/%s.hlog", directory, name);
    hlog_writer_t log;
    assert_int_equal(hlog_open(&log, path, 1441812279.474), OC_ERR_OK);
    assert_int_equal(hlog_interval(&log, h, 0.0, 1.0), OC_ERR_OK);
    assert_int_equal(hlog_interval(&log, nothing, 1.0, 1.0), OC_ERR_OK);
    assert_int_equal(hlog_close(&log), OC_ERR_OK);
    histogram_destroy(nothing);
}

static void test_write_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        histogram_t *h = histogram_create();
        assert_non_null(h);
        kinds[i].fill(h);
        write_facts(kinds[i].name, h);
        write_log(kinds[i].name, h);
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s.hgrm", directory, kinds[i].name);
        assert_int_equal(hgrm_write(path, h, 1000.0), OC_ERR_OK);
        struct stat status;
        assert_int_equal(stat(path, &status), 0);
        assert_true(status.st_size > 100);
        histogram_destroy(h);
    }
}

static void remove_all(void)
{
    static const char *const suffixes[] = {"facts", "hlog", "hgrm"};
    char path[512];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (size_t s = 0; s < sizeof suffixes / sizeof suffixes[0]; s++) {
            (void)snprintf(path, sizeof path, "%s/%s.%s", directory, kinds[i].name, suffixes[s]);
            (void)unlink(path);
        }
    (void)rmdir(directory);
}

int main(int argc, char **argv)
{
    char made[] = "/tmp/outcry-hdr-XXXXXX";
    directory = argc > 1 ? argv[1] : mkdtemp(made);
    if (!directory)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_all),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (argc <= 1)
        remove_all();
    return failed;
}
