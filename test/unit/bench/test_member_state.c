/*
 * Unit tests of what members are asked over their control sockets: answers of every kind, and
 * waiting until all are at one position. The members are sockets that this test answers on. Run by
 * ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "bench/member_state.h"
#include "host/control.h"
#include "lib/temp_dir.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MEMBERS = 2 };

#define ASK_NS    INT64_C(5000000000)
#define SETTLE_NS INT64_C(20000000000)
#define SHORT_NS  INT64_C(300000000)

/* What a member answers with; changed by the test's own thread. */
typedef struct fake_member {
    const char *role;
    control_t *control;
    _Atomic(uint64_t) position;
    _Atomic(uint64_t) still_at; /* the position grows up to this one, a step an answer */
} fake_member_t;

static temp_dir_t dir;
static cluster_folder_t folder;
static fake_member_t members[MEMBERS];
static pthread_t thread;
static _Atomic(bool) ending;

static bool answer_state(void *context, uint32_t connection, const char *request,
                         char answer[CONTROL_LINE_MAX])
{
    fake_member_t *self = context;
    (void)connection;
    assert_string_equal(request, "state");
    uint64_t position = atomic_load(&self->position);
    if (position < atomic_load(&self->still_at))
        atomic_store(&self->position, ++position);
    if (!strcmp(self->role, "mute")) {
        (void)snprintf(answer, CONTROL_LINE_MAX, "nothing\nok");
        return true;
    }
    (void)snprintf(answer, CONTROL_LINE_MAX,
                   "member=0 role=%s recovered=1 term=3 position=%" PRIu64 " entries=77\n"
                   "state_hash=00000000000000ab output_hash=00000000000000cd agreed_position=5\n"
                   "image=9 image_position=1 replayed=4 snapshots=2\nok",
                   self->role, position);
    return true;
}

static void *serve(void *context)
{
    (void)context;
    while (!atomic_load(&ending)) {
        for (int i = 0; i < MEMBERS; i++)
            (void)control_do_work(members[i].control, (int64_t)clock_wall_ns());
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return NULL;
}

static int begin(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    memset(&folder, 0, sizeof folder);
    (void)snprintf(folder.base, sizeof folder.base, "%s", dir.path);
    folder.members = MEMBERS;
    atomic_store(&ending, false);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        char path[CLUSTER_FOLDER_PATH];
        cluster_folder_dir(&folder, i, path);
        assert_int_equal(mkdir(path, 0755), 0);
        members[i].role = i == 0 ? "leader" : "follower";
        atomic_store(&members[i].position, 1000);
        atomic_store(&members[i].still_at, 1000);
        assert_int_equal(control_create(&members[i].control, path, answer_state, &members[i]),
                         OC_ERR_OK);
    }
    assert_int_equal(pthread_create(&thread, NULL, serve, NULL), 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    atomic_store(&ending, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    for (int i = 0; i < MEMBERS; i++)
        control_destroy(members[i].control);
    temp_dir_remove(&dir);
    return 0;
}

static void test_ask(void **state)
{
    (void)state;
    char path[CLUSTER_FOLDER_PATH];
    member_state_t answer;
    cluster_folder_dir(&folder, 1, path);
    assert_int_equal(member_state_ask(path, &answer, ASK_NS), OC_ERR_OK);
    assert_string_equal(answer.role, "follower");
    assert_true(answer.recovered);
    assert_int_equal(answer.term, 3);
    assert_int_equal(answer.position, 1000); /* not the image's */
    assert_int_equal(answer.entries, 77);
    assert_int_equal(answer.state_hash, 0xab);
    assert_int_equal(answer.output_hash, 0xcd);
    assert_int_equal(answer.agreed_position, 5);
    assert_int_equal(answer.image, 9);
    assert_int_equal(answer.replayed, 4);
    assert_int_equal(answer.snapshots, 2);
}

static void test_ask_fails(void **state)
{
    (void)state;
    char path[CLUSTER_FOLDER_PATH];
    member_state_t answer;
    cluster_folder_dir(&folder, 0, path);
    members[0].role = "mute";
    assert_int_equal(member_state_ask(path, &answer, ASK_NS), OC_ERR_FORMAT);
    assert_int_equal(member_state_ask(dir.path, &answer, ASK_NS), OC_ERR_NOT_CONNECTED);
}

static void test_settles(void **state)
{
    (void)state;
    member_state_t states[MEMBERS];
    atomic_store(&members[0].still_at, 1010);
    atomic_store(&members[1].still_at, 1010);
    assert_int_equal(member_state_settle(&folder, states, SETTLE_NS), OC_ERR_OK);
    assert_int_equal(states[0].position, 1010);
    assert_int_equal(states[1].position, 1010);
    assert_true(member_state_equal(states, MEMBERS));
}

static void test_does_not_settle(void **state)
{
    (void)state;
    member_state_t states[MEMBERS];
    atomic_store(&members[1].position, 999);
    atomic_store(&members[1].still_at, 999);
    assert_int_equal(member_state_settle(&folder, states, SHORT_NS), OC_ERR_TIMEOUT);
    assert_non_null(strstr(oc_err_context(), "member 1: follower, position 999"));
    atomic_store(&members[1].position, 1000);
    members[1].role = "recovering";
    assert_int_equal(member_state_settle(&folder, states, SHORT_NS), OC_ERR_TIMEOUT);
    members[1].role = "mute";
    assert_int_equal(member_state_settle(&folder, states, SHORT_NS), OC_ERR_TIMEOUT);
}

static void test_equal(void **state)
{
    (void)state;
    const member_state_t one = {.position = 1, .state_hash = 2, .output_hash = 3};
    member_state_t states[3] = {one, one, one};
    assert_true(member_state_equal(states, 3));
    assert_false(member_state_equal(states, 0));
    states[2].position = 9;
    assert_false(member_state_equal(states, 3));
    states[2] = one;
    states[1].state_hash = 9;
    assert_false(member_state_equal(states, 3));
    states[1] = one;
    states[1].output_hash = 9;
    assert_false(member_state_equal(states, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ask, begin, end),
        cmocka_unit_test_setup_teardown(test_ask_fails, begin, end),
        cmocka_unit_test_setup_teardown(test_settles, begin, end),
        cmocka_unit_test_setup_teardown(test_does_not_settle, begin, end),
        cmocka_unit_test(test_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
