/*
 * Builds fast engines for the unit tests and counts what they touch.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/fast_fixture.h"

oc_engine_config_t fast_fixture_config(void)
{
    oc_engine_config_t config = fixture_config();
    config.kind = OC_ENGINE_FAST;
    config.verify_touch = true;
    return config;
}

fast_engine_t *fast_fixture_inside(oc_engine_t *engine)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    assert_int_equal(e->config.kind, OC_ENGINE_FAST);
    return e;
}

oc_command_t fast_fixture_add_instrument(uint32_t id)
{
    oc_command_t command = fixture_add_instrument(id);
    command.u.instrument.price_low_ticks = INT64_MIN;
    command.u.instrument.price_high_ticks = INT64_MAX;
    command.u.instrument.max_quantity_lots = 50000;
    return command;
}

uint32_t fast_fixture_pages(oc_engine_t *engine, oc_command_t command)
{
    fast_engine_t *e = fast_fixture_inside(engine);
    assert_null(e->arena.shadow);
    oc_arena_advance_epoch(&e->arena);
    fixture_apply(engine, command);
    uint32_t pages = 0;
    for (size_t page = 0; page < e->arena.size >> OC_ARENA_PAGE_SHIFT; page++)
        pages += e->arena.stamps[page] == e->arena.epoch;
    return pages;
}

void fast_fixture_begin(fast_engine_t *e)
{
    oc_arena_advance_epoch(&e->arena);
    touch(e, e->header);
}

void fast_fixture_end(fast_engine_t *e)
{
    size_t offset = 0;
    if (!oc_arena_verify(&e->arena, &offset))
        fail_msg("a write at offset %zu of the arena was not announced", offset);
}
