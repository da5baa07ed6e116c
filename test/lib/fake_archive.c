/*
 * The archive's side of its control protocol (schema 101), as far as a session needs it. The thread
 * owns all that talks to Aeron; the test sees counts only.
 */
#define _GNU_SOURCE

#include "lib/fake_archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/embedded.h"
#include "lib/byte_builder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    HEADER = 8,
    SCHEMA = 101,
    CONTROL_STREAM = 10,
    PEERS_MAX = 16,
    CODE_OK = 0,
    CODE_ERROR = 1,
    UNKNOWN_RECORDING = 5,
    REC_POS_TYPE = 100,
    TRIES_MAX = 100000,
    UNHEARD_TRIES_MAX = 10000,
    PROTOCOL_VERSION = 1 << 16 | 11 << 8,
};

/* Template ids. */
enum {
    CONTROL_RESPONSE = 1,
    CLOSE_SESSION = 3,
    CONNECT = 58,
    START_RECORDING = 63,
    ARCHIVE_ID = 68,
};

/* A client that has connected. */
typedef struct peer {
    int64_t session; /* no other one has it, also of an archive before this one */
    aeron_exclusive_publication_t *responses;
} peer_t;

struct fake_archive {
    pthread_t thread;
    embedded_t *embedded; /* the thread's */
    aeron_subscription_t *requests;
    peer_t peers[PEERS_MAX];
    size_t peer_count;
    aeron_counter_t *recorded;
    fake_archive_mode_t mode;
    atomic_bool stop;
    atomic_bool ended;
    atomic_bool broken;
    atomic_int request_count;
    atomic_int record_count;
    char aeron_dir[512];
};

static int64_t load_i64(const uint8_t *at)
{
    int64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static int32_t load_i32(const uint8_t *at)
{
    int32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void pause_for_others(void)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000};
    nanosleep(&pause, NULL);
}

static void respond(fake_archive_t *self, const peer_t *peer, const byte_builder_t *bytes)
{
    int64_t result = AERON_PUBLICATION_NOT_CONNECTED;
    for (int i = 0; i < TRIES_MAX && !atomic_load(&self->stop); i++) {
        result = aeron_exclusive_publication_offer(peer->responses, bytes->bytes, bytes->size, NULL,
                                                   NULL);
        if (result > 0)
            return;
        if (result == AERON_PUBLICATION_NOT_CONNECTED && i > UNHEARD_TRIES_MAX)
            return; /* nobody listens any more */
        embedded_do_work(self->embedded);
        pause_for_others();
    }
    if (!atomic_load(&self->stop))
        atomic_store(&self->broken, true);
}

static void build_header(byte_builder_t *bytes, unsigned block, unsigned template_id)
{
    bytes->size = 0;
    build_le(bytes, block, 2);
    build_le(bytes, template_id, 2);
    build_le(bytes, SCHEMA, 2);
    build_le(bytes, 14, 2);
}

static void build_string(byte_builder_t *bytes, const char *text)
{
    build_le(bytes, strlen(text), 4);
    build_text(bytes, text);
}

typedef struct answer {
    int64_t correlation_id;
    int code;
    int64_t relevant_id;
    const char *error; /* NULL: "" */
} answer_t;

static void answer(fake_archive_t *self, const peer_t *peer, const answer_t *answer)
{
    byte_builder_t bytes;
    build_header(&bytes, 32, CONTROL_RESPONSE);
    build_le(&bytes, (uint64_t)peer->session, 8);
    build_le(&bytes, (uint64_t)answer->correlation_id, 8);
    build_le(&bytes, (uint64_t)answer->relevant_id, 8);
    build_le(&bytes, (uint64_t)answer->code, 4);
    build_le(&bytes, PROTOCOL_VERSION, 4);
    build_string(&bytes, answer->error != NULL ? answer->error : "");
    respond(self, peer, &bytes);
}

