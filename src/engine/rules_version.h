/*
 * The end of an engine whose log asks for rules that this build does not know.
 */
#ifndef ENGINE_RULES_VERSION_H
#define ENGINE_RULES_VERSION_H

#include "outcry/model.h"

/* What apply returns from then on; leaves the number of the command and the version as context. */
oc_err_t rules_version_error(uint64_t entry, uint32_t rules_version);

#endif
