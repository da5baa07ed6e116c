/*
 * Members as processes: who leads is known by what they say, ends are noticed, waits are bounded,
 * and nothing is left. The test starts itself: as `member` it is one that follows a script, as
 * `driver` a driver. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/local_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/process_signals.h"
#include "lib/temp_dir.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)
#define LONG_NS   (20 * SECOND_NS)

typedef struct fixture {
    temp_dir_t dir;
    char base[300];
    local_cluster_t *cluster;
    char said[4096];
} fixture_t;

static void keep_line(void *context, uint32_t member, const char *line)
{
    fixture_t *f = context;
    const size_t used = strlen(f->said);
    (void)snprintf(f->said + used, sizeof f->said - used, "%" PRIu32 "|%s\n", member, line);
}

static void begin(fixture_t *f, bool external, bool plain)
{
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->dir);
    (void)snprintf(f->base, sizeof f->base, "%s/base", f->dir.path);
    const local_cluster_config_t config = {
        .folder = {.base = f->base, .members = 3, .external_driver = external},
        .program = "/proc/self/exe",
        .plain = plain,
        .line = keep_line,
        .context = f};
    assert_int_equal(local_cluster_create(&f->cluster, &config), OC_ERR_OK);
}

static void end(fixture_t *f)
{
    local_cluster_destroy(f->cluster);
    temp_dir_remove(&f->dir);
}

/* Lines that a member says before it waits for its end; `exit N` ends it. */
static void script(const fixture_t *f, uint32_t member, const char *text)
{
    char path[CLUSTER_FOLDER_PATH];
    cluster_folder_file(local_cluster_folder(f->cluster), member, "script", path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static local_member_state_t state_of(const fixture_t *f, uint32_t member)
{
    local_member_state_t state;
    local_cluster_state(f->cluster, member, &state);
    return state;
}

static void start_three(fixture_t *f)
{
    uint32_t leader = 9;
    script(f, 0, "member 0: starting\nmember 0: follower: term 3, position 64\n");
    script(f, 1,
           "member 1: recovered: position 11, image 2 at position 9 in 0.1 ms, replayed 7 "
           "entries\nhello\n"
           "member 1: leader: term 3, position 128\n");
    script(f, 2, "member 2: starting\nmember 2: follower: term 2, position 64\n");
    assert_int_equal(local_cluster_start_all(f->cluster), OC_ERR_OK);
    assert_int_equal(local_cluster_wait_leader(f->cluster, 0, &leader, LONG_NS), OC_ERR_OK);
    assert_int_equal(leader, 1);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(local_cluster_wait_joined(f->cluster, i, LONG_NS), OC_ERR_OK);
}

static void lines_tell_the_roles(void **state)
{
    (void)state;
    fixture_t f;
    uint32_t leader = 9;
    begin(&f, false, false);
    assert_false(local_cluster_leader(f.cluster, &leader));
    assert_int_equal(local_cluster_wait_leader(f.cluster, 0, &leader, LONG_NS), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "was not started"));
    start_three(&f);
    const local_member_state_t one = state_of(&f, 1);
    assert_int_equal(one.role, LOCAL_ROLE_LEADER);
    assert_int_equal(one.term, 4); /* ids begin with 0 */
    assert_int_equal(one.position, 128);
    assert_int_equal(one.recovered_position, 11);
    assert_int_equal(one.image, 2);
    assert_int_equal(one.replayed, 7);
    assert_int_equal(state_of(&f, 0).role, LOCAL_ROLE_FOLLOWER);
    assert_int_equal(state_of(&f, 2).term, 3);
    assert_non_null(strstr(f.said, "1|hello\n"));
    assert_int_equal(local_cluster_wait_leader(f.cluster, 4, &leader, SECOND_NS / 20),
                     OC_ERR_TIMEOUT);
    assert_int_equal(local_cluster_stop(f.cluster, LONG_NS), OC_ERR_OK);
    assert_false(local_cluster_leader(f.cluster, &leader));
    /* In order: the leader last. */
    const char *last = strstr(f.said, "1|member 1: ended: status 0");
    assert_non_null(last);
    assert_true(last > strstr(f.said, "2|member 2: ended: status 0"));
    assert_true(last > strstr(f.said, "0|member 0: ended: status 0"));
    end(&f);
}

static void a_killed_leader_leads_no_more(void **state)
{
    (void)state;
    fixture_t f;
    uint32_t leader = 9;
    begin(&f, false, false);
    start_three(&f);
    assert_int_equal(local_cluster_kill(f.cluster, 1), OC_ERR_OK);
    assert_false(local_cluster_leader(f.cluster, &leader));
    assert_false(state_of(&f, 1).running);
    assert_int_equal(state_of(&f, 1).status, 128 + SIGKILL);
    assert_int_equal(local_cluster_wait_joined(f.cluster, 1, LONG_NS), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "member 1 ended with status 137"));
    assert_int_equal(local_cluster_wait_leader(f.cluster, 0, &leader, SECOND_NS / 20),
                     OC_ERR_TIMEOUT);
    script(&f, 1, "member 1: leader: term 5, position 4\n");
    assert_int_equal(local_cluster_start(f.cluster, 1), OC_ERR_OK);
    assert_int_equal(local_cluster_wait_leader(f.cluster, 4, &leader, LONG_NS), OC_ERR_OK);
    assert_int_equal(leader, 1);
    assert_int_equal(state_of(&f, 1).starts, 2);
    end(&f);
}

