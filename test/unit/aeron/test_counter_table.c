/*
 * Counters of an embedded driver: found by type and key, read, changed, seen to go; the same from
 * the driver's directory without a client; and directories in which there is no living driver.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/counter_table.h"
#include "lib/expect_abort.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TYPE = 1203, STEPS_MAX = 200000, PATH_BYTES = 512 };

typedef struct world {
    embedded_t *embedded;
    counter_table_t *table;
    aeron_counter_t *made[3];
} world_t;

/* A key as Aeron Cluster lays one out: numbers of both widths, not all where they are aligned. */
typedef struct test_key {
    int64_t wide;
    int32_t narrow;
    int32_t other;
} test_key_t;

static aeron_counter_t *make_counter(embedded_t *embedded, int32_t type, const test_key_t *key,
                                     const char *label)
{
    aeron_async_add_counter_t *async;
    aeron_counter_t *counter = NULL;
    uint8_t bytes[sizeof *key + 4] = {0};
    memcpy(bytes + 4, key, sizeof *key); /* `wide` lies at 4 */
    assert_int_equal(aeron_async_add_counter(&async, embedded_aeron(embedded), type, bytes,
                                             sizeof bytes, label, strlen(label)),
                     0);
    for (int step = 0; step < STEPS_MAX && counter == NULL; step++) {
        embedded_do_work(embedded);
        assert_true(aeron_async_add_counter_poll(&counter, async) >= 0);
    }
    assert_non_null(counter);
    return counter;
}

static int make_world(void **state)
{
    static world_t world;
    embedded_config_t config;
    embedded_config_init(&config);
    memset(&world, 0, sizeof world);
    assert_int_equal(embedded_create(&world.embedded, &config), OC_ERR_OK);
    assert_int_equal(counter_table_of(&world.table, world.embedded), OC_ERR_OK);
    world.made[0] =
        make_counter(world.embedded, TYPE, &(test_key_t){.wide = -1, .narrow = 7}, "first");
    world.made[1] = make_counter(world.embedded, TYPE,
                                 &(test_key_t){.wide = INT64_MAX, .narrow = -8}, "second");
    world.made[2] = make_counter(world.embedded, TYPE + 1, &(test_key_t){.narrow = -8}, "third");
    *state = &world;
    return 0;
}

static int end_world(void **state)
{
    world_t *world = *state;
    counter_table_close(world->table);
    embedded_destroy(world->embedded);
    return 0;
}

static void set_value(aeron_counter_t *counter, int64_t value)
{
    __atomic_store_n(aeron_counter_addr(counter), value, __ATOMIC_RELEASE);
}

/* The label of what is found, "" if nothing is. */
static const char *found(const counter_table_t *table, counter_key_t key)
{
    static char label[64];
    counter_t counter;
    label[0] = '\0';
    if (counter_table_find(table, &key, &counter)) {
        assert_true(counter_table_holds(table, &counter));
        counter_table_label(table, &counter, label, sizeof label);
    }
    return label;
}

static void assert_all_found(const counter_table_t *table)
{
    assert_string_equal(found(table, (counter_key_t){.type = TYPE}), "first");
    assert_string_equal(found(table, (counter_key_t){TYPE, 12, 4, 7}), "first");
    assert_string_equal(found(table, (counter_key_t){TYPE, 12, 4, -8}), "second");
    assert_string_equal(found(table, (counter_key_t){TYPE, 4, 8, -1}), "first");
    assert_string_equal(found(table, (counter_key_t){TYPE, 4, 8, INT64_MAX}), "second");
    assert_string_equal(found(table, (counter_key_t){TYPE + 1, 12, 4, -8}), "third");
    assert_string_equal(found(table, (counter_key_t){TYPE, 12, 4, 9}), "");
    /* All the eight bytes count, and all the four. */
    assert_string_equal(found(table, (counter_key_t){TYPE, 4, 8, INT32_MAX}), "");
    assert_string_equal(found(table, (counter_key_t){TYPE, 12, 4, INT64_C(0x100000007)}), "");
    assert_string_equal(found(table, (counter_key_t){.type = TYPE + 2}), "");
    /* The last place that a key has: zeros. */
    assert_string_equal(found(table, (counter_key_t){TYPE, 104, 8, 0}), "first");
    assert_string_equal(found(table, (counter_key_t){TYPE, 108, 4, 1}), "");
}

