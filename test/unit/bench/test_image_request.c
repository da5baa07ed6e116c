/*
 * Images asked for from a control socket that answers as a node does.
 */
#define _GNU_SOURCE
#include "bench/image_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "lib/temp_dir.h"

typedef struct venue {
    temp_dir_t dir;
    control_t *control;
    const char *answer;
    char request[64];
} venue_t;

static bool on_request(void *context, uint32_t connection, const char *request,
                       char answer[CONTROL_LINE_MAX])
{
    venue_t *venue = context;
    (void)connection;
    (void)snprintf(venue->request, sizeof venue->request, "%s", request);
    (void)snprintf(answer, CONTROL_LINE_MAX, "%s", venue->answer);
    return true;
}

static oc_err_t ask(venue_t *venue, const char *answer, image_facts_t *facts)
{
    image_request_t request;
    const uint64_t deadline = clock_wall_ns() + UINT64_C(20000000000);
    temp_dir_make(&venue->dir);
    venue->answer = answer;
    assert_int_equal(control_create(&venue->control, venue->dir.path, on_request, venue),
                     OC_ERR_OK);
    assert_int_equal(image_request_start(&request, venue->dir.path, "snapshot full"), OC_ERR_OK);
    while (!image_request_done(&request) && clock_wall_ns() < deadline) {
        (void)control_do_work(venue->control, (int64_t)clock_wall_ns());
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    const oc_err_t err = image_request_finish(&request, facts);
    control_destroy(venue->control);
    temp_dir_remove(&venue->dir);
    return err;
}

static void test_facts(void **state)
{
    (void)state;
    venue_t venue = {0};
    image_facts_t facts;
    assert_int_equal(ask(&venue,
                         "sequence=3 position=70 begin_ns=1000 pause_ns=20 sweep_ns=30 "
                         "commit_ns=40 pages=9 pages_owner=5 bytes=4096\nok",
                         &facts),
                     OC_ERR_OK);
    assert_string_equal(venue.request, "snapshot full");
    assert_int_equal(facts.position, 70);
    assert_int_equal(facts.begin_ns, 1000);
    assert_int_equal(facts.pause_ns, 20);
    assert_int_equal(facts.sweep_ns, 30);
    assert_int_equal(facts.commit_ns, 40);
    assert_int_equal(facts.pages_owner, 5);
    assert_int_equal(facts.bytes, 4096);
}

static void test_no_answer_that_is_one(void **state)
{
    (void)state;
    venue_t venue = {0};
    image_facts_t facts;
    assert_int_equal(ask(&venue, "begin_ns=5 and no commit\nok", &facts), OC_ERR_FORMAT);
    assert_int_equal(ask(&venue, "error: another snapshot is under way", &facts), OC_ERR_REFUSED);
    assert_non_null(strstr(oc_err_context(), "another snapshot"));
}

static void test_nobody_there(void **state)
{
    (void)state;
    image_request_t request;
    image_facts_t facts;
    assert_int_equal(image_request_start(&request, "/nowhere/folder", "snapshot"), OC_ERR_OK);
    assert_int_equal(image_request_finish(&request, &facts), OC_ERR_NOT_CONNECTED);
    assert_true(image_request_done(&request));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_no_answer_that_is_one),
        cmocka_unit_test(test_nobody_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