/* A leader that stands still does not take back what it said. */
static void the_newest_leader_counts(void **state)
{
    (void)state;
    fixture_t f;
    uint32_t leader = 9;
    begin(&f, false, false);
    script(&f, 0, "member 0: leader: term -1, position 4\n");
    script(&f, 1, "member 1: leader: term -1, position 4\n");
    assert_int_equal(local_cluster_start(f.cluster, 1), OC_ERR_OK);
    assert_int_equal(local_cluster_wait_joined(f.cluster, 1, LONG_NS), OC_ERR_OK);
    assert_int_equal(state_of(&f, 1).term, 0);
    assert_int_equal(local_cluster_start(f.cluster, 0), OC_ERR_OK);
    assert_int_equal(local_cluster_wait_joined(f.cluster, 0, LONG_NS), OC_ERR_OK);
    assert_int_equal(local_cluster_wait_leader(f.cluster, 0, &leader, LONG_NS), OC_ERR_OK);
    assert_int_equal(leader, 0);
    end(&f);
}

static void without_a_majority_nobody_waits(void **state)
{
    (void)state;
    fixture_t f;
    uint32_t leader;
    begin(&f, false, false);
    script(&f, 0, "member 0: starting\n");
    script(&f, 1, "exit 3\n");
    script(&f, 2, "last words\nexit 4\n");
    assert_int_equal(local_cluster_start_all(f.cluster), OC_ERR_OK);
    assert_int_equal(local_cluster_wait_leader(f.cluster, 0, &leader, LONG_NS), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "ended with status"));
    int status;
    assert_int_equal(local_cluster_wait_end(f.cluster, 2, &status, LONG_NS), OC_ERR_OK);
    assert_int_equal(status, 4);
    /* What it said is told before its end; others may speak in between. */
    const char *words = strstr(f.said, "2|last words\n");
    assert_non_null(words);
    assert_non_null(strstr(words, "2|member 2: ended: status 4\n"));
    assert_int_equal(local_cluster_wait_end(f.cluster, 0, &status, SECOND_NS / 50), OC_ERR_TIMEOUT);
    end(&f);
}

static void who_does_not_end_is_killed(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, false, false);
    script(&f, 0, "deaf\nmember 0: follower: term 1, position 0\n");
    assert_int_equal(local_cluster_start(f.cluster, 0), OC_ERR_OK);
    assert_int_equal(local_cluster_wait_joined(f.cluster, 0, LONG_NS), OC_ERR_OK);
    assert_int_equal(local_cluster_stop(f.cluster, SECOND_NS / 10), OC_ERR_TIMEOUT);
    assert_non_null(strstr(oc_err_context(), "was killed"));
    assert_int_equal(state_of(&f, 0).status, 128 + SIGKILL);
    end(&f);
}

