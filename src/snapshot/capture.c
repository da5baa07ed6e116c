/*
 * Captures. The owner's side is called by whoever begins one, and through the arenas' watchers; the
 * sweeper's by the snapshot agent, the bench, and tests.
 *
 * A page has a word: the high half is a tag, the low half says what became of the page. Tagged
 * with the epoch that the capture closed, E, it is published: given out by the sweeper, left out as
 * clean by the owner, or copied by the owner into a slot of the pool. Any other tag is one of an
 * earlier capture and means "not yet". So nothing is reset when a capture begins.
 *
 *   owner, before a page's first store      sweeper
 *     1 copies the page to a slot             1 copies the page (page_copy.c; may be torn)
 *     2 word: not yet -> slot                 2 acquire fence
 *     3 release fence                         3 word: not yet -> swept
 *     4 stamp (release)                       4 lost: takes the slot's copy instead
 *     5 stores
 *
 * Invariants. Whoever changes the word from "not yet" has a whole copy: a sweeper that read a store
 * of step 5 has synchronized with step 3 through its fence, so step 2 is before its
 * compare-and-swap, which must fail. A stamp above E means that the word is published, or the
 * capture given up. A slot is in one place only: free, in a word, or on the way back in the ring.
 *
 * The owner's path takes no lock, calls no system, allocates nothing, and repeats nothing.
 */
#include "snapshot/capture.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/huge_memory.h"
#include "snapshot/page_copy.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CAPTURE_LINE 128 /* what two threads write lies so far apart */

/* Low half of a word; anything below is a slot of the pool. */
#define WORD_SWEPT UINT32_MAX
#define WORD_CLEAN (UINT32_MAX - 1)
#define SLOTS_MAX  (UINT32_MAX >> 1)

/* One arena. Written by capture_begin() only, while no sweeper is inside. */
typedef struct capture_part {
    capture_t *capture; /* the watcher gets the part alone */
    oc_arena_t *arena;
    _Atomic uint64_t *words; /* by page */
    size_t pages;
    uint32_t base;  /* pages stamped with at most this are clean */
    uint32_t epoch; /* E: what the capture closed */
} capture_part_t;

struct capture {
    capture_part_t parts[CAPTURE_ARENAS_MAX];
    uint32_t epochs[CAPTURE_ARENAS_MAX];
    size_t count;
    void *words; /* of all parts */
    size_t words_bytes;
    uint8_t *pool;
    size_t pool_bytes;
    uint32_t pool_pages;
    uint32_t ring_mask;
    uint32_t *ring; /* slots on the way from the sweeper back to the owner; room for all */
    size_t ring_bytes;

    _Alignas(CAPTURE_LINE) _Atomic uint32_t state; /* capture_state_t */
    _Atomic uint64_t abandoned;

    /* Written by the owner. */
    _Alignas(CAPTURE_LINE) uint32_t fresh; /* slots below it were used in this run */
    uint64_t reused;                       /* slots taken out of the ring in this run */
    _Atomic uint64_t taken;                /* fresh + reused, for statistics */
    _Atomic uint64_t highest;
    _Atomic uint64_t begun;
    _Atomic uint64_t pages_owner;

    /* Written by the sweeper. */
    _Alignas(CAPTURE_LINE) _Atomic uint64_t returned; /* slots put into the ring in this run */
    size_t at_part;                                   /* the next page to be looked at */
    size_t at_page;
    _Atomic uint64_t pages_given;
    _Atomic uint64_t pages_lost;
};

static uint64_t make_word(const capture_part_t *part, uint32_t what)
{
    return (uint64_t)part->epoch << 32 | what;
}

static bool is_published(const capture_part_t *part, uint64_t word)
{
    return word >> 32 == part->epoch;
}

/* Counters have one writer. Relaxed: they are read for information and order nothing. */
static void add_one(_Atomic uint64_t *counter)
{
    const uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, value + 1, memory_order_relaxed);
}

