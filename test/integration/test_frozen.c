/*
 * Journals, images and exported states of earlier versions, kept for good under test/data/frozen
 * (made once each by tools/freeze): this build must still read them, to the same state, from the
 * log alone with either engine, from images and tail, and from the exported state. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/node.h"
#include "host/node_offline.h"
#include "input/byte_source.h"
#include "lib/temp_dir.h"
#include "service/exchange.h"
#include "snapshot/image.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FROZEN OUTCRY_SOURCE_DIR "/test/data/frozen"

enum { PATH_BYTES = 512, IMAGES_MAX = 8, STATE_MAX = 4 * 1024 * 1024 };

/* One version's data, unpacked. */
typedef struct frozen {
    char source[PATH_BYTES];
    temp_dir_t dir;
    char log[PATH_BYTES];
    uint64_t position;
    uint64_t entries;
    uint64_t state_hash;
    struct {
        uint64_t sequence;
        uint64_t state_hash;
    } images[IMAGES_MAX];
    size_t image_count;
    uint8_t *state; /* owned: the exported state, as it was */
    size_t state_length;
} frozen_t;

/* ---- Unpacking ---- */

static void unpack(const char *from, const char *to)
{
    byte_source_t *source;
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    if (byte_source_open(&source, from) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    for (;;) {
        byte_view_t view;
        assert_int_equal(byte_source_peek(source, 1, &view), OC_ERR_OK);
        if (view.size == 0)
            break;
        assert_int_equal(fwrite(view.bytes, 1, view.size, file), view.size);
        byte_source_advance(source, view.size);
    }
    byte_source_close(source);
    assert_int_equal(fclose(file), 0);
}

static void unpack_all(frozen_t *self)
{
    DIR *dir = opendir(self->source);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char name[256];
        char from[2 * PATH_BYTES];
        char to[2 * PATH_BYTES];
        (void)snprintf(name, sizeof name, "%s", entry->d_name);
        char *ending = strstr(name, ".xz");
        if (!ending)
            continue;
        *ending = '\0';
        (void)snprintf(from, sizeof from, "%s/%s", self->source, entry->d_name);
        if (strstr(name, ".journal"))
            (void)snprintf(to, sizeof to, "%s/%s", self->log, name);
        else if (strstr(name, ".pages") || strstr(name, ".manifest"))
            (void)snprintf(to, sizeof to, "%s/" IMAGE_DIR "/%s", self->log, name);
        else
            (void)snprintf(to, sizeof to, "%s/%s", self->dir.path, name);
        unpack(from, to);
    }
    (void)closedir(dir);
}

static void read_expected(frozen_t *self)
{
    char path[2 * PATH_BYTES];
    char line[256];
    (void)snprintf(path, sizeof path, "%s/expected", self->source);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        (void)sscanf(line, "position %" SCNu64, &self->position);
        (void)sscanf(line, "entries %" SCNu64, &self->entries);
        (void)sscanf(line, "state_hash %" SCNx64, &self->state_hash);
        assert_true(self->image_count < IMAGES_MAX);
        if (sscanf(line, "image %" SCNu64 " %" SCNx64, &self->images[self->image_count].sequence,
                   &self->images[self->image_count].state_hash) == 2)
            self->image_count++;
    }
    (void)fclose(file);
    assert_true(self->image_count > 0);
    assert_true(self->entries > 0);
}

static void read_state(frozen_t *self)
{
    char path[2 * PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/state", self->dir.path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    self->state = malloc(STATE_MAX);
    assert_non_null(self->state);
    self->state_length = fread(self->state, 1, STATE_MAX, file);
    assert_in_range(self->state_length, 1, STATE_MAX - 1);
    (void)fclose(file);
}

static void open_frozen(frozen_t *self, const char *version)
{
    char images[2 * PATH_BYTES];
    *self = (frozen_t){0};
    (void)snprintf(self->source, sizeof self->source, "%s/%s", FROZEN, version);
    temp_dir_make(&self->dir);
    (void)snprintf(self->log, sizeof self->log, "%s/log", self->dir.path);
    (void)snprintf(images, sizeof images, "%s/" IMAGE_DIR, self->log);
    assert_int_equal(mkdir(self->log, 0777), 0);
    assert_int_equal(mkdir(images, 0777), 0);
    unpack_all(self);
    read_expected(self);
    read_state(self);
}

static void close_frozen(frozen_t *self)
{
    free(self->state);
    temp_dir_remove(&self->dir);
}

/* ---- What must come out ---- */

static exchange_t *make_exchange(const frozen_t *self, oc_engine_kind_t kind)
{
    uint8_t bytes[IMAGE_CONFIGURATION_MAX];
    size_t length;
    exchange_config_t config;
    exchange_t *exchange;
    exchange_config_init(&config);
    assert_int_equal(node_log_configuration(self->log, bytes, sizeof bytes, &length), OC_ERR_OK);
    assert_int_equal(exchange_config_parse(&config, bytes, length), OC_ERR_OK);
    config.engine.kind = kind;
    config.engine.hash_key[0] ^= 0x5555; /* an image keeps its own */
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_OK);
    return exchange;
}

