/*
 * Price levels against a plain list of prices, and the ring of blocks that books keep.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/price_levels.h"
#include "lib/expect_abort.h"
#include "lib/fast_fixture.h"

#include <string.h>

enum { LEVELS_MAX = 300, FIRST_BOOK = 2, BOOKS = 4 };

/* The levels of one book, in no order. */
typedef struct naive_book {
    int64_t price[LEVELS_MAX];
    uint32_t level[LEVELS_MAX];
    uint32_t count;
} naive_book_t;

typedef struct fixture {
    fast_engine_t *e;
    naive_book_t books[BOOKS]; /* of instruments 1 and 2 */
    uint32_t levels;
    uint64_t seed;
} fixture_t;

static void fixture_open(fixture_t *f, uint32_t max_levels, bool verify)
{
    oc_engine_config_t config = fast_fixture_config();
    config.max_levels = max_levels;
    config.max_instruments = 2;
    config.verify_touch = verify;
    memset(f, 0, sizeof *f);
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_apply(engine, fast_fixture_add_instrument(1));
    fixture_apply(engine, fast_fixture_add_instrument(2));
    f->e = fast_fixture_inside(engine);
    f->seed = 5;
}

/* Whether price a is better than b in the book. */
static bool better(uint32_t book, int64_t a, int64_t b)
{
    return book & 1 ? a < b : a > b;
}

/* The level of the best price that is strictly worse than `after`; of all when `after` is NULL. */
static uint32_t naive_next(const fixture_t *f, uint32_t book, const int64_t *after)
{
    const naive_book_t *naive = &f->books[book - FIRST_BOOK];
    uint32_t found = LEVELS_MAX;
    for (uint32_t i = 0; i < naive->count; i++) {
        if (after && !better(book, *after, naive->price[i]))
            continue;
        if (found == LEVELS_MAX || better(book, naive->price[i], naive->price[found]))
            found = i;
    }
    return found == LEVELS_MAX ? 0 : naive->level[found];
}

static uint32_t naive_find(const fixture_t *f, uint32_t book, int64_t price)
{
    const naive_book_t *naive = &f->books[book - FIRST_BOOK];
    for (uint32_t i = 0; i < naive->count; i++) {
        if (naive->price[i] == price)
            return naive->level[i];
    }
    return 0;
}

static void add(fixture_t *f, uint32_t book, int64_t price)
{
    naive_book_t *naive = &f->books[book - FIRST_BOOK];
    const uint32_t level = price_levels_add(f->e, book, price);
    assert_int_equal(level_instrument_id(f->e, &f->e->levels[level]), book >> 1);
    f->e->levels[level].order_count = 1; /* announced by the add */
    f->e->levels[level].open_lots = 1;
    naive->price[naive->count] = price;
    naive->level[naive->count++] = level;
    f->levels++;
}

static void drop(fixture_t *f, uint32_t book, uint32_t at)
{
    naive_book_t *naive = &f->books[book - FIRST_BOOK];
    level_record_t *level = &f->e->levels[naive->level[at]];
    touch(f->e, level);
    level->order_count = 0;
    level->open_lots = 0;
    price_levels_remove(f->e, naive->level[at]);
    naive->count--;
    naive->price[at] = naive->price[naive->count];
    naive->level[at] = naive->level[naive->count];
    f->levels--;
}

static void check_book(const fixture_t *f, uint32_t book)
{
    const fast_engine_t *e = f->e;
    const instrument_record_t *instrument = &e->instruments[book >> 1];
    uint32_t level = instrument->best[book & 1];
    assert_int_equal(level, naive_next(f, book, NULL));
    uint32_t count = 0;
    for (; level; count++) {
        const int64_t price = e->levels[level].price_ticks;
        assert_int_equal(price_levels_find(e, book, price), level);
        level = price_levels_next(e, level);
        assert_int_equal(level, naive_next(f, book, &price));
        assert_int_equal(price_levels_after(e, book, price), level);
    }
    assert_int_equal(count, f->books[book - FIRST_BOOK].count);
    assert_int_equal(instrument->level_count[book & 1], count);
    assert_int_equal(e->header->levels.used, f->levels);
    assert_true(e->header->blocks.used <= e->header->blocks.capacity);
}

static int64_t some_price(fixture_t *f, uint64_t width)
{
    switch (fixture_below(&f->seed, 60)) {
    case 0:
        return INT64_MIN;
    case 1:
        return INT64_MAX;
    case 2:
        return (int64_t)fixture_below(&f->seed, UINT64_MAX);
    default:
        return (int64_t)(fixture_below(&f->seed, width) - width / 2);
    }
}

static void run(uint64_t width, uint32_t max_levels)
{
    static fixture_t f;
    fixture_open(&f, max_levels, true);
    for (int i = 0; i < 8000; i++) {
        const uint32_t book = FIRST_BOOK + (uint32_t)fixture_below(&f.seed, BOOKS);
        const int64_t price = some_price(&f, width);
        const uint32_t found = price_levels_find(f.e, book, price);
        assert_int_equal(found, naive_find(&f, book, price));
        assert_int_equal(price_levels_after(f.e, book, price), naive_next(&f, book, &price));
        const bool filling = i / 500 % 2 == 0;
        fast_fixture_begin(f.e);
        if (!found && f.levels < max_levels && fixture_below(&f.seed, 4) < (filling ? 3 : 1))
            add(&f, book, price);
        else if (f.books[book - FIRST_BOOK].count)
            drop(&f, book, (uint32_t)fixture_below(&f.seed, f.books[book - FIRST_BOOK].count));
        fast_fixture_end(f.e);
        if (i % 25 == 0)
            check_book(&f, book);
    }
    for (uint32_t book = FIRST_BOOK; book < FIRST_BOOK + BOOKS; book++)
        check_book(&f, book);
    oc_engine_destroy(&f.e->base);
}

