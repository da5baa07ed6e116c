/*
 * The list of members that a consensus module sends: read member by member, with blocks of a
 * version to come, and with numbers that lie. Messages are decoded from allocations of their exact
 * size, so that a sanitizer sees a read behind them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/cluster_service_codec.h"
#include "lib/byte_builder.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_AT = 32, COUNT_AT = 34 }; /* of the active members */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void put_u16(uint8_t *at, uint16_t value)
{
    memcpy(at, &value, sizeof value);
}

static codec_result_t result_of(const void *bytes, size_t length)
{
    cluster_control_t control;
    cluster_member_status_t member;
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy + 1, bytes, length);
    const codec_result_t result = cluster_control_decode(copy + 1, length, &control);
    assert_int_equal(control.type, result == OC_PROBLEM_NONE ? CLUSTER_CONTROL_MEMBERS : 0);
    for (size_t n = 0; n < 3; n++)
        (void)cluster_control_member(copy + 1, length, n, &member); /* for the sanitizer */
    free(copy);
    return result;
}

static void build_endpoint(byte_builder_t *b, const char *name, unsigned member)
{
    build_le(b, strlen(name) + 1, 4);
    build_text(b, name);
    build_le(b, '0' + member, 1);
}

/* A group of members with ids from `first` on, in blocks of `block` bytes. */
static void build_members(byte_builder_t *b, unsigned first, unsigned count, unsigned block)
{
    build_le(b, block, 2);
    build_le(b, count, 2);
    for (unsigned member = first; member < first + count; member++) {
        build_le(b, 10 + member, 8);
        build_le(b, 20 + member, 8);
        build_le(b, 30 + member, 8);
        build_le(b, member, 4);
        build_zeros(b, block - 28);
        build_endpoint(b, "ingress", member);
        build_endpoint(b, "consensus", member);
        build_endpoint(b, "log", member);
        build_endpoint(b, "catchup", member);
        build_endpoint(b, "archive", member);
    }
}

static void build_response(byte_builder_t *b, unsigned active, unsigned passive, unsigned block)
{
    b->size = 0;
    build_le(b, 24, 2);
    build_le(b, 43, 2);
    build_le(b, 111, 2);
    build_le(b, 17, 2);
    build_le(b, 5, 8);     /* correlation id */
    build_le(b, 99999, 8); /* now */
    build_le(b, 1, 4);     /* leader */
    build_le(b, 2, 4);     /* who answers */
    build_members(b, 0, active, block);
    build_members(b, 7, passive, block);
}

static void assert_member(const byte_builder_t *b, unsigned n)
{
    static const char *const names[] = {"ingress", "consensus", "log", "catchup", "archive"};
    cluster_member_status_t member;
    assert_true(cluster_control_member(b->bytes, b->size, n, &member));
    assert_int_equal(member.member, n);
    assert_int_equal(member.term, 10 + n);
    assert_int_equal(member.log_position, 20 + n);
    assert_int_equal(member.last_append_ns, 30 + n);
    for (size_t i = 0; i < COUNT(names); i++) {
        const cluster_text_t *text = &member.endpoints[i];
        const size_t length = strlen(names[i]);
        assert_int_equal(text->length, length + 1);
        assert_memory_equal(text->bytes, names[i], length);
        assert_int_equal(text->bytes[length], '0' + n);
    }
}

static void test_the_members_of_a_cluster_are_listed(void **state)
{
    (void)state;
    const unsigned blocks[] = {28, 36};
    for (size_t i = 0; i < COUNT(blocks); i++) {
        byte_builder_t b;
        cluster_control_t control;
        cluster_member_status_t member;
        build_response(&b, 3, 1, blocks[i]);
        assert_int_equal(cluster_control_decode(b.bytes, b.size, &control), OC_PROBLEM_NONE);
        assert_int_equal(control.type, CLUSTER_CONTROL_MEMBERS);
        assert_int_equal(control.correlation_id, 5);
        assert_int_equal(control.members_time_ns, 99999);
        assert_int_equal(control.members_leader, 1);
        assert_int_equal(control.member, 2);
        for (unsigned n = 0; n < 3; n++)
            assert_member(&b, n);
        assert_false(cluster_control_member(b.bytes, b.size, 3, &member));
        assert_false(cluster_control_member(b.bytes, b.size, SIZE_MAX, &member));
    }
    const cluster_control_t join = {.type = CLUSTER_CONTROL_JOIN_LOG};
    cluster_member_status_t member;
    char bytes[64];
    const size_t size = cluster_control_encode(&join, bytes, sizeof bytes);
    assert_false(cluster_control_member(bytes, size, 0, &member));
}

static void test_a_list_of_members_is_not_believed(void **state)
{
    (void)state;
    byte_builder_t b;
    build_response(&b, 2, 1, 28);
    const size_t size = b.size;
    cluster_member_status_t member;
    for (size_t length = 0; length < size; length++)
        assert_int_equal(result_of(b.bytes, length), OC_PROBLEM_SHORT);
    /* More members than there are, blocks shorter than a member, blocks longer than the bytes. */
    put_u16(b.bytes + COUNT_AT, UINT16_MAX);
    assert_int_equal(result_of(b.bytes, size), OC_PROBLEM_SHORT);
    assert_false(cluster_control_member(b.bytes, size, UINT16_MAX - 1, &member));
    put_u16(b.bytes + COUNT_AT, 2);
    const uint16_t blocks[] = {0, 27, UINT16_MAX};
    for (size_t i = 0; i < COUNT(blocks); i++) {
        put_u16(b.bytes + BLOCK_AT, blocks[i]);
        assert_int_equal(result_of(b.bytes, size), OC_PROBLEM_SHORT);
        assert_false(cluster_control_member(b.bytes, size, 0, &member));
    }
    put_u16(b.bytes + BLOCK_AT, 28);
    assert_int_equal(result_of(b.bytes, size), OC_PROBLEM_NONE);
    /* A group without entries may have any block. */
    build_response(&b, 0, 0, 28);
    put_u16(b.bytes + BLOCK_AT, 0);
    assert_int_equal(result_of(b.bytes, b.size), OC_PROBLEM_NONE);
    assert_false(cluster_control_member(b.bytes, b.size, 0, &member));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_members_of_a_cluster_are_listed),
        cmocka_unit_test(test_a_list_of_members_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
