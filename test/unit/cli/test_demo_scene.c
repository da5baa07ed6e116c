/*
 * The scene of a demo: its directory, its waiting, and how it is interrupted. What the client does
 * is shown by test/system/test_demo.sh. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/demo_scene.h"
#include "lib/temp_dir.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static temp_dir_t dir;

static int make_base(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    return setenv("TMPDIR", dir.path, 1);
}

static int remove_base(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return unsetenv("TMPDIR");
}

static void count(void *context)
{
    ++*(unsigned *)context;
}

static void test_directory(void **state)
{
    (void)state;
    demo_scene_t scene = {.seconds = 10};
    assert_int_equal(demo_scene_begin(&scene), OC_ERR_OK);
    assert_int_equal(strncmp(scene.dir, dir.path, strlen(dir.path)), 0);
    assert_int_equal(access(scene.dir, W_OK), 0);
    demo_scene_end(&scene);
    assert_int_not_equal(access(scene.dir, F_OK), 0);
}

static void test_kept(void **state)
{
    (void)state;
    demo_scene_t scene = {.keep = true};
    demo_scene_t next = {.seconds = 10};
    assert_int_equal(demo_scene_begin(&scene), OC_ERR_OK);
    demo_scene_end(&scene);
    assert_int_equal(access(scene.dir, F_OK), 0);
    assert_int_equal(demo_scene_begin(&next), OC_ERR_OK); /* it is no killed one's */
    assert_int_equal(access(scene.dir, F_OK), 0);
    demo_scene_end(&next);
}

static void test_no_directory(void **state)
{
    (void)state;
    demo_scene_t scene = {.seconds = 10};
    assert_int_equal(setenv("TMPDIR", "/proc/none", 1), 0);
    assert_int_equal(demo_scene_begin(&scene), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "TMPDIR"));
    demo_scene_end(&scene);
}

static void test_moment(void **state)
{
    (void)state;
    const demo_scene_t scene = {.seconds = 10};
    for (int i = 0; i < 1000; i++)
        assert_in_range(demo_scene_moment_ns(&scene), UINT64_C(3000000000), UINT64_C(7000000000));
}

static void test_interrupted(void **state)
{
    (void)state;
    unsigned listened = 0;
    demo_scene_t scene = {.listen = count, .context = &listened};
    assert_int_equal(demo_scene_begin(&scene), OC_ERR_OK);
    assert_int_equal(demo_scene_wait(&scene, 1000000), OC_ERR_OK);
    assert_true(listened > 0);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(demo_scene_wait(&scene, UINT64_C(3600000000000)), OC_ERR_INTERRUPTED);
    assert_string_equal(oc_err_context(), "interrupted");
    assert_int_equal(demo_scene_finish_load(&scene), OC_ERR_INTERRUPTED);
    demo_scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_directory, make_base, remove_base),
        cmocka_unit_test_setup_teardown(test_kept, make_base, remove_base),
        cmocka_unit_test_setup_teardown(test_no_directory, make_base, remove_base),
        cmocka_unit_test_setup_teardown(test_interrupted, make_base, remove_base),
        cmocka_unit_test(test_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
