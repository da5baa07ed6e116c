/*
 * Readable scripts for the engine: commands in, events out, virtual time.
 *
 * One line each; `#` starts a comment; words may be aligned with blanks as one likes.
 *
 *   config NAME VALUE        before the first command: max_orders, max_levels, max_instruments,
 *                            max_sources, max_sessions, max_pending, step_bound, or
 *                            `config modify_priority lose`
 *   at TIME                  virtual time of the commands from here on
 *   SENDER COMMAND WORDS     applies a command; SENDER is `host` or a source as `s1`
 *   given SENDER COMMAND ..  the same; it must not be rejected, its events are not compared
 *   > EVENT                  the next event of the last command, written out in full
 *   > stopped                the last command returned OC_ERR_RULES_VERSION
 *   depth i1 buy 5@100x2 ..  the levels of a side, best first: open total, price, order count
 *   book i1 buy s1.c7:5@100  the orders of a side, first to trade first
 *   order s1 c7 ..           a live order, or `order s1 c7 none`
 *   source s1 ..             a source, or `source s1 none`
 *   instrument i1 ..         an instrument, or `instrument i1 none`
 *   counts NAME=VALUE ..     any of entry, time, last_order, last_trade, orders, levels,
 *                            instruments, sources, sessions, pending, step_bound, lose (modify
 *                            priority: 0 keep, 1 lose), and restrictions (a number)
 *
 * Words of a command, in any order: `i1` instrument, `c7` client order id, `5@100` quantity and
 * price (`5@market` for a market order, `@100` a price alone), `buy` `sell`, `gtc` `day` `ioc`
 * `fok`, `post` `cod` `open` (flags), `closed` `pre_open` `continuous` `halted`, `1..1000` price
 * band, `s1` the source that a source or session command is about, `source` `session` `instrument`
 * scope of a mass cancel, and NAME=VALUE with seq, flags, side, order_type, tif, of (owner, as
 * of=s2), session, scope, sides, state, max, roles (as roles=trade+risk, none or a number), rules,
 * steps, priority (keep, lose or a number), set and clear (as set=storage+recovery, none or a
 * number: restrictions), type (in place of a known command: `s1 raw type=99`).
 * Numbers may be `min` and `max` for the 64-bit extremes.
 *
 * Every event must be expected, in order; the text of an event shows all of its fields, so that one
 * that should be zero and is not does not pass unseen. A message about a difference names file and
 * line, what was expected and what came.
 */
#ifndef TEST_LIB_SCENARIO_H
#define TEST_LIB_SCENARIO_H

#include "outcry/engine.h"

typedef struct scenario_result {
    bool passed;
    char why[2048]; /* what differs and where; "" when passed */
    uint64_t state_hash;
    uint64_t output_hash;
} scenario_result_t;

/* Runs the script against a new engine of that kind, and audits the engine at the end. */
void scenario_run(const char *path, oc_engine_kind_t kind, scenario_result_t *result);

#endif
