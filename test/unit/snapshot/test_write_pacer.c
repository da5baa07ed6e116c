/*
 * The pace of image writes, against a disk that is a formula. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/expect_abort.h"
#include "snapshot/write_pacer.h"

#include <string.h>

#define BLOCK    ((size_t)128 << 10)
#define MIB      (UINT64_C(1) << 20)
#define SECOND   UINT64_C(1000000000)
#define QUIET_NS UINT64_C(150000)

/* A disk whose syncs take longer the more is written beside them. */
typedef struct disk {
    uint64_t random;    /* not 0: syncs take up to twice as long as the quiet time, by chance */
    uint64_t free_rate; /* bytes/s that syncs do not feel; 0: any */
    uint64_t quiet_ns;
    double mean_ns;        /* of syncs of late */
    uint64_t window_ns;    /* begin of the last 10 ms */
    uint64_t window_bytes; /* written in it */
} disk_t;

/* One sync, at a time when `bytes` more were written. */
static uint64_t disk_sync(disk_t *disk, uint64_t now_ns, uint64_t bytes)
{
    disk->window_bytes += bytes;
    if (now_ns - disk->window_ns >= 10000000) {
        const double rate = (double)disk->window_bytes * 1e9 / (double)(now_ns - disk->window_ns);
        double sync_ns = (double)disk->quiet_ns + (double)(now_ns % 997);
        if (disk->random > 0)
            sync_ns += (double)prng_below(&disk->random, (uint32_t)disk->quiet_ns);
        if (disk->free_rate > 0 && rate > (double)disk->free_rate)
            sync_ns *= rate / (double)disk->free_rate;
        disk->mean_ns += (sync_ns - disk->mean_ns) / 4;
        disk->window_ns = now_ns;
        disk->window_bytes = 0;
    }
    return (uint64_t)disk->mean_ns;
}

typedef struct run {
    uint64_t now_ns;
    uint64_t blocks;
    uint64_t sync_ns_max;
} run_t;

/* Writes for so long; the rate in MiB/s. */
static uint64_t write_for(write_pacer_t *pacer, disk_t *disk, run_t *run, uint64_t for_ns)
{
    const uint64_t begin_ns = run->now_ns;
    uint64_t bytes = 0;
    write_pacer_begin(pacer);
    while (run->now_ns - begin_ns < for_ns) {
        const uint64_t sync_ns = disk_sync(disk, run->now_ns, 0);
        const uint64_t wait_ns = write_pacer_wait_ns(pacer, run->now_ns, sync_ns);
        if (wait_ns > 0) {
            run->now_ns += wait_ns < 1000000 ? wait_ns : 1000000;
            continue;
        }
        write_pacer_wrote(pacer, BLOCK);
        (void)disk_sync(disk, run->now_ns, BLOCK);
        bytes += BLOCK;
        run->blocks++;
        run->now_ns += 20000; /* 6 GB/s */
        if (disk->mean_ns > (double)run->sync_ns_max)
            run->sync_ns_max = (uint64_t)disk->mean_ns;
    }
    return bytes * SECOND / (run->now_ns - begin_ns) / MIB;
}

static disk_t make_disk(uint64_t free_rate)
{
    return (disk_t){.free_rate = free_rate, .quiet_ns = QUIET_NS, .mean_ns = (double)QUIET_NS};
}

static void test_the_limit_is_kept(void **state)
{
    (void)state;
    write_pacer_t pacer;
    disk_t disk = make_disk(0);
    run_t run = {.now_ns = 5 * SECOND};
    write_pacer_init(&pacer, 200 * MIB);
    (void)write_for(&pacer, &disk, &run, SECOND);
    const uint64_t rate = write_for(&pacer, &disk, &run, SECOND);
    assert_in_range(rate, 196, 201);
    /* A limit below the floor is a limit too. */
    write_pacer_init(&pacer, 1 * MIB);
    assert_in_range(write_for(&pacer, &disk, &run, 10 * SECOND), 0, 1);
}

