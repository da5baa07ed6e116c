/*
 * The team of threads: every part is done once, by whoever; a failing part fails the job and not
 * the next one; helpers wait without work.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "records/encode_team.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PARTS = 500 };

typedef struct job {
    atomic_uint done[PARTS];
    uint32_t plain[PARTS]; /* each stored by one thread, read by the owner afterwards */
    uint32_t fails;        /* part + 1; 0: none */
} job_t;

static bool do_part(void *context, uint32_t part)
{
    job_t *job = context;
    atomic_fetch_add(&job->done[part], 1);
    job->plain[part] = part * 3;
    return part + 1 != job->fails;
}

static void every_part_once(void **state)
{
    (void)state;
    static job_t job;
    static const unsigned threads[] = {1, 2, 3, 7, 64};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        encode_team_t *team = NULL;
        assert_int_equal(encode_team_create(&team, threads[t]), OC_ERR_OK);
        for (uint32_t parts = 0; parts <= PARTS; parts += parts < 5 ? 1 : 99) {
            memset(&job, 0, sizeof job);
            assert_true(encode_team_run(team, do_part, &job, parts));
            for (uint32_t i = 0; i < PARTS; i++) {
                assert_int_equal(atomic_load(&job.done[i]), i < parts);
                assert_int_equal(job.plain[i], i < parts ? i * 3 : 0);
            }
        }
        encode_team_destroy(team);
    }
    encode_team_destroy(NULL);
}

static void a_failing_part_fails_the_job(void **state)
{
    (void)state;
    static job_t job;
    static const uint32_t fails[] = {1, 2, 250, PARTS};
    encode_team_t *team = NULL;
    assert_int_equal(encode_team_create(&team, 3), OC_ERR_OK);
    for (size_t i = 0; i < sizeof fails / sizeof fails[0]; i++) {
        memset(&job, 0, sizeof job);
        job.fails = fails[i];
        assert_false(encode_team_run(team, do_part, &job, PARTS));
        for (uint32_t part = 0; part < PARTS; part++)
            assert_true(atomic_load(&job.done[part]) <= 1);
        memset(&job, 0, sizeof job);
        assert_true(encode_team_run(team, do_part, &job, PARTS));
        assert_int_equal(atomic_load(&job.done[PARTS - 1]), 1);
    }
    encode_team_destroy(team);
}

static void parked_helpers_use_no_processor(void **state)
{
    (void)state;
    static job_t job;
    encode_team_t *team = NULL;
    assert_int_equal(encode_team_create(&team, 4), OC_ERR_OK);
    assert_true(encode_team_run(team, do_part, &job, PARTS));
    const clock_t before = clock();
    usleep(100000);
    const clock_t used = clock() - before;
    assert_true(used < CLOCKS_PER_SEC / 50);
    encode_team_destroy(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_once),
        cmocka_unit_test(a_failing_part_fails_the_job),
        cmocka_unit_test(parked_helpers_use_no_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
