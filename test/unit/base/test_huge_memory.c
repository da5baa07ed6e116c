/*
 * Memory that is faulted in when it is made: of sizes for one thread and for several, all of it
 * there, zero, and given back.
 */
#define _GNU_SOURCE /* mincore */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/huge_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MIB  ((size_t)1 << 20)
#define PAGE ((size_t)4096)

/* -1: not mapped. */
static long resident(void *memory, size_t size)
{
    const size_t pages = (size + PAGE - 1) / PAGE;
    unsigned char *seen = malloc(pages);
    long count = 0;
    assert_non_null(seen);
    if (mincore(memory, size, seen) != 0)
        count = -1;
    for (size_t i = 0; count >= 0 && i < pages; i++)
        count += seen[i] & 1;
    free(seen);
    return count;
}

static void test_all_of_it_is_there(void **state)
{
    (void)state;
    static const size_t sizes[] = {
        1, PAGE, 2 * MIB + 1, 31 * MIB, 32 * MIB, 33 * MIB + PAGE, 97 * MIB, 140 * MIB + 3 * PAGE};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t size = sizes[i];
        uint8_t *memory = huge_memory_map(size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % (2 * MIB), 0);
        assert_int_equal(resident(memory, size), (size + PAGE - 1) / PAGE);
        assert_int_equal(memory[0], 0);
        assert_memory_equal(memory, memory + 1, size - 1); /* so all are as the first */
        memory[size - 1] = 1;
        huge_memory_unmap(memory, size);
        assert_int_equal(resident(memory, PAGE), -1);
    }
}

static void test_none_is_told(void **state)
{
    (void)state;
    assert_null(huge_memory_map(SIZE_MAX / 2));
    huge_memory_unmap(NULL, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_it_is_there),
        cmocka_unit_test(test_none_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
