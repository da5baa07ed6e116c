/*
 * Asking a running archive: nothing to be asked, and nobody there. What an archive does is in
 * test/integration/test_archive_session.c. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/prune.h"
#include "lib/temp_dir.h"

static void nothing_is_asked_for_nothing(void **state)
{
    (void)state;
    int64_t segments = 5;
    const prune_plan_t plan = {.recording = {.start_position = 131072}, .below = 131072};
    assert_int_equal(prune_ask(&plan, "nowhere", &segments), OC_ERR_OK);
    assert_int_equal(segments, 0);
}

static void no_driver_is_told(void **state)
{
    (void)state;
    temp_dir_t dir;
    int64_t segments;
    const prune_plan_t plan = {.below = 131072};
    temp_dir_make(&dir);
    assert_int_not_equal(prune_ask(&plan, dir.path, &segments), OC_ERR_OK);
    assert_int_equal(segments, 0);
    assert_true(oc_err_context()[0] != 0);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_asked_for_nothing),
        cmocka_unit_test(no_driver_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