/* Adds a client from its connect request; NULL: its response stream cannot be. */
static peer_t *add_peer(fake_archive_t *self, const uint8_t *message, size_t length)
{
    static atomic_int_fast64_t sessions = 100;
    char channel[512];
    aeron_async_add_exclusive_publication_t *async;
    peer_t *peer = &self->peers[self->peer_count];
    const int32_t stream = load_i32(message + HEADER + 8);
    const size_t size = (size_t)load_i32(message + HEADER + 16);
    if (size >= sizeof channel || HEADER + 20 + size > length || self->peer_count == PEERS_MAX)
        return NULL;
    memcpy(channel, message + HEADER + 20, size);
    channel[size] = '\0';
    if (aeron_async_add_exclusive_publication(&async, embedded_aeron(self->embedded), channel,
                                              stream) < 0)
        return NULL;
    peer->responses = NULL;
    for (int i = 0; i < TRIES_MAX && peer->responses == NULL; i++) {
        embedded_do_work(self->embedded);
        if (aeron_async_add_exclusive_publication_poll(&peer->responses, async) < 0)
            return NULL;
        pause_for_others();
    }
    if (peer->responses == NULL)
        return NULL;
    self->peer_count++;
    peer->session = atomic_fetch_add(&sessions, 1);
    return peer;
}

/* Of a channel that names one, as those of exclusive publications do. */
static int32_t session_of(const uint8_t *message, size_t length)
{
    enum { CHANNEL = HEADER + 28 }; /* its length, then its text */
    char channel[512];
    const size_t size = length >= CHANNEL + 4 ? (size_t)load_i32(message + CHANNEL) : 0;
    if (size >= sizeof channel || CHANNEL + 4 + size > length)
        return FAKE_ARCHIVE_SESSION_ID;
    memcpy(channel, message + CHANNEL + 4, size);
    channel[size] = '\0';
    const char *session = strstr(channel, "session-id=");
    return session ? (int32_t)strtol(session + strlen("session-id="), NULL, 10)
                   : FAKE_ARCHIVE_SESSION_ID;
}

/* The counter that says how far the recording is: 4096. There is one, of the newest. */
static void begin_recording(fake_archive_t *self, int32_t session)
{
    static const char source[] = "aeron:ipc";
    aeron_async_add_counter_t *async;
    byte_builder_t key = {.size = 0};
    if (self->recorded != NULL)
        (void)aeron_counter_close(self->recorded, NULL, NULL);
    self->recorded = NULL;
    build_le(&key, FAKE_ARCHIVE_RECORDING, 8);
    build_le(&key, (uint64_t)(uint32_t)session, 4);
    build_string(&key, source);
    build_le(&key, FAKE_ARCHIVE_ID, 8);
    if (aeron_async_add_counter(&async, embedded_aeron(self->embedded), REC_POS_TYPE, key.bytes,
                                key.size, "rec-pos", 7) < 0)
        return;
    for (int i = 0; i < TRIES_MAX && self->recorded == NULL; i++) {
        embedded_do_work(self->embedded);
        if (aeron_async_add_counter_poll(&self->recorded, async) < 0)
            return;
        pause_for_others();
    }
    if (self->recorded != NULL)
        __atomic_store_n(aeron_counter_addr(self->recorded), 4096, __ATOMIC_RELEASE);
}

/* A subscriber that comes anew may see a request that another one had: its response stream is gone
 * or going, and nobody listens to it. */
static void on_connect(fake_archive_t *self, const uint8_t *message, size_t length)
{
    const peer_t *peer = add_peer(self, message, length);
    answer_t reply = {.correlation_id = load_i64(message + HEADER), .code = CODE_OK};
    if (peer == NULL)
        return;
    if (self->mode == FAKE_ARCHIVE_REFUSES) {
        reply.code = CODE_ERROR;
        reply.error = "nobody is let in";
    }
    answer(self, peer, &reply);
}

