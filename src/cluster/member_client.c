/*
 * The member's client: a thread that keeps a session of the principal "@member" and sends what the
 * core left in the mailbox. Created and fed by the container.
 *
 * The mailbox has one place for each type of message, already encoded, under a mutex that is held
 * for a copy of at most MEMBER_MESSAGE_BYTES_MAX: so the core never waits for the network, nor for
 * the thread's sleep. A place is emptied when its message was sent, unless it was filled anew
 * meanwhile. What the cluster answers is nothing; the session's own protocol is all that is heard.
 *
 * With a secret its sessions are named after a key, which nobody else has, and every message has a
 * seal under it: nobody else can say anything in them (cluster/member_key.h).
 *
 * Must not give up: a session that is over for good (refused, for example) is begun anew after a
 * pause, for what refuses it now may be put right without a restart.
 */
#define _GNU_SOURCE
#include "cluster/member_client.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "client/aeron_link.h"
#include "client/client_session.h"
#include "cluster/member_key.h"
#include "host/replica.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define IDLE_FIRST_NS INT64_C(1000000)
#define IDLE_LAST_NS  INT64_C(10000000)
#define ANEW_NS       INT64_C(1000000000)
#define GOODBYE_NS    INT64_C(2000000)

enum { PLACES = 3, POLL_LIMIT = 16, UNANSWERED = 16, ENDPOINTS_TEXT_MAX = 4096 };

_Static_assert(MEMBER_MESSAGE_BYTES_MAX <= CLIENT_MESSAGE_MAX, "each goes out as one message");
_Static_assert((int)MEMBER_CHECK == 1 && (int)MEMBER_NOTICE == PLACES, "a place for each type");

typedef struct place {
    size_t length;   /* 0: empty */
    uint64_t filled; /* how often */
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
} place_t;

struct member_client {
    char endpoints[ENDPOINTS_TEXT_MAX];
    char aeron_dir[4096];
    uint8_t secret[CLIENT_SECRET_MAX];
    size_t secret_length;
    pthread_t thread;
    pthread_mutex_t lock; /* of the places */
    place_t places[PLACES];
    /* Single words that are read at leisure: nothing else depends on their order. */
    atomic_bool stop;
    atomic_bool connected;
    atomic_uint_fast64_t sent;
    /* The thread's own. */
    aeron_link_t *link;
    client_session_t session;
    member_key_t *key; /* of what is begun; NULL: there is no secret to prove it with */
    bool begun;        /* the session is to be ended */
    uint8_t message[MEMBER_MESSAGE_BYTES_MAX];
};

/* ---- The thread ------------------------------------------------------------------------------ */

static void on_response(void *context, const oc_response_t *response)
{
    (void)context, (void)response;
}

static bool stopping(const member_client_t *self)
{
    return atomic_load_explicit(&self->stop, memory_order_relaxed);
}

/* In slices, so that the end is not waited for. */
static void sleep_ns(const member_client_t *self, int64_t nanoseconds)
{
    while (nanoseconds > 0 && !stopping(self)) {
        const int64_t slice = nanoseconds < IDLE_LAST_NS ? nanoseconds : IDLE_LAST_NS;
        const struct timespec pause = {.tv_nsec = slice};
        (void)nanosleep(&pause, NULL);
        nanoseconds -= slice;
    }
}

