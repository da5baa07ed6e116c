/*
 * From an image to an empty exchange that it fits. Called by `outcry snapshot` and `outcry cluster
 * diff`; no configuration file is needed, since the image says what counts.
 */
#include "cli/image_exchange.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>

/* A reference engine has no arenas: its images are of its records, in a stream. */
oc_engine_kind_t image_exchange_kind(const image_info_t *info)
{
    for (uint32_t i = 0; i < info->section_count; i++)
        if (info->sections[i].kind == IMAGE_STREAM)
            return OC_ENGINE_REFERENCE;
    return OC_ENGINE_FAST;
}

bool image_exchange_is_foreign(const image_store_t *store, const image_info_t *info)
{
    uint8_t bytes[IMAGE_CONFIGURATION_MAX];
    size_t length;
    return image_configuration(store, info, bytes, sizeof bytes, &length) == OC_ERR_OK &&
           !exchange_config_is(bytes, length);
}

void image_exchange_sections(const image_info_t *info, char text[IMAGE_EXCHANGE_SECTIONS_SIZE])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < info->section_count && used < IMAGE_EXCHANGE_SECTIONS_SIZE; i++)
        used += (size_t)snprintf(text + used, IMAGE_EXCHANGE_SECTIONS_SIZE - used,
                                 "%s%s %" PRIu64 " bytes", i > 0 ? ", " : "",
                                 info->sections[i].name, info->sections[i].size);
}

static oc_err_t refuse_foreign(const image_info_t *info)
{
    char sections[IMAGE_EXCHANGE_SECTIONS_SIZE];
    image_exchange_sections(info, sections);
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "image %" PRIu64 " is of another service than the exchange (its state: %s): "
                     "only that service's own program can read it; outcry snapshot verify checks "
                     "its files",
                     info->sequence, sections);
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
    if (image_exchange_is_foreign(store, info))
        return refuse_foreign(info);
    oc_err_t err = image_configuration(store, info, bytes, sizeof bytes, &length);
    if (err == OC_ERR_OK)
        err = exchange_config_parse(&config, bytes, length);
    return err == OC_ERR_OK ? exchange_create(exchange, &config) : err;
}