static void test_no_limit_goes_up(void **state)
{
    (void)state;
    write_pacer_t pacer;
    disk_t disk = make_disk(0);
    run_t run = {.now_ns = 5 * SECOND};
    write_pacer_init(&pacer, 0);
    (void)write_for(&pacer, &disk, &run, SECOND);
    assert_true(write_for(&pacer, &disk, &run, SECOND) > 2000);
}

/* Without a log nothing is minded; with one that nobody uses neither, whatever its last time
 * was. */
static void test_old_times_mean_nothing(void **state)
{
    (void)state;
    for (uint64_t sync_ns = 0; sync_ns <= 50 * QUIET_NS; sync_ns += 50 * QUIET_NS) {
        write_pacer_t pacer;
        write_pacer_init(&pacer, 0);
        uint64_t now_ns = SECOND;
        (void)write_pacer_wait_ns(&pacer, now_ns, sync_ns ? QUIET_NS : 0);
        for (int i = 0; i < 1000; i++) {
            (void)write_pacer_wait_ns(&pacer, now_ns += WRITE_PACER_ADJUST_NS, sync_ns);
            /* Not old at once: a log may be synced a few times a second. */
            assert_true(i >= 49 || sync_ns == 0 || pacer.rate < WRITE_PACER_RATE_START);
        }
        assert_int_equal(pacer.rate, WRITE_PACER_RATE_MAX);
    }
}

/* The rate finds what the log's syncs do not feel, and they stay near their quiet time. */
static void test_syncs_do_not_suffer(void **state)
{
    (void)state;
    static const uint64_t free_rates[] = {40, 80, 150, 400};
    for (size_t i = 0; i < sizeof free_rates / sizeof free_rates[0]; i++) {
        write_pacer_t pacer;
        disk_t disk = make_disk(free_rates[i] * MIB);
        run_t run = {.now_ns = 5 * SECOND};
        write_pacer_init(&pacer, 0);
        (void)write_for(&pacer, &disk, &run, 2 * SECOND);
        run.sync_ns_max = 0;
        const uint64_t rate = write_for(&pacer, &disk, &run, 5 * SECOND);
        assert_in_range(rate, free_rates[i] * 8 / 10, free_rates[i] * 14 / 10);
        assert_true(run.sync_ns_max < QUIET_NS * 2);
    }
}

/* A disk whose syncs vary by themselves is no reason to crawl. */
static void test_times_that_vary(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        write_pacer_t pacer;
        disk_t disk = make_disk(0);
        run_t run = {.now_ns = 5 * SECOND};
        disk.random = seed;
        write_pacer_init(&pacer, 200 * MIB);
        (void)write_for(&pacer, &disk, &run, 2 * SECOND);
        assert_true(write_for(&pacer, &disk, &run, 10 * SECOND) > 60);
    }
}

/* However bad the syncs are, the image comes to an end. */
static void test_there_is_a_floor(void **state)
{
    (void)state;
    write_pacer_t pacer;
    disk_t disk = make_disk(1 * MIB);
    run_t run = {.now_ns = 5 * SECOND};
    write_pacer_init(&pacer, 0);
    (void)write_for(&pacer, &disk, &run, 2 * SECOND);
    assert_in_range(write_for(&pacer, &disk, &run, 10 * SECOND), 15, 24);
}

/* A disk that became slower is no reason to crawl for ever: what is seen at the lowest rate is
 * learned slowly, what is seen after a rest at once. */
