/*
 * A load made ready, and run several times against one node: the book is filled before anything is
 * counted, and each repeat has a book of its own. Run by ctest; needs the program.
 */
#define _GNU_SOURCE
#include "cli/load_setup.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/process_signals.h"
#include "lib/node_child.h"
#include "lib/temp_file.h"

enum { RESTING = 500, RATE = 1000, ORDERS = 200 };

static load_terms_t terms;
static load_setup_t setup;
static load_outcome_t outcome;

static void begin(void)
{
    load_terms_init(&terms);
    terms.rate = RATE;
    terms.seconds = 1;
    terms.resting = RESTING;
    terms.commands = ORDERS;
    terms.grace = 60;
    assert_null(load_terms_check(&terms));
}

static void assert_refused(const char *part)
{
    assert_int_not_equal(load_setup_init(&setup, &terms), OC_ERR_OK);
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' is not in '%s'", part, oc_err_context());
    load_setup_fini(&setup);
}

static void test_files(void **state)
{
    (void)state;
    temp_file_t trace;
    temp_file_make(&trace);
    temp_file_write(&trace, "0,10\n5000000,10\n", 16);
    begin();
    terms.shape.kind = ARRIVAL_TRACE;
    (void)snprintf(terms.shape.path, sizeof terms.shape.path, "%s", trace.path);
    terms.shape.factor_thousandths = 1000;
    terms.seconds = LOAD_TERMS_NOT_GIVEN;
    assert_int_equal(load_setup_init(&setup, &terms), OC_ERR_OK);
    assert_int_equal(setup.duration_ns, 5000001);
    assert_int_equal(setup.workload.mixed_count, 3);
    load_setup_fini(&setup);
    terms.warmup = 1;
    assert_refused("as long as the trace");
    (void)snprintf(terms.shape.path, sizeof terms.shape.path, "/nowhere/trace");
    assert_refused("/nowhere/trace");
    begin();
    terms.file = "/nowhere/flow";
    assert_refused("/nowhere/flow");
    begin();
    terms.secret_file = "/nowhere/secrets";
    assert_refused("/nowhere/secrets");
    begin();
    terms.aeron_dir = "/nowhere/aeron";
    assert_refused("no Aeron driver in /nowhere/aeron");
    temp_file_remove(&trace);
}

/* Nothing is in the histograms of a run but what is in its counts. */
static void check_run(uint64_t sent)
{
    uint64_t recorded = 0;
    const load_counts_t *counts = &outcome.result.counts;
    for (size_t i = 0; i < setup.recorder.line.count; i++)
        recorded += histogram_count(setup.recorder.line.intervals[i]);
    assert_int_equal(counts->sent + outcome.result.unsent, sent);
    assert_int_equal(counts->answered, counts->sent);
    assert_int_equal(counts->rejected, 0);
    assert_int_equal(load_result_faults(&outcome.result), 0);
    assert_int_equal(recorded, counts->answered);
    assert_int_equal(histogram_count(setup.recorder.service), counts->answered);
    /* Up to the last order, or, on a machine that did not come to it, up to the end. */
    assert_true(outcome.result.schedule_ns == (sent - 1) * 1000000 ||
                outcome.result.schedule_ns == 1000000000);
}

static void run(const char *ingress, uint32_t repeat)
{
    if (load_setup_run(&setup, ingress, repeat, &outcome) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void test_repeats(void **state)
{
    (void)state;
    node_child_t node;
    node_child_start(&node, "[journal]\nsync = none\n[exchange]\nmax_orders = 4000\n");
    begin();
    terms.fill = true;
    cpu_set_t before;
    cpu_set_t after;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    for (terms.cpu = 0; !CPU_ISSET(terms.cpu, &before);)
        terms.cpu++;
    assert_int_equal(load_setup_init(&setup, &terms), OC_ERR_OK);
    assert_int_equal(setup.flow.count, RESTING + ORDERS);
    assert_true(load_setup_resting(&setup) >= RESTING);
    for (uint32_t repeat = 0; repeat < 2; repeat++) {
        run(node.ingress, repeat);
        check_run(ORDERS);
        assert_int_equal(setup.instruments[0].instrument.value, repeat + 1);
        assert_true(outcome.result.counts.fills > 0);
        /* The threads of the next repeat would come to the same processor. */
        assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
        assert_true(CPU_EQUAL(&before, &after));
    }
    /* A signal ends a tidy run without anything. */
    terms.tidy = true;
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(load_setup_run(&setup, node.ingress, 2, &outcome), OC_ERR_INTERRUPTED);
    process_give_signals_back();
    load_setup_fini(&setup);
    /* A book for which there is no room is told, and not measured. */
    begin();
    terms.fill = true;
    terms.resting = 6000;
    terms.instrument = 9;
    assert_int_equal(load_setup_init(&setup, &terms), OC_ERR_OK);
    assert_int_equal(load_setup_run(&setup, node.ingress, 0, &outcome), OC_ERR_CLOSED);
    assert_non_null(
        strstr(oc_err_context(), "filling the book: of 6000 orders 6000 were answered"));
    load_setup_fini(&setup);
    node_child_end(&node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
