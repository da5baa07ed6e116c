/*
 * The copy that may race. Called by the sweeper of a capture only.
 *
 * It orders nothing itself: the caller puts an acquire fence behind it, and uses the copy only if
 * its compare-and-swap on the page's word wins, which the owner's publishing before its first store
 * prevents whenever a word read here was a new one.
 *
 * This is the only function that the thread sanitizer does not look at. Nothing but the copy must
 * ever stand here.
 */
#include "snapshot/page_copy.h"

#include "outcry/arena.h"

#include <stdint.h>
#include <string.h>

/* Records of any type are read as words. */
typedef uint64_t __attribute__((may_alias)) page_word_t;

_Static_assert(OC_ARENA_PAGE_SIZE % sizeof(page_word_t) == 0, "whole words");

/* Volatile: each word is read once, by one instruction, and never again in place of its copy.
 * Atomic loads would be the same instructions, but the sanitizer does look at those. */
__attribute__((noinline, no_sanitize("thread"))) void page_copy(void *to, const void *page)
{
    const volatile page_word_t *from = page;
    uint8_t *at = to;
    for (size_t i = 0; i < OC_ARENA_PAGE_SIZE / sizeof *from; i++) {
        const uint64_t word = from[i];
        memcpy(at + i * sizeof word, &word, sizeof word);
    }
}
