/*
 * Differential test of the two engines: 300 thousand random commands over many seeds.
 *
 * OUTCRY_SEED and OUTCRY_COMMANDS repeat one stream.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "lib/differential.h"

static void random_streams_agree(void **state)
{
    (void)state;
    const char *seed = getenv("OUTCRY_SEED");
    const char *commands = getenv("OUTCRY_COMMANDS");
    if (seed) {
        assert_true(differential_run(strtoull(seed, NULL, 0),
                                     commands ? strtoull(commands, NULL, 0) : 7500));
        return;
    }
    for (uint64_t s = 1; s <= 40; s++)
        assert_true(differential_run(s, 7500));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_streams_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