static void replay(const frozen_t *self, oc_engine_kind_t kind, node_replay_from_t from)
{
    exchange_t *exchange = make_exchange(self, kind);
    node_report_t report;
    char why[256];
    if (node_replay(self->log, exchange_service(exchange), from, &report) != OC_ERR_OK)
        fail_msg("%s: %s", self->source, oc_err_context());
    assert_int_equal(report.state_hash, self->state_hash);
    assert_int_equal(report.entries, self->entries);
    assert_int_equal(report.position, self->position);
    if (!oc_engine_audit(exchange_engine(exchange), why, sizeof why))
        fail_msg("%s", why);
    exchange_destroy(exchange);
}

static void load_images(const frozen_t *self)
{
    for (size_t i = 0; i < self->image_count; i++) {
        exchange_t *exchange = make_exchange(self, OC_ENGINE_FAST);
        const oc_service_t *service = exchange_service(exchange);
        image_info_t info;
        if (node_load(self->log, service, self->images[i].sequence, 2, &info) != OC_ERR_OK)
            fail_msg("%s: %s", self->source, oc_err_context());
        assert_int_equal(service->state_hash(service->context), self->images[i].state_hash);
        exchange_destroy(exchange);
    }
}

typedef struct stream {
    const frozen_t *frozen;
    size_t at;
} stream_t;

static oc_err_t hold_against(void *context, const void *bytes, size_t length)
{
    stream_t *stream = context;
    assert_true(length <= stream->frozen->state_length - stream->at);
    assert_memory_equal(bytes, stream->frozen->state + stream->at, length);
    stream->at += length;
    return OC_ERR_OK;
}

static oc_err_t give(void *context, void *bytes, size_t length)
{
    stream_t *stream = context;
    if (length > stream->frozen->state_length - stream->at)
        return OC_ERR_TRUNCATED; /* asked at the end, whether it is one */
    memcpy(bytes, stream->frozen->state + stream->at, length);
    stream->at += length;
    return OC_ERR_OK;
}

/* The state that is exported today is the one that was, to the byte. */
static void export_again(const frozen_t *self)
{
    exchange_t *exchange = make_exchange(self, OC_ENGINE_FAST);
    stream_t stream = {.frozen = self};
    image_info_t info;
    assert_int_equal(
        node_export(self->log, exchange_service(exchange), 0, hold_against, &stream, &info),
        OC_ERR_OK);
    assert_int_equal(stream.at, self->state_length);
    exchange_destroy(exchange);
}

/* ---- Through an import ---- */

enum {
    STATE_HEAD = 64, /* docs/formats/state-file.md */
    STATE_TIMERS_AT = 48,
    TIMER = 16,
    FILE_HEAD = 16, /* docs/formats/record-stream.md */
    FRAME_HEAD = 8,
    TEMPLATE_AT = 2,
    BLOCK_AT = 8,
    BEGIN_ENGINE_AT = BLOCK_AT + 48, /* behind the place */
    BEGIN_TERM_AT = BLOCK_AT + 108,
    BEGIN_SIZE_AT = BLOCK_AT + 112,
    END_CHECKSUM_AT = BLOCK_AT + 80, /* it covers place and configuration */
    KIND_BEGIN = 1,
    KIND_CONFIGURATION = 2,
    KIND_END = 10,
};

static oc_err_t keep(void *context, const void *bytes, size_t length)
{
    frozen_t *again = context;
    assert_true(length <= STATE_MAX - again->state_length);
    memcpy(again->state + again->state_length, bytes, length);
    again->state_length += length;
    return OC_ERR_OK;
}

