/*
 * Records framed and read again: whole, cut at every byte, with every byte changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/records_fixture.h"
#include "records/records_internal.h"

#include <stdlib.h>
#include <string.h>

enum { ORDERS = 30, FILE_MAX = 1 << 16 };

/* A file in memory. */
typedef struct file {
    uint8_t bytes[FILE_MAX];
    size_t length;
    size_t at;   /* of the reader */
    size_t room; /* of the writer */
    size_t writes;
} file_t;

static oc_err_t file_write(void *context, const void *bytes, size_t length)
{
    file_t *file = context;
    file->writes++;
    if (length > file->room - file->length)
        return error_set(OC_ERR_NO_SPACE, "full");
    memcpy(file->bytes + file->length, bytes, length);
    file->length += length;
    return OC_ERR_OK;
}

static oc_err_t file_read(void *context, void *bytes, size_t length)
{
    file_t *file = context;
    if (length > file->length - file->at)
        return error_set(OC_ERR_TRUNCATED, "the file ends at %zu", file->length);
    memcpy(bytes, file->bytes + file->at, length);
    file->at += length;
    return OC_ERR_OK;
}

static oc_err_t write_file(file_t *file, const oc_engine_t *engine)
{
    const records_export_config_t config = {.record_bytes = 1024, .threads = 1};
    record_framer_t framer = {.write = file_write, .context = file};
    records_export_t *export = NULL;
    records_world_t world;
    records_world_make(&world, engine, 100);
    assert_int_equal(records_export_create(&export, &config), OC_ERR_OK);
    const oc_err_t err = records_export(export, &world.state, record_framer_take, &framer);
    records_export_destroy(export);
    records_world_free(&world);
    return err;
}

static oc_err_t read_file_into(file_t *file, oc_engine_t *engine)
{
    records_received_t received;
    records_receiver_t receiver;
    records_import_t *import = NULL;
    file->at = 0;
    records_receive(&received, engine, &receiver);
    assert_int_equal(records_import_create(&import, engine, &receiver), OC_ERR_OK);
    const oc_err_t err = records_import_framed(import, file_read, file);
    records_import_destroy(import);
    records_world_free(&received.world);
    return err;
}

static void there_and_back(void **state)
{
    (void)state;
    static file_t file = {.room = FILE_MAX};
    oc_engine_t *from = records_fixture_book(OC_ENGINE_FAST, ORDERS);
    oc_engine_t *into = records_fixture_empty(OC_ENGINE_REFERENCE, ORDERS);
    assert_int_equal(write_file(&file, from), OC_ERR_OK);
    assert_memory_equal(file.bytes, RECORD_FILE_MAGIC, 8);
    const size_t length = file.length;
    file.bytes[file.length++] = 'x'; /* what is behind is another's */
    assert_int_equal(read_file_into(&file, into), OC_ERR_OK);
    assert_int_equal(file.at, length);
    assert_int_equal(oc_engine_state_hash(into), oc_engine_state_hash(from));
    oc_engine_destroy(from);
    oc_engine_destroy(into);
}

static void cut_and_changed(void **state)
{
    (void)state;
    static file_t file = {.room = FILE_MAX};
    static file_t changed;
    oc_engine_t *from = records_fixture_book(OC_ENGINE_FAST, ORDERS);
    oc_engine_t *into = records_fixture_empty(OC_ENGINE_REFERENCE, ORDERS);
    assert_int_equal(write_file(&file, from), OC_ERR_OK);
    for (size_t length = 0; length < file.length; length++) {
        changed = file;
        changed.length = length;
        assert_int_equal(read_file_into(&changed, into), OC_ERR_TRUNCATED);
    }
    for (size_t at = 0; at < file.length; at++) {
        changed = file;
        changed.bytes[at] ^= (uint8_t)(1u << at % 8);
        const oc_err_t err = read_file_into(&changed, into);
        assert_true(err == OC_ERR_DAMAGED || err == OC_ERR_TRUNCATED ||
                    (at < 8 && err == OC_ERR_FORMAT));
        assert_true(oc_err_context()[0] != '\0');
    }
    /* What is wrong is told with its place in the file. */
    changed = file;
    changed.bytes[16 + 4] ^= 1;
    assert_int_equal(read_file_into(&changed, into), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "at byte 16 of the file"));
    oc_engine_destroy(from);
    oc_engine_destroy(into);
}

static void newer_and_foreign_files(void **state)
{
    (void)state;
    static file_t file = {.room = FILE_MAX};
    oc_engine_t *from = records_fixture_book(OC_ENGINE_FAST, ORDERS);
    assert_int_equal(write_file(&file, from), OC_ERR_OK);
    memcpy(file.bytes, "OCTAPE01", 8);
    assert_int_equal(read_file_into(&file, from), OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), "no file of records"));
    static const uint8_t newer[16] = {'O', 'C', 'R', 'E', 'C', 'O', 'R', 'D',
                                      2,   0,   0,   0,   0,   0,   0,   0};
    memcpy(file.bytes, newer, sizeof newer);
    assert_int_equal(read_file_into(&file, from), OC_ERR_DAMAGED); /* its checksum */
    oc_engine_destroy(from);
}

/* Every write of the file fails once. */
static void a_full_device(void **state)
{
    (void)state;
    static file_t file = {.room = FILE_MAX};
    oc_engine_t *from = records_fixture_book(OC_ENGINE_FAST, ORDERS);
    assert_int_equal(write_file(&file, from), OC_ERR_OK);
    const size_t whole = file.length;
    for (size_t room = 0; room < whole; room += 37) {
        file = (file_t){.room = room};
        assert_int_equal(write_file(&file, from), OC_ERR_NO_SPACE);
    }
    uint8_t byte = 0;
    record_framer_t framer = {.write = file_write, .context = &file};
    file = (file_t){.room = FILE_MAX};
    assert_int_equal(record_framer_take(&framer, &byte, RECORDS_SIZE_MAX + (size_t)1),
                     OC_ERR_TOO_LONG);
    assert_int_equal(file.writes, 0);
    oc_engine_destroy(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(cut_and_changed),
        cmocka_unit_test(newer_and_foreign_files),
        cmocka_unit_test(a_full_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
