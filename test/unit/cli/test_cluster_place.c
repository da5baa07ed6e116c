/*
 * How tools find a member: its directory, configuration, neighbours, who leads, and that
 * nobody runs there. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/storage.h"
#include "cli/cluster_place.h"
#include "cluster/module_lock.h"
#include "lib/module_stage.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void refused(const char *dir, oc_err_t err, const char *word)
{
    cluster_place_t place;
    assert_int_equal(cluster_place_open(&place, dir), err);
    if (!strstr(oc_err_context(), word))
        fail_msg("'%s' is not in: %s", word, oc_err_context());
}

static void write_config(const char *dir, const char *text)
{
    char path[340];
    (void)snprintf(path, sizeof path, "%s/outcry.conf", dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void wrong_places(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    refused("/no/such", OC_ERR_OPEN, "/no/such: No such file");
    refused("/dev/null", OC_ERR_OPEN, "no directory");
    refused(dir.path, OC_ERR_OPEN, "the directory of a member?");
    write_config(dir.path, "[node]\n");
    refused(dir.path, OC_ERR_OPEN, "no section [cluster]");
    write_config(dir.path, "[cluster]\nidd = 1\n");
    refused(dir.path, OC_ERR_INVALID_CONFIG, "did you mean id");
    write_config(dir.path, "[cluster]\nid = 1\n");
    refused(dir.path, OC_ERR_INVALID_CONFIG, "names no members");
    temp_dir_remove(&dir);
}

static void neighbours(void **state)
{
    (void)state;
    module_stage_t stage;
    cluster_place_t place;
    cluster_place_t other;
    char dir[320];
    module_stage_begin(&stage, 3, 1);
    assert_int_equal(cluster_place_open(&place, stage.dir), OC_ERR_OK);
    assert_string_equal(place.config.node.aeron_dir, stage.aeron_dir);
    assert_false(cluster_place_neighbour(&place, 0, &other));
    module_stage_neighbour(&stage, 0);
    assert_true(cluster_place_neighbour(&place, 0, &other));
    assert_int_equal(other.config.id, 0);
    assert_string_not_equal(other.config.node.aeron_dir, stage.aeron_dir);
    /* Of another cluster. */
    (void)snprintf(dir, sizeof dir, "%s/m2", stage.base.path);
    assert_int_equal(mkdir(dir, 0700), 0);
    write_config(dir, "[cluster]\nid = 2\nmember0 = a:1,a:2,a:3,a:4,a:5\n"
                      "member1 = b:1,b:2,b:3,b:4,b:5\nmember2 = c:1,c:2,c:3,c:4,c:5\n");
    assert_false(cluster_place_neighbour(&place, 2, &other));

    assert_false(cluster_place_find_leader(&place));
    module_stage_driver(&stage);
    assert_false(cluster_place_leads(&place));
    module_stage_counters(&stage, 0);
    assert_true(cluster_place_leads(&place));
    module_stage_set(&stage, MODULE_COUNTER_ELECTION_STATE, 3);
    assert_false(cluster_place_leads(&place));
    module_stage_set(&stage, MODULE_COUNTER_ELECTION_STATE, MODULE_ELECTION_CLOSED);
    assert_true(cluster_place_neighbour(&place, 0, &other));
    assert_true(cluster_place_find_leader(&other));
    assert_int_equal(other.config.id, 1);
    module_stage_end(&stage);
}

static void absent(const char *dir, const char *word, bool is_absent)
{
    cluster_place_t place;
    counter_table_t *table;
    module_counters_t counters;
    assert_int_equal(cluster_place_open(&place, dir), OC_ERR_OK);
    assert_int_equal(cluster_place_counters(&place, &table, &counters), OC_ERR_NOT_CONNECTED);
    assert_null(table);
    if (!strstr(oc_err_context(), word))
        fail_msg("'%s' is not in: %s", word, oc_err_context());
    assert_int_equal(strstr(oc_err_context(), "does not run") != NULL, is_absent);
}

static storage_file_t *lock_of(const char *dir)
{
    char path[340];
    storage_file_t *lock;
    const storage_t *storage = storage_device();
    (void)snprintf(path, sizeof path, "%s/lock", dir);
    assert_int_equal(storage->lock(storage, path, &lock), OC_ERR_OK);
    return lock;
}

/* Of a member that is starting or hangs the driver tells more; of one that is not there, the member
 * is what has to be started. */
static void who_does_not_run(void **state)
{
    (void)state;
    module_stage_t stage;
    int module;
    module_stage_begin(&stage, 3, 1);
    absent(stage.dir, "member 1 in ", true);
    absent(stage.dir, "/m1 does not run: start it (outcry member --dir ", true);
    storage_file_t *lock = lock_of(stage.dir);
    absent(stage.dir, "no Aeron driver in ", false);
    storage_device()->close(lock);
    assert_int_equal(module_lock_take(stage.dir, &module), OC_ERR_OK);
    absent(stage.dir, "no Aeron driver in ", false);
    module_lock_give(module);
    module_stage_driver(&stage);
    absent(stage.dir, "does not run (no consensus module runs", true);
    module_stage_end(&stage);

    module_stage_begin(&stage, 1, 0);
    write_config(stage.dir, "[node]\naeron_dir = /no/such\n[cluster]\ndriver = external\n"
                            "member0 = a:1,a:2,a:3,a:4,a:5\n");
    absent(stage.dir, "does not run (no Aeron driver in /no/such: ", true);
    module_stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_places),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(who_does_not_run),
    };
    return cmocka_run_group_tests_name("cluster_place", tests, NULL, NULL);
}