static oc_err_t begin(member_client_t *self)
{
    uint8_t bound[MEMBER_KEY_SECRET_BYTES];
    oc_client_config_t config;
    oc_client_config_init(&config);
    config.ingress = self->endpoints;
    config.aeron_dir = self->aeron_dir;
    config.principal = REPLICA_HOST_PRINCIPAL;
    config.unanswered_max = UNANSWERED;
    config.reconnect_timeout_ns = 0;
    if (self->link == NULL) {
        const aeron_link_config_t link = {.aeron_dir = self->aeron_dir};
        const oc_err_t err = aeron_link_create(&self->link, &link);
        if (err != OC_ERR_OK)
            return err;
    }
    if (self->secret_length > 0) {
        const oc_err_t err = member_key_create(&self->key);
        if (err != OC_ERR_OK)
            return err;
        member_key_secret(self->key, self->secret, self->secret_length, bound);
        config.principal = member_key_principal(self->key);
        config.secret = bound;
        config.secret_length = sizeof bound;
    }
    const client_link_t table = aeron_link_table(self->link);
    const oc_err_t err = client_session_init(&self->session, &config, &table);
    explicit_bzero(bound, sizeof bound);
    if (err != OC_ERR_OK)
        return err;
    self->session.handler = on_response;
    self->session.handler_context = self;
    self->begun = true;
    return OC_ERR_OK;
}

static void end(member_client_t *self)
{
    atomic_store_explicit(&self->connected, false, memory_order_relaxed);
    if (self->begun) {
        client_session_goodbye(&self->session);
        client_session_fini(&self->session);
    }
    self->begun = false;
    member_key_destroy(self->key);
    self->key = NULL;
}

/* Copies what waits in a place; returns its length, 0: nothing. */
static size_t look(member_client_t *self, uint32_t at, uint64_t *filled)
{
    (void)pthread_mutex_lock(&self->lock);
    const place_t *place = &self->places[at];
    const size_t length = place->length;
    memcpy(self->message, place->bytes, length);
    *filled = place->filled;
    (void)pthread_mutex_unlock(&self->lock);
    return length;
}

static void empty(member_client_t *self, uint32_t at, uint64_t filled)
{
    (void)pthread_mutex_lock(&self->lock);
    if (self->places[at].filled == filled)
        self->places[at].length = 0;
    (void)pthread_mutex_unlock(&self->lock);
}

/* Sends what waits; returns how much went out. */
static uint32_t send_waiting(member_client_t *self)
{
    uint32_t sent = 0;
    for (uint32_t at = 0; at < PLACES; at++) {
        uint64_t filled = 0;
        size_t length = look(self, at, &filled);
        if (length == 0)
            continue;
        if (self->key != NULL)
            length = member_key_seal(self->key, self->session.session, self->message, length);
        if (client_session_message(&self->session, self->message, length) != OC_ERR_OK)
            continue;
        empty(self, at, filled);
        (void)atomic_fetch_add_explicit(&self->sent, 1, memory_order_relaxed);
        sent++;
    }
    return sent;
}

/* One round; returns how much was done. */
static size_t do_work(member_client_t *self)
{
    client_session_t *session = &self->session;
    session->link.step(session->link.context);
    size_t work = client_session_poll(session, (int64_t)clock_wall_ns(), POLL_LIMIT);
    const bool ready = session->phase == CLIENT_READY;
    atomic_store_explicit(&self->connected, ready, memory_order_relaxed);
    if (ready)
        work += send_waiting(self);
    return work;
}

static void run_session(member_client_t *self)
{
    int64_t idle_ns = IDLE_FIRST_NS;
    while (!stopping(self) && self->session.phase != CLIENT_ENDED) {
        if (do_work(self) > 0) {
            idle_ns = IDLE_FIRST_NS;
            continue;
        }
        sleep_ns(self, idle_ns);
        idle_ns = idle_ns * 2 < IDLE_LAST_NS ? idle_ns * 2 : IDLE_LAST_NS;
    }
}

/* The last word has to get out of the driver's buffers. */
static void say_goodbye(member_client_t *self)
{
    if (self->link == NULL)
        return;
    const client_link_t link = aeron_link_table(self->link);
    const int64_t until = (int64_t)clock_wall_ns() + GOODBYE_NS;
    while ((int64_t)clock_wall_ns() < until)
        link.step(link.context);
}

static void *run(void *context)
{
    member_client_t *self = context;
    while (!stopping(self)) {
        if (begin(self) == OC_ERR_OK)
            run_session(self);
        end(self);
        sleep_ns(self, ANEW_NS);
    }
    say_goodbye(self);
    aeron_link_destroy(self->link);
    return NULL;
}

