/*
 * The pages of a service's arenas, put into the arenas of another one as an image would: those that
 * were ever touched, and zero for the others.
 */
#ifndef TEST_LIB_ARENA_PAGES_H
#define TEST_LIB_ARENA_PAGES_H

#include "outcry/service.h"

/* The arenas of a service, which must have some; returns how many. */
size_t arena_pages_of(const oc_service_t *service, oc_arena_t *arenas[OC_SERVICE_ARENAS_MAX]);

/* Makes ready to be filled: zero pages, zero stamps. Layouts must agree. */
void arena_pages_clear(oc_arena_t *arena);

/* Puts a page in place. */
void arena_pages_put(oc_arena_t *arena, size_t page, const void *bytes);

/* The pages of one arena, in another of the same layout, which is told. */
void arena_pages_copy_one(const oc_arena_t *from, oc_arena_t *to);

/* All of them, from one service to another, which must be told by its restored(). */
void arena_pages_copy(const oc_service_t *from, const oc_service_t *to);

#endif
