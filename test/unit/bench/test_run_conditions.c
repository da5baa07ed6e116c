/*
 * Unit tests of the conditions of a run, against what the system says elsewhere. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/run_conditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void test_all_is_there(void **state)
{
    (void)state;
    run_conditions_t conditions;
    run_conditions_read(&conditions, "1.2.3");
    assert_memory_equal(conditions.build, "1.2.3 ", 6);
    assert_true(strlen(conditions.build) > 6);
    assert_string_not_equal(conditions.compiler, "unknown");
    assert_true(conditions.aeron[0] >= '0' && conditions.aeron[0] <= '9');
    assert_true(conditions.cpu_model[0] && conditions.governor[0] && conditions.huge_pages[0]);
    assert_null(strpbrk(conditions.huge_pages, "[]"));
    struct utsname name;
    assert_int_equal(uname(&name), 0);
    assert_non_null(strstr(conditions.kernel, name.release));
    assert_int_equal(conditions.processors, sysconf(_SC_NPROCESSORS_ONLN));
    assert_true(conditions.load_average >= 0);
}

static void test_kernel_numbers(void **state)
{
    (void)state;
    run_conditions_t conditions;
    run_conditions_read(&conditions, "1.2.3");
    FILE *file = fopen("/proc/sys/net/core/rmem_max", "re");
    long long bytes = -1;
    if (file) {
        assert_int_equal(fscanf(file, "%lld", &bytes), 1);
        (void)fclose(file);
    }
    assert_int_equal(conditions.rmem_max, bytes);
}

static void test_start_is_now_in_utc(void **state)
{
    (void)state;
    run_conditions_t conditions;
    const time_t before = time(NULL);
    run_conditions_read(&conditions, "1.2.3");
    struct tm parts = {0};
    const char *end = strptime(conditions.start, "%Y-%m-%dT%H:%M:%SZ", &parts);
    assert_non_null(end);
    assert_string_equal(end, "");
    const time_t start = timegm(&parts);
    assert_true(start >= before && start <= time(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_there),
        cmocka_unit_test(test_kernel_numbers),
        cmocka_unit_test(test_start_is_now_in_utc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
