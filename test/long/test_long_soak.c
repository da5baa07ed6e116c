/*
 * A node and a load of 100,000 orders a second for ten minutes: memory and file handles of both are
 * what they were after the first tenth of the time.
 *
 * OUTCRY_SOAK_SECONDS is another time, at least 20. A machine that cannot keep the rate makes the
 * load report `unsent` orders: that is printed and fails nothing, lost and doubled ones do. The log
 * takes about 11 MB a second: without the space the test is skipped.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/node_child.h"
#include "lib/process_usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#define SECOND INT64_C(1000000000)

/* Of the log, with room to spare: an order's entry is about 110 bytes. */
#define BYTES_PER_SECOND UINT64_C(20000000)

enum {
    SECONDS_DEFAULT = 600,
    SECONDS_MIN = 20,
    HANDLES_MORE = 3, /* a file of the log that is being opened */
    GROWTH_PERCENT = 5,
    START_S = 5, /* for the book and the connections, before orders flow */
};

typedef struct watched {
    const char *name;
    const child_process_t *process;
    process_usage_t first;
    process_usage_t most;
} watched_t;

static node_child_t node;
static child_process_t load;

static unsigned soak_seconds(void)
{
    const char *text = getenv("OUTCRY_SOAK_SECONDS");
    const unsigned long seconds = text != NULL ? strtoul(text, NULL, 10) : SECONDS_DEFAULT;
    assert_in_range(seconds, SECONDS_MIN, 1000000);
    return (unsigned)seconds;
}

static void skip_without_means(unsigned seconds)
{
    struct statvfs info;
    temp_dir_t dir;
    if (OUTCRY_PROGRAM[0] == '\0') {
        print_message("SKIP: this build has no program\n");
        skip();
    }
    temp_dir_make(&dir);
    const int result = statvfs(dir.path, &info);
    temp_dir_remove(&dir);
    assert_int_equal(result, 0);
    const uint64_t free_bytes = (uint64_t)info.f_bavail * info.f_frsize;
    const uint64_t needed = BYTES_PER_SECOND * seconds + (UINT64_C(1) << 30);
    if (free_bytes < needed) {
        print_message("SKIP: the log needs %" PRIu64 " MB, %" PRIu64 " are free\n",
                      needed / 1000000, free_bytes / 1000000);
        skip();
    }
}

static void start_load(unsigned seconds)
{
    char number[16];
    (void)snprintf(number, sizeof number, "%u", seconds);
    const char *const argv[] = {OUTCRY_PROGRAM, "load",   "--ingress", node.ingress,
                                "--rate",       "100000", "--seconds", number,
                                "--grace",      "60",     NULL};
    assert_int_equal(child_process_start(&load, argv, -1), OC_ERR_OK);
}

static void sleep_s(unsigned seconds)
{
    struct timespec left = {.tv_sec = (time_t)seconds};
    while (nanosleep(&left, &left) != 0) {
    }
}

static void look(watched_t *watched)
{
    const process_usage_t usage = process_usage(watched->process->pid);
    if (usage.rss_kib > watched->most.rss_kib)
        watched->most.rss_kib = usage.rss_kib;
    if (usage.handles > watched->most.handles)
        watched->most.handles = usage.handles;
}

static void judge(const watched_t *watched)
{
    print_message("%s: memory %" PRIu64 " KiB, at most %" PRIu64 "; handles %" PRIu32
                  ", at most %" PRIu32 "\n",
                  watched->name, watched->first.rss_kib, watched->most.rss_kib,
                  watched->first.handles, watched->most.handles);
    assert_true(watched->most.rss_kib * 100 <=
                watched->first.rss_kib * (100 + (uint64_t)GROWTH_PERCENT));
    assert_true(watched->most.handles <= watched->first.handles + HANDLES_MORE);
}

static uint64_t end_load(void)
{
    char line[CHILD_LINE_MAX];
    uint64_t answered = 0;
    int status = -1;
    while (child_process_line(&load, line, sizeof line, 120 * SECOND) == OC_ERR_OK) {
        print_message("%s\n", line);
        (void)sscanf(line, "answered: %" SCNu64, &answered);
    }
    assert_int_equal(child_process_wait(&load, &status, 60 * SECOND), OC_ERR_OK);
    assert_int_equal(status, 0); /* nothing was lost, nothing doubled */
    return answered;
}

static void test_soak(void **state)
{
    (void)state;
    const unsigned seconds = soak_seconds();
    watched_t watched[] = {{.name = "node", .process = &node.process},
                           {.name = "load", .process = &load}};
    skip_without_means(seconds);
    node_child_start(&node, "");
    start_load(seconds);
    sleep_s(START_S + seconds / 10);
    for (size_t i = 0; i < 2; i++)
        watched[i].most = watched[i].first = process_usage(watched[i].process->pid);
    /* Ends while both still work. */
    for (unsigned second = seconds / 10; second + START_S + 2 < seconds; second++) {
        sleep_s(1);
        assert_true(child_process_running(&load));
        assert_true(child_process_running(&node.process));
        for (size_t i = 0; i < 2; i++)
            look(&watched[i]);
    }
    const uint64_t answered = end_load();
    for (size_t i = 0; i < 2; i++)
        judge(&watched[i]);
    assert_true(answered > (uint64_t)seconds * 1000);
}

static int teardown(void **state)
{
    (void)state;
    child_process_end(&load);
    if (node.dir.path[0] != '\0')
        node_child_end(&node);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_soak, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
