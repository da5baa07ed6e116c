/*
 * An exchange such as an image was made of: for tools that look into images.
 */
#ifndef CLI_IMAGE_EXCHANGE_H
#define CLI_IMAGE_EXCHANGE_H

#include "service/exchange.h"
#include "snapshot/image.h"

/* The engine that an image was made of. */
oc_engine_kind_t image_exchange_kind(const image_info_t *info);

/* Whether an image is of another service than the exchange: then its files can be checked, and
 * nothing of its state. False also where that cannot be read. */
bool image_exchange_is_foreign(const image_store_t *store, const image_info_t *info);

/* What the image's header says of a state, for example "host 4096 bytes, counter 8 bytes". */
#define IMAGE_EXCHANGE_SECTIONS_SIZE 256
void image_exchange_sections(const image_info_t *info, char text[IMAGE_EXCHANGE_SECTIONS_SIZE]);

/* By the configuration that the image carries. `record_threads`: as in exchange_config_t. Errors:
 * OC_ERR_INVALID_ARGUMENT (it is of another service, which is described),
 * those of image_configuration(), exchange_config_parse() and exchange_create(). The caller owns
 * *exchange: exchange_destroy(). */
OC_MUST_CHECK oc_err_t image_exchange_create(const image_store_t *store, const image_info_t *info,
                                             uint32_t record_threads, exchange_t **exchange);

#endif
