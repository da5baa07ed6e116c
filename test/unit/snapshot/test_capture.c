/*
 * Captures, stepped in one thread: what each order of owner and sweeper gives out, also when one of
 * them acts in the middle of the other. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/capture_rig.h"
#include "lib/expect_abort.h"

#include <string.h>

#define PAGE OC_ARENA_PAGE_SIZE

enum { LIMIT = 1000 };

static void owner_fills_page_1(capture_rig_t *rig)
{
    capture_rig_fill(rig, 0, 1, 99);
}

static void sweeper_gives_one(capture_rig_t *rig)
{
    assert_int_equal(capture_rig_step(rig, LIMIT), CAPTURE_PAGE);
}

static void sweeper_ends(capture_rig_t *rig)
{
    while (capture_rig_step(rig, LIMIT) == CAPTURE_PAGE)
        ;
    assert_int_equal(capture_state(rig->capture), CAPTURE_SWEPT);
}

/* ---- Tests ---- */

static void test_pages_that_were_touched_are_given_out(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 8, 4);
    capture_rig_fill(&rig, 0, 1, 11);
    capture_rig_fill(&rig, 0, 5, 15);
    capture_rig_fill(&rig, 0, 7, 0); /* zero, but touched */
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_epochs(rig.capture)[0], 1);
    assert_int_equal(rig.arenas[0].epoch, 2);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    assert_int_equal(rig.last.page, 1);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    assert_int_equal(rig.last.page, 5);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    assert_int_equal(rig.last.page, 7);
    assert_int_equal(capture_state(rig.capture), CAPTURE_RUNNING);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_END);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_END); /* and again */
    capture_rig_check(&rig);
    const capture_stats_t stats = capture_rig_stats(&rig);
    assert_int_equal(stats.begun, 1);
    assert_int_equal(stats.abandoned, 0);
    assert_int_equal(stats.pages_given, 3);
    assert_int_equal(stats.pages_owner, 0);
    assert_int_equal(stats.pages_lost, 0);
    assert_int_equal(stats.pool_pages, 4);
    assert_int_equal(stats.pool_highest, 0);
    capture_rig_fini(&rig);
}

static void test_the_owner_comes_before_the_sweeper(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 4, 4);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    capture_rig_fill(&rig, 0, 2, 50);
    capture_rig_fill(&rig, 0, 2, 51);
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 1);
    assert_int_equal(capture_rig_stats(&rig).pool_used, 1);
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_given, 4);
    assert_int_equal(capture_rig_stats(&rig).pages_lost, 0);
    assert_int_equal(capture_rig_stats(&rig).pool_used, 0);
    assert_int_equal(capture_rig_stats(&rig).pool_highest, 1);
    capture_rig_fini(&rig);
}

static void test_the_owner_comes_after_the_sweeper(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 4, 0);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_fill(&rig, 0, 0, 50);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_fill(&rig, 0, 0, 51);
    capture_rig_fill(&rig, 0, 1, 51);
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 0);
    assert_int_equal(capture_rig_stats(&rig).abandoned, 0);
    capture_rig_fini(&rig);
}

/* Wherever the sweeper's copy is when the owner publishes and stores, the owner's copy counts. */
static void test_the_owner_comes_in_the_middle_of_the_sweeper(void **state)
{
    (void)state;
    /* Before the first word is written but behind its load; in between; before the last is. */
    const size_t places[] = {0, 8, 1000, 2048, PAGE - 8, PAGE - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        capture_rig_t rig;
        capture_rig_init(&rig, 1, 3, 2);
        capture_rig_fill_all(&rig, 10);
        capture_rig_begin(&rig, NULL);
        assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
        capture_rig_trap_copy(&rig, places[i], owner_fills_page_1);
        assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
        assert_int_equal(rig.sprung, 1);
        assert_int_equal(rig.last.page, 1);
        assert_int_equal(capture_rig_stats(&rig).pages_lost, 1);
        assert_int_equal(capture_rig_stats(&rig).pages_owner, 1);
        assert_int_equal(capture_rig_stats(&rig).pool_used, 0);
        capture_rig_finish(&rig);
        capture_rig_fini(&rig);
    }
}

