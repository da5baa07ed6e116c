/*
 * The arena: sizes, sealing, layouts, touch marks, what a capture's watcher is told, and that
 * verification finds what was not announced.
 */
#define _GNU_SOURCE /* setrlimit */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/expect_abort.h"
#include "outcry/arena.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static void test_section_size_is_whole_pages(void **state)
{
    (void)state;
    assert_int_equal(oc_arena_section_size(0), 0);
    assert_int_equal(oc_arena_section_size(1), OC_ARENA_PAGE_SIZE);
    assert_int_equal(oc_arena_section_size(OC_ARENA_PAGE_SIZE - 1), OC_ARENA_PAGE_SIZE);
    assert_int_equal(oc_arena_section_size(OC_ARENA_PAGE_SIZE), OC_ARENA_PAGE_SIZE);
    assert_int_equal(oc_arena_section_size(OC_ARENA_PAGE_SIZE + 1), 2 * OC_ARENA_PAGE_SIZE);
}

static void test_memory_is_aligned_zeroed_and_given_out_in_order(void **state)
{
    (void)state;
    oc_arena_t arena;
    assert_true(oc_arena_init(&arena, "test", 1, 3 * OC_ARENA_PAGE_SIZE + 1, false));
    assert_int_equal(arena.size, 4 * OC_ARENA_PAGE_SIZE);
    assert_int_equal((uintptr_t)arena.base % (2 * MIB), 0);
    assert_null(arena.shadow);
    for (size_t i = 0; i < arena.size; i++)
        assert_int_equal(arena.base[i], 0);
    assert_ptr_equal(oc_arena_alloc(&arena, 1), arena.base);
    assert_ptr_equal(oc_arena_alloc(&arena, OC_ARENA_PAGE_SIZE + 1),
                     arena.base + OC_ARENA_PAGE_SIZE);
    assert_ptr_equal(oc_arena_alloc(&arena, OC_ARENA_PAGE_SIZE),
                     arena.base + 3 * OC_ARENA_PAGE_SIZE);
    assert_int_equal(arena.used, arena.size);
    oc_arena_fini(&arena);
    assert_null(arena.base);
    oc_arena_fini(&arena); /* nothing is held: nothing happens */
}

static void alloc_too_much(void *context)
{
    (void)oc_arena_alloc(context, OC_ARENA_PAGE_SIZE + 1);
}

static void alloc_one(void *context)
{
    (void)oc_arena_alloc(context, 1);
}

static void seal(void *context)
{
    oc_arena_seal(context);
}

static void test_a_sealed_or_full_arena_gives_nothing(void **state)
{
    (void)state;
    oc_arena_t arena;
    assert_true(oc_arena_init(&arena, "test", 1, 2 * OC_ARENA_PAGE_SIZE, false));
    (void)oc_arena_alloc(&arena, 1);
    assert_true(child_aborts(alloc_too_much, &arena));
    assert_false(child_aborts(alloc_one, &arena));
    oc_arena_seal(&arena);
    assert_true(child_aborts(alloc_one, &arena));
    assert_true(child_aborts(seal, &arena));
    oc_arena_fini(&arena);
}

static void test_touch_stamps_the_page_and_no_other(void **state)
{
    (void)state;
    oc_arena_t arena;
    assert_true(oc_arena_init(&arena, "test", 1, 4 * OC_ARENA_PAGE_SIZE, false));
    oc_arena_touch(&arena, arena.base + 2 * OC_ARENA_PAGE_SIZE - 1);
    oc_arena_touch(&arena, arena.base + 3 * OC_ARENA_PAGE_SIZE);
    const uint32_t stamps[4] = {0, 1, 0, 1};
    assert_memory_equal(arena.stamps, stamps, sizeof stamps);
    oc_arena_advance_epoch(&arena);
    oc_arena_touch(&arena, arena.base + 3 * OC_ARENA_PAGE_SIZE + 7);
    const uint32_t later[4] = {0, 1, 0, 2};
    assert_memory_equal(arena.stamps, later, sizeof later);
    oc_arena_fini(&arena);
}

static void touch_behind_the_end(void *context)
{
    oc_arena_touch_slow(context, 4);
}

static void advance(void *context)
{
    oc_arena_advance_epoch(context);
}

static void verify(void *context)
{
    size_t offset = 0;
    (void)oc_arena_verify(context, &offset);
}

static void test_misuse_stops_the_process(void **state)
{
    (void)state;
    oc_arena_t arena;
    assert_true(oc_arena_init(&arena, "test", 1, 4 * OC_ARENA_PAGE_SIZE, false));
    assert_true(child_aborts(touch_behind_the_end, &arena));
    assert_true(child_aborts(verify, &arena)); /* there is no shadow */
    arena.epoch = UINT32_MAX;
    assert_true(child_aborts(advance, &arena)); /* old stamps would look new */
    arena.epoch = UINT32_MAX - 1;
    assert_false(child_aborts(advance, &arena));
    oc_arena_fini(&arena);
}

