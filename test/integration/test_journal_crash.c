/*
 * The journal under crashes: random appends, with a fault at every operation that changes the
 * device. No acknowledged entry is lost, what is recovered is a prefix of what was written, and the
 * term rises. Run by ctest; more seeds with OUTCRY_LONG set, and a third of all with a sanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/journal_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS      (OUTCRY_SANITIZED ? 200 : 600)
#define SEEDS_LONG 50000
#define STEP       (OUTCRY_SANITIZED ? 3 : 1)

static const storage_fake_fault_t faults[] = {
    STORAGE_FAKE_WRITE_ERROR, STORAGE_FAKE_SHORT_WRITE, STORAGE_FAKE_TORN_WRITE,
    STORAGE_FAKE_SYNC_ERROR,  STORAGE_FAKE_POWER_CUT,   STORAGE_FAKE_KILL,
    STORAGE_FAKE_NO_SPACE,
};

enum { FAULTS = sizeof faults / sizeof faults[0] };

/* Opens twice: looking at a log changes nothing. */
static void open_twice(journal_fixture_t *log, uint32_t *term)
{
    if (journal_fixture_open(log) != OC_ERR_OK)
        fail_msg("seed %llu: %s", (unsigned long long)log->seed, oc_err_context());
    const journal_verdict_t first = log->verdict;
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_string_equal(first.line, log->verdict.line);
    assert_int_equal(first.checksum, log->verdict.checksum);
    assert_int_equal(first.cut_bytes, log->verdict.cut_bytes);
    assert_true(first.proven.value <= first.end.value);
    assert_true(first.term >= *term);
    *term = first.term;
}

static void some_work(journal_fixture_t *log, uint64_t *random)
{
    switch (prng_below(random, 8)) {
    case 0:
        journal_fixture_write(log);
        break;
    case 1:
        (void)journal_writer_work(log->journal, log->now_ns);
        break;
    case 2:
        log->now_ns += prng_below(random, 2) ? 60000000 : 1000000;
        (void)journal_preparer_work(log->journal, log->now_ns);
        break;
    case 3:
        journal_flush_at(log->journal, log->now_ns);
        break;
    default:
        for (uint32_t i = prng_below(random, 20); i > 0; i--)
            if (!journal_fixture_append(log))
                break;
    }
}

/* Closed in order, killed, or without power. */
static void some_end(journal_fixture_t *log, uint64_t *random)
{
    const uint32_t draw = prng_below(random, 3);
    if (storage_fake_is_off(log->device) || draw == 0)
        storage_fake_kill(log->device);
    else if (draw == 1)
        storage_fake_power_cut(log->device);
    const bool started = log->journal->started;
    const bool failed = journal_condition(log->journal) == JOURNAL_FAILED;
    const oc_err_t err = journal_fixture_close(log);
    if (draw == 2 && started && !failed && err == OC_ERR_OK)
        log->acknowledged = log->committed ? log->ends[log->committed - 1] : 0;
    storage_fake_restart(log->device);
}

static void one_life(journal_fixture_t *log, uint64_t *random, uint32_t *term)
{
    open_twice(log, term);
    if (prng_below(random, 4) > 0)
        storage_fake_fault(log->device, faults[prng_below(random, FAULTS)],
                           1 + prng_below(random, 40));
    const bool was_damaged = log->verdict.kind == JOURNAL_DAMAGED;
    assert_false(was_damaged);
    if (journal_start_stepped(log->journal) == OC_ERR_OK) {
        assert_true(journal_term(log->journal) > *term);
        *term = journal_term(log->journal);
        for (uint32_t steps = prng_below(random, 120); steps > 0; steps--)
            some_work(log, random);
    }
    some_end(log, random);
}

static void test_random_lives(void **state)
{
    (void)state;
    const uint64_t seeds = getenv("OUTCRY_LONG") ? SEEDS_LONG : SEEDS;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        uint64_t random = seed;
        journal_fixture_t *log = journal_fixture_create(seed);
        log->config.groups = 2 + prng_below(&random, 3);
        log->config.ready_segments = 1 + prng_below(&random, 2);
        uint32_t term = 0;
        for (uint32_t lives = 2 + prng_below(&random, 4); lives > 0; lives--)
            one_life(log, &random, &term);
        open_twice(log, &term);
        journal_fixture_destroy(log);
    }
}

/* The same flow each time, over a segment's end; ends as the fault has it. */
static void fixed_flow(journal_fixture_t *log)
{
    if (journal_fixture_start(log) != OC_ERR_OK)
        return;
    for (uint32_t i = 0; i < 700; i++) {
        (void)journal_fixture_append(log);
        if (i % 9 == 0)
            journal_fixture_write(log);
        if (i % 90 == 0)
            journal_fixture_prepare(log);
    }
    journal_fixture_write(log);
}

/* Hits the nth operation; false when there are fewer. */
static bool hit_nth(storage_fake_fault_t fault, uint64_t nth, bool lose_power)
{
    journal_fixture_t *log = journal_fixture_create(nth * 31 + (uint64_t)fault);
    log->seed = 5;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    for (int i = 0; i < 30; i++)
        (void)journal_fixture_append(log);
    journal_fixture_write(log);
    journal_fixture_kill(log);
    storage_fake_fault(log->device, fault, nth);
    fixed_flow(log);
    const bool hit = !storage_fake_fault_pending(log->device);
    if (lose_power && !storage_fake_is_off(log->device))
        storage_fake_power_cut(log->device);
    journal_fixture_kill(log);
    uint32_t term = 0;
    open_twice(log, &term);
    assert_true(term >= 1);
    assert_true(log->read >= 30);
    journal_fixture_destroy(log);
    return hit;
}

static void test_fault_at_every_operation(void **state)
{
    (void)state;
    for (size_t i = 0; i < FAULTS; i++) {
        for (int lose_power = 0; lose_power < 2; lose_power++) {
            uint64_t nth = 1 + (i + (size_t)lose_power) % STEP;
            while (hit_nth(faults[i], nth, lose_power != 0))
                nth += STEP;
            assert_true(nth > 10);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault_at_every_operation),
        cmocka_unit_test(test_random_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
