/*
 * A window over decompressed bytes, refilled from a file, from memory or from a test's input.
 *
 * Called by flow_reader and the readers of each format. Invariants: next <= end; end_offset is the
 * stream position of `end`; nothing is delivered twice or left out; what is not an orderly end of
 * the input is an error, never an end. Must not know any record format.
 */
#include "input/byte_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "input/decompress.h"

#define BUFFER_SIZE    ((size_t)256 << 10)
#define NAME_MAX_SHOWN 160
#define FAILURE_SIZE   512

_Static_assert(BUFFER_SIZE >= 2 * BYTE_SOURCE_PEEK_MAX, "a refill must have room to read into");

struct byte_source {
    const uint8_t *next; /* the window: decompressed, not yet used */
    const uint8_t *end;
    uint64_t end_offset;
    bool ended; /* nothing follows the window */
    oc_err_t failure;

    byte_input_t input;
    uint8_t *window;         /* what next and end point into; NULL: the caller's memory */
    uint8_t *raw;            /* compressed input; NULL when plain or from memory */
    const uint8_t *raw_next; /* compressed, not yet used */
    const uint8_t *raw_end;
    uint64_t raw_end_offset;
    bool raw_ended;
    const decompress_codec_t *codec; /* NULL: plain */
    void *codec_state;

    char *name;
    char failure_text[FAILURE_SIZE];
};

static oc_err_t source_fail(byte_source_t *source, oc_err_t err, const char *what, const char *why)
{
    source->failure = error_set(err, "%s: offset %llu: %s: %s", byte_source_name(source),
                                (unsigned long long)source->end_offset, what, why);
    snprintf(source->failure_text, sizeof source->failure_text, "%s", oc_err_context());
    return source->failure;
}

/* Reads once into `buffer`; sets raw_ended at the end of the input. */
static oc_err_t source_read(byte_source_t *source, uint8_t *buffer, size_t capacity, size_t *size)
{
    OC_ASSERT(capacity > 0);
    const int64_t count = source->input.read(source->input.context, buffer, capacity);
    if (count < 0) {
        return source_fail(source, OC_ERR_READ, "cannot read on", strerror(errno));
    }
    OC_ASSERT((uint64_t)count <= capacity);
    *size = (size_t)count;
    source->raw_ended = count == 0;
    source->raw_end_offset += (uint64_t)count;
    return OC_ERR_OK;
}

static oc_err_t source_fill_plain(byte_source_t *source)
{
    uint8_t *to = source->window + (source->end - source->window);
    const size_t room = BUFFER_SIZE - (size_t)(source->end - source->window);
    size_t size = 0;
    const oc_err_t err = source_read(source, to, room, &size);
    source->end += size;
    source->end_offset += size;
    source->ended = source->raw_ended;
    return err;
}

static oc_err_t source_decompress_fail(byte_source_t *source, decompress_status_t status,
                                       const char *why)
{
    char what[96];
    snprintf(what, sizeof what, "the %s data is bad near compressed byte %llu", source->codec->name,
             (unsigned long long)byte_source_raw_offset(source));
    return status == DECOMPRESS_TRUNCATED
               ? source_fail(source, OC_ERR_TRUNCATED, what, "the file ends too early")
               : source_fail(source, OC_ERR_FORMAT, what, why);
}

static oc_err_t source_fill_compressed(byte_source_t *source)
{
    if (source->raw_next == source->raw_end && !source->raw_ended) {
        size_t size = 0;
        const oc_err_t err = source_read(source, source->raw, BUFFER_SIZE, &size);
        if (err != OC_ERR_OK) {
            return err;
        }
        source->raw_next = source->raw;
        source->raw_end = source->raw + size;
    }
    decompress_io_t io = {
        .in = source->raw_next,
        .in_size = (size_t)(source->raw_end - source->raw_next),
        .out = source->window + (source->end - source->window),
        .out_size = BUFFER_SIZE - (size_t)(source->end - source->window),
        .in_is_last = source->raw_ended,
        .why = "",
    };
    const size_t room = io.out_size;
    const decompress_status_t status = source->codec->run(source->codec_state, &io);
    source->raw_next = io.in;
    source->end = io.out;
    source->end_offset += room - io.out_size;
    source->ended = status == DECOMPRESS_END;
    return status == DECOMPRESS_TRUNCATED || status == DECOMPRESS_DAMAGED
               ? source_decompress_fail(source, status, io.why)
               : OC_ERR_OK;
}

