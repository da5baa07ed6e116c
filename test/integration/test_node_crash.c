/*
 * A node in a process of its own that is killed with SIGKILL again and again: what was answered is
 * there afterwards, once, and sessions and timers go on.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "lib/node_fixture.h"
#include "lib/raw_client.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS INT64_C(1000000)

/* What the child says once it serves. */
typedef struct hello {
    char ingress[NODE_TEXT_MAX];
    node_report_t report;
    uint32_t recovered_notices;
} hello_t;

typedef struct killed_node {
    node_fixture_t fixture;
    pid_t child;
    hello_t hello;
} killed_node_t;

static void child_main(killed_node_t *self, int out)
{
    hello_t hello = {.ingress = ""};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (node_fixture_start(&self->fixture) != OC_ERR_OK) {
        (void)fprintf(stderr, "child: %s\n", oc_err_context());
        _exit(1);
    }
    node_fixture_run(&self->fixture, 0.02);
    (void)snprintf(hello.ingress, sizeof hello.ingress, "%s", node_ingress(self->fixture.node));
    node_report(self->fixture.node, &hello.report);
    hello.recovered_notices = self->fixture.tally.notices[OC_NOTICE_RECOVERED];
    if (write(out, &hello, sizeof hello) != (ssize_t)sizeof hello)
        _exit(2);
    for (;;) {
        int work;
        if (node_do_work(self->fixture.node, &work) != OC_ERR_OK)
            _exit(3);
        if (work == 0)
            (void)usleep(10);
    }
}

static void start(killed_node_t *self)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    self->child = fork();
    assert_true(self->child >= 0);
    if (self->child == 0)
        child_main(self, ends[1]);
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &self->hello, sizeof self->hello), sizeof self->hello);
    (void)close(ends[0]);
    (void)snprintf(self->fixture.config.ingress, NODE_TEXT_MAX, "%s", self->hello.ingress);
}

static void kill_it(killed_node_t *self)
{
    int status;
    assert_int_equal(kill(self->child, SIGKILL), 0);
    assert_int_equal(waitpid(self->child, &status, 0), self->child);
    assert_true(WIFSIGNALED(status));
}

/* Removes what the last, killed, node left: it has no successor. */
static void clean_up(killed_node_t *self)
{
    tally_t tally;
    node_t *node;
    tally_init(&tally);
    assert_int_equal(node_create(&node, &self->fixture.config, &tally.service), OC_ERR_OK);
    (void)node_destroy(node);
    node_fixture_fini(&self->fixture);
}

static bool await_leader(raw_client_t *client, uint32_t count)
{
    const uint64_t start_ns = clock_wall_ns();
    while (client->new_leaders < count) {
        if (clock_wall_ns() - start_ns > UINT64_C(60000000000))
            return false;
        raw_client_poll(client);
        (void)usleep(100);
    }
    return true;
}

static void killed_in_mid_flow(void **state)
{
    (void)state;
    static killed_node_t node;
    static raw_client_t client;
    uint32_t sent = 0;
    node_fixture_init(&node.fixture);
    start(&node);
    assert_int_equal(node.hello.report.verdict.kind, JOURNAL_NEW);
    raw_client_init(&client, NULL, NULL);
    assert_true(raw_client_connect(&client, node.hello.ingress, "anna"));
    for (uint32_t round = 1; round <= 5; round++) {
        /* The sum of ones says how many were applied. */
        for (uint32_t i = 0; i < 200; i++, sent++)
            assert_true(raw_client_request(&client, TALLY_ADD, 1, 0));
        const uint32_t least = client.answer_count + 50;
        assert_true(raw_client_answers(&client, least, 10));
        kill_it(&node);
        raw_client_poll(&client);
        const int64_t answered = client.answers[client.answer_count - 1].value;
        const uint64_t position = client.answers[client.answer_count - 1].position;

        start(&node);
        const node_report_t *report = &node.hello.report;
        assert_int_equal(report->term, round + 1);
        assert_int_equal(report->sessions, 1);
        assert_false(report->verdict.closed);
        /* Clean if it was idle when it was killed, as on a slow machine it may be. */
        assert_int_not_equal(report->verdict.kind, JOURNAL_NEW);
        assert_true(report->position >= position);
        assert_true(await_leader(&client, round));
        assert_int_equal(client.term, round + 1);
        assert_true(raw_client_attach(&client, node.hello.ingress));
        const uint32_t before = client.answer_count;
        assert_true(raw_client_request(&client, TALLY_ADD, 1, 0));
        sent++;
        assert_true(raw_client_answers(&client, before + 1, 10));
        const int64_t now = client.answers[client.answer_count - 1].value;
        assert_true(now > answered);
        assert_true(now <= (int64_t)sent);
    }
    raw_client_fini(&client);
    kill_it(&node);
    clean_up(&node);
}