/* The arenas' watchers are the owner's. */
static void detach(capture_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        self->parts[i].arena->watcher = NULL;
        self->parts[i].arena->watcher_context = NULL;
    }
}

/* RUNNING becomes ABANDONED; nothing if it has ended already. Either side. */
static void give_up(capture_t *self)
{
    uint32_t running = CAPTURE_RUNNING;
    /* Release: an owner that acquires a sweeper's ABANDONED stores to pages behind that sweeper's
     * reads. Acquire on failure: the same for an owner that comes too late to give up, because the
     * sweeper has all pages. */
    if (atomic_compare_exchange_strong_explicit(&self->state, &running, CAPTURE_ABANDONED,
                                                memory_order_release, memory_order_acquire))
        /* Relaxed: for statistics; read-modify-write, because either side may be here. */
        atomic_fetch_add_explicit(&self->abandoned, 1, memory_order_relaxed);
}

/* ---- The owner's side ---- */

/* The slot that is next: one that came back, else one never used in this run. Not taken yet: the
 * copy in it may not be needed. */
static bool next_slot(const capture_t *self, uint32_t *slot, uint64_t *returned)
{
    /* Acquire: the sweeper has read out the slots that it put into the ring up to here, so they may
     * be written again. */
    *returned = atomic_load_explicit(&self->returned, memory_order_acquire);
    if (self->reused != *returned) {
        *slot = self->ring[self->reused & self->ring_mask];
        return true;
    }
    *slot = self->fresh;
    return self->fresh < self->pool_pages;
}

static void take_slot(capture_t *self, uint64_t returned)
{
    if (self->reused != returned)
        self->reused++;
    else
        self->fresh++;
    const uint64_t taken = self->fresh + self->reused;
    /* Relaxed: for statistics. */
    atomic_store_explicit(&self->taken, taken, memory_order_relaxed);
    if (taken - returned > atomic_load_explicit(&self->highest, memory_order_relaxed))
        atomic_store_explicit(&self->highest, taken - returned, memory_order_relaxed);
    add_one(&self->pages_owner);
}

/* Keeps a page as it is, unless the sweeper has it. */
static void publish(capture_t *self, const capture_part_t *part, size_t page)
{
    _Atomic uint64_t *word = &part->words[page];
    /* Acquire: the sweeper that published has read the page before the owner stores to it. */
    uint64_t seen = atomic_load_explicit(word, memory_order_acquire);
    if (is_published(part, seen))
        return;
    uint32_t slot = 0;
    uint64_t returned = 0;
    if (!next_slot(self, &slot, &returned)) {
        give_up(self);
        detach(self);
    } else {
        OC_ASSERT(slot < self->pool_pages);
        memcpy(self->pool + ((size_t)slot << OC_ARENA_PAGE_SHIFT),
               part->arena->base + (page << OC_ARENA_PAGE_SHIFT), OC_ARENA_PAGE_SIZE);
        /* Release: who acquires the word finds the copy in the slot. Acquire on failure: as for
         * `seen`. */
        if (!atomic_compare_exchange_strong_explicit(word, &seen, make_word(part, slot),
                                                     memory_order_release, memory_order_acquire))
            return;
        take_slot(self, returned);
    }
    /* Release: the word, or the state, changes before anything that the owner stores from here on;
     * pairs with the sweeper's acquire fence behind its copy. A release store of the stamp alone
     * would not keep the page's stores behind it. */
    atomic_thread_fence(memory_order_release);
}

/* oc_arena_watcher_t: the first touch of a page since the capture began; more than the first if the
 * epoch goes on meanwhile: the page is published then. */