static void test_verify_wants_every_write_announced(void **state)
{
    (void)state;
    oc_arena_t arena;
    size_t offset = 0;
    assert_true(oc_arena_init(&arena, "test", 1, 4 * OC_ARENA_PAGE_SIZE, true));
    assert_true(oc_arena_verify(&arena, &offset));
    for (size_t at = 1; at < arena.size; at += 1000) {
        oc_arena_advance_epoch(&arena);
        oc_arena_touch(&arena, arena.base + at);
        arena.base[at]++;
        assert_true(oc_arena_verify(&arena, &offset));
        oc_arena_advance_epoch(&arena);
        assert_true(oc_arena_verify(&arena, &offset)); /* taken over: no difference any more */
        arena.base[at]++; /* announced in another epoch, which does not count */
        assert_false(oc_arena_verify(&arena, &offset));
        assert_int_equal(offset, at);
        arena.base[at]--;
        assert_true(oc_arena_verify(&arena, &offset));
    }
    oc_arena_fini(&arena);
}

static void write_then_touch(void *context)
{
    oc_arena_t *arena = context;
    oc_arena_advance_epoch(arena);
    arena->base[OC_ARENA_PAGE_SIZE]++;
    oc_arena_touch(arena, arena->base + OC_ARENA_PAGE_SIZE);
}

static void touch_then_write(void *context)
{
    oc_arena_t *arena = context;
    oc_arena_advance_epoch(arena);
    oc_arena_touch(arena, arena->base + OC_ARENA_PAGE_SIZE);
    arena->base[OC_ARENA_PAGE_SIZE]++;
    oc_arena_touch(arena, arena->base + OC_ARENA_PAGE_SIZE); /* announced already */
}

static void test_a_touch_comes_before_the_write(void **state)
{
    (void)state;
    oc_arena_t arena;
    assert_true(oc_arena_init(&arena, "test", 1, 2 * OC_ARENA_PAGE_SIZE, true));
    assert_true(child_aborts(write_then_touch, &arena));
    assert_false(child_aborts(touch_then_write, &arena));
    oc_arena_fini(&arena);
}

static void test_verify_reports_the_first_difference(void **state)
{
    (void)state;
    oc_arena_t arena;
    size_t offset = 0;
    assert_true(oc_arena_init(&arena, "test", 1, 4 * OC_ARENA_PAGE_SIZE, true));
    oc_arena_touch(&arena, arena.base);
    arena.base[0] = 1;
    arena.base[2 * OC_ARENA_PAGE_SIZE + 9] = 1;
    arena.base[2 * OC_ARENA_PAGE_SIZE + 3] = 1;
    arena.base[3 * OC_ARENA_PAGE_SIZE] = 1;
    assert_false(oc_arena_verify(&arena, &offset));
    assert_int_equal(offset, 2 * OC_ARENA_PAGE_SIZE + 3);
    oc_arena_fini(&arena);
}

static void test_touch_skip_counts_slow_touches(void **state)
{
    (void)state;
    oc_arena_t arena;
    assert_true(oc_arena_init(&arena, "test", 1, 8 * OC_ARENA_PAGE_SIZE, false));
    arena.touch_skip = 3;
    for (size_t page = 0; page < 8; page++) {
        for (int again = 0; again < 3; again++) { /* only the first is slow */
            if (page != 2 || again == 0)
                oc_arena_touch(&arena, arena.base + page * OC_ARENA_PAGE_SIZE);
        }
    }
    const uint32_t stamps[8] = {1, 1, 0, 1, 1, 1, 1, 1};
    assert_memory_equal(arena.stamps, stamps, sizeof stamps);
    assert_int_equal(arena.touch_skip, 0);
    oc_arena_touch(&arena, arena.base + 2 * OC_ARENA_PAGE_SIZE);
    assert_int_equal(arena.stamps[2], 1);
    oc_arena_fini(&arena);
}

/* The layout of an arena with these allocations, a list that ends with 0. */
static uint64_t layout_of(const char *name, uint32_t version, const size_t *sizes)
{
    oc_arena_t arena;
    assert_true(oc_arena_init(&arena, name, version, 8 * OC_ARENA_PAGE_SIZE, false));
    assert_string_equal(arena.name, name);
    for (size_t i = 0; sizes[i]; i++)
        (void)oc_arena_alloc(&arena, sizes[i]);
    oc_arena_seal(&arena);
    const uint64_t layout = arena.layout;
    oc_arena_fini(&arena);
    return layout;
}

#define SIZES(...) ((const size_t[]){__VA_ARGS__, 0})

