/*
 * `outcry load` in this process: its command line, and small runs against a real node, whose files
 * are read back. Run by ctest; needs the program.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/response_log.h"
#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/node_child.h"
#include "lib/temp_file.h"
#include "report/run_read.h"

static capture_t captured;
static node_child_t node;

#define LOAD(...)                                                                                  \
    capture_main(load_main, (const char *const[]){"load", __VA_ARGS__, NULL}, &captured)

static void assert_out(const char *part)
{
    if (!strstr(captured.out, part))
        fail_msg("'%s' is not in '%s'; stderr: %s", part, captured.out, captured.err);
}

static void assert_usage(const char *part)
{
    if (!strstr(captured.err, part))
        fail_msg("'%s' is not in '%s'", part, captured.err);
    assert_string_equal(captured.out, "");
}

static void test_command_line(void **state)
{
    (void)state;
    assert_int_equal(LOAD("--help"), 0);
    assert_out("usage: outcry load --ingress");
    assert_int_equal(LOAD("--rate", "1"), EXIT_STATUS_USAGE);
    assert_usage("--ingress is missing");
    assert_int_equal(LOAD("--ingress", "x:1"), EXIT_STATUS_USAGE);
    assert_usage("--rate is missing");
    assert_int_equal(LOAD("--ingress", "x:1", "--arrivals", "poisson"), EXIT_STATUS_USAGE);
    assert_usage("--rate is missing");
    assert_int_equal(LOAD("--ingress", "x:1", "--arrivals", "poisson", "--rate", "0"),
                     EXIT_STATUS_USAGE);
    assert_usage("--rate 0 is a closed loop");
    assert_int_equal(LOAD("--ingress", "x:1", "--arrivals", "onoff:5:5", "--rate", "1"),
                     EXIT_STATUS_USAGE);
    assert_usage("leave --rate out");
    assert_int_equal(
        LOAD("--ingress", "x:1", "--arrivals", "steady:5", "--rate", "1", "--burst", "1"),
        EXIT_STATUS_USAGE);
    assert_usage("--arrivals steady:BURST");
    assert_int_equal(LOAD("--ingress", "x:1", "--arrivals", "sine"), EXIT_STATUS_USAGE);
    assert_usage("no such shape");
    assert_int_equal(LOAD("--ingress", "x:1", "--rate", "1", "--window-ms", "1"),
                     EXIT_STATUS_USAGE);
    assert_usage("go with --arrivals trace:FILE");
    assert_int_equal(LOAD("--ingress", "x:1", "--rate", "1", "--seconds", "5", "--warmup", "5"),
                     EXIT_STATUS_USAGE);
    assert_usage("must be shorter");
    assert_int_equal(LOAD("--ingress", "x:1", "--arrivals", "trace:/nowhere/f"),
                     EXIT_STATUS_FAILED);
    assert_usage("/nowhere/f");
    assert_int_equal(LOAD("--ingress", "x:1", "--rate", "1", "--file", "f", "--clients", "2"),
                     EXIT_STATUS_USAGE);
    assert_usage("--file goes with one client");
    assert_int_equal(
        LOAD("--ingress", "x:1", "--rate", "1", "--principal", "a-name-of-more-than-31-characters"),
        EXIT_STATUS_USAGE);
    assert_usage("at most 31");
    assert_int_equal(LOAD("--rat", "1"), EXIT_STATUS_USAGE);
    assert_usage("rate");
    assert_int_equal(LOAD("--ingress", "x:1", "--rate", "1", "--file", "/nowhere/f"),
                     EXIT_STATUS_FAILED);
    assert_usage("/nowhere/f");
    assert_int_equal(LOAD("--ingress", "x:1", "--rate", "1", "--secret-file", "/nowhere/f"),
                     EXIT_STATUS_FAILED);
    assert_usage("/nowhere/f");
}

static uint64_t number_of(const char *name)
{
    assert_out(name);
    return strtoull(strstr(captured.out, name) + strlen(name), NULL, 10);
}

static void assert_clean(void)
{
    assert_out("\nlost: 0\n");
    assert_out("\ndoubled: 0\n");
    assert_out("\nunsent: 0\n");
}

static uint64_t count_outputs(const char *path)
{
    response_log_t log;
    response_record_t record;
    bool more = true;
    uint64_t count = 0;
    assert_int_equal(response_log_open(&log, path), OC_ERR_OK);
    while (more) {
        assert_int_equal(response_log_next(&log, &record, &more), OC_ERR_OK);
        if (more && record.kind == RESPONSE_OUTPUT)
            assert_int_equal(record.output.outbound_sequence, ++count);
    }
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    return count;
}

/* How many orders were sent, all of which were answered once; a slow machine may have sent less
 * than intended. */
