/*
 * oc_node_run(): which host a configuration asks for, and what it says to a wrong one. A service
 * under each host: test/unit/host/test_node_run.c, test/system/test_cluster_ops.sh.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/process_signals.h"
#include "lib/tally_service.h"
#include "lib/temp_dir.h"
#include "lib/temp_file.h"
#include "outcry/service.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char wrong_member[] = "[cluster]\nid = 1\nmember0 = a:1,a:2,a:3,a:4,a:5\n";

static void write_config(const char *dir, const char *text)
{
    char path[340];
    (void)snprintf(path, sizeof path, "%s/outcry.conf", dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void refused(const oc_node_options_t *options, oc_err_t err, const char *word)
{
    tally_t tally;
    tally_init(&tally);
    assert_int_equal(oc_node_run(&tally.service, options), err);
    if (!strstr(oc_err_context(), word))
        fail_msg("'%s' is not in: %s", word, oc_err_context());
    assert_int_equal(tally.starts, 0);
}

/* The file in the directory is the configuration, unless another one is named. */
static void the_file_in_the_directory(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_file_t other;
    temp_dir_make(&dir);
    temp_file_make(&other);
    write_config(dir.path, "[node]\nidel = spin\n");
    oc_node_options_t options = {.dir = dir.path};
    refused(&options, OC_ERR_INVALID_CONFIG, "outcry.conf:2: [node] idel");
    temp_file_write(&other, "[node]\nidol = 1\n", 16);
    options.config_file = other.path;
    refused(&options, OC_ERR_INVALID_CONFIG, "idol");
    temp_file_remove(&other);
    temp_dir_remove(&dir);
}

static void a_member(void **state)
{
    (void)state;
    temp_dir_t dir;
    char log[340];
    temp_dir_make(&dir);
    write_config(dir.path, wrong_member);
    oc_node_options_t options = {.dir = dir.path};
    refused(&options, OC_ERR_INVALID_CONFIG, "there are 1 members");
    write_config(dir.path, "[cluster]\nmember0 = a:1,a:2,a:3,a:4,a:4\n");
    refused(&options, OC_ERR_INVALID_CONFIG, "all must differ");
    write_config(dir.path, "[exchange]\nmax_orders = 1\n[cluster]\n");
    refused(&options, OC_ERR_INVALID_CONFIG, "unknown section");
    /* Where its clients come is not this option's to say. */
    write_config(dir.path, "[cluster]\nmember0 = a:1,a:2,a:3,a:4,a:5\n");
    options.ingress = "127.0.0.1:0";
    refused(&options, OC_ERR_INVALID_ARGUMENT, "member0 there says where clients come");
    /* Nothing of a node's was begun. */
    (void)snprintf(log, sizeof log, "%s/lock", dir.path);
    assert_int_not_equal(access(log, F_OK), 0);
    temp_dir_remove(&dir);
}

/* Whose file is gone: a node would begin there with nothing. */
static void a_member_without_its_file(void **state)
{
    (void)state;
    temp_dir_t dir;
    char path[340];
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/cluster", dir.path);
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(path, sizeof path, "%s/cluster/recording.log", dir.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    const oc_node_options_t options = {.dir = dir.path, .ingress = "127.0.0.1:0"};
    refused(&options, OC_ERR_REFUSED, "is the directory of a member of a cluster");
    temp_dir_remove(&dir);
}

/* Without a file it is a node with defaults. */
static void a_node(void **state)
{
    (void)state;
    tally_t tally;
    temp_dir_t dir;
    tally_init(&tally);
    temp_dir_make(&dir);
    const oc_node_options_t options = {.dir = dir.path, .ingress = "127.0.0.1:0"};
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(oc_node_run(&tally.service, &options), OC_ERR_OK); /* ended at once */
    process_give_signals_back();
    assert_int_equal(tally.starts, 0);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_in_the_directory),
        cmocka_unit_test(a_member),
        cmocka_unit_test(a_member_without_its_file),
        cmocka_unit_test(a_node),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