static void timers_survive_a_crash(void **state)
{
    (void)state;
    static killed_node_t node;
    static raw_client_t client;
    node_fixture_init(&node.fixture);
    node.fixture.config.recovery = NODE_RECOVERY_CANCEL_ONLY;
    start(&node);
    assert_int_equal(node.hello.recovered_notices, 0);
    raw_client_init(&client, NULL, NULL);
    assert_true(raw_client_connect(&client, node.hello.ingress, "anna"));
    assert_true(raw_client_request(&client, TALLY_TIMER, 1, 1));
    assert_true(raw_client_request(&client, TALLY_TIMER, 2, 400 * MS));
    assert_true(raw_client_request(&client, TALLY_CLOSE + 100, 0, 0)); /* nothing */
    assert_true(raw_client_request(&client, TALLY_ADD, 1, 0));
    assert_true(raw_client_answers(&client, 2, 10));
    kill_it(&node);
    start(&node);
    assert_int_equal(node.hello.recovered_notices, 1);
    assert_true(raw_client_answers(&client, 3, 10));
    assert_int_equal(client.answers[2].kind, TALLY_FIRED);
    assert_int_equal(client.answers[2].value, 2);
    const uint64_t start_ns = clock_wall_ns();
    while (clock_wall_ns() - start_ns < UINT64_C(200000000))
        raw_client_poll(&client);
    assert_int_equal(client.answer_count, 3);
    raw_client_fini(&client);
    kill_it(&node);
    clean_up(&node);
}

/* The start stops at damage below what is proven, and nothing is served. */
static void damage_is_refused(void **state)
{
    (void)state;
    static killed_node_t node;
    static raw_client_t client;
    char path[5000];
    node_fixture_init(&node.fixture);
    start(&node);
    raw_client_init(&client, NULL, NULL);
    assert_true(raw_client_connect(&client, node.hello.ingress, "anna"));
    for (uint32_t i = 1; i <= 300; i++) {
        assert_true(raw_client_request(&client, TALLY_ADD, 1, 0));
        assert_true(raw_client_answers(&client, i, 10));
    }
    raw_client_fini(&client);
    kill_it(&node);
    /* A flipped bit far below the end. */
    (void)snprintf(path, sizeof path, "%s/%016x.journal", node.fixture.config.dir, 0);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4096 * 20 + 40, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, 4096 * 20 + 40, SEEK_SET), 0);
    assert_true(fputc(byte ^ 1, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(node_fixture_start(&node.fixture), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), ".journal"));
    assert_null(node.fixture.node);
    assert_int_equal(node.fixture.tally.roles[OC_HOST_ACTIVE], 0);
    /* Repaired, it starts: and removes what the killed process left of Aeron. */
    file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4096 * 20 + 40, SEEK_SET), 0);
    assert_true(fputc(byte, file) >= 0);
    assert_int_equal(fclose(file), 0);
    clean_up(&node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_in_mid_flow),
        cmocka_unit_test(timers_survive_a_crash),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests_name("node crash", tests, NULL, NULL);
}
