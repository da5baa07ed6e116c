/*
 * The check of a restored engine by any number of threads takes what is right, and finds what is
 * not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast_internal.h"
#include "lib/twin.h"
#include "service/restored_engine.h"

static const unsigned counts[] = {1, 2, 7, RESTORED_ENGINE_THREADS_MAX};

static void check_all(oc_engine_t *engine, oc_err_t expected)
{
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        assert_int_equal(restored_engine_check(engine, counts[i]), expected);
}

static void test_by_threads(void **state)
{
    (void)state;
    const oc_engine_config_t config = fast_fixture_config();
    oc_engine_t *engine = NULL;
    uint64_t seed = 3;
    assert_int_equal(oc_engine_create(&engine, &config, NULL, NULL), OC_ERR_OK);
    fixture_prepare(engine);
    for (int i = 0; i < 500; i++)
        fixture_apply(engine, fixture_random_command(&seed));
    fast_engine_t *e = fast_fixture_inside(engine);
    check_all(engine, OC_ERR_OK);
    e->sources[1].roles ^= 1; /* the sum is another one */
    check_all(engine, OC_ERR_DAMAGED);
    e->sources[1].roles ^= 1;
    e->header->pending_head = UINT32_MAX; /* not even that far */
    check_all(engine, OC_ERR_DAMAGED);
    e->header->pending_head = 0;
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
