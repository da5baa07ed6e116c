/*
 * Keys of members' sessions: their names, what is sealed and what is not, and that every bit of it
 * counts; and what the log makes of what members and strangers say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/challenge.h"
#include "aeron/secret_file.h"
#include "cluster/member_key.h"
#include "gateway/authenticator.h"
#include "lib/applier_rig.h"

#include <string.h>

enum { SESSION = 77 };

static member_key_t *key;
static oc_principal_t principal;
static applier_rig_t rig;
static log_maker_t maker;

static int setup(void **state)
{
    (void)state;
    assert_int_equal(member_key_create(&key), OC_ERR_OK);
    memset(&principal, 0, sizeof principal);
    memcpy(principal.name, member_key_principal(key), strlen(member_key_principal(key)));
    applier_rig_init(&rig);
    log_maker_init(&maker, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    applier_rig_fini(&rig);
    log_maker_fini(&maker);
    member_key_destroy(key);
    member_key_destroy(NULL);
    return 0;
}

/* A sealed check; its length. */
static size_t seal_check(uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX])
{
    const member_message_t check = {.type = MEMBER_CHECK, .member = 1, .position = 4096};
    return member_key_seal(key, SESSION, bytes, member_message_encode(&check, bytes));
}

static bool is_genuine(const uint8_t *bytes, size_t length)
{
    return member_key_is_genuine(&principal, SESSION, bytes, length);
}

static void every_key_has_a_name_of_its_own(void **state)
{
    (void)state;
    member_key_t *other;
    assert_int_equal(member_key_create(&other), OC_ERR_OK);
    assert_true(secret_file_is_name(principal.name, strlen(principal.name)));
    assert_true(authenticator_is_keyed(&principal));
    assert_string_not_equal(member_key_principal(other), principal.name);
    member_key_destroy(other);
}

static void what_is_sealed_is_genuine_in_its_session(void **state)
{
    (void)state;
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    const size_t length = seal_check(bytes);
    assert_true(is_genuine(bytes, length));
    for (int bit = 0; bit < 64; bit++)
        assert_false(member_key_is_genuine(&principal, SESSION ^ (int64_t)(UINT64_C(1) << bit),
                                           bytes, length));
}

static void every_bit_counts(void **state)
{
    (void)state;
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    const size_t length = seal_check(bytes);
    const size_t version = length - MEMBER_SEAL_BYTES + 6; /* of the seal: not looked at */
    for (size_t i = 0; i < length * 8; i++) {
        if (i / 8 == version || i / 8 == version + 1)
            continue;
        bytes[i / 8] ^= (uint8_t)(1U << i % 8);
        assert_false(is_genuine(bytes, length));
        bytes[i / 8] ^= (uint8_t)(1U << i % 8);
    }
    for (size_t i = 0; i < length; i++)
        assert_false(is_genuine(bytes, i));
    assert_true(is_genuine(bytes, length));
}

static void the_name_s_letters_all_count(void **state)
{
    (void)state;
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    const size_t length = seal_check(bytes);
    for (size_t i = strlen(AUTHENTICATOR_KEYED_MEMBER); i < strlen(principal.name); i++) {
        const char letter = principal.name[i];
        principal.name[i] = letter == 'x' ? 'y' : 'x';
        assert_false(is_genuine(bytes, length));
        principal.name[i] = letter;
    }
}

static void the_longest_can_be_sealed(void **state)
{
    (void)state;
    static const uint8_t configuration[4096] = {1};
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX + 8];
    const member_message_t longest = {
        .type = MEMBER_CONFIGURATION, .length = sizeof configuration, .bytes = configuration};
    const size_t length =
        member_key_seal(key, SESSION, bytes, member_message_encode(&longest, bytes));
    assert_true(is_genuine(bytes, length));
    assert_false(is_genuine(bytes, sizeof bytes)); /* longer than anything a member says */
}

/* Nothing is asked of those who name no key: members of a cluster that believes everybody. */
static void a_name_without_a_key_is_believed(void **state)
{
    (void)state;
    static const char *const names[] = {"@member", "@member.", "@member.abcdefghijklmnopqrstu"};
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    const size_t length = seal_check(bytes);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        memset(&principal, 0, sizeof principal);
        memcpy(principal.name, names[i], strlen(names[i]));
        assert_true(is_genuine(bytes, length));
        assert_true(is_genuine(bytes, 1));
    }
}

/* Logs are read by any build, at any time. This was made by another implementation, with the first
 * key of RFC 8032, 7.1. */
static void a_fixed_name_stays(void **state)
{
    (void)state;
    static const char name[] = "@member.If4x36FUomFia_hUBG_SJw";
    static const uint8_t sealed[] = {
        0x1c, 0x00, 0x01, 0x00, 0x01, 0x02, 0x02, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x60, 0x00, 0x04, 0x00, 0x01, 0x02,
        0x02, 0x00, 0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3,
        0xc9, 0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02,
        0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a, 0x67, 0x4e, 0x5f, 0x37, 0xc7, 0x9b, 0x98, 0xfe,
        0x97, 0xb3, 0xb3, 0xb3, 0x94, 0x36, 0xb4, 0x61, 0x02, 0x8a, 0xc7, 0x8d, 0x5c, 0x82,
        0x31, 0x19, 0xe1, 0xc8, 0x1d, 0x21, 0xc1, 0xb5, 0x22, 0xe1, 0xea, 0xd0, 0xe7, 0x4f,
        0x97, 0xb4, 0x1c, 0x3c, 0x7a, 0x41, 0xb9, 0x88, 0xf8, 0x2d, 0xb9, 0xd7, 0xef, 0x07,
        0xf6, 0xfe, 0x27, 0x9d, 0xd5, 0x46, 0x14, 0x67, 0x16, 0x0a, 0x69, 0x19, 0x3f, 0x05,
    };
    memset(&principal, 0, sizeof principal);
    memcpy(principal.name, name, sizeof name - 1);
    assert_true(is_genuine(sealed, sizeof sealed));
}