static void on_touch(void *context, oc_arena_t *arena, size_t page, uint32_t stamp)
{
    const capture_part_t *part = context;
    capture_t *self = part->capture;
    OC_ASSERT(arena == part->arena);
    /* Acquire: a sweeper that ended the capture has read its last page before the owner stores. */
    if (UNLIKELY(atomic_load_explicit(&self->state, memory_order_acquire) != CAPTURE_RUNNING))
        detach(self);
    else if (stamp <= part->base)
        /* Relaxed: the sweeper never stores to the word of such a page; it looks at the word only
         * behind an acquired stamp above E, which the arena stores (release) after this. */
        atomic_store_explicit(&part->words[page], make_word(part, WORD_CLEAN),
                              memory_order_relaxed);
    else
        publish(self, part, page);
}

/* Words with a tag that is to come cannot be: but the epochs of a restored arena begin anew. */
static void forget_words(capture_part_t *part)
{
    for (size_t page = 0; page < part->pages; page++)
        /* Relaxed: before the state's release, with no sweeper inside. */
        atomic_store_explicit(&part->words[page], 0, memory_order_relaxed);
}

static void begin_part(capture_part_t *part, uint32_t base)
{
    oc_arena_t *arena = part->arena;
    OC_ASSERT(!arena->watcher);
    OC_ASSERT(base < arena->epoch);
    if (UNLIKELY(arena->epoch <= part->epoch))
        forget_words(part);
    part->epoch = arena->epoch;
    part->base = base;
    oc_arena_advance_epoch(arena);
    arena->watcher = on_touch;
    arena->watcher_context = part;
}

bool capture_begin(capture_t *self, const uint32_t *base_epochs)
{
    if (capture_state(self) != CAPTURE_IDLE)
        return false;
    for (size_t i = 0; i < self->count; i++) {
        begin_part(&self->parts[i], base_epochs ? base_epochs[i] : 0);
        self->epochs[i] = self->parts[i].epoch;
    }
    self->at_part = 0;
    self->at_page = 0;
    /* Relaxed, all of them: for statistics; no sweeper is inside. */
    atomic_store_explicit(&self->highest, 0, memory_order_relaxed);
    atomic_store_explicit(&self->pages_owner, 0, memory_order_relaxed);
    atomic_store_explicit(&self->pages_given, 0, memory_order_relaxed);
    atomic_store_explicit(&self->pages_lost, 0, memory_order_relaxed);
    add_one(&self->begun);
    /* Release: the sweeper that acquires RUNNING sees the parts, the cursor, and every store to the
     * pages and stamps that came before the capture. */
    atomic_store_explicit(&self->state, CAPTURE_RUNNING, memory_order_release);
    return true;
}

const uint32_t *capture_epochs(const capture_t *self)
{
    return self->epochs;
}

void capture_end(capture_t *self)
{
    const capture_state_t state = capture_state(self);
    if (state != CAPTURE_SWEPT && state != CAPTURE_ABANDONED)
        return;
    detach(self);
    self->fresh = 0; /* every slot is free again, also those in words that nobody will read */
    self->reused = 0;
    /* Relaxed, all of them: no sweeper is inside, and the next one acquires RUNNING first. */
    atomic_store_explicit(&self->taken, 0, memory_order_relaxed);
    atomic_store_explicit(&self->returned, 0, memory_order_relaxed);
    atomic_store_explicit(&self->state, CAPTURE_IDLE, memory_order_relaxed);
}

capture_state_t capture_state(const capture_t *self)
{
    /* Acquire: who sees SWEPT or ABANDONED comes behind all reads of the sweeper that said so. */
    return (capture_state_t)atomic_load_explicit(&self->state, memory_order_acquire);
}

/* ---- The sweeper's side ---- */

static uint32_t stamp_of(const capture_part_t *part, size_t page)
{
    /* Acquire: pairs with the owner's release of the stamp: behind a stamp above E the word is
     * published, or the state says that the capture was given up. */
    return __atomic_load_n(&part->arena->stamps[page], __ATOMIC_ACQUIRE);
}

/* The first page from `page` on, below `end`, that is not clean by its stamp; `end` if there is
 * none. No look at the words: a few instructions and 4 bytes a page. */
static size_t skip_clean(const capture_part_t *part, size_t page, size_t end)
{
    while (page < end && stamp_of(part, page) <= part->base)
        page++;
    return page;
}

