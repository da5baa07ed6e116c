/*
 * Names of the vocabulary: every value has one of its own, others are "unknown".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "outcry/engine.h"

#include <string.h>

static const char *reason_name(unsigned value)
{
    return oc_reason_name((oc_reason_t)value);
}

static const char *event_name(unsigned value)
{
    return oc_event_type_name((oc_event_type_t)value);
}

static const char *command_name(unsigned value)
{
    return oc_command_type_name((oc_command_type_t)value);
}

static void assert_names(const char *(*name)(unsigned), unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const char *text = name(i);
        assert_true(strlen(text) > 0);
        assert_string_not_equal(text, "unknown");
        assert_int_equal(strspn(text, "abcdefghijklmnopqrstuvwxyz_"), strlen(text));
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(text, name(k));
    }
    assert_string_equal(name(count), "unknown");
    assert_string_equal(name(255), "unknown");
    assert_string_equal(name((unsigned)-1), "unknown");
}

static void test_every_value_has_a_name(void **state)
{
    (void)state;
    assert_names(reason_name, OC_REASON_COUNT);
    assert_names(event_name, OC_EVENT_COMPLETED + 1);
    assert_names(command_name, OC_COMMAND_LAST + 1);
}

static void test_names_stand_at_their_values(void **state)
{
    (void)state;
    assert_string_equal(oc_reason_name(OC_REASON_NONE), "none");
    assert_string_equal(oc_reason_name(OC_REASON_PENDING_CANCEL), "pending_cancel");
    assert_string_equal(oc_reason_name(OC_REASON_END_OF_DAY), "end_of_day");
    assert_int_equal(OC_REASON_END_OF_DAY, 38); /* numbers are part of the ABI */
    assert_int_equal(OC_REASON_NOT_RESUMED, 40);
    assert_string_equal(oc_reason_name(OC_REASON_STORAGE_LOW), "storage_low");
    assert_string_equal(oc_reason_name(OC_REASON_NOT_RESUMED), "not_resumed");
    assert_string_equal(oc_event_type_name(OC_EVENT_ACCEPTED), "accepted");
    assert_string_equal(oc_event_type_name(OC_EVENT_FILL), "fill");
    assert_string_equal(oc_event_type_name(OC_EVENT_EXPIRED), "expired");
    assert_string_equal(oc_event_type_name(OC_EVENT_MODIFIED), "modified");
    assert_string_equal(oc_event_type_name(OC_EVENT_COMPLETED), "completed");
    assert_string_equal(oc_command_type_name(OC_COMMAND_NEW), "new");
    assert_string_equal(oc_command_type_name(OC_COMMAND_MASS_CANCEL), "mass_cancel");
    assert_string_equal(oc_command_type_name(OC_COMMAND_INSTRUMENT_BANDS), "instrument_bands");
    assert_string_equal(oc_command_type_name(OC_COMMAND_SESSION_UP), "session_up");
    assert_string_equal(oc_command_type_name(OC_COMMAND_TIME), "time");
    assert_string_equal(oc_command_type_name(OC_COMMAND_RESTRICTION), "restriction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value_has_a_name),
        cmocka_unit_test(test_names_stand_at_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