static void a_secret_is_bound_to_the_name(void **state)
{
    (void)state;
    uint8_t bound[MEMBER_KEY_SECRET_BYTES];
    uint8_t expected[CHALLENGE_ANSWER_BYTES];
    member_key_secret(key, "sixteen characters", 18, bound);
    challenge_answer("sixteen characters", 18, principal.name, strlen(principal.name), expected);
    assert_memory_equal(bound, expected, sizeof expected);
}

/* ---- In the log ---- */

static void feed(void)
{
    applier_rig_feed(&rig, &maker);
}

/* What is said in a session, sealed for `session`. */
static void say_sealed(const member_key_t *by, int64_t session, const member_message_t *message)
{
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    const size_t length = member_message_encode(message, bytes);
    (void)log_maker_message(&maker, SESSION, bytes, member_key_seal(by, session, bytes, length));
}

/* The key that the session's first entry names, a check and a notice. */
static void begin_keyed(member_message_t said[2])
{
    (void)log_maker_term(&maker, 0);
    (void)log_maker_open(&maker, SESSION, principal.name);
    feed();
    said[0] = (member_message_t){.type = MEMBER_CHECK, .member = 2, .position = 640};
    said[1] = (member_message_t){
        .type = MEMBER_NOTICE, .position = rig.log.position, .notice = OC_NOTICE_STORAGE_LOW};
}

static void strangers_say_nothing_in_a_member_s_session(void **state)
{
    (void)state;
    member_message_t said[2];
    member_key_t *strange;
    begin_keyed(said);
    assert_int_equal(member_key_create(&strange), OC_ERR_OK);
    const uint64_t entries = rig.replica.entries;
    for (int i = 0; i < 2; i++) {
        (void)log_maker_said(&maker, SESSION, &said[i]); /* as under a name without a key */
        say_sealed(strange, SESSION, &said[i]);
        say_sealed(key, SESSION + 1, &said[i]); /* heard in another session */
    }
    (void)log_maker_message(&maker, SESSION, "no message of members", 21);
    feed();
    assert_int_equal(rig.said_count, 0);
    assert_int_equal(rig.log.forged, 6);
    assert_int_equal(rig.replica.entries, entries);
    assert_int_equal(rig.tally.messages, 0);
    for (int i = 0; i < 2; i++)
        say_sealed(key, SESSION, &said[i]);
    feed();
    assert_int_equal(rig.said_count, 2);
    assert_int_equal(rig.log.forged, 6);
    assert_int_equal(rig.replica.entries, entries + 1);
    assert_int_equal(rig.tally.notices[OC_NOTICE_STORAGE_LOW], 1);
    /* A replay asks nobody for a secret, and comes to the same. */
    applier_rig_t again;
    applier_rig_init_quiet(&again);
    applier_rig_feed(&again, &maker);
    assert_int_equal(again.replica.entries, rig.replica.entries);
    assert_int_equal(again.tally.notices[OC_NOTICE_STORAGE_LOW], 1);
    assert_true(again.tally.hash == rig.tally.hash);
    applier_rig_fini(&again);
    member_key_destroy(strange);
}

/* Said once more by somebody who has heard it, seal and all. */
static void a_notice_counts_near_where_it_was_said(void **state)
{
    (void)state;
    static const uint64_t reach = UINT64_C(64) << 20;
    member_message_t said[2];
    begin_keyed(said);
    member_message_t *notice = &said[1];
    notice->position = maker.position + 100000;
    say_sealed(key, SESSION, notice); /* nobody can have applied that much */
    feed();
    assert_int_equal(rig.said_count, 0);
    notice->position = rig.log.position;
    say_sealed(key, SESSION, notice);
    feed();
    assert_int_equal(rig.said_count, 1);
    maker.position += reach;
    say_sealed(key, SESSION, notice);
    feed();
    assert_int_equal(rig.said_count, 1);
    assert_int_equal(rig.log.forged, 0);
    notice->position = rig.log.position - reach / 2;
    say_sealed(key, SESSION, notice);
    feed();
    assert_int_equal(rig.said_count, 2);
    assert_int_equal(rig.tally.notices[OC_NOTICE_STORAGE_LOW], 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_key_has_a_name_of_its_own),
        TEST(what_is_sealed_is_genuine_in_its_session),
        TEST(every_bit_counts),
        TEST(the_name_s_letters_all_count),
        TEST(the_longest_can_be_sealed),
        TEST(a_name_without_a_key_is_believed),
        TEST(a_fixed_name_stays),
        TEST(a_secret_is_bound_to_the_name),
        TEST(strangers_say_nothing_in_a_member_s_session),
        TEST(a_notice_counts_near_where_it_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