static void on_known_request(fake_archive_t *self, const peer_t *peer, unsigned template_id,
                             const uint8_t *message, size_t length)
{
    answer_t reply = {.correlation_id = load_i64(message + HEADER + 8), .code = CODE_OK};
    if (template_id == ARCHIVE_ID) {
        reply.relevant_id = FAKE_ARCHIVE_ID;
    } else if (template_id == START_RECORDING) {
        begin_recording(self, session_of(message, length));
        atomic_fetch_add(&self->record_count, 1);
    } else if (load_i64(message + HEADER + 16) != FAKE_ARCHIVE_RECORDING) {
        reply.code = CODE_ERROR;
        reply.relevant_id = UNKNOWN_RECORDING;
        reply.error = "no such recording";
    } else {
        reply.relevant_id = 3; /* segments that went */
    }
    answer(self, peer, &reply);
}

static void on_request(void *context, const uint8_t *message, size_t length, aeron_header_t *header)
{
    fake_archive_t *self = context;
    uint16_t template_id;
    (void)header;
    memcpy(&template_id, message + 2, sizeof template_id);
    atomic_fetch_add(&self->request_count, 1);
    if (self->mode == FAKE_ARCHIVE_SILENT || length < HEADER + 16)
        return;
    if (template_id == CONNECT) {
        on_connect(self, message, length);
        return;
    }
    for (size_t i = 0; i < self->peer_count; i++) {
        if (self->peers[i].session == load_i64(message + HEADER) && template_id != CLOSE_SESSION)
            on_known_request(self, &self->peers[i], template_id, message, length);
    }
}

static bool listen_for_requests(fake_archive_t *self)
{
    embedded_config_t config;
    aeron_async_add_subscription_t *async;
    embedded_config_init(&config);
    config.threading = EMBEDDED_EXTERNAL;
    config.dir = self->aeron_dir;
    if (embedded_create(&self->embedded, &config) != OC_ERR_OK)
        return false;
    if (aeron_async_add_subscription(&async, embedded_aeron(self->embedded), "aeron:ipc",
                                     CONTROL_STREAM, NULL, NULL, NULL, NULL) < 0)
        return false;
    while (self->requests == NULL && !atomic_load(&self->stop)) {
        embedded_do_work(self->embedded);
        if (aeron_async_add_subscription_poll(&self->requests, async) < 0)
            return false;
        pause_for_others();
    }
    return true;
}

static void *run(void *context)
{
    fake_archive_t *self = context;
    if (!listen_for_requests(self))
        atomic_store(&self->broken, true);
    while (!atomic_load(&self->stop) && self->requests != NULL) {
        embedded_do_work(self->embedded);
        aeron_subscription_poll(self->requests, on_request, self, 1);
        pause_for_others();
    }
    embedded_destroy(self->embedded);
    atomic_store(&self->ended, true);
    return NULL;
}

fake_archive_t *fake_archive_start(const char *aeron_dir, fake_archive_mode_t mode)
{
    fake_archive_t *self = calloc(1, sizeof *self);
    assert_non_null(self);
    self->mode = mode;
    snprintf(self->aeron_dir, sizeof self->aeron_dir, "%s", aeron_dir);
    assert_int_equal(pthread_create(&self->thread, NULL, run, self), 0);
    return self;
}

void fake_archive_stop(fake_archive_t *self, int (*step)(void *context), void *context)
{
    atomic_store(&self->stop, true);
    while (!atomic_load(&self->ended)) {
        (void)step(context);
        pause_for_others();
    }
    pthread_join(self->thread, NULL);
    assert_false(atomic_load(&self->broken));
    free(self);
}

int fake_archive_requests(const fake_archive_t *self)
{
    return atomic_load(&self->request_count);
}

int fake_archive_records(const fake_archive_t *self)
{
    return atomic_load(&self->record_count);
}