static void finds_by_type_and_key(void **state)
{
    const world_t *world = *state;
    assert_all_found(world->table);
}

static void reads_what_a_counter_is(void **state)
{
    const world_t *world = *state;
    const counter_key_t key = {TYPE, 12, 4, -8};
    counter_t counter;
    aeron_counter_constants_t constants;
    assert_true(counter_table_find(world->table, &key, &counter));
    assert_int_equal(aeron_counter_constants(world->made[1], &constants), 0);
    assert_int_equal(counter.id, constants.counter_id);
    assert_int_equal(counter.registration, constants.registration_id);
    set_value(world->made[1], INT64_MIN + 5);
    assert_int_equal(counter_value(&counter), INT64_MIN + 5);

    uint8_t bytes[COUNTER_KEY_BYTES_MAX];
    const uint8_t zeros[COUNTER_KEY_BYTES_MAX] = {0};
    const int64_t wide = INT64_MAX;
    memset(bytes, 0xA5, sizeof bytes);
    counter_table_key(world->table, &counter, bytes);
    assert_memory_equal(bytes, zeros, 4);
    assert_memory_equal(bytes + 4, &wide, sizeof wide);
    assert_memory_equal(bytes + 20, zeros, sizeof bytes - 20);

    char label[8];
    counter_table_label(world->table, &counter, label, sizeof label);
    assert_string_equal(label, "second");
    counter_table_label(world->table, &counter, label, 4);
    assert_string_equal(label, "sec");
    counter_table_label(world->table, &counter, label, 1);
    assert_string_equal(label, "");
}

static void swaps_what_is_as_expected(void **state)
{
    const world_t *world = *state;
    const counter_key_t key = {TYPE, 12, 4, 7};
    counter_t counter;
    assert_true(counter_table_find(world->table, &key, &counter));
    set_value(world->made[0], 1);
    assert_false(counter_table_swap(world->table, &counter, 0, 4));
    assert_int_equal(counter_value(&counter), 1);
    assert_true(counter_table_swap(world->table, &counter, 1, 4));
    assert_int_equal(*aeron_counter_addr(world->made[0]), 4);
    assert_false(counter_table_swap(world->table, &counter, 1, 5));
    counter_t another = counter;
    another.registration++;
    assert_false(counter_table_swap(world->table, &another, 4, 5));
    assert_int_equal(counter_value(&counter), 4);
}

static void sees_a_counter_go(void **state)
{
    const world_t *world = *state;
    const counter_key_t key = {.type = TYPE + 1};
    counter_t counter;
    assert_true(counter_table_find(world->table, &key, &counter));
    assert_int_equal(aeron_counter_close(world->made[2], NULL, NULL), 0);
    for (int step = 0; step < STEPS_MAX && counter_table_holds(world->table, &counter); step++)
        embedded_do_work(world->embedded);
    assert_false(counter_table_holds(world->table, &counter));
    assert_string_equal(found(world->table, key), "");
    /* What lies behind a place that was freed is found none the less. */
    aeron_counter_t *last =
        make_counter(world->embedded, TYPE + 3, &(test_key_t){.narrow = 1}, "last");
    assert_string_equal(found(world->table, (counter_key_t){.type = TYPE + 3}), "last");
    counter_t none = counter;
    none.id = INT32_MAX;
    assert_false(counter_table_holds(world->table, &none));
    assert_int_equal(aeron_counter_close(last, NULL, NULL), 0);
}

static void find_nonsense(void *context)
{
    const world_t *world = context;
    counter_t counter;
    const counter_key_t key = {.type = TYPE, .offset = 105, .bytes = 8};
    (void)counter_table_find(world->table, &key, &counter);
}

static void find_odd_width(void *context)
{
    const world_t *world = context;
    counter_t counter;
    const counter_key_t key = {.type = TYPE, .offset = 0, .bytes = 2};
    (void)counter_table_find(world->table, &key, &counter);
}

static void a_key_outside_of_the_key_is_a_bug(void **state)
{
    assert_true(child_aborts(find_nonsense, *state));
    assert_true(child_aborts(find_odd_width, *state));
}