static uint64_t sent_of_intended(void)
{
    const uint64_t sent = number_of("\nsent: ");
    assert_int_equal(number_of("\nanswered: "), sent);
    assert_out("\nlost: 0\n");
    assert_out("\ndoubled: 0\n");
    return sent;
}

/* How many values the lines of a percentile file stand for: "... Total count = N]". */
static unsigned long long hgrm_count(const char *path)
{
    char text[65536];
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    const char *found = strstr(text, "Total count");
    assert_non_null(found);
    return strtoull(found + strcspn(found, "0123456789"), NULL, 10);
}

/* The first second counts apart, and is in no histogram. */
static void check_poisson_warmup(void)
{
    char hgrm[400];
    (void)snprintf(hgrm, sizeof hgrm, "%s/poisson.hgrm", node.dir.path);
    assert_int_equal(LOAD("--ingress", node.ingress, "--arrivals", "poisson", "--rate", "1000",
                          "--seed", "7", "--seconds", "2", "--warmup", "1", "--resting", "10000",
                          "--hgrm", hgrm),
                     0);
    assert_out("\narrivals: poisson\nrate_intended: 1000.0\narrivals_seed: 7\n");
    assert_out("\nwarmup_s: 1\n");
    const uint64_t sent = sent_of_intended();
    const uint64_t warm = number_of("\nwarmup_answered: ");
    assert_in_range(sent + number_of("\nunsent: "), 2000 - 224, 2000 + 224); /* five sigma */
    assert_in_range(warm, 1, 1000 + 159);
    assert_int_equal(hgrm_count(hgrm), sent - warm);
}

/* A trace is played once, to its end; its worst window, compressed or not, too. */
static void check_trace(void)
{
    char path[400];
    char arrivals[450];
    (void)snprintf(path, sizeof path, "%s/trace.csv", node.dir.path);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    for (unsigned i = 0; i < 60; i++) /* a burst of six each 40 ms; the third has another six */
        fprintf(file, "%u,170\n%s", i / 6 * 40000000 + i % 6 * 10,
                i == 17 ? "80000100,171\n80000100,171\n80000100,171\n80000100,171\n"
                          "80000100,171\n80000100,171\n"
                        : "");
    assert_int_equal(fclose(file), 0);
    (void)snprintf(arrivals, sizeof arrivals, "trace:%s:4", path);
    assert_int_equal(LOAD("--ingress", node.ingress, "--arrivals", arrivals, "--resting", "10"), 0);
    assert_out("mode: open-loop\narrivals: trace:");
    assert_out("\ntrace_packets: 66\n");
    assert_out("\ntrace_sends: 66\n");
    assert_out("\ntrace_length_s: 0.090"); /* of 0.36: gaps of 40 ms are 10 ms */
    assert_int_equal(sent_of_intended() + number_of("\nunsent: "), 66);
    assert_int_equal(LOAD("--ingress", node.ingress, "--arrivals", arrivals, "--window-ms", "10",
                          "--window-by", "bytes", "--resting", "10"),
                     0);
    assert_out("\ntrace_sends: 12\ntrace_bytes: 2046\n");
    assert_int_equal(sent_of_intended() + number_of("\nunsent: "), 12);
    assert_int_equal(LOAD("--ingress", node.ingress, "--arrivals", arrivals, "--warmup", "1"),
                     EXIT_STATUS_FAILED);
    assert_usage("--warmup is as long as the trace");
}

/* More at one time than a client may have under way: late, and marked so; nothing is lost. */
static void check_marked(void)
{
    assert_int_equal(
        LOAD("--ingress", node.ingress, "--arrivals", "onoff:3000:500", "--seconds", "1"), 0);
    assert_out("\narrivals: onoff:3000:500\nrate_intended: 6000.0\n");
    assert_out("\nmarked: late=");
    assert_int_equal(sent_of_intended() + number_of("\nunsent: "), 6000);
}