static void test_layouts_differ_when_something_else_lies_in_it(void **state)
{
    (void)state;
    const uint64_t layouts[] = {
        layout_of("engine", 1, SIZES(100, 200)),
        layout_of("engine", 2, SIZES(100, 200)),
        layout_of("engine", UINT32_MAX, SIZES(100, 200)),
        layout_of("engines", 1, SIZES(100, 200)),
        layout_of("engina", 1, SIZES(100, 200)),
        layout_of("nengie", 1, SIZES(100, 200)),
        layout_of("e", 1, SIZES(100, 200)),
        layout_of("engine", 1, SIZES(100, 201)), /* in as many pages */
        layout_of("engine", 1, SIZES(200, 100)),
        layout_of("engine", 1, SIZES(100)),
        layout_of("engine", 1, SIZES(300)),
        layout_of("engine", 1, SIZES(100, 200, 1)),
        layout_of("engine", 1, SIZES(100, 100, 200)),
    };
    const size_t count = sizeof layouts / sizeof layouts[0];
    for (size_t i = 0; i < count; i++) {
        assert_int_not_equal(layouts[i], 0);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(layouts[i], layouts[j]);
    }
    assert_int_equal(layouts[0], layout_of("engine", 1, SIZES(100, 200)));
    /* Images of earlier builds carry it: it must not change. */
    assert_int_equal(layouts[0], UINT64_C(0x07d13bce811f2237));
}

static void init_with_name(void *context)
{
    oc_arena_t arena;
    (void)oc_arena_init(&arena, context, 1, OC_ARENA_PAGE_SIZE, false);
}

static void test_a_name_has_its_limits(void **state)
{
    (void)state;
    char name[OC_ARENA_NAME_MAX + 1] = "";
    assert_true(child_aborts(init_with_name, name));
    memset(name, 'x', OC_ARENA_NAME_MAX - 1);
    assert_false(child_aborts(init_with_name, name));
    name[OC_ARENA_NAME_MAX - 1] = 'x';
    assert_true(child_aborts(init_with_name, name));
}

/* What a watcher was told, and what it saw of the page. */
typedef struct watched {
    size_t calls;
    size_t page;
    uint32_t stamp;
    uint32_t stamp_there;
    uint8_t byte_there;
} watched_t;

static void watch(void *context, oc_arena_t *arena, size_t page, uint32_t stamp)
{
    watched_t *watched = context;
    watched->calls++;
    watched->page = page;
    watched->stamp = stamp;
    watched->stamp_there = arena->stamps[page];
    watched->byte_there = arena->base[page * OC_ARENA_PAGE_SIZE];
}

static void test_a_watcher_is_told_before_the_page_changes(void **state)
{
    (void)state;
    oc_arena_t arena;
    watched_t watched = {0};
    assert_true(oc_arena_init(&arena, "test", 1, 4 * OC_ARENA_PAGE_SIZE, false));
    uint8_t *byte = arena.base + 2 * OC_ARENA_PAGE_SIZE;
    oc_arena_touch(&arena, byte);
    *byte = 7;
    for (int i = 0; i < 4; i++)
        oc_arena_advance_epoch(&arena);
    arena.watcher = watch;
    arena.watcher_context = &watched;
    oc_arena_touch(&arena, byte);
    *byte = 8;
    oc_arena_touch(&arena, byte + 5); /* announced */
    assert_int_equal(watched.calls, 1);
    assert_int_equal(watched.page, 2);
    assert_int_equal(watched.stamp, 1);
    assert_int_equal(watched.stamp_there, 1);
    assert_int_equal(watched.byte_there, 7);
    assert_int_equal(arena.stamps[2], 5);
    oc_arena_touch(&arena, arena.base);
    assert_int_equal(watched.calls, 2);
    assert_int_equal(watched.page, 0);
    assert_int_equal(watched.stamp, 0);
    arena.watcher = NULL;
    oc_arena_touch(&arena, arena.base + OC_ARENA_PAGE_SIZE);
    assert_int_equal(watched.calls, 2);
    oc_arena_fini(&arena);
}

