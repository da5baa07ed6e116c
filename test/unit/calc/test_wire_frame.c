/*
 * Framing against figures worked out by hand from Aeron's rules, and packing against a search. Run
 * by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "calc/wire_frame.h"

static void expect(uint32_t size, uint32_t mtu, wire_message_t expected)
{
    wire_message_t message;
    wire_message(size, mtu, &message);
    assert_int_equal(message.datagrams, expected.datagrams);
    assert_int_equal(message.frame_bytes, expected.frame_bytes);
    assert_int_equal(message.wire_bytes, expected.wire_bytes);
    assert_int_equal(message.charge_bytes, expected.charge_bytes);
}

static void test_message(void **state)
{
    (void)state;
    expect(1, 1408, (wire_message_t){1, 64, 110, 832});
    expect(32, 1408, (wire_message_t){1, 64, 110, 832});
    expect(33, 1408, (wire_message_t){1, 96, 142, 832});
    expect(170, 1408, (wire_message_t){1, 224, 270, 1280});
    expect(1376, 1408, (wire_message_t){1, 1408, 1454, 2304});
    expect(1377, 1408, (wire_message_t){2, 1408 + 64, 1472 + 92, 2304 + 832});
    expect(2752, 1408, (wire_message_t){2, 2816, 2908, 4608});
    expect(2753, 1408, (wire_message_t){3, 2816 + 64, 2880 + 138, 4608 + 832});
}

static void test_the_longest_fits_32_bits(void **state)
{
    (void)state;
    wire_message_t message;
    wire_message(WIRE_MESSAGE_MAX, WIRE_MTU_MIN, &message);
    assert_int_equal(message.datagrams, 524288);
    assert_int_equal(message.frame_bytes, 524288u * 64);
    assert_int_equal(message.wire_bytes, 524288u * 110);
    assert_int_equal(message.charge_bytes, 524288u * 832);
}

static void test_frames_per_datagram(void **state)
{
    (void)state;
    static const struct {
        uint32_t size;
        uint32_t at_1408;
        uint32_t at_8192;
        uint32_t at_8960;
    } cases[] = {{32, 22, 128, 140}, {288, 4, 25, 28}, {1344, 1, 5, 6}, {1377, 0, 5, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(wire_frames_per_datagram(cases[i].size, 1408), cases[i].at_1408);
        assert_int_equal(wire_frames_per_datagram(cases[i].size, 8192), cases[i].at_8192);
        assert_int_equal(wire_frames_per_datagram(cases[i].size, 8960), cases[i].at_8960);
    }
}

static void test_mtu(void **state)
{
    (void)state;
    assert_true(wire_mtu_valid(64));
    assert_true(wire_mtu_valid(1408));
    assert_true(wire_mtu_valid(65504));
    assert_false(wire_mtu_valid(0));
    assert_false(wire_mtu_valid(32));
    assert_false(wire_mtu_valid(1400));
    assert_false(wire_mtu_valid(65536));
    assert_false(wire_mtu_valid((UINT64_C(1) << 32) + 1408));
    assert_int_equal(wire_payload_max(1408), 1376);
    assert_int_equal(wire_payload_max(65504), 65472);
}

/* As measured over loopback: datagrams that a socket held, by their size. */
static void test_charge(void **state)
{
    (void)state;
    static const uint32_t measured[][2] = {
        {64, 832},    {192, 832},   {224, 1280},  {640, 1280},  {672, 2304},   {1664, 2304},
        {1696, 4352}, {3712, 4352}, {3744, 8448}, {7808, 8448}, {7872, 16640}, {15840, 16640},
    };
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
        assert_int_equal(wire_charge(measured[i][0]), measured[i][1]);
    assert_in_range(wire_charge(65504), 66000, 67000);
}

static void test_packing_of_equals(void **state)
{
    (void)state;
    wire_packer_t packer = {.mtu = 1408};
    for (uint32_t i = 0; i < 44; i++)
        wire_packer_add(&packer, 32);
    assert_int_equal(packer.datagrams, 2);
    assert_int_equal(packer.frames, 44);
    wire_packer_add(&packer, 32);
    assert_int_equal(packer.datagrams, 3);
    wire_packer_add(&packer, 2753); /* two full frames, and one that has room for others */
    assert_int_equal(packer.datagrams, 6);
    assert_int_equal(packer.frames, 48);
    wire_packer_add(&packer, 1344 - 32);
    assert_int_equal(packer.datagrams, 6);
}

/* Frame after frame as the driver's scan takes them: as many as fit what is left of the MTU. */
static void test_packing_by_scan(void **state)
{
    (void)state;
    enum { MESSAGES = 400 };
    uint64_t random = 7;
    for (int round = 0; round < 50; round++) {
        const uint32_t mtu = 64 + 32 * prng_below(&random, 100);
        uint32_t frames[MESSAGES];
        wire_packer_t packer = {.mtu = mtu};
        for (size_t i = 0; i < MESSAGES; i++) {
            const uint32_t size = 1 + prng_below(&random, mtu - 32);
            frames[i] = (size + 32 + 31) / 32 * 32;
            wire_packer_add(&packer, size);
        }
        uint64_t datagrams = 0;
        for (size_t at = 0; at < MESSAGES; datagrams++) {
            uint32_t available = 0;
            while (at < MESSAGES && available + frames[at] <= mtu)
                available += frames[at++];
        }
        assert_int_equal(packer.datagrams, datagrams);
        assert_int_equal(packer.frames, MESSAGES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_the_longest_fits_32_bits),
        cmocka_unit_test(test_frames_per_datagram),
        cmocka_unit_test(test_mtu),
        cmocka_unit_test(test_charge),
        cmocka_unit_test(test_packing_of_equals),
        cmocka_unit_test(test_packing_by_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
