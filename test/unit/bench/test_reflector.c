/*
 * The reflector: what comes goes back as it came, strangers do not, a stall is as long as it was
 * asked for, and a goodbye ends one that serves.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/endpoint.h"
#include "base/cycle_clock.h"
#include "bench/reflector.h"

#include <string.h>

#define PATIENCE_NS UINT64_C(30000000000)
#define MS          UINT64_C(1000000)

enum { BYTES = 100 };

typedef struct rig {
    wire_t wire;
    wire_in_t in;
    wire_out_t out;
    reflector_t reflector;
    uint64_t count;
    wire_message_t last;
    size_t last_length;
} rig_t;

static rig_t rig;

static const wire_options_t options = {
    .channel = "aeron:ipc?term-length=64k", .message_bytes = BYTES, .publications = 2};

static int make(void **state)
{
    (void)state;
    memset(&rig, 0, sizeof rig);
    if (wire_open(&rig.wire, &options) != OC_ERR_OK)
        return -1;
    const wire_plan_t *plan = &rig.wire.plan;
    if (wire_in_open(&rig.in, &rig.wire, plan->back, plan->back_stream) != OC_ERR_OK ||
        wire_out_open(&rig.out, &rig.wire, plan->channel, plan->stream) != OC_ERR_OK ||
        reflector_join(&rig.reflector, &rig.wire) != OC_ERR_OK)
        return -1;
    rig.reflector.yield = true;
    return reflector_start(&rig.reflector, rig.in.channel) == OC_ERR_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    const oc_err_t err = reflector_end(&rig.reflector);
    wire_out_close(&rig.out);
    wire_in_close(&rig.in);
    wire_close(&rig.wire);
    return err == OC_ERR_OK ? 0 : -1;
}

static void on_echo(void *context, const uint8_t *buffer, size_t length, aeron_header_t *header)
{
    (void)context;
    (void)header;
    assert_true(wire_message_decode(&rig.last, buffer, length));
    rig.last_length = length;
    rig.count++;
}

static void turn(uint64_t start_ns)
{
    assert_true(clock_wall_ns() - start_ns < PATIENCE_NS);
    (void)embedded_do_work(rig.wire.embedded);
    assert_true(wire_poll(&rig.in, on_echo, NULL, 10) >= 0);
    endpoint_pause(start_ns);
}

static void send(const wire_message_t *message)
{
    const uint64_t start_ns = clock_wall_ns();
    while (wire_send(&rig.out, message, BYTES) != WIRE_SENT)
        turn(start_ns);
}

static void await(uint64_t count)
{
    const uint64_t start_ns = clock_wall_ns();
    while (rig.count < count)
        turn(start_ns);
}

static void what_comes_goes_back_as_it_came(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2000; i++) {
        const wire_message_t message = {
            .sequence = i, .intended_ns = 10 * i, .sent_ns = 11 * i, .sender = 9};
        send(&message);
    }
    await(2000);
    assert_int_equal(rig.last.sequence, 1999);
    assert_int_equal(rig.last.intended_ns, 19990);
    assert_int_equal(rig.last.sent_ns, 21989);
    assert_int_equal(rig.last.sender, 9);
    assert_int_equal(rig.last_length, BYTES);
}

static void a_stranger_gets_no_answer(void **state)
{
    (void)state;
    uint8_t bytes[BYTES] = {0};
    const wire_message_t message = {.sequence = 1};
    send(&message);
    await(1);
    assert_true(aeron_exclusive_publication_offer(rig.out.publication, bytes, sizeof bytes, NULL,
                                                  NULL) > 0);
    send(&message);
    await(2);
    assert_int_equal(reflector_end(&rig.reflector), OC_ERR_OK);
    assert_int_equal(rig.reflector.counts.reflected, 2);
    assert_int_equal(rig.reflector.counts.strangers, 1);
}

static void a_stall_is_as_long_as_asked(void **state)
{
    (void)state;
    const wire_message_t message = {.sequence = 1};
    send(&message);
    await(1);
    reflector_stall(&rig.reflector, 30 * MS);
    const uint64_t start_ns = clock_wall_ns();
    while (atomic_load(&rig.reflector.stall_end_ns) == 0)
        turn(start_ns);
    const uint64_t length_ns =
        atomic_load(&rig.reflector.stall_end_ns) - atomic_load(&rig.reflector.stall_begin_ns);
    assert_true(length_ns >= 30 * MS);
    send(&message);
    await(2);
}

/* ---- As a process would ---- */

static wire_options_t apart;
static reflector_t served;

static void ready(const wire_t *wire)
{
    assert_string_equal(wire->plan.channel, rig.wire.plan.channel);
}

static void *serve(void *context)
{
    *(oc_err_t *)context = reflector_serve(&served, &apart, ready);
    return NULL;
}

static void a_goodbye_ends_who_serves(void **state)
{
    (void)state;
    pthread_t thread;
    oc_err_t err = OC_ERR_CLOSED;
    const wire_message_t hello = {.kind = WIRE_HELLO, .sender = 4};
    const wire_message_t goodbye = {.kind = WIRE_GOODBYE, .sender = 4};
    assert_int_equal(reflector_end(&rig.reflector), OC_ERR_OK);
    apart = options;
    apart.aeron_dir = embedded_dir(rig.wire.embedded);
    apart.apart = true;
    memset(&served, 0, sizeof served);
    served.cpu = REFLECTOR_CPU_ANY;
    served.yield = true;
    assert_int_equal(pthread_create(&thread, NULL, serve, &err), 0);
    send(&hello);
    send(&goodbye);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(err, OC_ERR_OK);
    assert_true(served.goodbye);
    assert_true(served.counts.reflected <= 2); /* the hello may have come before the way back */
    assert_int_equal(served.counts.dropped, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_comes_goes_back_as_it_came, make, end),
        cmocka_unit_test_setup_teardown(a_stranger_gets_no_answer, make, end),
        cmocka_unit_test_setup_teardown(a_stall_is_as_long_as_asked, make, end),
        cmocka_unit_test_setup_teardown(a_goodbye_ends_who_serves, make, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