/* The sweeper has looked at word and stamp, and has read nothing yet. */
static void test_the_owner_comes_before_the_sweepers_first_load(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 3, 2);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_trap(&rig, capture_rig_page(&rig, 1), owner_fills_page_1);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    assert_int_equal(rig.sprung, 1);
    assert_int_equal(capture_rig_stats(&rig).pages_lost, 1);
    capture_rig_finish(&rig);
    capture_rig_fini(&rig);
}

static void test_the_sweeper_comes_in_the_middle_of_the_owner(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 3, 1);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_trap(&rig, capture_rig_page(&rig, 1), sweeper_gives_one);
    capture_rig_fill(&rig, 0, 1, 99); /* its copy is not needed any more */
    assert_int_equal(rig.sprung, 1);
    assert_int_equal(rig.last.page, 1);
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 0);
    assert_int_equal(capture_rig_stats(&rig).pool_used, 0);
    capture_rig_fill(&rig, 0, 2, 99); /* the one slot is still there */
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 1);
    capture_rig_finish(&rig);
    capture_rig_fini(&rig);
}

static void test_the_sweeper_ends_in_the_middle_of_the_owner(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 3, 1);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    capture_rig_trap(&rig, capture_rig_page(&rig, 2), sweeper_ends);
    capture_rig_fill(&rig, 0, 2, 99);
    assert_int_equal(rig.sprung, 1);
    capture_rig_check(&rig);
    capture_rig_fill(&rig, 0, 0, 98); /* nobody watches any more */
    assert_null(rig.arenas[0].watcher);
    capture_end(rig.capture);
    assert_int_equal(capture_rig_stats(&rig).abandoned, 0);
    capture_rig_begin(&rig, NULL);
    capture_rig_finish(&rig);
    capture_rig_fini(&rig);
}

static void owner_fills_page_2(capture_rig_t *rig)
{
    capture_rig_fill(rig, 0, 2, 98);
}

/* A slot is not given to another page while the sweeper still reads it. */
static void test_a_slot_is_not_used_again_while_it_is_read(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 3, 2);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    capture_rig_fill(&rig, 0, 1, 99);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_trap_copy(&rig, 2048, owner_fills_page_2);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    assert_int_equal(rig.sprung, 1);
    assert_int_equal(capture_rig_stats(&rig).pool_highest, 2);
    assert_int_equal(capture_rig_stats(&rig).pool_used, 1);
    capture_rig_finish(&rig);
    capture_rig_fini(&rig);
}

static void test_slots_go_round(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, CAPTURE_RIG_PAGES_MAX, 3);
    capture_rig_fill_all(&rig, 10);
    for (int round = 0; round < 3; round++) {
        capture_rig_begin(&rig, NULL);
        for (size_t page = 0; page < CAPTURE_RIG_PAGES_MAX; page += 3) {
            for (size_t i = page; i < page + 3; i++)
                capture_rig_fill(&rig, 0, i, 100 + round);
            for (size_t i = page; i < page + 3; i++)
                assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
        }
        assert_int_equal(capture_rig_stats(&rig).pages_owner, CAPTURE_RIG_PAGES_MAX);
        assert_int_equal(capture_rig_stats(&rig).pool_highest, 3);
        capture_rig_finish(&rig);
    }
    assert_int_equal(capture_rig_stats(&rig).abandoned, 0);
    capture_rig_fini(&rig);
}

static void test_with_base_epochs_only_what_changed_since(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 6, 0); /* clean pages need no pool */
    for (size_t page = 0; page < 5; page++)
        capture_rig_fill(&rig, 0, page, 10 + (int)page);
    capture_rig_begin(&rig, NULL);
    while (capture_rig_step(&rig, LIMIT) == CAPTURE_PAGE)
        ;
    capture_rig_fill(&rig, 0, 3, 93); /* while it ended: belongs to the next */
    const uint32_t base[1] = {capture_epochs(rig.capture)[0]};
    capture_rig_check(&rig);
    capture_end(rig.capture);
    capture_rig_fill(&rig, 0, 4, 94);

    capture_rig_begin(&rig, base);
    capture_rig_fill(&rig, 0, 0, 90); /* before the sweeper: clean */
    capture_rig_fill(&rig, 0, 5, 95); /* never touched before: clean */
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    assert_int_equal(rig.last.page, 3);
    capture_rig_fill(&rig, 0, 1, 91); /* clean, and behind it */
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    assert_int_equal(rig.last.page, 4);
    capture_rig_fill(&rig, 0, 4, 96);
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_given, 2);
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 0);
    assert_int_equal(capture_rig_stats(&rig).abandoned, 0);

    const uint32_t next[1] = {capture_epochs(rig.capture)[0]};
    capture_rig_begin(&rig, next);
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_given, 4); /* 0, 1, 4, 5 */
    capture_rig_fini(&rig);
}