static void test_dense_prices(void **state)
{
    (void)state;
    run(150, LEVELS_MAX);
}

static void test_prices_of_a_few_blocks(void **state)
{
    (void)state;
    run(5000, LEVELS_MAX);
}

static void test_sparse_prices(void **state)
{
    (void)state;
    run(UINT64_MAX, LEVELS_MAX);
}

static void test_a_small_table_filled_and_emptied(void **state)
{
    (void)state;
    run(100000, 12);
}

static void come_and_go(fixture_t *f, uint32_t book, int64_t price)
{
    add(f, book, price);
    drop(f, book, f->books[book - FIRST_BOOK].count - 1);
}

static uint32_t block_of(const fixture_t *f, uint32_t book, int64_t price)
{
    return id_map_find(&f->e->block_map, (uint64_t)(price_key(book & 1, price) >> 6), book);
}

static void test_emptied_blocks_are_kept_until_the_ring_is_full(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, LEVELS_MAX, false);
    const uint32_t book = 3;
    const uint32_t limit = f.e->kept_limit;
    assert_true(limit >= 2);
    for (uint32_t i = 0; i < limit; i++)
        come_and_go(&f, book, (int64_t)i * 64);
    assert_int_equal(f.e->header->blocks.used, limit);
    const uint32_t first = block_of(&f, book, 0);
    for (int i = 0; i < 100; i++) /* a price that flickers churns nothing */
        come_and_go(&f, book, 0);
    assert_int_equal(block_of(&f, book, 0), first);
    assert_int_equal(f.e->header->blocks.used, limit);

    add(&f, book, 64); /* the second oldest is filled again, and stays in the ring */
    come_and_go(&f, book, -64);
    assert_int_equal(block_of(&f, book, 0), 0); /* the oldest made room */
    assert_int_equal(f.e->header->blocks.used, limit);
    come_and_go(&f, book, -128);
    assert_int_not_equal(block_of(&f, book, 64), 0); /* out of the ring, but not empty */
    assert_int_equal(f.e->blocks[block_of(&f, book, 64)].kept, 0);
    assert_int_equal(f.e->header->blocks.used, limit + 1);
    drop(&f, book, 0);
    assert_int_equal(f.e->header->blocks.used, limit);
    check_book(&f, book);
    fixture_assert_audit(&f.e->base);
    oc_engine_destroy(&f.e->base);
}

/* Every book's ring full of empty blocks, and every level alone in a block: nothing runs out. */
static void test_blocks_and_nodes_never_run_out(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, 200, false);
    const fast_engine_t *e = f.e;
    for (int round = 0; round < 4; round++) {
        for (uint32_t book = FIRST_BOOK; book < FIRST_BOOK + BOOKS; book++) {
            for (uint32_t i = 0; i <= e->kept_limit; i++)
                come_and_go(&f, book, -1000000 - round * 10000 - (int64_t)i * 64);
        }
        assert_int_equal(e->header->blocks.used, BOOKS * e->kept_limit);
        for (uint32_t i = 0; f.levels < 200; i++)
            add(&f, FIRST_BOOK + i % BOOKS, (int64_t)i * (round % 2 ? 64 : -6400));
        assert_int_equal(e->header->blocks.used, BOOKS * e->kept_limit + 200);
        for (uint32_t book = FIRST_BOOK; book < FIRST_BOOK + BOOKS; book++) {
            check_book(&f, book);
            while (f.books[book - FIRST_BOOK].count)
                drop(&f, book, 0);
        }
    }
    const uint32_t bound = price_levels_blocks(200, 2 * (2 + 1), e->kept_limit);
    assert_int_equal(e->header->blocks.capacity, bound);
    assert_true(e->header->blocks.top <= bound);
    oc_engine_destroy(&f.e->base);
}

static void remove_filled(void *context)
{
    fixture_t *f = context;
    price_levels_remove(f->e, f->books[0].level[0]);
}

static void add_beyond(void *context)
{
    fixture_t *f = context;
    for (int64_t price = 0; price < 3; price++)
        (void)price_levels_add(f->e, FIRST_BOOK, price);
}

static void test_misuse_stops_the_process(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, 3, false);
    add(&f, FIRST_BOOK, 10);
    assert_true(child_aborts(remove_filled, &f));
    assert_true(child_aborts(add_beyond, &f));
    oc_engine_destroy(&f.e->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense_prices),
        cmocka_unit_test(test_prices_of_a_few_blocks),
        cmocka_unit_test(test_sparse_prices),
        cmocka_unit_test(test_a_small_table_filled_and_emptied),
        cmocka_unit_test(test_emptied_blocks_are_kept_until_the_ring_is_full),
        cmocka_unit_test(test_blocks_and_nodes_never_run_out),
        cmocka_unit_test(test_misuse_stops_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