static void test_a_range_touches_each_of_its_pages(void **state)
{
    (void)state;
    const size_t page = OC_ARENA_PAGE_SIZE;
    const struct {
        size_t at;
        size_t size;
        uint32_t stamps[4];
    } ranges[] = {
        {0, 0, {0, 0, 0, 0}},           {page, 0, {0, 0, 0, 0}},
        {0, 1, {1, 0, 0, 0}},           {page - 1, 1, {1, 0, 0, 0}},
        {page - 1, 2, {1, 1, 0, 0}},    {page, page, {0, 1, 0, 0}},
        {page, page + 1, {0, 1, 1, 0}}, {page + 5, 2 * page, {0, 1, 1, 1}},
        {0, 4 * page, {1, 1, 1, 1}},    {4 * page - 1, 1, {0, 0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        oc_arena_t arena;
        assert_true(oc_arena_init(&arena, "test", 1, 4 * page, false));
        oc_arena_touch_range(&arena, arena.base + ranges[i].at, ranges[i].size);
        assert_memory_equal(arena.stamps, ranges[i].stamps, sizeof ranges[i].stamps);
        oc_arena_fini(&arena);
    }
}

static void restored(void *context)
{
    oc_arena_restored(context);
}

static void test_a_restored_arena_is_taken_as_it_lies_there(void **state)
{
    (void)state;
    oc_arena_t arena;
    size_t offset = 0;
    assert_true(oc_arena_init(&arena, "test", 1, 4 * OC_ARENA_PAGE_SIZE, true));
    assert_true(child_aborts(restored, &arena)); /* not sealed */
    oc_arena_seal(&arena);
    for (int i = 0; i < 9; i++)
        oc_arena_advance_epoch(&arena);
    oc_arena_touch(&arena, arena.base);
    assert_true(child_aborts(restored, &arena)); /* a stamp of before */
    memset(arena.stamps, 0, 4 * sizeof arena.stamps[0]);
    memset(arena.base + OC_ARENA_PAGE_SIZE, 5, OC_ARENA_PAGE_SIZE);
    arena.stamps[1] = 1;
    arena.watcher = watch;
    assert_true(child_aborts(restored, &arena)); /* a capture runs */
    arena.watcher = NULL;
    oc_arena_restored(&arena);
    assert_int_equal(arena.epoch, 2);
    assert_true(oc_arena_verify(&arena, &offset));
    oc_arena_touch(&arena, arena.base + OC_ARENA_PAGE_SIZE); /* the shadow is the same */
    arena.base[OC_ARENA_PAGE_SIZE] = 6;
    assert_int_equal(arena.stamps[1], 2);
    assert_true(oc_arena_verify(&arena, &offset));
    arena.base[2 * OC_ARENA_PAGE_SIZE] = 1; /* must be announced as before */
    assert_false(oc_arena_verify(&arena, &offset));
    oc_arena_fini(&arena);
}

static size_t address_space(void)
{
    char text[256] = "";
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    const size_t read = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    size_t pages = 0;
    for (size_t i = 0; i < read && text[i] >= '0' && text[i] <= '9'; i++)
        pages = pages * 10 + (size_t)(text[i] - '0');
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* In a child: allows ever more address space until the arena fits; each failure leaves nothing. */
static void init_under_limits(void *context)
{
    int *failures = context;
    static const oc_arena_t nothing;
    for (size_t room = 0; room < 64; room += 4) {
        const size_t before = address_space();
        struct rlimit limit;
        getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = before + room * MIB;
        if (before == 0 || setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(2);
        oc_arena_t arena;
        const bool made = oc_arena_init(&arena, "test", 1, 16 * MIB, true);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_AS, &limit);
        if (made)
            _exit(*failures > 2 ? 0 : 3);
        if (memcmp(&arena, &nothing, sizeof arena) != 0 || address_space() != before)
            _exit(4);
        ++*failures;
    }
    _exit(5);
}

static void test_nothing_is_held_after_a_failure(void **state)
{
    (void)state;
    int failures = 0;
    oc_arena_t arena;
    assert_false(oc_arena_init(&arena, "test", 1, SIZE_MAX / 4, false));
    assert_null(arena.base);
    /* The sum with a page, or with a huge one, would be small. */
    for (size_t less = 0; less < 4; less++)
        assert_false(oc_arena_init(&arena, "test", 1, SIZE_MAX - less * 1000000, false));
    assert_false(oc_arena_init(&arena, "test", 1, 0, false));
    assert_null(arena.base);
    assert_int_equal(child_status(init_under_limits, &failures), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_section_size_is_whole_pages),
        cmocka_unit_test(test_memory_is_aligned_zeroed_and_given_out_in_order),
        cmocka_unit_test(test_a_sealed_or_full_arena_gives_nothing),
        cmocka_unit_test(test_touch_stamps_the_page_and_no_other),
        cmocka_unit_test(test_misuse_stops_the_process),
        cmocka_unit_test(test_verify_wants_every_write_announced),
        cmocka_unit_test(test_a_touch_comes_before_the_write),
        cmocka_unit_test(test_verify_reports_the_first_difference),
        cmocka_unit_test(test_touch_skip_counts_slow_touches),
        cmocka_unit_test(test_layouts_differ_when_something_else_lies_in_it),
        cmocka_unit_test(test_a_name_has_its_limits),
        cmocka_unit_test(test_a_watcher_is_told_before_the_page_changes),
        cmocka_unit_test(test_a_range_touches_each_of_its_pages),
        cmocka_unit_test(test_a_restored_arena_is_taken_as_it_lies_there),
        cmocka_unit_test(test_nothing_is_held_after_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
