/*
 * Decimal numbers as whole ones: a value of d decimals is kept times 10^d, so that a rate of 212.75
 * is exact and nothing is ever not a number. Products are 128 bits wide until they are divided.
 */
#ifndef CALC_FIXED_POINT_H
#define CALC_FIXED_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIXED_DECIMALS_MAX 9

__extension__ typedef unsigned __int128 fixed_wide_t;

/*
 * Reads "12", "0.5" or "212.75" with at most so many decimals, as the value times 10^decimals.
 * False for anything else (a sign, an exponent, "nan", spaces), and for what does not fit 64 bits.
 */
bool fixed_parse(const char *text, unsigned decimals, uint64_t *scaled);

/* Writes the value as fixed_parse() reads it, without needless zeros; cut to `size`. */
void fixed_print(char *text, size_t size, uint64_t scaled, unsigned decimals);

/* a * b / divisor, rounded down or up; false if it does not fit. divisor > 0. */
bool fixed_mul_div(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *result);
bool fixed_mul_div_up(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *result);

/* value / divisor, rounded up; UINT64_MAX if it does not fit. divisor > 0. */
uint64_t fixed_div_up(fixed_wide_t value, uint64_t divisor);

#endif
