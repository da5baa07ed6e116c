/*
 * The node's driver: what is removed at the start, and what never is; secrets.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/driver_dir.h"
#include "host/node_internal.h"
#include "lib/node_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void what_a_dead_node_left_goes(void **state)
{
    (void)state;
    static node_fixture_t f;
    char aeron_dir[256];
    char file[300];
    node_fixture_init(&f);
    assert_int_equal(mkdir(f.config.dir, 0755), 0);
    assert_int_equal(driver_dir_of(f.config.dir, aeron_dir, sizeof aeron_dir), OC_ERR_OK);
    assert_int_equal(mkdir(aeron_dir, 0755), 0);
    (void)snprintf(file, sizeof file, "%s/half-made", aeron_dir);
    const int handle = open(file, O_CREAT | O_WRONLY, 0644);
    assert_true(handle >= 0);
    (void)close(handle);
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    assert_true(exists(aeron_dir));
    assert_false(exists(file));
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    assert_false(exists(aeron_dir));
    node_fixture_fini(&f);
}

static void the_directory_of_another_is_left_alone(void **state)
{
    (void)state;
    static node_fixture_t first;
    static node_fixture_t second;
    node_fixture_init(&first);
    node_fixture_init(&second);
    assert_int_equal(node_fixture_start(&first), OC_ERR_OK);
    /* A process of another number would be told that it is in use; this one is its own. What holds
     * other things than a driver's is refused for anybody. */
    (void)snprintf(second.config.aeron_dir, NODE_TEXT_MAX, "%.200s", first.config.dir);
    assert_int_equal(node_fixture_start(&second), OC_ERR_TRANSPORT);
    assert_non_null(strstr(oc_err_context(), second.config.aeron_dir));
    node_fixture_run(&first, 0.01);
    assert_int_equal(first.err, OC_ERR_OK);
    assert_int_equal(node_fixture_stop(&first), OC_ERR_OK);
    assert_int_equal(node_fixture_start(&first), OC_ERR_OK);
    node_fixture_fini(&first);
    node_fixture_fini(&second);
}

static void a_named_directory_is_used(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_fixture_init(&f);
    (void)snprintf(f.config.aeron_dir, NODE_TEXT_MAX, "/dev/shm/outcry-named-%ld", (long)getpid());
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    assert_true(exists(f.config.aeron_dir));
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    assert_false(exists(f.config.aeron_dir));
    node_fixture_fini(&f);
}

static void secrets_must_be_there(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_fixture_init(&f);
    f.config.authentication = NODE_AUTH_SECRETS;
    (void)snprintf(f.config.secrets_file, NODE_TEXT_MAX, "%.200s/none", f.dir.path);
    assert_int_equal(node_fixture_start(&f), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), f.config.secrets_file));
    node_fixture_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_dead_node_left_goes),
        cmocka_unit_test(the_directory_of_another_is_left_alone),
        cmocka_unit_test(a_named_directory_is_used),
        cmocka_unit_test(secrets_must_be_there),
    };
    return cmocka_run_group_tests_name("node_transport", tests, NULL, NULL);
}
