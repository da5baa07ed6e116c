/*
 * Lower-case names of the vocabulary's values, for reports, messages and tests.
 */
#include "outcry/model.h"

static const char *const reason_names[] = {
#define REASON_NAME(name, text) text,
    OC_REASON_TABLE(REASON_NAME)
#undef REASON_NAME
};
_Static_assert(sizeof reason_names / sizeof reason_names[0] == OC_REASON_COUNT, "one name each");

static const char *const event_type_names[] = {
    "none",     "accepted", "rejected",         "trade",     "fill",      "cancelled", "expired",
    "modified", "level",    "instrument_state", "confirmed", "completed",
};
_Static_assert(sizeof event_type_names / sizeof event_type_names[0] == OC_EVENT_COMPLETED + 1,
               "one name each");

static const char *const command_type_names[] = {
    "none",
    "new",
    "cancel",
    "modify",
    "mass_cancel",
    "mark_price",
    "instrument_add",
    "instrument_state",
    "instrument_bands",
    "source_add",
    "source_retire",
    "session_up",
    "session_down",
    "configure",
    "time",
    "restriction",
};
_Static_assert(sizeof command_type_names / sizeof command_type_names[0] == OC_COMMAND_LAST + 1,
               "one name each");

static const char *name_of(const char *const *names, unsigned count, unsigned value)
{
    return value < count ? names[value] : "unknown";
}

const char *oc_reason_name(oc_reason_t reason)
{
    return name_of(reason_names, OC_REASON_COUNT, (unsigned)reason);
}

const char *oc_event_type_name(oc_event_type_t type)
{
    return name_of(event_type_names, OC_EVENT_COMPLETED + 1, (unsigned)type);
}

const char *oc_command_type_name(oc_command_type_t type)
{
    return name_of(command_type_names, OC_COMMAND_LAST + 1, (unsigned)type);
}
