/*
 * The mixes behind the state hash and the output hash: no value of one field, which a client may
 * choose knowing the constants, hides another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/state_hash.h"

static const uint64_t chosen[] = {
    0,       1,       UINT64_MAX, UINT64_C(1) << 63, HASH_K0,  HASH_K1,
    HASH_K2, HASH_K3, HASH_K4,    ~HASH_K0,          ~HASH_K2,
};
enum { CHOSEN = sizeof chosen / sizeof chosen[0], ORDER_WORDS = 7 };

/* An order with its fields taken from seven words. */
static uint64_t mix_of(const uint64_t words[ORDER_WORDS])
{
    return hash_order(&(hash_order_t){
        .client_order_id = words[0],
        .order_id = words[1],
        .priority = words[2],
        .price_ticks = (int64_t)words[3],
        .open_lots = (int64_t)words[4],
        .executed_lots = (int64_t)words[5],
        .source = (uint32_t)words[6],
        .instrument = 7,
        .terms = 1,
    });
}

/* What can be chosen: client id, price, executed quantity, source. */
static void test_no_field_of_an_order_hides_another(void **state)
{
    (void)state;
    const int free_words[] = {0, 3, 5, 6};
    for (int i = 0; i < 4; i++) {
        const int fixed = free_words[i];
        for (int value = 0; value < CHOSEN; value++) {
            uint64_t words[ORDER_WORDS] = {11, 22, 33, 44, 55, 66, 77};
            words[fixed] = chosen[value];
            const uint64_t before = mix_of(words);
            for (int other = 0; other < ORDER_WORDS; other++) {
                if (other == fixed)
                    continue;
                words[other]++;
                assert_true(mix_of(words) != before);
                words[other]--;
            }
        }
    }
}

static void test_restrictions_count_only_when_there_are_some(void **state)
{
    (void)state;
    hash_counters_t counters = {.entry = 5, .time_ns = 7, .step_bound = 4};
    const uint64_t none = hash_counters(&counters);
    assert_true(none == UINT64_C(0x5799763d7a2d75f7)); /* of before there were restrictions */
    for (uint32_t mask = 1; mask <= OC_RESTRICT_ALL; mask++) {
        counters.restrictions = mask;
        assert_true(hash_counters(&counters) != none);
        for (uint32_t other = 0; other < mask; other++)
            assert_true(hash_restrictions(mask) != hash_restrictions(other));
    }
}

static void test_every_byte_of_an_event_counts(void **state)
{
    (void)state;
    for (unsigned fill = 0; fill < 256; fill += 51) {
        oc_event_t event;
        memset(&event, (int)fill, sizeof event);
        hash_output_t before = {0, 0};
        hash_output_add(&before, &event);
        for (size_t byte = 0; byte < sizeof event; byte++) {
            for (unsigned bit = 0; bit < 8; bit++) {
                oc_event_t other = event;
                ((unsigned char *)&other)[byte] ^= (unsigned char)(1u << bit);
                hash_output_t after = {0, 0};
                hash_output_add(&after, &other);
                assert_true(hash_output_value(&after) != hash_output_value(&before));
            }
        }
    }
}

static void test_an_exchange_of_events_shows(void **state)
{
    (void)state;
    const oc_event_t a = {.type = OC_EVENT_LEVEL, .entry = 5, .price_ticks = 10};
    const oc_event_t b = {.type = OC_EVENT_LEVEL, .entry = 5, .price_ticks = 11};
    hash_output_t ab = {0, 0};
    hash_output_t ba = {0, 0};
    hash_output_add(&ab, &a);
    hash_output_add(&ab, &b);
    hash_output_add(&ba, &b);
    hash_output_add(&ba, &a);
    assert_true(hash_output_value(&ab) != hash_output_value(&ba));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_field_of_an_order_hides_another),
        cmocka_unit_test(test_restrictions_count_only_when_there_are_some),
        cmocka_unit_test(test_every_byte_of_an_event_counts),
        cmocka_unit_test(test_an_exchange_of_events_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