static oc_err_t source_refill(byte_source_t *source, size_t wanted)
{
    if (source->failure != OC_ERR_OK) {
        return error_set(source->failure, "%s", source->failure_text);
    }
    const size_t kept = (size_t)(source->end - source->next);
    memmove(source->window, source->next, kept);
    source->next = source->window;
    source->end = source->window + kept;
    while ((size_t)(source->end - source->next) < wanted && !source->ended) {
        const oc_err_t err =
            source->codec == NULL ? source_fill_plain(source) : source_fill_compressed(source);
        if (err != OC_ERR_OK && (size_t)(source->end - source->next) < wanted) {
            return err;
        }
    }
    return OC_ERR_OK;
}

oc_err_t byte_source_peek(byte_source_t *source, size_t wanted, byte_view_t *view)
{
    OC_ASSERT(wanted <= BYTE_SOURCE_PEEK_MAX);
    if (UNLIKELY((size_t)(source->end - source->next) < wanted) && !source->ended) {
        const oc_err_t err = source_refill(source, wanted);
        if (err != OC_ERR_OK) {
            *view = (byte_view_t){source->next, 0};
            return err;
        }
    }
    *view = (byte_view_t){source->next, (size_t)(source->end - source->next)};
    return OC_ERR_OK;
}

void byte_source_advance(byte_source_t *source, size_t count)
{
    OC_ASSERT(count <= (size_t)(source->end - source->next));
    source->next += count;
}

uint64_t byte_source_offset(const byte_source_t *source)
{
    return source->end_offset - (uint64_t)(source->end - source->next);
}

uint64_t byte_source_raw_offset(const byte_source_t *source)
{
    return source->codec == NULL
               ? byte_source_offset(source)
               : source->raw_end_offset - (uint64_t)(source->raw_end - source->raw_next);
}

uint64_t byte_source_raw_size(const byte_source_t *source)
{
    return source->input.size;
}

const char *byte_source_name(const byte_source_t *source)
{
    const size_t length = strlen(source->name);
    return source->name + (length > NAME_MAX_SHOWN ? length - NAME_MAX_SHOWN : 0);
}

/* Reads until the magic number can be seen, and decides. */
static oc_err_t source_start_input(byte_source_t *source)
{
    size_t size = 0;
    while (size < DECOMPRESS_MAGIC_SIZE && !source->raw_ended) {
        size_t count = 0;
        const oc_err_t err = source_read(source, source->window + size, BUFFER_SIZE - size, &count);
        if (err != OC_ERR_OK) {
            return err;
        }
        size += count;
    }
    source->codec = decompress_codec_find(source->window, size);
    source->next = source->window;
    source->end = source->window;
    if (source->codec == NULL) {
        source->end += size;
        source->end_offset = size;
        source->ended = source->raw_ended;
        return OC_ERR_OK;
    }
    source->raw = malloc(BUFFER_SIZE);
    if (source->raw == NULL) {
        return source_fail(source, OC_ERR_NO_MEMORY, "cannot decompress", "out of memory");
    }
    memcpy(source->raw, source->window, size);
    source->raw_next = source->raw;
    source->raw_end = source->raw + size;
    return OC_ERR_OK;
}

