/*
 * Unit tests of a sender, on this thread, into a log that nobody empties or that is read after it:
 * what it says is what its schedule has, and it ends when there is no use in going on. Run by
 * ctest.
 */
#define _GNU_SOURCE
#include "bench/burst_sender.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "bench/bench_host.h"

#include <sched.h>

#define PATIENCE_NS UINT64_C(30000000000)

typedef struct rig {
    wire_t wire;
    wire_in_t in;
    burst_sender_t sender;
} rig_t;

static rig_t rig;

/* Bursts of 10 messages of `bytes`, 5 ms apart, in terms of 64 KiB. */
static void open_rig(uint32_t bursts, uint32_t bytes)
{
    const wire_options_t options = {.channel = "aeron:ipc",
                                    .term_length = 65536,
                                    .message_bytes = bytes < WIRE_MESSAGE_MIN ? 32 : bytes,
                                    .one_way = true,
                                    .publications = 1};
    const arrival_terms_t terms = {.bytes = bytes};
    arrival_shape_t shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = ARRIVAL_ONOFF;
    shape.burst = 10;
    shape.idle_ms = 5;
    memset(&rig, 0, sizeof rig);
    assert_int_equal(wire_open(&rig.wire, &options), OC_ERR_OK);
    assert_int_equal(wire_in_open(&rig.in, &rig.wire, "aeron:ipc?term-length=65536", 1001),
                     OC_ERR_OK);
    assert_int_equal(wire_out_open(&rig.sender.out, &rig.wire, "aeron:ipc?term-length=65536", 1001),
                     OC_ERR_OK);
    const uint64_t start_ns = clock_wall_ns();
    while (!wire_out_connected(&rig.sender.out)) {
        (void)embedded_do_work(rig.wire.embedded);
        (void)sched_yield();
        assert_true(clock_wall_ns() - start_ns < PATIENCE_NS);
    }
    arrival_init(&rig.sender.arrivals, &shape, &terms);
    rig.sender.id = (burst_sender_id_t){7, 1, 0};
    rig.sender.hello = (burst_hello_t){.bursts = bursts, .size = 10, .warmup = 1, .machine = 5};
    rig.sender.start_ns = clock_wall_ns();
    rig.sender.stuck_ns = 20000000;
    rig.sender.cpu = BENCH_HOST_CPU_ANY;
}

static void close_rig(void)
{
    wire_out_close(&rig.sender.out);
    wire_in_close(&rig.in);
    wire_close(&rig.wire);
}

/* What came, in order. */
typedef struct got {
    size_t count;
    wire_message_t messages[64];
    size_t lengths[64];
} got_t;

static void on_fragment(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    got_t *got = context;
    (void)header;
    assert_true(got->count < 64);
    got->lengths[got->count] = length;
    assert_true(wire_message_decode(&got->messages[got->count++], bytes, length));
}

static void read_all(got_t *got)
{
    const uint64_t start_ns = clock_wall_ns();
    memset(got, 0, sizeof *got);
    while (got->count == 0 || got->messages[got->count - 1].kind != WIRE_GOODBYE) {
        (void)embedded_do_work(rig.wire.embedded);
        assert_true(wire_poll(&rig.in, on_fragment, got, 16) >= 0);
        assert_true(clock_wall_ns() - start_ns < PATIENCE_NS);
    }
}

static void test_what_it_says(void **state)
{
    (void)state;
    got_t got;
    burst_hello_t hello;
    open_rig(3, 20);
    burst_sender_run(&rig.sender);
    assert_false(rig.sender.gone);
    assert_int_equal(rig.sender.sent, 30);
    assert_int_equal(rig.sender.raised, 30);
    read_all(&got);
    assert_int_equal(got.count, 32);
    assert_true(burst_hello_decode(&hello, &got.messages[0]));
    assert_true(hello.bursts == 3 && hello.size == 10 && hello.warmup == 1 && hello.machine == 5);
    for (uint32_t i = 0; i < 30; i++) {
        const wire_message_t *message = &got.messages[i + 1];
        assert_int_equal(message->sequence, burst_sequence(i / 10, i % 10));
        assert_int_equal(message->intended_ns, rig.sender.start_ns + i / 10 * UINT64_C(5000000));
        assert_true(message->sent_ns >= message->intended_ns);
        assert_int_equal(got.lengths[i + 1], WIRE_MESSAGE_MIN);
    }
    assert_int_equal(got.messages[31].sequence, 30);
    close_rig();
}

/* A second burst that is due at once, behind a first one that takes its time. */
static void test_overlap(void **state)
{
    (void)state;
    got_t got;
    open_rig(2, 100);
    rig.sender.start_ns -= UINT64_C(1000000000);
    burst_sender_run(&rig.sender);
    assert_int_equal(rig.sender.overlapped, 1);
    assert_true(rig.sender.start_late_ns > UINT64_C(900000000));
    assert_int_equal(rig.sender.late, 10); /* without the warm-up's */
    read_all(&got);
    close_rig();
}

/* Half a term of 64 KiB, and no more. */
static void test_nobody_reads(void **state)
{
    (void)state;
    open_rig(100, 1000);
    burst_sender_run(&rig.sender);
    assert_true(rig.sender.gone);
    assert_true(rig.sender.sent > 20 && rig.sender.sent < 100);
    assert_true(rig.sender.back_pressured >= 1);
    close_rig();
}

static void test_nobody_is_there(void **state)
{
    (void)state;
    open_rig(3, 100);
    wire_in_close(&rig.in);
    const uint64_t start_ns = clock_wall_ns();
    while (wire_out_connected(&rig.sender.out)) {
        (void)embedded_do_work(rig.wire.embedded);
        (void)sched_yield();
        assert_true(clock_wall_ns() - start_ns < PATIENCE_NS);
    }
    burst_sender_run(&rig.sender);
    assert_true(rig.sender.gone);
    assert_int_equal(rig.sender.sent, 0);
    close_rig();
}

static void test_stopped(void **state)
{
    (void)state;
    open_rig(3, 100);
    rig.sender.start_ns += UINT64_C(3600000000000);
    atomic_store(&rig.sender.stop, true);
    assert_int_equal(burst_sender_start(&rig.sender), OC_ERR_OK);
    burst_sender_join(&rig.sender);
    burst_sender_join(&rig.sender);
    assert_true(atomic_load(&rig.sender.ended));
    assert_int_equal(rig.sender.sent, 0);
    close_rig();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_says), cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_nobody_reads), cmocka_unit_test(test_nobody_is_there),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
