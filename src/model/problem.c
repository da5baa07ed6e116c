/*
 * Names of what can be wrong with a message, for reports and logs.
 */
#include "outcry/order_entry.h"

static const char *const problem_names[] = {
#define PROBLEM_NAME(name, text) text,
    OC_PROBLEM_TABLE(PROBLEM_NAME)
#undef PROBLEM_NAME
};
_Static_assert(sizeof problem_names / sizeof problem_names[0] == OC_PROBLEM_COUNT, "one name each");

const char *oc_problem_name(unsigned problem)
{
    return problem < OC_PROBLEM_COUNT ? problem_names[problem] : "unknown";
}