static void source_start_memory(byte_source_t *source, const uint8_t *bytes, size_t size)
{
    source->codec = decompress_codec_find(bytes, size);
    source->input.size = size;
    source->raw_ended = true;
    source->raw_end_offset = size;
    if (source->codec == NULL) {
        source->next = bytes;
        source->end = bytes + size;
        source->end_offset = size;
        source->ended = true;
        return;
    }
    source->next = source->window;
    source->end = source->window;
    source->raw_next = bytes;
    source->raw_end = bytes + size;
}

static oc_err_t source_create(byte_source_t **created, const char *name)
{
    byte_source_t *source = calloc(1, sizeof *source);
    if (source != NULL) {
        source->name = malloc(strlen(name) + 1);
        source->window = malloc(BUFFER_SIZE);
    }
    if (source == NULL || source->name == NULL || source->window == NULL) {
        byte_source_close(source);
        return error_set(OC_ERR_NO_MEMORY, "%s: no memory to read it", name);
    }
    memcpy(source->name, name, strlen(name) + 1);
    *created = source;
    return OC_ERR_OK;
}

/* The last step of opening: what cannot be started is closed. */
static oc_err_t source_start_codec(byte_source_t **opened, byte_source_t *source, oc_err_t err)
{
    if (err == OC_ERR_OK && source->codec != NULL) {
        source->codec_state = source->codec->create();
        if (source->codec_state == NULL) {
            err = source_fail(source, OC_ERR_NO_MEMORY, "cannot decompress", "out of memory");
        }
    }
    if (err != OC_ERR_OK) {
        byte_source_close(source);
        return err;
    }
    *opened = source;
    return OC_ERR_OK;
}

oc_err_t byte_source_open_input(byte_source_t **source, const char *name, const byte_input_t *input)
{
    *source = NULL;
    byte_source_t *created = NULL;
    const oc_err_t err = source_create(&created, name);
    if (err != OC_ERR_OK) {
        input->close(input->context);
        return err;
    }
    created->input = *input;
    return source_start_codec(source, created, source_start_input(created));
}

oc_err_t byte_source_open_memory(byte_source_t **source, const char *name, const void *bytes,
                                 size_t size)
{
    *source = NULL;
    byte_source_t *created = NULL;
    const oc_err_t err = source_create(&created, name);
    if (err != OC_ERR_OK) {
        return err;
    }
    /* An empty array may be NULL, which pointer arithmetic does not like. */
    source_start_memory(created, size == 0 ? created->window : bytes, size);
    return source_start_codec(source, created, OC_ERR_OK);
}

static int64_t file_read(void *context, void *buffer, size_t capacity)
{
    FILE *file = context;
    errno = 0;
    const size_t count = fread(buffer, 1, capacity, file);
    return count == 0 && ferror(file) ? -1 : (int64_t)count;
}

static void file_close(void *context)
{
    (void)fclose(context);
}

/* 0 for what cannot be measured, like a pipe. */
static uint64_t file_size(FILE *file)
{
    if (fseek(file, 0, SEEK_END) != 0) {
        return 0;
    }
    const long size = ftell(file);
    rewind(file);
    return size < 0 ? 0 : (uint64_t)size;
}

oc_err_t byte_source_open(byte_source_t **source, const char *path)
{
    *source = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return error_set(OC_ERR_OPEN, "%s: cannot open it for reading: %s", path, strerror(errno));
    }
    /* The window is the buffer; a second one would only add a copy. */
    setvbuf(file, NULL, _IONBF, 0);
    const byte_input_t input = {
        .context = file, .size = file_size(file), .read = file_read, .close = file_close};
    return byte_source_open_input(source, path, &input);
}

void byte_source_close(byte_source_t *source)
{
    if (source == NULL) {
        return;
    }
    if (source->codec_state != NULL) {
        source->codec->destroy(source->codec_state);
    }
    if (source->input.close != NULL) {
        source->input.close(source->input.context);
    }
    free(source->raw);
    free(source->window);
    free(source->name);
    free(source);
}