static uint32_t word_at(const frozen_t *self, size_t at)
{
    uint32_t word;
    assert_true(at + sizeof word <= self->state_length);
    memcpy(&word, self->state + at, sizeof word);
    return word;
}

static size_t first_frame(const frozen_t *self)
{
    return STATE_HEAD + (size_t)TIMER * word_at(self, STATE_TIMERS_AT) + FILE_HEAD;
}

/* Two records of one length say the same of the state; returns their kind. */
static unsigned compare_records(const uint8_t *a, const uint8_t *b, size_t length)
{
    const unsigned kind = a[TEMPLATE_AT];
    assert_int_equal(b[TEMPLATE_AT], kind);
    if (kind == KIND_BEGIN) {
        assert_memory_equal(a + BEGIN_ENGINE_AT, b + BEGIN_ENGINE_AT,
                            BEGIN_TERM_AT - BEGIN_ENGINE_AT);
        assert_memory_equal(a + BEGIN_SIZE_AT, b + BEGIN_SIZE_AT, length - BEGIN_SIZE_AT);
    } else if (kind == KIND_END) {
        assert_memory_equal(a, b, END_CHECKSUM_AT);
    } else if (kind != KIND_CONFIGURATION) {
        assert_memory_equal(a, b, length);
    }
    return kind;
}

/* All records but for the place in the log and the configuration. */
static void compare_states(const frozen_t *self, const frozen_t *again)
{
    size_t a = first_frame(self);
    size_t b = first_frame(again);
    for (unsigned kind = 0; kind != KIND_END;) {
        const size_t length = word_at(self, a);
        assert_int_equal(word_at(again, b), length);
        assert_true(length > BLOCK_AT);
        assert_true(a + FRAME_HEAD + length <= self->state_length);
        assert_true(b + FRAME_HEAD + length <= again->state_length);
        kind = compare_records(self->state + a + FRAME_HEAD, again->state + b + FRAME_HEAD, length);
        a += FRAME_HEAD + length;
        b += FRAME_HEAD + length;
    }
    assert_int_equal(a, self->state_length);
    assert_int_equal(b, again->state_length);
}

static void export_imported(const frozen_t *self, const char *dir)
{
    exchange_t *exchange = make_exchange(self, OC_ENGINE_FAST);
    frozen_t again = {.state = malloc(STATE_MAX)};
    image_info_t info;
    assert_non_null(again.state);
    assert_int_equal(node_export(dir, exchange_service(exchange), 0, keep, &again, &info),
                     OC_ERR_OK);
    compare_states(self, &again);
    free(again.state);
    exchange_destroy(exchange);
}

static uint64_t newest_hash(const frozen_t *self)
{
    size_t newest = 0;
    for (size_t i = 1; i < self->image_count; i++)
        if (self->images[i].sequence > self->images[newest].sequence)
            newest = i;
    return self->images[newest].state_hash;
}

static void import(const frozen_t *self)
{
    exchange_t *exchange = make_exchange(self, OC_ENGINE_FAST);
    const oc_service_t *service = exchange_service(exchange);
    stream_t stream = {.frozen = self};
    node_config_t config;
    image_info_t info;
    node_config_init(&config);
    (void)snprintf(config.dir, sizeof config.dir, "%s/imported", self->dir.path);
    config.segment_bytes = 1024 * 1024;
    config.group_bytes = 128 * 1024;
    config.low_space_bytes = 0;
    if (node_import(&config, service, give, &stream, &info) != OC_ERR_OK)
        fail_msg("%s: %s", self->source, oc_err_context());
    /* The state went through as it was. */
    assert_int_equal(service->state_hash(service->context), newest_hash(self));
    exchange_destroy(exchange);
    export_imported(self, config.dir);
}

static void test_versions(void **state)
{
    (void)state;
    DIR *dir = opendir(FROZEN);
    assert_non_null(dir);
    int versions = 0;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        frozen_t frozen;
        if (entry->d_name[0] == '.')
            continue;
        open_frozen(&frozen, entry->d_name);
        replay(&frozen, OC_ENGINE_FAST, NODE_REPLAY_LOG);
        replay(&frozen, OC_ENGINE_REFERENCE, NODE_REPLAY_LOG);
        replay(&frozen, OC_ENGINE_FAST, NODE_REPLAY_IMAGE);
        load_images(&frozen);
        export_again(&frozen);
        import(&frozen);
        close_frozen(&frozen);
        versions++;
    }
    (void)closedir(dir);
    assert_true(versions > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
