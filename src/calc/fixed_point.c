/*
 * Fixed-point numbers of the calculator: read, printed, multiplied. Called by the whole folder and
 * by `outcry calc`.
 *
 * Invariant: a result is exact but for the last division, or it is refused. Must not use strtod()
 * or the locale.
 */
#include "calc/fixed_point.h"

#include "base/assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool append_digit(uint64_t *value, unsigned digit)
{
    return !__builtin_mul_overflow(*value, 10, value) &&
           !__builtin_add_overflow(*value, digit, value);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool fixed_parse(const char *text, unsigned decimals, uint64_t *scaled)
{
    OC_ASSERT(decimals <= FIXED_DECIMALS_MAX);
    uint64_t value = 0;
    if (!is_digit(*text))
        return false;
    for (; is_digit(*text); text++)
        if (!append_digit(&value, (unsigned)(*text - '0')))
            return false;
    unsigned left = decimals;
    if (*text == '.') {
        text++;
        if (!is_digit(*text))
            return false;
        for (; is_digit(*text) && left > 0; text++, left--)
            if (!append_digit(&value, (unsigned)(*text - '0')))
                return false;
    }
    for (; left > 0; left--)
        if (!append_digit(&value, 0))
            return false;
    if (*text != '\0')
        return false;
    *scaled = value;
    return true;
}

void fixed_print(char *text, size_t size, uint64_t scaled, unsigned decimals)
{
    OC_ASSERT(decimals <= FIXED_DECIMALS_MAX);
    uint64_t unit = 1;
    for (; decimals > 0 && scaled % 10 == 0; decimals--)
        scaled /= 10;
    for (unsigned i = 0; i < decimals; i++)
        unit *= 10;
    if (decimals == 0)
        (void)snprintf(text, size, "%" PRIu64, scaled);
    else
        (void)snprintf(text, size, "%" PRIu64 ".%0*" PRIu64, scaled / unit, (int)decimals,
                       scaled % unit);
}

static bool narrow(fixed_wide_t value, uint64_t *result)
{
    if (value > UINT64_MAX)
        return false;
    *result = (uint64_t)value;
    return true;
}

bool fixed_mul_div(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *result)
{
    OC_ASSERT(divisor > 0);
    return narrow((fixed_wide_t)a * b / divisor, result);
}

bool fixed_mul_div_up(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *result)
{
    OC_ASSERT(divisor > 0);
    const fixed_wide_t product = (fixed_wide_t)a * b;
    return narrow(product / divisor + (product % divisor != 0), result);
}

uint64_t fixed_div_up(fixed_wide_t value, uint64_t divisor)
{
    OC_ASSERT(divisor > 0);
    uint64_t result;
    return narrow(value / divisor + (value % divisor != 0), &result) ? result : UINT64_MAX;
}
