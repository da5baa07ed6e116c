/*
 * The engine as a library: some commands in, events out; no host, no log. It needs the library
 * `outcry-engine` and libc only.
 *
 *     cc match.c $(pkg-config --cflags --libs outcry-engine)
 */
#include <outcry/engine.h>
#include <stdio.h>

static void on_events(void *context, const oc_event_t *events, size_t count)
{
    (void)context;
    for (size_t i = 0; i < count; i++)
        printf("%s %lld@%lld\n", oc_event_type_name(events[i].type),
               (long long)events[i].quantity_lots, (long long)events[i].price_ticks);
}

int main(void)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    oc_engine_t *engine;
    if (oc_engine_create(&engine, &config, on_events, NULL) != OC_ERR_OK) {
        fprintf(stderr, "%s\n", oc_err_context());
        return 1;
    }
    const oc_command_t commands[] = {
        {.type = OC_COMMAND_SOURCE_ADD, .u.source = {.id = {1}, .roles = OC_ROLE_TRADE}},
        {.type = OC_COMMAND_INSTRUMENT_ADD,
         .instrument = {1},
         .u.instrument = {.price_low_ticks = 1,
                          .price_high_ticks = 100000,
                          .max_quantity_lots = 1000,
                          .state = OC_STATE_CONTINUOUS}},
        {.type = OC_COMMAND_NEW,
         .side = OC_SIDE_SELL,
         .source = {1},
         .instrument = {1},
         .u.order = {.client_order_id = {7}, .price_ticks = 101, .quantity_lots = 10}},
        {.type = OC_COMMAND_NEW,
         .side = OC_SIDE_BUY,
         .source = {1},
         .instrument = {1},
         .u.order = {.client_order_id = {8}, .price_ticks = 101, .quantity_lots = 4}},
    };
    const oc_err_t err = oc_engine_apply_batch(engine, commands, 4);
    oc_engine_destroy(engine);
    return err == OC_ERR_OK ? 0 : 1;
}
