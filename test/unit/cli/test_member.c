/*
 * `outcry member`: its command line, and the keys of its configuration. Members that run are
 * test/system/test_cluster_ops.sh.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/temp_dir.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <string.h>

static capture_t said;

#define RUN(...)                                                                                   \
    capture_main(member_main, (const char *const[]){"member", __VA_ARGS__, NULL}, &said)

static const char members[] = "[cluster]\nmember0 = a:1,a:2,a:3,a:4,a:5\n"
                              "member1 = b:1,b:2,b:3,b:4,b:5\n[exchange]\nmax_orders = 77\n";

static void command_line(void **state)
{
    (void)state;
    const char *const nothing[] = {"member", NULL};
    assert_int_equal(RUN("--help"), 0);
    assert_non_null(strstr(said.out, "usage: outcry member --id N"));
    assert_int_equal(capture_main(member_main, nothing, &said), EXIT_STATUS_USAGE);
    assert_non_null(strstr(said.err, "--config is missing"));
    assert_int_equal(RUN("--id", "9", "--config", "x"), EXIT_STATUS_USAGE);
    assert_int_equal(RUN("--id", "1", "--config", "/no/such"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "/no/such"));
    assert_int_equal(RUN("--dir", "/no/dir"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "/no/dir/outcry.conf"));
}

static int with_text(const char *text, const char *option, const char *id)
{
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    const int status = RUN("--config", file.path, "--id", id, option);
    temp_file_remove(&file);
    return status;
}

static void printed_configuration_reads_back(void **state)
{
    (void)state;
    static char first[CAPTURE_SIZE];
    assert_int_equal(RUN("--print-config"), 0);
    assert_non_null(strstr(said.out, "[cluster]\n# of this member"));
    assert_int_equal(with_text(members, "--print-config", "1"), 0);
    assert_non_null(strstr(said.out, "\nid = 1\n"));
    assert_non_null(strstr(said.out, "member1 = b:1,b:2,b:3,b:4,b:5\n"));
    assert_non_null(strstr(said.out, "max_orders = 77\n"));
    assert_null(strstr(said.out, "[journal]"));
    memcpy(first, said.out, sizeof first);
    assert_int_equal(with_text(first, "--print-config", "1"), 0);
    assert_string_equal(said.out, first);
}

static void wrong_configurations(void **state)
{
    (void)state;
    assert_int_equal(with_text("[cluster]\nmembr0 = x\n", "--print-config", "0"),
                     EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "did you mean member0"));
    assert_int_equal(with_text(members, "--dir=/no/such", "2"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "id = 2: there are 2 members"));
    assert_int_equal(with_text("[node]\n", "--dir=/no/such", "0"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "names no members"));
    /* Where the file is, the member is. */
    assert_int_equal(with_text(members, "--dir=/no/such/dir", "1"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "/no/such/dir"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_line),
        cmocka_unit_test(printed_configuration_reads_back),
        cmocka_unit_test(wrong_configurations),
    };
    return cmocka_run_group_tests_name("member", tests, NULL, NULL);
}
