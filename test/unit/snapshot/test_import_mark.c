/*
 * The mark of an import that is not over: set, found, cleared, durable. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/storage_fake.h"
#include "lib/temp_dir.h"
#include "snapshot/import_mark.h"

#include <stdio.h>
#include <string.h>

static void is_durable(void **state)
{
    (void)state;
    storage_fake_t *device = storage_fake_create(3);
    const storage_t *storage = storage_fake_table(device);
    assert_int_equal(import_mark_check(storage, "new"), OC_ERR_OK);
    assert_int_equal(import_mark_set(storage, "new"), OC_ERR_OK);
    storage_fake_power_cut(device);
    storage_fake_restart(device);
    assert_int_equal(import_mark_check(storage, "new"), OC_ERR_DAMAGED);
    assert_string_equal(oc_err_context(), "new: half an import; remove new and import again");
    assert_int_equal(import_mark_set(storage, "new"), OC_ERR_DAMAGED);
    assert_int_equal(import_mark_check(storage, "newer"), OC_ERR_OK);
    assert_int_equal(import_mark_clear(storage, "new"), OC_ERR_OK);
    storage_fake_power_cut(device);
    storage_fake_restart(device);
    assert_int_equal(import_mark_check(storage, "new"), OC_ERR_OK);
    storage_fake_destroy(device);
}

static void fails_with_the_device(void **state)
{
    (void)state;
    static const storage_fake_fault_t faults[] = {STORAGE_FAKE_SYNC_ERROR, STORAGE_FAKE_NO_SPACE,
                                                  STORAGE_FAKE_KILL};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        storage_fake_t *device = storage_fake_create(3);
        const storage_t *storage = storage_fake_table(device);
        storage_fake_fault(device, faults[i], 1);
        assert_int_not_equal(import_mark_set(storage, "new"), OC_ERR_OK);
        storage_fake_destroy(device);
    }
}

/* To remove a marked directory must lose nothing. */
static void not_beside_a_log(void **state)
{
    (void)state;
    temp_dir_t dir;
    char path[600];
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/0000000000000000.journal", dir.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(import_mark_set(storage_device(), dir.path), OC_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(oc_err_context(), "there is a log already"));
    assert_int_equal(import_mark_check(storage_device(), dir.path), OC_ERR_OK);
    (void)snprintf(path, sizeof path, "%s/a/b", dir.path);
    assert_int_equal(import_mark_check(storage_device(), path), OC_ERR_OK);
    assert_int_equal(import_mark_set(storage_device(), path), OC_ERR_OK);
    assert_int_equal(import_mark_check(storage_device(), path), OC_ERR_DAMAGED);
    assert_int_equal(import_mark_clear(storage_device(), path), OC_ERR_OK);
    assert_int_equal(import_mark_check(storage_device(), path), OC_ERR_OK);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_durable),
        cmocka_unit_test(fails_with_the_device),
        cmocka_unit_test(not_beside_a_log),
    };
    return cmocka_run_group_tests_name("import_mark", tests, NULL, NULL);
}