static void reads_a_driver_s_directory_without_a_client(void **state)
{
    const world_t *world = *state;
    counter_table_t *table = NULL;
    counter_t counter;
    const counter_key_t key = {TYPE, 12, 4, 7};
    embedded_do_work(world->embedded); /* a sign of life */
    assert_int_equal(counter_table_open(&table, embedded_dir(world->embedded)), OC_ERR_OK);
    assert_all_found(table);
    assert_true(counter_table_find(table, &key, &counter));
    set_value(world->made[0], 99);
    assert_int_equal(counter_value(&counter), 99);
    /* Nothing is written through it. */
    assert_false(counter_table_swap(table, &counter, 99, 100));
    assert_int_equal(counter_value(&counter), 99);
    counter_table_close(table);
    counter_table_close(NULL);
}

static void assert_no_driver(const char *dir, const char *expected)
{
    counter_table_t *table = (counter_table_t *)(uintptr_t)1;
    assert_int_equal(counter_table_open(&table, dir), OC_ERR_NOT_CONNECTED);
    assert_null(table);
    if (strstr(oc_err_context(), dir) == NULL || strstr(oc_err_context(), expected) == NULL)
        fail_msg("unclear: %s", oc_err_context());
}

static void says_where_no_driver_is(void **state)
{
    (void)state;
    temp_dir_t dir;
    char path[PATH_BYTES];
    temp_dir_make(&dir);
    assert_no_driver(dir.path, "No such file");
    snprintf(path, sizeof path, "%s/absent", dir.path);
    assert_no_driver(path, "No such file");
    snprintf(path, sizeof path, "%s/cnc.dat", dir.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_no_driver(dir.path, "cannot be used");
    for (int i = 0; i < 8192; i++)
        fputc(0x7E, file); /* a version that no Aeron has */
    fclose(file);
    assert_no_driver(dir.path, "cannot be used");
    temp_dir_remove(&dir);
}

/* Copies the driver's cnc.dat, and puts another sign of life into it. */
static void copy_cnc(const char *from_dir, const char *to_dir, int64_t heartbeat_now,
                     int64_t heartbeat)
{
    char path[PATH_BYTES];
    static uint8_t bytes[64 * 1024 * 1024];
    snprintf(path, sizeof path, "%s/cnc.dat", from_dir);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 0 && size < sizeof bytes);
    size_t places = 0;
    for (size_t at = 0; at + sizeof heartbeat <= size; at += sizeof heartbeat) {
        if (memcmp(bytes + at, &heartbeat_now, sizeof heartbeat_now) == 0) {
            memcpy(bytes + at, &heartbeat, sizeof heartbeat);
            places++;
        }
    }
    assert_true(places > 0);
    snprintf(path, sizeof path, "%s/cnc.dat", to_dir);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void says_that_a_driver_is_dead(void **state)
{
    const world_t *world = *state;
    const char *from = embedded_dir(world->embedded);
    temp_dir_t dir;
    aeron_cnc_t *cnc;
    temp_dir_make(&dir);
    embedded_do_work(world->embedded);
    assert_int_equal(aeron_cnc_init(&cnc, from, 0), 0);
    const int64_t now = aeron_cnc_to_driver_heartbeat(cnc);
    aeron_cnc_close(cnc);
    copy_cnc(from, dir.path, now, now);
    counter_table_t *table;
    assert_int_equal(counter_table_open(&table, dir.path), OC_ERR_OK);
    counter_table_close(table);
    copy_cnc(from, dir.path, now, now - 3600 * 1000);
    assert_no_driver(dir.path, "is dead: no sign of life for 36");
    copy_cnc(from, dir.path, now, 0);
    assert_no_driver(dir.path, "no sign of life yet");
    copy_cnc(from, dir.path, now, -1);
    assert_no_driver(dir.path, "has ended");
    temp_dir_remove(&dir);
}

static void refuses_a_name_that_is_too_long(void **state)
{
    (void)state;
    char name[8192];
    counter_table_t *table;
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(counter_table_open(&table, name), OC_ERR_TOO_LONG);
    assert_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_by_type_and_key),
        cmocka_unit_test(reads_what_a_counter_is),
        cmocka_unit_test(swaps_what_is_as_expected),
        cmocka_unit_test(reads_a_driver_s_directory_without_a_client),
        cmocka_unit_test(a_key_outside_of_the_key_is_a_bug),
        cmocka_unit_test(says_that_a_driver_is_dead),
        cmocka_unit_test(sees_a_counter_go),
        cmocka_unit_test(says_where_no_driver_is),
        cmocka_unit_test(refuses_a_name_that_is_too_long),
    };
    return cmocka_run_group_tests(tests, make_world, end_world);
}