/* Copies a slot out and sends it back. */
static void drain_slot(capture_t *self, uint32_t slot, void *bytes)
{
    OC_ASSERT(slot < self->pool_pages);
    memcpy(bytes, self->pool + ((size_t)slot << OC_ARENA_PAGE_SHIFT), OC_ARENA_PAGE_SIZE);
    /* Relaxed: the sweeper's own. */
    const uint64_t returned = atomic_load_explicit(&self->returned, memory_order_relaxed);
    self->ring[returned & self->ring_mask] = slot;
    /* Release: the slot's bytes are read and its number is in the ring before the owner sees the
     * count. */
    atomic_store_explicit(&self->returned, returned + 1, memory_order_release);
}

/* A page that may have to be given out. PAUSE here: it need not. */
static capture_step_t give(capture_t *self, const capture_part_t *part, size_t page, void *bytes)
{
    _Atomic uint64_t *word = &part->words[page];
    const uint32_t stamp = stamp_of(part, page); /* before the word: see there */
    /* Acquire: the copy in the slot that the word names. */
    uint64_t seen = atomic_load_explicit(word, memory_order_acquire);
    if (!is_published(part, seen)) {
        if (stamp > part->epoch) {
            OC_ASSERT(capture_state(self) != CAPTURE_RUNNING);
            return CAPTURE_LOST;
        }
        page_copy(bytes, part->arena->base + (page << OC_ARENA_PAGE_SHIFT));
        /* Acquire: the loads of the copy come before the compare-and-swap; pairs with the owner's
         * release fence before its stores. */
        atomic_thread_fence(memory_order_acquire);
        /* Release: the page was read before its owner, who acquires the word, stores to it. Acquire
         * on failure: the copy in the slot. */
        if (atomic_compare_exchange_strong_explicit(word, &seen, make_word(part, WORD_SWEPT),
                                                    memory_order_release, memory_order_acquire))
            return CAPTURE_PAGE;
        add_one(&self->pages_lost);
    }
    OC_ASSERT(is_published(part, seen));
    const uint32_t what = (uint32_t)seen;
    OC_ASSERT(what != WORD_SWEPT);
    if (what == WORD_CLEAN)
        return CAPTURE_PAUSE;
    drain_slot(self, what, bytes);
    return CAPTURE_PAGE;
}

/* Every page was looked at. */
static capture_step_t finish(capture_t *self)
{
    uint32_t running = CAPTURE_RUNNING;
    /* Release: the sweeper's reads come before what an owner does that acquires SWEPT. It fails if
     * the owner gave up, also when the copy of a page caught a store that the owner made after
     * that: its release fence and the acquire fence behind the copy order the two. Acquire on
     * failure: for form, nothing is read behind it. */
    if (!atomic_compare_exchange_strong_explicit(&self->state, &running, CAPTURE_SWEPT,
                                                 memory_order_release, memory_order_acquire))
        return CAPTURE_LOST;
    return CAPTURE_END;
}

capture_step_t capture_next(capture_t *self, void *bytes, capture_page_t *which, size_t limit)
{
    OC_ASSERT(limit > 0);
    const capture_state_t state = capture_state(self);
    if (state != CAPTURE_RUNNING)
        return state == CAPTURE_SWEPT ? CAPTURE_END : CAPTURE_LOST;
    while (self->at_part < self->count) {
        const capture_part_t *part = &self->parts[self->at_part];
        const size_t rest = part->pages - self->at_page;
        const size_t page =
            skip_clean(part, self->at_page, self->at_page + (rest < limit ? rest : limit));
        limit -= page - self->at_page;
        self->at_page = page;
        if (page == part->pages) {
            self->at_part++;
            self->at_page = 0;
            continue;
        }
        if (limit == 0)
            return CAPTURE_PAUSE;
        limit--;
        self->at_page++;
        const capture_step_t step = give(self, part, page, bytes);
        if (step == CAPTURE_PAGE) {
            *which = (capture_page_t){(uint32_t)self->at_part, (uint32_t)page};
            add_one(&self->pages_given);
        }
        if (step != CAPTURE_PAUSE)
            return step;
    }
    return finish(self);
}