/* One member hears, one does not, and nobody waits for words any more. */
static void an_interrupted_one_ends_in_order_as_far_as_it_does(void **state)
{
    (void)state;
    fixture_t f;
    uint32_t leader;
    begin(&f, false, false);
    script(&f, 0, "member 0: follower: term 1, position 0\n");
    script(&f, 1, "deaf\nmember 1: follower: term 1, position 0\n");
    script(&f, 2, "member 2: starting\n");
    assert_true(process_take_signals());
    assert_int_equal(local_cluster_start_all(f.cluster), OC_ERR_OK);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(local_cluster_wait_joined(f.cluster, i, LONG_NS), OC_ERR_OK);
    while (!strstr(f.said, "2|member 2: starting"))
        (void)local_cluster_poll(f.cluster, SECOND_NS);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(local_cluster_wait_leader(f.cluster, 0, &leader, INT64_MAX / 2),
                     OC_ERR_INTERRUPTED);
    assert_int_equal(local_cluster_wait_joined(f.cluster, 2, INT64_MAX / 2), OC_ERR_INTERRUPTED);
    int status = -1;
    local_cluster_interrupt(f.cluster, SECOND_NS / 10);
    assert_int_equal(local_cluster_wait_end(f.cluster, 0, &status, LONG_NS), OC_ERR_OK);
    assert_int_equal(status, 0);
    assert_true(state_of(&f, 1).running); /* destroy kills it */
    process_give_signals_back();
    end(&f);
}

static void drivers_of_their_own(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, true, false);
    start_three(&f);
    assert_int_equal(local_cluster_kill_driver(f.cluster, 0), OC_ERR_OK);
    assert_int_equal(local_cluster_kill(f.cluster, 0), OC_ERR_OK);
    assert_int_equal(local_cluster_start(f.cluster, 0), OC_ERR_OK);
    assert_int_equal(local_cluster_wait_joined(f.cluster, 0, LONG_NS), OC_ERR_OK);
    assert_int_equal(local_cluster_stop(f.cluster, LONG_NS), OC_ERR_OK);
    end(&f);
}

static void an_authors_program(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, false, true);
    start_three(&f);
    end(&f);
}

int run_as_member(const char *dir);

static volatile sig_atomic_t asked;

static void note(int signal)
{
    (void)signal;
    asked = 1;
}

/* Follows DIR/script, then waits for SIGTERM. */
int run_as_member(const char *dir)
{
    char path[CLUSTER_FOLDER_PATH];
    char line[256];
    unsigned status;
    bool deaf = false;
    (void)signal(SIGTERM, note);
    (void)snprintf(path, sizeof path, "%s/script", dir);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "exit %u", &status) == 1)
            return (int)status;
        deaf |= strcmp(line, "deaf\n") == 0;
        (void)fputs(line, stdout);
        (void)fflush(stdout);
    }
    for (int i = 0; i < 600 && (deaf || !asked); i++)
        (void)usleep(100000);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 8 && strcmp(argv[1], "member") == 0)
        return run_as_member(argv[7]);
    if (argc == 4 && strcmp(argv[1], "driver") == 0) {
        printf("ready: %s\n", argv[3]);
        (void)fflush(stdout);
        return run_as_member("/nowhere");
    }
    if (argc == 2)
        return run_as_member(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_tell_the_roles),
        cmocka_unit_test(a_killed_leader_leads_no_more),
        cmocka_unit_test(the_newest_leader_counts),
        cmocka_unit_test(without_a_majority_nobody_waits),
        cmocka_unit_test(who_does_not_end_is_killed),
        cmocka_unit_test(an_interrupted_one_ends_in_order_as_far_as_it_does),
        cmocka_unit_test(drivers_of_their_own),
        cmocka_unit_test(an_authors_program),
    };
    return cmocka_run_group_tests_name("local_cluster", tests, NULL, NULL);
}
