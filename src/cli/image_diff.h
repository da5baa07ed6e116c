/*
 * The first difference of two exchanges' states, in words: for `outcry snapshot diff`.
 */
#ifndef CLI_IMAGE_DIFF_H
#define CLI_IMAGE_DIFF_H

#include "service/exchange.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * True when the states are equal. Otherwise `text` names what differs first: the counters, the
 * instruments, the orders (instruments ascending, buys then sells, in price-time order), the
 * sources, what the exchange keeps beside them. Takes working memory for the orders of one side of
 * one instrument at a time.
 */
bool image_diff(exchange_t *a, exchange_t *b, char *text, size_t size);

#endif
