/*
 * Random command streams through the fast and the reference engine at once; every difference is
 * found.
 */
#ifndef TEST_LIB_DIFFERENTIAL_H
#define TEST_LIB_DIFFERENTIAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Runs `commands` commands of the stream that `seed` stands for (it also chooses limits, number of
 * instruments and sources, price range and step bound) through: the reference engine, the fast
 * engine one by one, the fast engine in batches, and for small tables a fast engine that verifies
 * every page touch. Compares events to the byte, state and output hashes, depth, views and the
 * whole book; audits the engines. Prints what differs and how to repeat it, and returns false, at
 * the first difference.
 */
bool differential_run(uint64_t seed, uint64_t commands);

#endif
