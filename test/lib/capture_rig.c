/*
 * The rig of stepped captures. Called by tests of the capture and of what stands on it.
 *
 * A trap is one page without access and a handler of SIGSEGV; a fault anywhere else ends the
 * process.
 */
#define _GNU_SOURCE /* mmap flags, sigaction */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/capture_rig.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE OC_ARENA_PAGE_SIZE

enum { LIMIT = 1000 };

void capture_rig_init(capture_rig_t *rig, size_t arenas, size_t pages, size_t pool)
{
    memset(rig, 0, sizeof *rig);
    rig->count = arenas;
    rig->pages = pages;
    oc_arena_t *list[CAPTURE_RIG_ARENAS_MAX];
    for (size_t i = 0; i < arenas; i++) {
        assert_true(oc_arena_init(&rig->arenas[i], "rig", 1, pages * PAGE, false));
        (void)oc_arena_alloc(&rig->arenas[i], pages * PAGE);
        oc_arena_seal(&rig->arenas[i]);
        for (size_t e = 0; e < i * 5; e++)
            oc_arena_advance_epoch(&rig->arenas[i]);
        list[i] = &rig->arenas[i];
        rig->want[i] = calloc(pages, PAGE);
        rig->image[i] = calloc(pages, PAGE);
        rig->given[i] = calloc(pages, PAGE);
    }
    assert_int_equal(capture_create(&rig->capture, list, arenas, pool), OC_ERR_OK);
    rig->room = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(rig->room != MAP_FAILED);
    rig->to = rig->room;
}

void capture_rig_fini(capture_rig_t *rig)
{
    capture_destroy(rig->capture);
    for (size_t i = 0; i < rig->count; i++) {
        assert_null(rig->arenas[i].watcher);
        oc_arena_fini(&rig->arenas[i]);
        free(rig->want[i]);
        free(rig->image[i]);
        free(rig->given[i]);
    }
    munmap(rig->room, 2 * PAGE);
}

/* Fills a page with one byte: a torn copy shows. */
void capture_rig_fill(capture_rig_t *rig, size_t arena, size_t page, int byte)
{
    uint8_t *at = rig->arenas[arena].base + page * PAGE;
    oc_arena_touch(&rig->arenas[arena], at);
    memset(at, byte, PAGE);
}

void capture_rig_fill_all(capture_rig_t *rig, int byte)
{
    for (size_t i = 0; i < rig->count; i++)
        for (size_t page = 0; page < rig->pages; page++)
            capture_rig_fill(rig, i, page, byte + (int)page);
}

void capture_rig_begin(capture_rig_t *rig, const uint32_t *base)
{
    for (size_t i = 0; i < rig->count; i++) {
        memcpy(rig->want[i], rig->arenas[i].base, rig->pages * PAGE);
        for (size_t page = 0; page < rig->pages; page++)
            rig->is_due[i][page] = rig->arenas[i].stamps[page] > (base ? base[i] : 0);
    }
    memset(rig->is_given, 0, sizeof rig->is_given);
    rig->last = (capture_page_t){0, 0};
    rig->given_count = 0;
    assert_true(capture_begin(rig->capture, base));
    assert_int_equal(capture_state(rig->capture), CAPTURE_RUNNING);
}

/* One step of the sweeper; what is given out comes in order, and once. */
capture_step_t capture_rig_step(capture_rig_t *rig, size_t limit)
{
    capture_page_t which = {UINT32_MAX, UINT32_MAX};
    const capture_step_t step = capture_next(rig->capture, rig->to, &which, limit);
    if (step != CAPTURE_PAGE)
        return step;
    assert_true(which.arena < rig->count);
    assert_true(which.page < rig->pages);
    if (rig->given_count++ > 0)
        assert_true(which.arena > rig->last.arena ||
                    (which.arena == rig->last.arena && which.page > rig->last.page));
    rig->last = which;
    rig->is_given[which.arena][which.page] = true;
    memcpy(rig->given[which.arena] + which.page * PAGE, rig->to, PAGE);
    return step;
}

/* The pages of the running capture are those that are due, as they were; the image takes them. */
void capture_rig_check(capture_rig_t *rig)
{
    for (size_t i = 0; i < rig->count; i++) {
        for (size_t page = 0; page < rig->pages; page++) {
            assert_int_equal(rig->is_given[i][page], rig->is_due[i][page]);
            if (rig->is_given[i][page])
                memcpy(rig->image[i] + page * PAGE, rig->given[i] + page * PAGE, PAGE);
        }
        assert_memory_equal(rig->image[i], rig->want[i], rig->pages * PAGE);
    }
}

void capture_rig_finish(capture_rig_t *rig)
{
    while (capture_rig_step(rig, LIMIT) == CAPTURE_PAGE)
        ;
    assert_int_equal(capture_state(rig->capture), CAPTURE_SWEPT);
    capture_rig_check(rig);
    capture_end(rig->capture);
    assert_int_equal(capture_state(rig->capture), CAPTURE_IDLE);
    for (size_t i = 0; i < rig->count; i++)
        assert_null(rig->arenas[i].watcher);
}

capture_stats_t capture_rig_stats(const capture_rig_t *rig)
{
    capture_stats_t stats;
    capture_stats(rig->capture, &stats);
    return stats;
}

/* ---- Acting in the middle of a copy ---- */

/* What faults, and what happens then; the memory is NULL when none is set. */
typedef struct trap {
    uint8_t *memory;
    capture_rig_act_t act;
    capture_rig_t *rig;
} trap_t;

static trap_t trap;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)context;
    uint8_t *memory = trap.memory;
    const uint8_t *at = info->si_addr;
    if (!memory || at < memory || at >= memory + PAGE)
        _exit(128 + signal); /* a fault of the code itself */
    trap.memory = NULL;
    (void)mprotect(memory, PAGE, PROT_READ | PROT_WRITE);
    trap.rig->sprung++;
    trap.act(trap.rig);
}

/* The next access to the memory lets `act` run first. */
void capture_rig_trap(capture_rig_t *rig, uint8_t *memory, capture_rig_act_t act)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
    rig->sprung = 0;
    trap = (trap_t){.memory = memory, .act = act, .rig = rig};
    assert_int_equal(mprotect(memory, PAGE, PROT_NONE), 0);
}

uint8_t *capture_rig_page(capture_rig_t *rig, size_t page)
{
    return rig->arenas[0].base + page * PAGE;
}

/* The sweeper's next copy faults when so many bytes of it are written. */
void capture_rig_trap_copy(capture_rig_t *rig, size_t bytes, capture_rig_act_t act)
{
    rig->to = rig->room + PAGE - bytes;
    capture_rig_trap(rig, rig->room + PAGE, act);
}

void capture_rig_untrap(void)
{
    if (trap.memory)
        assert_int_equal(mprotect(trap.memory, PAGE, PROT_READ | PROT_WRITE), 0);
    trap.memory = NULL;
}
