/*
 * The resting orders as text: `instrument,side,price_ticks,client_order_id,open_quantity`, one line
 * per order, instruments ascending, bids then asks, best first, first come first inside a level.
 */
#ifndef CLI_BOOK_WRITER_H
#define CLI_BOOK_WRITER_H

#include "outcry/engine.h"

#include <stdio.h>

/*
 * Writes every book of the engine to `out`, called `name` in messages, and flushes it; all are
 * borrowed for the call. Error: OC_ERR_WRITE.
 */
OC_MUST_CHECK oc_err_t book_writer_write(const oc_engine_t *engine, FILE *out, const char *name);

#endif