void capture_abandon(capture_t *self)
{
    give_up(self);
}

/* ---- Making and looking ---- */

static uint32_t power_of_two_from(size_t count)
{
    uint32_t power = 1;
    while (power < count)
        power <<= 1;
    return power;
}

static void split_words(capture_t *self, oc_arena_t *const *arenas)
{
    _Atomic uint64_t *words = self->words;
    for (size_t i = 0; i < self->count; i++) {
        const size_t pages = arenas[i]->size >> OC_ARENA_PAGE_SHIFT;
        OC_ASSERT(pages <= UINT32_MAX);
        self->parts[i] = (capture_part_t){
            .capture = self,
            .arena = arenas[i],
            .words = words,
            .pages = pages,
        };
        words += pages;
    }
}

oc_err_t capture_create(capture_t **capture, oc_arena_t *const *arenas, size_t count,
                        size_t pool_pages)
{
    OC_ASSERT(count >= 1);
    OC_ASSERT(count <= CAPTURE_ARENAS_MAX);
    *capture = NULL;
    if (pool_pages > SLOTS_MAX)
        return error_set(OC_ERR_NO_MEMORY, "capture: a pool of %zu pages is too large", pool_pages);
    capture_t *self = aligned_alloc(CAPTURE_LINE, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "capture: no memory");
    memset(self, 0, sizeof *self);
    size_t pages = 0;
    for (size_t i = 0; i < count; i++)
        pages += arenas[i]->size >> OC_ARENA_PAGE_SHIFT;
    const uint32_t ring_slots = power_of_two_from(pool_pages);
    self->count = count;
    self->pool_pages = (uint32_t)pool_pages;
    self->ring_mask = ring_slots - 1;
    self->words_bytes = (pages + 1) * sizeof(uint64_t);
    self->pool_bytes = (pool_pages + 1) << OC_ARENA_PAGE_SHIFT;
    self->ring_bytes = ring_slots * sizeof *self->ring;
    self->words = huge_memory_map(self->words_bytes);
    self->pool = huge_memory_map(self->pool_bytes);
    self->ring = huge_memory_map(self->ring_bytes);
    if (!self->words || !self->pool || !self->ring) {
        capture_destroy(self);
        return error_set(OC_ERR_NO_MEMORY,
                         "capture: no memory for %zu pages and a pool of %zu; make [snapshot] "
                         "pool_percent smaller",
                         pages, pool_pages);
    }
    split_words(self, arenas);
    *capture = self;
    return OC_ERR_OK;
}

void capture_destroy(capture_t *self)
{
    if (!self)
        return;
    if (capture_state(self) != CAPTURE_IDLE)
        detach(self);
    huge_memory_unmap(self->ring, self->ring_bytes);
    huge_memory_unmap(self->pool, self->pool_bytes);
    huge_memory_unmap(self->words, self->words_bytes);
    free(self);
}

/* Relaxed: one number for people, which orders nothing. */
static uint64_t read_counter(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void capture_stats(const capture_t *self, capture_stats_t *stats)
{
    const uint64_t returned = read_counter(&self->returned);
    const uint64_t taken = read_counter(&self->taken);
    *stats = (capture_stats_t){
        .begun = read_counter(&self->begun),
        .abandoned = read_counter(&self->abandoned),
        .pages_given = read_counter(&self->pages_given),
        .pages_owner = read_counter(&self->pages_owner),
        .pages_lost = read_counter(&self->pages_lost),
        .pool_pages = self->pool_pages,
        .pool_highest = read_counter(&self->highest),
        /* A slot may be back before its taking is counted. */
        .pool_used = taken > returned ? taken - returned : 0,
    };
}