/* One series, whose latencies are those of the answers. */
static void check_run_file(const char *path)
{
    json_t *root;
    if (run_read(path, &root) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_string_equal(json_string_value(json_object_get(root, "bench")), "load");
    json_t *series = json_array_get(json_object_get(root, "series"), 0);
    assert_int_equal(json_integer_value(json_object_get(series, "count")), 1000);
    json_decref(root);
}

static void test_open_loop(void **state)
{
    (void)state;
    char hgrm[400];
    char hlog[400];
    char log[400];
    char run[400];
    (void)snprintf(run, sizeof run, "%s/load.json", node.dir.path);
    (void)snprintf(hgrm, sizeof hgrm, "%s/load.hgrm", node.dir.path);
    (void)snprintf(hlog, sizeof hlog, "%s/load.hlog", node.dir.path);
    (void)snprintf(log, sizeof log, "%s/load.log", node.dir.path);
    const int status =
        LOAD("--ingress", node.ingress, "--rate", "1000", "--seconds", "1", "--resting", "100",
             "--hgrm", hgrm, "--hlog", hlog, "--log", log, "--run", run);
    assert_out("mode: open-loop\narrivals: steady:1\nrate_intended: 1000.0\n");
    assert_clean();
    assert_out("\nsent: 1000\n");
    assert_out("\nanswered: 1000\n");
    assert_out("\nrejected: 0\n");
    assert_out("\nout_of_order: 0\n");
    assert_out("\nwarmup_s: 0\nwarmup_sent: 0\nwarmup_answered: 0\nwarmup_late: 0\n");
    assert_out("\nrtt_p999_us: ");
    assert_out("\nservice_p999_us: ");
    assert_int_equal(status, 0);
    assert_true(count_outputs(log) >= 1000);
    FILE *file = fopen(hgrm, "re");
    assert_non_null(file);
    (void)fclose(file);
    file = fopen(hlog, "re");
    assert_non_null(file);
    (void)fclose(file);
    check_run_file(run);
    check_poisson_warmup();
    check_trace();
    check_marked();
}

static void test_closed_loop_shared(void **state)
{
    (void)state;
    assert_int_equal(LOAD("--ingress", node.ingress, "--rate", "0", "--seconds", "20", "--commands",
                          "3000", "--window", "100", "--resting", "1000", "--clients", "2",
                          "--shared", "--source", "201"),
                     0);
    assert_out("mode: closed-loop window 100\n");
    assert_out("\nanswered: 3000\n");
    assert_clean();
}

static void test_file(void **state)
{
    (void)state;
    char path[400];
    (void)snprintf(path, sizeof path, "%s/flow.csv", node.dir.path);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs("34200.1,1,11,100,5000000,1\n34200.2,1,12,50,5000100,-1\n34200.3,4,12,20,5000100,-1\n"
          "34200.4,3,11,100,5000000,1\n",
          file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(LOAD("--ingress", node.ingress, "--rate", "1000", "--seconds", "1", "--file",
                          path, "--format", "lobster", "--commands", "4", "--source", "301"),
                     0);
    assert_out("\nsent: 4\n");
    assert_out("\nrejected: 0\n");
    assert_out("\nfills: 2\n");
    assert_clean();
}

static void test_nobody_there(void **state)
{
    (void)state;
    node_child_kill(&node);
    assert_int_equal(LOAD("--ingress", node.ingress, "--rate", "10", "--seconds", "1"),
                     EXIT_STATUS_FAILED);
    assert_string_not_equal(captured.err, "");
}

/* Both the administrator and the trader prove who they are. */
static void test_secrets(void **state)
{
    (void)state;
    const char secrets[] = "admin = the secret of the admin\nload = the secret of the load\n";
    const char wrong[] = "admin = the secret of the admin\nload = another secret entirely\n";
    char config[500];
    temp_file_t file;
    temp_file_make(&file); /* readable by its owner only */
    temp_file_write(&file, secrets, sizeof secrets - 1);
    (void)snprintf(config, sizeof config,
                   "[session]\nauthentication = secrets\nsecrets_file = %s\n", file.path);
    node_child_start(&node, config);
    assert_int_equal(LOAD("--ingress", node.ingress, "--rate", "1000", "--seconds", "1",
                          "--commands", "50", "--secret-file", file.path),
                     0);
    assert_out("\nanswered: 50\n");
    temp_file_write(&file, wrong, sizeof wrong - 1);
    assert_int_equal(LOAD("--ingress", node.ingress, "--rate", "1000", "--seconds", "1",
                          "--commands", "50", "--secret-file", file.path),
                     EXIT_STATUS_FAILED);
    assert_string_equal(captured.out, "");
    node_child_end(&node);
    temp_file_remove(&file);
}

static int setup(void **state)
{
    (void)state;
    node_child_start(&node, "[journal]\nsync = none\nsegment_bytes = 4194304\n");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    node_child_end(&node);
    return 0;
}

#define WITH_NODE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_line), WITH_NODE(test_open_loop),
        WITH_NODE(test_closed_loop_shared),  WITH_NODE(test_file),
        WITH_NODE(test_nobody_there),        cmocka_unit_test(test_secrets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
