/*
 * Whether one of the devices that a member is on is full: of its directory, of what it keeps there,
 * which may be elsewhere, and of the driver.
 *
 * Threads: any; there is no state.
 */
#ifndef CLUSTER_MEMBER_SPACE_H
#define CLUSTER_MEMBER_SPACE_H

#include "cluster/member_config.h"

#include <stdbool.h>
#include <stddef.h>

/* Below that much no device is of use to a member; below a quarter of low_space_bytes its archive
 * begins no recording. */
#define MEMBER_SPACE_MIN (UINT64_C(1) << 20)

/* True: one is, and `words` say which, how much is free and how much is wanted. */
bool member_space_full(const member_config_t *config, char *words, size_t size);

#endif