static void test_a_pool_used_up_abandons_the_capture_only(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 6, 2);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_fill(&rig, 0, 5, 95);
    capture_rig_fill(&rig, 0, 4, 94);
    assert_int_equal(capture_state(rig.capture), CAPTURE_RUNNING);
    capture_rig_fill(&rig, 0, 3, 93);
    assert_int_equal(capture_state(rig.capture), CAPTURE_ABANDONED);
    assert_null(rig.arenas[0].watcher);
    capture_rig_fill(&rig, 0, 2, 92); /* trading goes on */
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_LOST);
    assert_int_equal(capture_rig_stats(&rig).abandoned, 1);
    assert_false(capture_begin(rig.capture, NULL));
    capture_abandon(rig.capture); /* it has been */
    assert_int_equal(capture_rig_stats(&rig).abandoned, 1);
    capture_end(rig.capture);
    assert_int_equal(capture_state(rig.capture), CAPTURE_IDLE);
    assert_int_equal(capture_rig_stats(&rig).pool_used, 0);

    for (int round = 0; round < 3; round++) { /* the next works, with all of the pool */
        capture_rig_begin(&rig, NULL);
        capture_rig_fill(&rig, 0, 5, 85 + round);
        capture_rig_fill(&rig, 0, 4, 84 + round);
        capture_rig_finish(&rig);
    }
    assert_int_equal(capture_rig_stats(&rig).abandoned, 1);
    assert_int_equal(capture_rig_stats(&rig).begun, 4);
    capture_rig_fini(&rig);
}

/* The copy of the last page is whole to the eye of the sweeper, whose compare-and-swap wins; but
 * the end does not come. */
static void test_a_capture_given_up_in_the_middle_of_the_last_page_does_not_end(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 2, 0);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_trap_copy(&rig, 2048, owner_fills_page_1);
    const capture_step_t step = capture_rig_step(&rig, LIMIT);
    assert_int_equal(rig.sprung, 1);
    assert_true(step == CAPTURE_PAGE || step == CAPTURE_LOST);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_LOST);
    assert_int_equal(capture_state(rig.capture), CAPTURE_ABANDONED);
    capture_end(rig.capture);
    capture_rig_begin(&rig, NULL);
    capture_rig_finish(&rig);
    capture_rig_fini(&rig);
}

static void owner_fills_pages_1_and_2(capture_rig_t *rig)
{
    capture_rig_fill(rig, 0, 1, 99);
    capture_rig_fill(rig, 0, 2, 98);
}

/* The stamp of page 2 is new when the sweeper gets there, and nobody has published it. */
static void test_the_sweeper_meets_a_page_changed_after_giving_up(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 3, 1);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    capture_rig_trap_copy(&rig, 8, owner_fills_pages_1_and_2);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    assert_int_equal(rig.last.page, 0);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_LOST);
    capture_end(rig.capture);
    capture_rig_begin(&rig, NULL);
    capture_rig_finish(&rig);
    capture_rig_fini(&rig);
}

static void give_up(capture_rig_t *rig)
{
    capture_abandon(rig->capture);
}

/* The sweeper reads the last stamps, all clean, when it happens: the end must not come. */
static void test_a_capture_given_up_just_before_its_end_does_not_end(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 3, 1);
    capture_rig_fill(&rig, 0, 0, 10);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_trap(&rig, (uint8_t *)rig.arenas[0].stamps, give_up);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_LOST);
    assert_int_equal(rig.sprung, 1);
    assert_int_equal(capture_state(rig.capture), CAPTURE_ABANDONED);
    capture_end(rig.capture);
    capture_rig_fini(&rig);
}

static void test_the_sweeper_gives_up(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 2, 4, 4);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_fill(&rig, 0, 3, 93);
    capture_abandon(rig.capture);
    assert_int_equal(capture_state(rig.capture), CAPTURE_ABANDONED);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_LOST);
    capture_rig_fill(&rig, 0, 2, 92); /* copies nothing, and lets go */
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 1);
    assert_null(rig.arenas[0].watcher);
    assert_null(rig.arenas[1].watcher);
    assert_int_equal(capture_rig_stats(&rig).abandoned, 1);
    capture_end(rig.capture);
    capture_rig_begin(&rig, NULL);
    capture_rig_finish(&rig);
    capture_rig_fini(&rig);
}

