/*
 * The writer of the own tape: empty and long tapes, and every way in which writing can fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/tape_writer.h"
#include "lib/flow_run.h"
#include "lib/temp_file.h"

#define FULL_DISK "/dev/full"

static oc_engine_config_t config;

static int setup(void **state)
{
    (void)state;
    oc_engine_config_init(&config);
    return 0;
}

static bool has_full_disk(void)
{
    FILE *file = fopen(FULL_DISK, "wb");
    if (file == NULL) {
        printf("SKIP: no " FULL_DISK " on this system\n");
        return false;
    }
    fclose(file);
    return true;
}

static void test_empty_tape(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    tape_writer_t *writer = NULL;
    assert_int_equal(tape_writer_open(&writer, file.path, &config), OC_ERR_OK);
    assert_int_equal(tape_writer_close(writer), OC_ERR_OK);
    const flow_run_t run = flow_run_file(file.path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.format, FLOW_FORMAT_OWN);
    assert_int_equal(run.records, 0);
    temp_file_remove(&file);
}

static void test_long_tape_over_an_old_file(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    uint8_t *old = calloc(1, 10000000);
    assert_non_null(old);
    temp_file_write(&file, old, 10000000);
    free(old);
    tape_writer_t *writer = NULL;
    assert_int_equal(tape_writer_open(&writer, file.path, &config), OC_ERR_OK);
    for (uint64_t i = 0; i < 20000; i++) {
        const oc_command_t command = {.type = OC_COMMAND_TIME, .sequence = i};
        assert_int_equal(tape_writer_append(writer, &command), OC_ERR_OK);
    }
    assert_int_equal(tape_writer_close(writer), OC_ERR_OK);
    const flow_run_t run = flow_run_file(file.path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 20000);
    assert_int_equal(run.kept[15].command.sequence, 15);
    temp_file_remove(&file);
}

/* Every type of command, and one that is not known, comes back to the byte. */
static void test_every_type_comes_back(void **state)
{
    (void)state;
    enum { TYPES = OC_COMMAND_LAST + 1 };
    _Static_assert(TYPES <= FLOW_RUN_KEPT, "all of them are kept");
    temp_file_t file;
    temp_file_make(&file);
    tape_writer_t *writer = NULL;
    oc_command_t commands[TYPES];
    assert_int_equal(tape_writer_open(&writer, file.path, &config), OC_ERR_OK);
    for (unsigned i = 0; i < TYPES; i++) {
        memset(&commands[i], (int)(0x10 + i), sizeof commands[i]);
        commands[i].type = (uint8_t)(i + 1);
        if (commands[i].type == OC_COMMAND_RESTRICTION) {
            commands[i].u.restriction.set = OC_RESTRICT_STORAGE;
            commands[i].u.restriction.clear = OC_RESTRICT_RECOVERY;
        }
        assert_int_equal(tape_writer_append(writer, &commands[i]), OC_ERR_OK);
    }
    assert_int_equal(tape_writer_close(writer), OC_ERR_OK);
    const flow_run_t run = flow_run_file(file.path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, TYPES);
    for (unsigned i = 0; i < TYPES; i++)
        assert_memory_equal(&run.kept[i].command, &commands[i], sizeof commands[i]);
    temp_file_remove(&file);
}

static void test_cannot_create(void **state)
{
    (void)state;
    tape_writer_t *writer = (tape_writer_t *)(void *)&writer;
    assert_int_equal(tape_writer_open(&writer, "/nowhere/at/all", &config), OC_ERR_OPEN);
    assert_null(writer);
    assert_non_null(strstr(oc_err_context(), "/nowhere/at/all: cannot create it: "));
    assert_int_equal(tape_writer_close(NULL), OC_ERR_OK);
}

/* All of it fits the buffer, so that only closing can notice. */
static void test_full_at_close(void **state)
{
    (void)state;
    if (!has_full_disk()) {
        skip();
    }
    tape_writer_t *writer = NULL;
    assert_int_equal(tape_writer_open(&writer, FULL_DISK, &config), OC_ERR_OK);
    assert_int_equal(tape_writer_close(writer), OC_ERR_WRITE);
    assert_non_null(strstr(oc_err_context(), "/dev/full: cannot write the tape after 0 commands"));
}

static void test_full_at_append(void **state)
{
    (void)state;
    if (!has_full_disk()) {
        skip();
    }
    tape_writer_t *writer = NULL;
    assert_int_equal(tape_writer_open(&writer, FULL_DISK, &config), OC_ERR_OK);
    const oc_command_t command = {.type = OC_COMMAND_TIME};
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; i < 100000 && err == OC_ERR_OK; i++) {
        err = tape_writer_append(writer, &command);
    }
    assert_int_equal(err, OC_ERR_WRITE);
    assert_non_null(strstr(oc_err_context(), "it is not complete"));
    assert_int_equal(tape_writer_append(writer, &command), OC_ERR_WRITE);
    assert_int_equal(tape_writer_close(writer), OC_ERR_WRITE);
    assert_non_null(strstr(oc_err_context(), "an earlier write failed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_tape),     cmocka_unit_test(test_long_tape_over_an_old_file),
        cmocka_unit_test(test_cannot_create),  cmocka_unit_test(test_full_at_close),
        cmocka_unit_test(test_full_at_append), cmocka_unit_test(test_every_type_comes_back),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