static void test_quiet_is_learned(void **state)
{
    (void)state;
    write_pacer_t pacer;
    disk_t disk = make_disk(0);
    run_t run = {.now_ns = 5 * SECOND};
    write_pacer_init(&pacer, 200 * MIB);
    (void)write_for(&pacer, &disk, &run, SECOND);
    assert_in_range(pacer.quiet_ns, QUIET_NS, QUIET_NS + 997);
    disk.quiet_ns = 4 * QUIET_NS;
    disk.mean_ns = (double)disk.quiet_ns;
    write_pacer_t rested = pacer;
    run_t rested_run = run;
    (void)write_for(&pacer, &disk, &run, SECOND / 8); /* follows at once: may be our own doing */
    assert_in_range(pacer.quiet_ns, QUIET_NS, QUIET_NS * 3 / 2);
    assert_true(pacer.rate < 25 * MIB);
    (void)write_for(&pacer, &disk, &run, 3 * SECOND);
    assert_true(pacer.quiet_ns > 3 * QUIET_NS);
    assert_int_equal(pacer.rate, 200 * MIB);
    disk.window_ns = 0;
    rested_run.now_ns += WRITE_PACER_REST_NS;
    (void)write_for(&rested, &disk, &rested_run, SECOND / 20);
    assert_true(rested.quiet_ns >= 4 * QUIET_NS);
    assert_int_equal(rested.rate, 200 * MIB);
    /* A lower time is believed when it stays. */
    const uint64_t before_ns = pacer.quiet_ns;
    (void)write_pacer_wait_ns(&pacer, run.now_ns += WRITE_PACER_ADJUST_NS, 999);
    assert_in_range(pacer.quiet_ns, before_ns * 9 / 10, before_ns - 1);
    for (uint64_t i = 0; i < 200; i++)
        (void)write_pacer_wait_ns(&pacer, run.now_ns += WRITE_PACER_ADJUST_NS, 1000 + i % 2);
    assert_in_range(pacer.quiet_ns, 1000, 1016);
}

static void test_no_bursts(void **state)
{
    (void)state;
    write_pacer_t pacer;
    write_pacer_init(&pacer, 100 * MIB);
    uint64_t now_ns = SECOND;
    assert_int_equal(write_pacer_wait_ns(&pacer, now_ns, 0), 0);
    write_pacer_wrote(&pacer, BLOCK);
    assert_int_equal(write_pacer_wait_ns(&pacer, now_ns, 0), 0); /* caught up from before */
    write_pacer_wrote(&pacer, BLOCK);
    assert_int_equal(write_pacer_wait_ns(&pacer, now_ns, 0), 1250000);
    now_ns += 1000000;
    assert_int_equal(write_pacer_wait_ns(&pacer, now_ns, 0), 250000);
    now_ns += 10 * SECOND; /* much too late: one block at once, not eight thousand */
    int blocks = 0;
    while (write_pacer_wait_ns(&pacer, now_ns, 0) == 0) {
        write_pacer_wrote(&pacer, BLOCK);
        blocks++;
    }
    assert_int_equal(blocks, 2);
}

static void test_hurry(void **state)
{
    (void)state;
    write_pacer_t pacer;
    write_pacer_init(&pacer, 100 * MIB);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(write_pacer_wait_ns(&pacer, SECOND, 0), 0);
        write_pacer_wrote(&pacer, BLOCK);
    }
    assert_true(write_pacer_wait_ns(&pacer, SECOND, 0) > 0);
    write_pacer_hurry(&pacer, true);
    for (int i = 0; i < 10; i++) {
        write_pacer_wrote(&pacer, BLOCK);
        assert_int_equal(write_pacer_wait_ns(&pacer, SECOND, 0), 0);
    }
    write_pacer_hurry(&pacer, false);
    write_pacer_wrote(&pacer, BLOCK);
    assert_in_range(write_pacer_wait_ns(&pacer, SECOND, 0), 1, 1250000);
}

static void go_back(void *context)
{
    write_pacer_t *pacer = context;
    (void)write_pacer_wait_ns(pacer, SECOND, 0);
    (void)write_pacer_wait_ns(pacer, SECOND - 1, 0);
}

static void test_time_does_not_go_back(void **state)
{
    (void)state;
    write_pacer_t pacer;
    write_pacer_init(&pacer, 0);
    assert_true(child_aborts(go_back, &pacer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_limit_is_kept),
        cmocka_unit_test(test_no_limit_goes_up),
        cmocka_unit_test(test_old_times_mean_nothing),
        cmocka_unit_test(test_syncs_do_not_suffer),
        cmocka_unit_test(test_times_that_vary),
        cmocka_unit_test(test_there_is_a_floor),
        cmocka_unit_test(test_quiet_is_learned),
        cmocka_unit_test(test_no_bursts),
        cmocka_unit_test(test_hurry),
        cmocka_unit_test(test_time_does_not_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