static void test_calls_out_of_turn_do_nothing(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 4, 4);
    capture_rig_fill_all(&rig, 10);
    capture_end(rig.capture);
    capture_abandon(rig.capture);
    assert_int_equal(capture_state(rig.capture), CAPTURE_IDLE);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_LOST); /* nothing runs */
    capture_rig_begin(&rig, NULL);
    assert_false(capture_begin(rig.capture, NULL));
    assert_int_equal(rig.arenas[0].epoch, 2);
    capture_end(rig.capture);
    assert_int_equal(capture_state(rig.capture), CAPTURE_RUNNING);
    while (capture_rig_step(&rig, LIMIT) == CAPTURE_PAGE)
        ;
    assert_false(capture_begin(rig.capture, NULL));
    capture_abandon(rig.capture); /* too late */
    assert_int_equal(capture_state(rig.capture), CAPTURE_SWEPT);
    capture_rig_check(&rig);
    capture_end(rig.capture);
    assert_int_equal(capture_rig_stats(&rig).begun, 1);
    assert_int_equal(capture_rig_stats(&rig).abandoned, 0);
    capture_rig_fini(&rig);
}

static void test_a_step_looks_at_so_many_pages(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 2, 10, 4);
    capture_rig_fill(&rig, 0, 4, 1);
    capture_rig_fill(&rig, 1, 9, 1);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_rig_step(&rig, 3), CAPTURE_PAUSE); /* 0 to 2 */
    assert_int_equal(capture_rig_step(&rig, 2), CAPTURE_PAGE);  /* 3, and 4 */
    assert_int_equal(capture_rig_step(&rig, 5), CAPTURE_PAUSE);
    assert_int_equal(capture_rig_step(&rig, 8), CAPTURE_PAUSE); /* 0 to 7 of the next arena */
    assert_int_equal(capture_rig_step(&rig, 1), CAPTURE_PAUSE);
    assert_int_equal(capture_rig_step(&rig, 1), CAPTURE_PAGE);
    assert_int_equal(capture_rig_step(&rig, 1), CAPTURE_END);
    capture_rig_check(&rig);
    capture_end(rig.capture);

    capture_rig_begin(&rig, capture_epochs(rig.capture));
    for (size_t page = 0; page < 10; page++) /* clean by their words */
        capture_rig_fill(&rig, 1, page, 2);
    assert_int_equal(capture_rig_step(&rig, 15), CAPTURE_PAUSE);
    assert_int_equal(capture_rig_step(&rig, 15), CAPTURE_END);
    assert_int_equal(capture_rig_stats(&rig).pages_given, 0);
    capture_rig_check(&rig);
    capture_end(rig.capture);
    capture_rig_fini(&rig);
}

static void test_each_arena_has_its_epochs(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 3, 4, 12);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    const uint32_t *epochs = capture_epochs(rig.capture);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(epochs[i], 1 + i * 5);
    capture_rig_fill(&rig, 2, 0, 70);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    capture_rig_fill(&rig, 0, 0, 71);
    capture_rig_fill(&rig, 1, 3, 72);
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 2);
    capture_rig_begin(&rig, (const uint32_t[]){1, 6, 11});
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_given, 3);
    capture_rig_fini(&rig);
}

/* Verification advances epochs while a capture runs. */
static void test_an_epoch_that_goes_on_meanwhile_changes_nothing(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 4, 4);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    for (int i = 0; i < 5; i++) {
        oc_arena_advance_epoch(&rig.arenas[0]);
        capture_rig_fill(&rig, 0, 2, 50 + i);
    }
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 1);
    assert_int_equal(capture_rig_step(&rig, LIMIT), CAPTURE_PAGE);
    oc_arena_advance_epoch(&rig.arenas[0]);
    capture_rig_fill(&rig, 0, 0, 60);
    capture_rig_fill(&rig, 0, 3, 60);
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_owner, 2);
    capture_rig_begin(&rig, capture_epochs(rig.capture));
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_given, 3);
    capture_rig_fini(&rig);
}

