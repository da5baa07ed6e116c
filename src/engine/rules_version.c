/*
 * The error of an unknown rules version, the same for both implementations. Called by their apply.
 */
#include "engine/rules_version.h"

#include "base/error.h"

oc_err_t rules_version_error(uint64_t entry, uint32_t rules_version)
{
    return error_set(OC_ERR_RULES_VERSION,
                     "engine: command %llu asks for rules version %u, this build knows version %u; "
                     "go on with a build that knows it",
                     (unsigned long long)entry, rules_version, OC_RULES_VERSION);
}
