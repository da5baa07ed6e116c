/*
 * Dump of the books. Called by replay at its end; changes nothing.
 */
#include "cli/book_writer.h"

#include "base/error.h"

#include <inttypes.h>

static bool write_order(void *context, const oc_order_view_t *view)
{
    FILE *out = context;
    const int wrote =
        fprintf(out, "%" PRIu32 ",%d,%" PRId64 ",%" PRIu64 ",%" PRId64 "\n", view->instrument.value,
                (int)view->side, view->price_ticks, view->client_order_id.value, view->open_lots);
    return wrote > 0;
}

oc_err_t book_writer_write(const oc_engine_t *engine, FILE *out)
{
    oc_instrument_id_t id = oc_engine_next_instrument(engine, (oc_instrument_id_t){0});
    for (; id.value; id = oc_engine_next_instrument(engine, id)) {
        oc_engine_visit_orders(engine, id, OC_SIDE_BUY, write_order, out);
        oc_engine_visit_orders(engine, id, OC_SIDE_SELL, write_order, out);
    }
    if (ferror(out))
        return error_set(OC_ERR_WRITE, "book: cannot write; is the disk full?");
    return OC_ERR_OK;
}
