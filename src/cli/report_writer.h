/*
 * Canonical report text: one line per report, by which independent engines are compared.
 *
 *   0,seq,side,oid,px,qty    a new order was accepted
 *   1,seq,px,qty,maker,taker a trade, at the resting order's price
 *   2,seq,side,oid,px        an order ended: cancelled, expired, or its rest was not filled
 *   3,seq,side,oid,px,qty    a modify was accepted: new price, new open quantity before any trade
 *   4,seq,oid  5,seq,oid     a cancel, a modify was rejected
 *   6,seq,oid,reason         a new order was rejected
 *
 * seq is the record's own number, side 0 is buy, oid the client order id, px in ticks (0 for a
 * market order). Lines are joined by '\n' with none at the very end. Inside a record they are
 * sorted by the first figure, otherwise in the order of events.
 */
#ifndef CLI_REPORT_WRITER_H
#define CLI_REPORT_WRITER_H

#include "outcry/engine.h"

#include <stdio.h>

typedef struct report_writer report_writer_t;

/*
 * A writer to `out`, called `name` in messages; both are borrowed until report_writer_destroy().
 * NULL: no memory.
 */
report_writer_t *report_writer_create(FILE *out, const char *name);

/* Starts a record: reports from here on carry `sequence`. */
void report_writer_begin(report_writer_t *self, uint64_t sequence);

/* Takes events of the record's commands, in order; borrowed for the call. Others than those of the
 * table above are ignored. */
void report_writer_events(report_writer_t *self, const oc_event_t *events, size_t count);

/* Ends the record: sorts and writes its lines. Errors: OC_ERR_WRITE, OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t report_writer_end(report_writer_t *self);

/* Frees the writer, not `out`. NULL is allowed. */
void report_writer_destroy(report_writer_t *self);

#endif
