/*
 * Dump of the books. Called by replay at its end; changes nothing in them.
 */
#include "cli/book_writer.h"

#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

typedef struct book_output {
    FILE *out;
    int failure; /* errno of the write that failed, after which nothing more is written */
} book_output_t;

static bool write_order(void *context, const oc_order_view_t *view)
{
    book_output_t *self = context;
    const int wrote = fprintf(self->out, "%" PRIu32 ",%d,%" PRId64 ",%" PRIu64 ",%" PRId64 "\n",
                              view->instrument.value, (int)view->side, view->price_ticks,
                              view->client_order_id.value, view->open_lots);
    if (wrote < 0)
        self->failure = errno;
    return wrote > 0;
}

oc_err_t book_writer_write(const oc_engine_t *engine, FILE *out, const char *name)
{
    book_output_t output = {out, 0};
    oc_instrument_id_t id = oc_engine_next_instrument(engine, (oc_instrument_id_t){0});
    for (; id.value && !output.failure; id = oc_engine_next_instrument(engine, id)) {
        oc_engine_visit_orders(engine, id, OC_SIDE_BUY, write_order, &output);
        if (!output.failure)
            oc_engine_visit_orders(engine, id, OC_SIDE_SELL, write_order, &output);
    }
    if (!output.failure && fflush(out) != 0)
        output.failure = errno;
    if (output.failure)
        return error_set(OC_ERR_WRITE, "%s: cannot write: %s", name, strerror(output.failure));
    return OC_ERR_OK;
}
