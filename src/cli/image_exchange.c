/*
 * From an image to an empty exchange that it fits. Called by `outcry snapshot` and `outcry cluster
 * diff`; no configuration file is needed, since the image says what counts.
 */
#include "cli/image_exchange.h"

/* A reference engine has no arenas: its images are of its records, in a stream. */
oc_engine_kind_t image_exchange_kind(const image_info_t *info)
{
    for (uint32_t i = 0; i < info->section_count; i++)
        if (info->sections[i].kind == IMAGE_STREAM)
            return OC_ENGINE_REFERENCE;
    return OC_ENGINE_FAST;
}

oc_err_t image_exchange_create(const image_store_t *store, const image_info_t *info,
                               uint32_t record_threads, exchange_t **exchange)
{
    uint8_t bytes[IMAGE_CONFIGURATION_MAX];
    size_t length;
    exchange_config_t config;
    exchange_config_init(&config);
    config.record_threads = record_threads;
    config.engine.kind = image_exchange_kind(info);
    config.engine.hash_outputs = true; /* members of a cluster do; nobody else compares it */
    oc_err_t err = image_configuration(store, info, bytes, sizeof bytes, &length);
    if (err == OC_ERR_OK)
        err = exchange_config_parse(&config, bytes, length);
    return err == OC_ERR_OK ? exchange_create(exchange, &config) : err;
}
