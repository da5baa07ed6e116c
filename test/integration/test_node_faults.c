/*
 * A node on a device that fails: an error of a write or a sync ends it at once and nothing more is
 * sent; what was answered before is there after the restart. A full device stops ingress, after the
 * service was told, and goes on when there is space.
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
#include "lib/storage_fake.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    node_fixture_t node;
    raw_client_t client;
    storage_fake_t *storage;
    bool with_client;
} fixture_t;

static void begin(fixture_t *f)
{
    memset(f, 0, sizeof *f);
    f->storage = storage_fake_create(1);
    node_fixture_init(&f->node);
    f->node.config.storage = storage_fake_table(f->storage);
    /* The directory of the log is not on the disk, so no name can be made from it. */
    (void)snprintf(f->node.config.aeron_dir, NODE_TEXT_MAX, "/dev/shm/outcry-faults-%ld",
                   (long)getpid());
}

static void end(fixture_t *f)
{
    if (f->with_client)
        raw_client_fini(&f->client);
    (void)node_destroy(f->node.node);
    f->node.node = NULL;
    storage_fake_destroy(f->storage);
    node_fixture_fini(&f->node);
}

static void connect_client(fixture_t *f)
{
    raw_client_init(&f->client, node_fixture_step, &f->node);
    f->with_client = true;
    assert_true(raw_client_connect(&f->client, node_ingress(f->node.node), "anna"));
}

/* Adds ones, one after the other, until an error; what was answered is what must survive. */
static int64_t trade(fixture_t *f, int count)
{
    for (int i = 0; i < count && f->node.err == OC_ERR_OK; i++) {
        const uint32_t before = f->client.answer_count;
        if (!raw_client_request(&f->client, TALLY_ADD, 1, 0))
            break;
        while (f->client.answer_count == before && f->node.err == OC_ERR_OK) {
            node_fixture_step(&f->node);
            raw_client_poll(&f->client);
        }
    }
    /* What left before the failure may still be on its way. */
    for (int i = 0; i < 2000; i++)
        raw_client_poll(&f->client);
    return f->client.answer_count == 0 ? 0 : f->client.answers[f->client.answer_count - 1].value;
}

/* Runs until the nth operation fails; false if it never did. */
static bool survive(storage_fake_fault_t fault, uint64_t nth)
{
    enum { REQUESTS = 12 };
    static fixture_t f;
    begin(&f);
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    connect_client(&f);
    storage_fake_fault(f.storage, fault, nth);
    const int64_t answered = trade(&f, REQUESTS);
    const bool hit = !storage_fake_fault_pending(f.storage);
    if (f.node.err != OC_ERR_OK) {
        assert_true(hit);
        /* It stays so, and says why. */
        const oc_err_t err = f.node.err;
        int work;
        assert_int_equal(node_do_work(f.node.node, &work), err);
        assert_true(oc_err_context()[0] != '\0');
    }
    raw_client_fini(&f.client);
    f.with_client = false;
    storage_fake_power_cut(f.storage);
    (void)node_destroy(f.node.node);
    f.node.node = NULL;
    storage_fake_restart(f.storage);
    if (node_fixture_start(&f.node) != OC_ERR_OK)
        fail_msg("fault %d at %d: %s", (int)fault, (int)nth, oc_err_context());
    assert_true(f.node.tally.sum >= answered);
    assert_true(f.node.tally.sum <= REQUESTS);
    end(&f);
    return hit;
}

static void every_write_fails_once(void **state)
{
    (void)state;
    static const storage_fake_fault_t faults[] = {
        STORAGE_FAKE_WRITE_ERROR, STORAGE_FAKE_SHORT_WRITE, STORAGE_FAKE_TORN_WRITE,
        STORAGE_FAKE_SYNC_ERROR,  STORAGE_FAKE_POWER_CUT,
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        for (uint64_t nth = 1; nth <= 5 && survive(faults[i], nth); nth++) {
        }
}

static void a_failed_sync_ends_it(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    connect_client(&f);
    assert_int_equal(trade(&f, 3), 3);
    storage_fake_fault(f.storage, STORAGE_FAKE_SYNC_ERROR, 1);
    assert_int_equal(trade(&f, 3), 3); /* nothing more was answered */
    assert_int_equal(f.node.err, OC_ERR_SYNC);
    assert_true(f.node.tally.sum > 3); /* though it was applied */
    for (int i = 0; i < 1000; i++) {
        node_fixture_step(&f.node);
        raw_client_poll(&f.client);
    }
    assert_int_equal(f.client.answer_count, 3);
    assert_int_equal(node_destroy(f.node.node), OC_ERR_SYNC);
    f.node.node = NULL;
    end(&f);
}

/* Sends until the node says that space is low and takes no more for a second, or `count`. */
static uint32_t fill(fixture_t *f, uint32_t count)
{
    const uint64_t start_ns = clock_wall_ns();
    uint64_t taken_ns = start_ns;
    uint32_t sent = 0;
    while (sent < count && (f->node.tally.notices[OC_NOTICE_STORAGE_LOW] == 0 ||
                            clock_wall_ns() - taken_ns < UINT64_C(1000000000))) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(60000000000));
        static char filler[3000];
        const cluster_message_t message = {.type = CLUSTER_SESSION_MESSAGE,
                                           .session = f->client.session,
                                           .term = f->client.term,
                                           .data = {filler, 1000}};
        static _Alignas(8) uint8_t bytes[2048];
        const size_t length = cluster_encode(&message, bytes, sizeof bytes);
        if (aeron_exclusive_publication_offer(f->client.ingress, bytes, length, NULL, NULL) >= 0) {
            sent++;
            taken_ns = clock_wall_ns();
        }
        node_fixture_step(&f->node);
        raw_client_poll(&f->client);
        assert_int_equal(f->node.err, OC_ERR_OK);
    }
    return sent;
}

static void a_full_device(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    f.node.config.session_timeout_ms = 1000;
    storage_fake_set_capacity(f.storage, 4 << 20);
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    connect_client(&f);
    const uint32_t sent = fill(&f, 20000);
    assert_true(sent < 20000); /* it was stopped */
    assert_int_equal(f.node.tally.notices[OC_NOTICE_STORAGE_LOW], 1);
    const uint32_t taken = f.node.tally.messages;
    node_fixture_run(&f.node, 0.1);
    assert_int_equal(f.node.tally.messages, taken);
    assert_int_equal(f.node.tally.closed, 0); /* nobody could be heard: nobody is late */

    storage_fake_set_capacity(f.storage, UINT64_C(1) << 30);
    const uint64_t start_ns = clock_wall_ns();
    while (f.node.tally.messages < sent) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(60000000000));
        node_fixture_step(&f.node);
        raw_client_poll(&f.client);
    }
    assert_int_equal(f.node.err, OC_ERR_OK);
    assert_int_equal(f.node.tally.notices[OC_NOTICE_STORAGE_LOW], 1);
    assert_int_equal(f.node.tally.closed, 0);
    assert_true(raw_client_request(&f.client, TALLY_ADD, 5, 0));
    assert_true(raw_client_answers(&f.client, 1, 10));
    const uint64_t hash = f.node.tally.hash;
    assert_int_equal(node_fixture_stop(&f.node), OC_ERR_OK);
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    assert_true(f.node.tally.hash == hash);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_write_fails_once),
        cmocka_unit_test(a_failed_sync_ends_it),
        cmocka_unit_test(a_full_device),
    };
    return cmocka_run_group_tests_name("node faults", tests, NULL, NULL);
}