/* Its epochs begin anew: words of before must not count. */
static void test_an_arena_restored_between_captures(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 4, 4);
    capture_rig_fill_all(&rig, 10);
    for (int i = 0; i < 2; i++) { /* the second closes epoch 2, as the one after it will */
        capture_rig_begin(&rig, NULL);
        capture_rig_fill(&rig, 0, 1, 20 + i);
        capture_rig_finish(&rig);
    }
    for (size_t page = 0; page < 4; page++) {
        rig.arenas[0].stamps[page] = 1;
        memset(capture_rig_page(&rig, page), 70 + (int)page, PAGE);
    }
    oc_arena_restored(&rig.arenas[0]);
    capture_rig_begin(&rig, NULL);
    assert_int_equal(capture_epochs(rig.capture)[0], 2);
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_given, 4);
    capture_rig_fill(&rig, 0, 3, 80);
    capture_rig_begin(&rig, (const uint32_t[]){1});
    capture_rig_finish(&rig);
    assert_int_equal(capture_rig_stats(&rig).pages_given, 1);
    capture_rig_fini(&rig);
}

static void test_destroy_lets_go_of_the_arenas(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 2, 4, 4);
    capture_rig_fill_all(&rig, 10);
    capture_rig_begin(&rig, NULL);
    capture_rig_fill(&rig, 0, 1, 1);
    assert_non_null(rig.arenas[1].watcher);
    capture_destroy(rig.capture);
    rig.capture = NULL; /* capture_rig_fini() finds no watcher; NULL is destroyed too */
    capture_rig_fill(&rig, 1, 1, 1);
    capture_rig_fini(&rig);
}

static void test_too_little_memory(void **state)
{
    (void)state;
    oc_arena_t arena;
    assert_true(oc_arena_init(&arena, "test", 1, PAGE, false));
    oc_arena_t *const list[] = {&arena};
    capture_t *capture = NULL;
    assert_int_equal(capture_create(&capture, list, 1, SIZE_MAX >> 13), OC_ERR_NO_MEMORY);
    assert_null(capture);
    oc_arena_t vast = arena; /* only its size is looked at before there are words for it */
    vast.size = SIZE_MAX / PAGE * PAGE;
    oc_arena_t *const other[] = {&vast};
    assert_int_equal(capture_create(&capture, other, 1, 4), OC_ERR_NO_MEMORY);
    assert_non_null(strstr(oc_err_context(), "pool_percent"));
    assert_null(capture);
    oc_arena_fini(&arena);
}

static void begin_from_the_future(void *context)
{
    capture_rig_t *rig = context;
    (void)capture_begin(rig->capture, (const uint32_t[]){1});
}

static void next_without_limit(void *context)
{
    (void)capture_rig_step(context, 0);
}

static void test_misuse_stops_the_process(void **state)
{
    (void)state;
    capture_rig_t rig;
    capture_rig_init(&rig, 1, 4, 4);
    assert_true(child_aborts(begin_from_the_future, &rig));
    capture_rig_begin(&rig, NULL);
    assert_true(child_aborts(next_without_limit, &rig));
    capture_rig_fini(&rig);
}

/* ---- Random ---- */

static uint64_t seed;

static void random_store(capture_rig_t *rig)
{
    const size_t arena = prng_below(&seed, (uint32_t)rig->count);
    const size_t size = 1 + prng_below(&seed, prng_below(&seed, 4) ? 64 : 6000);
    size_t at = prng_below(&seed, (uint32_t)(rig->pages * PAGE));
    if (prng_below(&seed, 2)) /* a hot page */
        at = at % PAGE;
    const size_t room = rig->pages * PAGE - at;
    const size_t length = size < room ? size : room;
    oc_arena_touch_range(&rig->arenas[arena], rig->arenas[arena].base + at, length);
    memset(rig->arenas[arena].base + at, (int)prng_below(&seed, 256), length);
}

static void some_stores(capture_rig_t *rig)
{
    for (uint32_t left = prng_below(&seed, 4); left; left--)
        random_store(rig);
}

/* Lets the owner act somewhere inside the sweeper's next copy. */
static void random_trap(capture_rig_t *rig)
{
    rig->to = rig->room + prng_below(&seed, PAGE);
    if (prng_below(&seed, 8) == 0)
        capture_rig_trap(rig, rig->room + PAGE, some_stores);
}

