/*
 * The counters of a running media driver: found by type and key, read, and where that is meant to
 * be done (Aeron Cluster's control toggle) changed.
 *
 * Either through a client on the driver, or read-only from a driver's directory without one.
 *
 * Threads: one at a time for the table; counter_value() any thread, while the table is there.
 */
#ifndef AERON_COUNTER_TABLE_H
#define AERON_COUNTER_TABLE_H

#include "aeron/embedded.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct counter_table counter_table_t;

/* Over a client, borrowed for the table's life. OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t counter_table_of(counter_table_t **table, embedded_t *embedded);

/* Of the driver in a directory, read-only. OC_ERR_NOT_CONNECTED: there is none, or it is dead: how
 * long it has given no sign of life is told. The caller: counter_table_close(). */
OC_MUST_CHECK oc_err_t counter_table_open(counter_table_t **table, const char *aeron_dir);
void counter_table_close(counter_table_t *self); /* NULL is allowed */

/* A counter as it was found. Another one may take its place: its registration tells. */
typedef struct counter {
    int32_t id;
    int64_t registration;
    const int64_t *value; /* in the driver's memory; valid while the table is there */
} counter_t;

/* The first allocated counter of a type whose key has `value` (of 4 or 8 `bytes`) at `offset`;
 * bytes 0: of any key. */
typedef struct counter_key {
    int32_t type;
    size_t offset;
    size_t bytes;
    int64_t value;
} counter_key_t;
bool counter_table_find(const counter_table_t *self, const counter_key_t *key, counter_t *counter);

/* Acquire. */
int64_t counter_value(const counter_t *counter);

/* False once the counter was freed, or is another. */
bool counter_table_holds(const counter_table_t *self, const counter_t *counter);

#define COUNTER_KEY_BYTES_MAX 112

/* Copies the key (all COUNTER_KEY_BYTES_MAX bytes), the label (terminated, cut). */
void counter_table_key(const counter_table_t *self, const counter_t *counter,
                       uint8_t key[COUNTER_KEY_BYTES_MAX]);
void counter_table_label(const counter_table_t *self, const counter_t *counter, char *label,
                         size_t size);

/* Compare-and-swap of a value; false: it was not `expected`, or the table is read-only. */
bool counter_table_swap(const counter_table_t *self, const counter_t *counter, int64_t expected,
                        int64_t value);

#endif
