/*
 * `outcry node`: its command line and the exchange's keys of the configuration file. Nodes that run
 * are test/system/test_node.sh.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/temp_dir.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS_MAX = 8, SAID_MAX = 16384 };

static char said[SAID_MAX];

/* Runs the subcommand with stdout and stderr in `said`; the words end with NULL. */
static int run(const char *const *words)
{
    char copies[WORDS_MAX][300];
    char *argv[WORDS_MAX + 1] = {NULL};
    int argc = 0;
    temp_file_t file;
    for (; words[argc]; argc++) {
        assert_true(argc < WORDS_MAX);
        (void)snprintf(copies[argc], sizeof copies[argc], "%s", words[argc]);
        argv[argc] = copies[argc];
    }
    temp_file_make(&file);
    FILE *sink = fopen(file.path, "w");
    assert_non_null(sink);
    assert_int_equal(fflush(stdout), 0);
    const int out = dup(STDOUT_FILENO);
    const int err = dup(STDERR_FILENO);
    assert_true(out >= 0 && err >= 0);
    assert_true(dup2(fileno(sink), STDOUT_FILENO) >= 0);
    assert_true(dup2(fileno(sink), STDERR_FILENO) >= 0);
    const int status = node_main(argc, argv);
    assert_int_equal(fflush(stdout), 0);
    assert_true(dup2(out, STDOUT_FILENO) >= 0);
    assert_true(dup2(err, STDERR_FILENO) >= 0);
    (void)close(out);
    (void)close(err);
    (void)fclose(sink);
    said[temp_file_read(&file, said, sizeof said - 1)] = '\0';
    temp_file_remove(&file);
    return status;
}

#define RUN(...) run((const char *const[]){"node", __VA_ARGS__, NULL})

static void command_line(void **state)
{
    (void)state;
    assert_int_equal(RUN("--help"), 0);
    assert_non_null(strstr(said, "usage: outcry node --dir DIR"));
    assert_int_equal(RUN("--ingress", "127.0.0.1:0"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(said, "--dir is missing"));
    assert_int_equal(RUN("--dri", "x"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(said, "did you mean --dir"));
    assert_int_equal(RUN("--dir", "x", "more"), EXIT_STATUS_USAGE);
}

/* A node would begin an empty book beside the member's log. */
static void members_directory(void **state)
{
    (void)state;
    temp_dir_t dir;
    char path[600];
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/cluster", dir.path);
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(path, sizeof path, "%s/cluster/recording.log", dir.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(RUN("--dir", dir.path, "--ingress", "127.0.0.1:0"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said, "is the directory of a member of a cluster"));
    assert_non_null(strstr(said, "outcry member --config"));
    temp_dir_remove(&dir);
}

static void write_config(const temp_dir_t *dir, const char *text)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/outcry.conf", dir->path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Read where no other is named, for a node and for what is printed. */
static void file_in_the_directory(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    write_config(&dir, "[exchange]\nmax_orders = 0\n");
    assert_int_equal(RUN("--dir", dir.path), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said, "/outcry.conf:2: [exchange] max_orders = 0"));
    write_config(&dir, "[exchange]\nmax_orders = 77\n");
    assert_int_equal(RUN("--dir", dir.path, "--print-config"), 0);
    assert_non_null(strstr(said, "max_orders = 77\n"));
    assert_int_equal(RUN("--dir", dir.path, "--print-config", "--config", "/dev/null"), 0);
    assert_null(strstr(said, "max_orders = 77\n"));
    write_config(&dir, "[cluster]\nid = 0\n");
    assert_int_equal(RUN("--dir", dir.path), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said, "/outcry.conf has a section [cluster]"));
    temp_dir_remove(&dir);
}

/* Runs --print-config with a file of this text. */
static int print_with(const char *text)
{
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    const int status = RUN("--print-config", "--config", file.path);
    temp_file_remove(&file);
    return status;
}

static void printed_configuration_reads_back(void **state)
{
    (void)state;
    static char first[SAID_MAX];
    assert_int_equal(RUN("--print-config", "--ingress", "10.0.0.1:5"), 0);
    assert_non_null(strstr(said, "ingress = 10.0.0.1:5\n"));
    assert_non_null(strstr(said, "[exchange]\n"));
    assert_non_null(strstr(said, "max_sources = 256\n"));
    assert_non_null(strstr(said, "admin_principal = admin\n"));
    memcpy(first, said, sizeof first);
    assert_int_equal(print_with(first), 0);
    assert_string_equal(said, first);

    assert_int_equal(print_with("[exchange]\nmax_orders = 77\nengine = reference\n"
                                "modify_priority = lose\nadmin_principal = root\n"
                                "admin_source = 9\nkept_outputs = 64\n"),
                     0);
    assert_non_null(strstr(said, "max_orders = 77\n"));
    assert_non_null(strstr(said, "engine = reference\n"));
    assert_non_null(strstr(said, "modify_priority = lose\n"));
    assert_non_null(strstr(said, "admin_principal = root\n"));
    assert_non_null(strstr(said, "admin_source = 9\n"));
}

static void wrong_values(void **state)
{
    (void)state;
    assert_int_equal(print_with("[exchange]\nmax_order = 3\n"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said, ":2: [exchange] max_order: unknown key; did you mean max_orders"));
    assert_int_equal(print_with("[exchange]\nmax_orders = 0\n"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said, "from 1 to"));
    assert_int_equal(print_with("[exchange]\nkept_outputs = 65\n"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said, "power of two"));
    assert_int_equal(print_with("[exchange]\nadmin_principal = \n"), EXIT_STATUS_FAILED);
    assert_int_equal(print_with("[exchange]\nadmin_principal = 12345678901234567890123456789012\n"),
                     EXIT_STATUS_FAILED);
    assert_non_null(strstr(said, "1 to 31 characters"));
    assert_int_equal(RUN("--print-config", "--config", "/dev/null/none"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said, "/dev/null/none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_line),          cmocka_unit_test(members_directory),
        cmocka_unit_test(file_in_the_directory), cmocka_unit_test(printed_configuration_reads_back),
        cmocka_unit_test(wrong_values),
    };
    return cmocka_run_group_tests_name("node", tests, NULL, NULL);
}