/* Captures once, stores between the steps; true if it was complete. */
static bool random_capture(capture_rig_t *rig, const uint32_t *base)
{
    capture_rig_begin(rig, base);
    capture_step_t step = CAPTURE_PAUSE;
    while (step == CAPTURE_PAUSE || step == CAPTURE_PAGE) {
        some_stores(rig);
        if (prng_below(&seed, 400) == 0)
            capture_abandon(rig->capture);
        random_trap(rig);
        step = capture_rig_step(rig, 1 + prng_below(&seed, 5));
        capture_rig_untrap();
    }
    some_stores(rig);
    assert_int_equal(step == CAPTURE_END, capture_state(rig->capture) == CAPTURE_SWEPT);
    if (step == CAPTURE_END) {
        capture_rig_check(rig);
        assert_int_equal(capture_rig_stats(rig).pool_used, 0);
    }
    capture_end(rig->capture);
    return step == CAPTURE_END;
}

/* A full capture and incremental ones laid over each other are the arenas as they were. */
static void test_random_chains(void **state)
{
    (void)state;
    int complete = 0;
    int incremental = 0;
    int lost = 0;
    for (uint64_t run = 0; run < 2000; run++) {
        seed = run;
        capture_rig_t rig;
        const size_t pages = 1 + prng_below(&seed, CAPTURE_RIG_PAGES_MAX);
        const size_t arenas = 1 + prng_below(&seed, CAPTURE_RIG_ARENAS_MAX);
        capture_rig_init(&rig, arenas, pages, prng_below(&seed, (uint32_t)(pages * arenas + 1)));
        uint32_t base[CAPTURE_RIG_ARENAS_MAX];
        bool has_base = false;
        for (int i = 0; i < 6; i++) {
            for (uint32_t left = prng_below(&seed, 10); left; left--)
                random_store(&rig);
            if (prng_below(&seed, 6) == 0) {
                has_base = false;
                for (size_t a = 0; a < arenas; a++)
                    memset(rig.image[a], 0, pages * PAGE);
            }
            incremental += has_base;
            if (random_capture(&rig, has_base ? base : NULL)) {
                memcpy(base, capture_epochs(rig.capture), arenas * sizeof base[0]);
                has_base = true;
                complete++;
            } else {
                lost++;
            }
        }
        capture_rig_fini(&rig);
    }
    assert_true(complete > 2000);
    assert_true(incremental > 2000);
    assert_true(lost > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_that_were_touched_are_given_out),
        cmocka_unit_test(test_the_owner_comes_before_the_sweeper),
        cmocka_unit_test(test_the_owner_comes_after_the_sweeper),
        cmocka_unit_test(test_the_owner_comes_in_the_middle_of_the_sweeper),
        cmocka_unit_test(test_the_owner_comes_before_the_sweepers_first_load),
        cmocka_unit_test(test_the_sweeper_comes_in_the_middle_of_the_owner),
        cmocka_unit_test(test_the_sweeper_ends_in_the_middle_of_the_owner),
        cmocka_unit_test(test_a_slot_is_not_used_again_while_it_is_read),
        cmocka_unit_test(test_slots_go_round),
        cmocka_unit_test(test_with_base_epochs_only_what_changed_since),
        cmocka_unit_test(test_a_pool_used_up_abandons_the_capture_only),
        cmocka_unit_test(test_a_capture_given_up_in_the_middle_of_the_last_page_does_not_end),
        cmocka_unit_test(test_the_sweeper_meets_a_page_changed_after_giving_up),
        cmocka_unit_test(test_a_capture_given_up_just_before_its_end_does_not_end),
        cmocka_unit_test(test_the_sweeper_gives_up),
        cmocka_unit_test(test_calls_out_of_turn_do_nothing),
        cmocka_unit_test(test_a_step_looks_at_so_many_pages),
        cmocka_unit_test(test_each_arena_has_its_epochs),
        cmocka_unit_test(test_an_epoch_that_goes_on_meanwhile_changes_nothing),
        cmocka_unit_test(test_an_arena_restored_between_captures),
        cmocka_unit_test(test_destroy_lets_go_of_the_arenas),
        cmocka_unit_test(test_too_little_memory),
        cmocka_unit_test(test_misuse_stops_the_process),
        cmocka_unit_test(test_random_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
