/*
 * Seeded random numbers (SplitMix64): the same sequence on every machine, for generated flow. Not
 * for secrets.
 */
#ifndef BASE_PRNG_H
#define BASE_PRNG_H

#include <stdint.h>

/* Scatters a number over 64 bits; a bijection, so that different numbers stay different. */
static inline uint64_t prng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The next number; any value of *state is a seed. */
static inline uint64_t prng_next(uint64_t *state)
{
    return prng_mix(*state += UINT64_C(0x9E3779B97F4A7C15));
}

/* Uniform in 0..count - 1; count > 0. */
static inline uint32_t prng_below(uint64_t *state, uint32_t count)
{
    return (uint32_t)(((prng_next(state) >> 32) * count) >> 32);
}

#endif
