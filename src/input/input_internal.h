/*
 * What the doorway (flow_reader.c) and the readers of each format share: the table of functions
 * that a format fills in, the reader's state, and how to look at bytes and fail.
 */
#ifndef INPUT_INPUT_INTERNAL_H
#define INPUT_INPUT_INTERNAL_H

#include <string.h>

#include "input/byte_source.h"
#include "input/flow_reader.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are copied as they lie");

typedef struct flow_format_ops {
    flow_format_t format;
    const char *name;  /* flow_format_name() */
    const char *title; /* for the list of what could have been read */
    /* Whether a stream that begins so is of this format. */
    bool (*sniff)(const uint8_t *bytes, size_t size);
    /* Reads and checks what stands before the first record; false after flow_fail(). */
    bool (*open)(flow_reader_t *reader);
    /* Fills in the fields that a record of this format has; they come zeroed and numbered. */
    flow_status_t (*next)(flow_reader_t *reader, flow_record_t *record);
} flow_format_ops_t;

extern const flow_format_ops_t tape_reader_ops;
extern const flow_format_ops_t lobster_reader_ops;
extern const flow_format_ops_t dbn_reader_ops;
extern const flow_format_ops_t itch_reader_ops;
extern const flow_format_ops_t tape_own_reader_ops;

struct flow_reader {
    const flow_format_ops_t *ops;
    byte_source_t *source;
    uint64_t record; /* number of the next one */
    union {
        struct {
            uint32_t count; /* records that the header promises */
        } tape;
        struct {
            bool has_mbo; /* a record of the kind looked for was seen */
        } dbn;
        struct {
            oc_engine_config_t config;
            bool ended; /* the end record was read */
        } own;
    } u;
    oc_err_t failure;
    char failure_text[512];
};

/*
 * Ends the reading: the context line becomes "file: offset N: ..." (for LOBSTER with the line
 * number) and is kept for every further call. Always false.
 */
bool flow_fail(flow_reader_t *reader, oc_err_t err, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* byte_source_peek(); false if it failed, and then the reader has. */
bool flow_peek(flow_reader_t *reader, size_t wanted, byte_view_t *view);

/* The same, but fewer bytes than wanted are a failure: the file ends inside `what`. */
bool flow_need(flow_reader_t *reader, size_t wanted, byte_view_t *view, const char *what);

static inline uint64_t flow_offset(const flow_reader_t *reader)
{
    return byte_source_offset(reader->source);
}

static inline uint16_t load_le16(const uint8_t *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint32_t load_le32(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint64_t load_le64(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint16_t load_be16(const uint8_t *bytes)
{
    return __builtin_bswap16(load_le16(bytes));
}

static inline uint32_t load_be32(const uint8_t *bytes)
{
    return __builtin_bswap32(load_le32(bytes));
}

static inline uint64_t load_be64(const uint8_t *bytes)
{
    return __builtin_bswap64(load_le64(bytes));
}

#endif