/* ---- The core's side ------------------------------------------------------------------------- */

static oc_err_t copy_config(member_client_t *self, const member_client_config_t *config)
{
    endpoints_t endpoints;
    if (config->endpoints == NULL || strlen(config->endpoints) >= sizeof self->endpoints ||
        !endpoints_parse(&endpoints, config->endpoints, strlen(config->endpoints)))
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "member client: endpoints '%.200s': give 0=HOST:PORT,1=HOST:PORT,...",
                         config->endpoints == NULL ? "" : config->endpoints);
    if (config->aeron_dir == NULL || config->aeron_dir[0] == '\0' ||
        strlen(config->aeron_dir) >= sizeof self->aeron_dir)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "member client: the directory of a running media driver is needed");
    if (config->secret != NULL &&
        (config->secret_length < 16 || config->secret_length > sizeof self->secret))
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "member client: secret of %zu bytes: 16..%zu are allowed",
                         config->secret_length, sizeof self->secret);
    memcpy(self->endpoints, config->endpoints, strlen(config->endpoints));
    memcpy(self->aeron_dir, config->aeron_dir, strlen(config->aeron_dir));
    if (config->secret != NULL) {
        memcpy(self->secret, config->secret, config->secret_length);
        self->secret_length = config->secret_length;
    }
    return OC_ERR_OK;
}

/* Signals are for the threads that were there before. */
static int start_thread(member_client_t *self)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    const int failed = pthread_create(&self->thread, NULL, run, self);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

oc_err_t member_client_create(member_client_t **client, const member_client_config_t *config)
{
    *client = NULL;
    member_client_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        return error_set(OC_ERR_NO_MEMORY, "member client: %zu bytes", sizeof *self);
    oc_err_t err = copy_config(self, config);
    if (err != OC_ERR_OK)
        goto free_self;
    atomic_init(&self->stop, false);
    atomic_init(&self->connected, false);
    atomic_init(&self->sent, 0);
    if (pthread_mutex_init(&self->lock, NULL) != 0) {
        err = error_set(OC_ERR_NO_MEMORY, "member client: a mutex");
        goto free_self;
    }
    if (start_thread(self) != 0) {
        err = error_set(OC_ERR_NO_MEMORY, "member client: a thread");
        goto destroy_lock;
    }
    *client = self;
    return OC_ERR_OK;

destroy_lock:
    (void)pthread_mutex_destroy(&self->lock);
free_self:
    explicit_bzero(self->secret, sizeof self->secret);
    free(self);
    return err;
}

void member_client_destroy(member_client_t *self)
{
    if (self == NULL)
        return;
    atomic_store_explicit(&self->stop, true, memory_order_relaxed);
    (void)pthread_join(self->thread, NULL);
    (void)pthread_mutex_destroy(&self->lock);
    explicit_bzero(self->secret, sizeof self->secret);
    free(self);
}

void member_client_say(member_client_t *self, const member_message_t *message)
{
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    OC_ASSERT(message->type >= MEMBER_CHECK);
    OC_ASSERT(message->type <= MEMBER_NOTICE);
    const size_t length = member_message_encode(message, bytes);
    OC_ASSERT(length > 0);
    OC_ASSERT(length <= sizeof bytes);
    place_t *place = &self->places[message->type - MEMBER_CHECK];
    (void)pthread_mutex_lock(&self->lock);
    memcpy(place->bytes, bytes, length);
    place->length = length;
    place->filled++;
    (void)pthread_mutex_unlock(&self->lock);
}

uint64_t member_client_sent(const member_client_t *self)
{
    return atomic_load_explicit(&self->sent, memory_order_relaxed);
}

bool member_client_connected(const member_client_t *self)
{
    return atomic_load_explicit(&self->connected, memory_order_relaxed);
}
