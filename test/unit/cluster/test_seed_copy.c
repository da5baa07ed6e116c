/*
 * Copies of files: whole, in part, longer than the source, with holes; and what keeps one from
 * being made. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/seed_copy.h"
#include "lib/read_file.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LENGTH 300000

typedef struct fixture {
    temp_dir_t dir;
    char from[300];
    char to[300];
    uint8_t *bytes;
} fixture_t;

static void set_up(fixture_t *self)
{
    temp_dir_make(&self->dir);
    (void)snprintf(self->from, sizeof self->from, "%s/from", self->dir.path);
    (void)snprintf(self->to, sizeof self->to, "%s/to", self->dir.path);
    self->bytes = calloc(1, LENGTH);
    assert_non_null(self->bytes);
    for (size_t i = 0; i < LENGTH; i++)
        if (i < 1000 || i > 250000) /* zeros between */
            self->bytes[i] = (uint8_t)(i * 7 + 1);
    assert_int_equal(seed_copy_bytes(self->bytes, LENGTH, self->from), OC_ERR_OK);
}

static void tear_down(fixture_t *self)
{
    free(self->bytes);
    temp_dir_remove(&self->dir);
}

static void expect(const fixture_t *self, size_t length, size_t size)
{
    size_t found;
    char *bytes = read_file(self->to, &found);
    assert_int_equal(found, size);
    assert_memory_equal(bytes, self->bytes, length);
    for (size_t i = length; i < size; i++)
        assert_int_equal(bytes[i], 0);
    free(bytes);
}

static void copies_are_equal(void **state)
{
    (void)state;
    static const struct {
        int64_t length;
        int64_t size;
        size_t copied;
        size_t whole;
    } cases[] = {
        {SEED_COPY_ALL, 0, LENGTH, LENGTH},
        {LENGTH, LENGTH, LENGTH, LENGTH},
        {500, 0, 500, 500},
        {500, 131072, 500, 131072},
        {0, 4096, 0, 4096},
        {70000, 70000, 70000, 70000},
        {SEED_COPY_ALL, 400000, LENGTH, 400000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture_t fixture;
        seed_copied_t copied = {1, 10};
        set_up(&fixture);
        assert_int_equal(
            seed_copy_file(fixture.from, fixture.to, cases[i].length, cases[i].size, &copied),
            OC_ERR_OK);
        expect(&fixture, cases[i].copied, cases[i].whole);
        assert_int_equal(copied.files, 2);
        assert_int_equal(copied.bytes, 10 + cases[i].copied);
        tear_down(&fixture);
    }
}

static void zeros_take_no_room(void **state)
{
    (void)state;
    fixture_t fixture;
    seed_copied_t copied = {0};
    struct stat from;
    struct stat to;
    set_up(&fixture);
    assert_int_equal(seed_copy_file(fixture.from, fixture.to, SEED_COPY_ALL, 64 << 20, &copied),
                     OC_ERR_OK);
    assert_int_equal(stat(fixture.from, &from), 0);
    assert_int_equal(stat(fixture.to, &to), 0);
    assert_int_equal(to.st_size, 64 << 20);
    assert_true(to.st_blocks <= from.st_blocks);
    tear_down(&fixture);
}

static void what_cannot_be_copied_is_told(void **state)
{
    (void)state;
    fixture_t fixture;
    seed_copied_t copied = {0};
    set_up(&fixture);
    assert_int_equal(seed_copy_file(fixture.from, fixture.to, LENGTH + 1, 0, &copied),
                     OC_ERR_TRUNCATED);
    assert_non_null(strstr(oc_err_context(), fixture.from));
    assert_int_equal(seed_copy_file(fixture.from, fixture.to, 5, 0, &copied), OC_ERR_WRITE);
    assert_int_equal(seed_copy_bytes("x", 1, fixture.to), OC_ERR_WRITE);
    assert_int_equal(unlink(fixture.from), 0);
    assert_int_equal(seed_copy_file(fixture.from, fixture.to, 5, 0, &copied), OC_ERR_OPEN);
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_equal),
        cmocka_unit_test(zeros_take_no_room),
        cmocka_unit_test(what_cannot_be_copied_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
