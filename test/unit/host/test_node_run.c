/*
 * A node as a process: oc_node_run() in a child, what it prints, and how signals end it.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/process_signals.h"
#include "host/node_run.h"
#include "lib/node_fixture.h"
#include "lib/temp_file.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char config_text[] = "[node]\ningress = 127.0.0.1:0\n"
                                  "[journal]\nsegment_bytes = 1M\ngroup_bytes = 64K\n"
                                  "low_space_bytes = 0\n"
                                  "[session]\nmessage_bytes_max = 4K\n";

static void run_child(const char *dir, const char *config_file, int out)
{
    tally_t tally;
    tally_init(&tally);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(out, STDOUT_FILENO) < 0)
        _exit(99);
    const oc_node_options_t options = {.dir = dir, .config_file = config_file};
    const oc_err_t err = oc_node_run(&tally.service, &options);
    if (err != OC_ERR_OK)
        (void)fprintf(stderr, "child: %s\n", oc_err_context());
    _exit((int)err);
}

/* Reads until `text` is there, for ten seconds at most. */
static bool read_until(int in, char *said, size_t size, const char *text)
{
    size_t used = strlen(said);
    struct pollfd readable = {.fd = in, .events = POLLIN};
    while (!strstr(said, text)) {
        if (used + 1 >= size || poll(&readable, 1, 10000) != 1)
            return false;
        const ssize_t got = read(in, said + used, size - used - 1);
        if (got <= 0)
            return false;
        used += (size_t)got;
        said[used] = '\0';
    }
    return true;
}

static void ends_in_order(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGINT};
    temp_dir_t dir;
    temp_file_t file;
    temp_dir_make(&dir);
    temp_file_make(&file);
    temp_file_write(&file, config_text, sizeof config_text - 1);
    for (int i = 0; i < 2; i++) {
        char said[1024] = "";
        char term[16];
        int ends[2];
        int status;
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            run_child(dir.path, file.path, ends[1]);
        (void)close(ends[1]);
        assert_true(read_until(ends[0], said, sizeof said, "\n"));
        assert_memory_equal(said, "ready: 127.0.0.1:", 17);
        assert_int_equal(kill(child, SIGPIPE), 0); /* ignored */
        assert_int_equal(kill(child, signals[i]), 0);
        assert_true(read_until(ends[0], said, sizeof said, "egress_back_pressure: "));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_non_null(strstr(said, "\nstopped: orderly\nposition: "));
        assert_non_null(strstr(said, "\nentries: 1\n"));
        assert_non_null(strstr(said, "\nclosed_slow: 0\nclosed_timeout: 0\n"));
        (void)snprintf(term, sizeof term, "\nterm: %d\n", i + 1);
        assert_non_null(strstr(said, term));
        (void)close(ends[0]);
    }
    temp_file_remove(&file);
    temp_dir_remove(&dir);
}

/* A signal that came while the program made its tables: nothing is begun. */
static void ended_before_it_began(void **state)
{
    (void)state;
    tally_t tally;
    temp_dir_t dir;
    char log[300];
    tally_init(&tally);
    temp_dir_make(&dir);
    (void)snprintf(log, sizeof log, "%s/log", dir.path);
    const oc_node_options_t options = {.dir = log, .ingress = "127.0.0.1:0"};
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(oc_node_run(&tally.service, &options), OC_ERR_OK);
    process_give_signals_back();
    assert_int_equal(tally.starts, 0);
    assert_int_not_equal(access(log, F_OK), 0);
    temp_dir_remove(&dir);
}

static void wrong_options(void **state)
{
    (void)state;
    tally_t tally;
    char longest[NODE_TEXT_MAX + 2];
    temp_file_t file;
    tally_init(&tally);
    oc_node_options_t options = {.dir = NULL};
    assert_int_equal(oc_node_run(&tally.service, &options), OC_ERR_INVALID_ARGUMENT);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    options = (oc_node_options_t){.dir = "x", .ingress = longest};
    assert_int_equal(oc_node_run(&tally.service, &options), OC_ERR_TOO_LONG);
    temp_file_make(&file);
    temp_file_write(&file, "[node]\nidel = spin\n", 19);
    options = (oc_node_options_t){.dir = "x", .config_file = file.path};
    assert_int_equal(oc_node_run(&tally.service, &options), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "did you mean idle"));
    temp_file_remove(&file);
    assert_int_equal(tally.starts, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_in_order),
        cmocka_unit_test(ended_before_it_began),
        cmocka_unit_test(wrong_options),
    };
    return cmocka_run_group_tests_name("node_run", tests, NULL, NULL);
}
