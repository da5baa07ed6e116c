/*
 * Unit tests of drops of queues: what tc and netpair print, commands that fail, print nonsense or
 * do not end. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/qdisc_drops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/process_signals.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void assert_told(const char *part)
{
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' is not in: %s", part, oc_err_context());
}

static void test_tc(void **state)
{
    (void)state;
    qdisc_drops_t drops;
    /* A tbf with its queue of packets below it, which count the same ones. */
    assert_true(qdisc_drops_parse(
        &drops, "[{\"kind\":\"tbf\",\"handle\":\"1:\",\"root\":true,\"refcnt\":13,\"options\":{"
                "\"rate\":125000},\"bytes\":10,\"packets\":2,\"drops\":21,\"overlimits\":55},"
                "{\"kind\":\"pfifo\",\"handle\":\"2:\",\"parent\":\"1:\",\"drops\":20}]"));
    assert_int_equal(drops.dropped, 21);
    assert_int_equal(drops.lost, 0);
    assert_false(drops.lost_known);
    assert_true(qdisc_drops_parse(
        &drops, "[{\"kind\":\"mq\",\"root\":true,\"drops\":3},{\"kind\":\"fq\",\"parent\":\":1\","
                "\"drops\":1},{\"kind\":\"clsact\",\"drops\":7},{\"kind\":\"fq\",\"drops\":2}]"));
    assert_int_equal(drops.dropped, 3);
    assert_true(qdisc_drops_parse(&drops, "[{\"kind\":\"fq\",\"parent\":\":1\",\"drops\":1},"
                                          "{\"kind\":\"fq\",\"parent\":\":2\",\"drops\":2}]"));
    assert_int_equal(drops.dropped, 3);
}

static void test_netpair(void **state)
{
    (void)state;
    qdisc_drops_t drops;
    assert_true(qdisc_drops_parse(
        &drops, "{\"name\": \"fan\", \"a_to_b_dropped_packets\": 40, \"a_to_b_lost_packets\": 1, "
                "\"b_to_a_dropped_packets\": 2, \"b_to_a_lost_packets\": 5}"));
    assert_true(drops.dropped == 42 && drops.lost == 6 && drops.lost_known);
    assert_true(qdisc_drops_parse(&drops, "name: fan\na_to_b_dropped_packets: 40\n"
                                          "a_to_b_lost_packets: 0\nb_to_a_dropped_packets: 0\n"));
    assert_true(drops.dropped == 40 && drops.lost == 0 && drops.lost_known);
}

static void test_nonsense(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "[]",
                                        "drops",
                                        "\"drops\": 5",
                                        "[{\"kind\":\"tbf\"}]",
                                        "a_to_b_dropped_packets: many",
                                        "\"kind\":\"drops\":"};
    qdisc_drops_t drops;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(qdisc_drops_parse(&drops, texts[i]));
}

static void test_commands(void **state)
{
    (void)state;
    qdisc_drops_t drops;
    assert_int_equal(qdisc_drops_read(&drops, "printf 'a_to_b_dropped_%s: 7\\n' packets"),
                     OC_ERR_OK);
    assert_int_equal(drops.dropped, 7);
    assert_int_equal(qdisc_drops_read(&drops, "echo nothing"), OC_ERR_FORMAT);
    assert_told("'echo nothing'");
    assert_told("tc -s -j qdisc");
    assert_int_equal(qdisc_drops_read(&drops, "echo a_to_b_dropped_packets: 7; exit 3"),
                     OC_ERR_REFUSED);
    assert_told("status 3");
    /* More than is kept. */
    assert_int_equal(
        qdisc_drops_read(&drops, "echo a_to_b_dropped_packets: 9; head -c 1000000 /dev/zero | tr "
                                 "'\\0' x"),
        OC_ERR_OK);
    assert_int_equal(drops.dropped, 9);
}

static void test_interrupted(void **state)
{
    (void)state;
    qdisc_drops_t drops;
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(qdisc_drops_read(&drops, "sleep 600 & sleep 600"), OC_ERR_INTERRUPTED);
    process_give_signals_back();
}

/* It says no more, but does not end: the same limits hold. */
static void test_silent(void **state)
{
    (void)state;
    qdisc_drops_t drops;
    char command[128];
    (void)snprintf(command, sizeof command,
                   "echo a_to_b_dropped_packets: 7; exec >&-; kill -TERM %ld; sleep 600",
                   (long)getpid());
    assert_true(process_take_signals());
    assert_int_equal(qdisc_drops_read(&drops, command), OC_ERR_INTERRUPTED);
    process_give_signals_back();
    assert_int_equal(qdisc_drops_read(&drops, "echo a_to_b_dropped_packets: 7; exec >&-; sleep "
                                              "0.2; exit 3"),
                     OC_ERR_REFUSED);
}

/* What it leaves behind has an end of the pipe for as long as it lives. */
static void test_left_behind(void **state)
{
    (void)state;
    qdisc_drops_t drops;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(
        qdisc_drops_read(&drops, "sleep 600 >/dev/null & echo a_to_b_dropped_packets: 7"),
        OC_ERR_OK);
    assert_int_equal(drops.dropped, 7);
    (void)close(ends[1]);
    struct pollfd waited = {.fd = ends[0], .events = POLLIN};
    assert_int_equal(poll(&waited, 1, 20000), 1);
    (void)close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tc),          cmocka_unit_test(test_netpair),
        cmocka_unit_test(test_nonsense),    cmocka_unit_test(test_commands),
        cmocka_unit_test(test_interrupted), cmocka_unit_test(test_silent),
        cmocka_unit_test(test_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
