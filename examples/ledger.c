/*
 * A service whose whole state lies in an arena: a ledger of a million accounts. A message is two
 * 8-byte little-endian numbers, an account and an amount; the amount is added, and account and
 * balance go back the same way. Images of all accounts are taken while it goes on, and a start
 * loads the newest one: for that it fills in arenas() and restored(), and announces every store.
 *
 *     ledger DIR [HOST:PORT]
 *
 * examples/ledger_client.c speaks to it.
 *
 * What lies in the arena means the same in another process: numbers and places in tables, no
 * pointers. What lies beside it (here the pointers to the tables) can be made anew at any time.
 */
#include "outcry/service.h"

#include <stdio.h>
#include <string.h>

#define ACCOUNTS UINT64_C(1000000)

/* A record must not lie across the border of two pages, so that one touch announces it. */
typedef struct account {
    int64_t balance;
    uint64_t changes; /* 0: it was never used */
} account_t;

_Static_assert(OC_ARENA_PAGE_SIZE % sizeof(account_t) == 0, "none lies across a border");

typedef struct totals {
    uint64_t hash; /* the sum over account_hash() of all accounts */
    uint64_t changes;
} totals_t;

typedef struct message {
    uint64_t account;
    int64_t number; /* an amount to the ledger, a balance from it */
} message_t;

typedef struct ledger {
    oc_host_t *host;
    oc_arena_t arena;
    totals_t *totals;    /* in the arena: a page */
    account_t *accounts; /* in the arena: ACCOUNTS of them */
} ledger_t;

/* All allocations come before the seal; their order and sizes, with name and version, decide which
 * images fit: change the version when a record changes. */
static oc_err_t ledger_start(void *context, oc_host_t *host)
{
    ledger_t *self = context;
    const size_t accounts = ACCOUNTS * sizeof(account_t);
    const size_t size = oc_arena_section_size(sizeof(totals_t)) + oc_arena_section_size(accounts);
    self->host = host;
    if (!oc_arena_init(&self->arena, "ledger", 1, size, false))
        return OC_ERR_NO_MEMORY;
    self->totals = oc_arena_alloc(&self->arena, sizeof(totals_t));
    self->accounts = oc_arena_alloc(&self->arena, accounts);
    oc_arena_seal(&self->arena);
    return OC_ERR_OK;
}

static void ledger_stop(void *context)
{
    oc_arena_fini(&((ledger_t *)context)->arena);
}

static size_t ledger_arenas(void *context, oc_arena_t **arenas, size_t capacity)
{
    if (capacity < 1)
        return 0;
    arenas[0] = &((ledger_t *)context)->arena;
    return 1;
}

/* 0 for an account that was never used. */
static uint64_t account_hash(uint64_t number, const account_t *account)
{
    uint64_t hash = account->changes * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint64_t)account->balance ^ number << 32) * UINT64_C(0xff51afd7ed558ccd);
    return account->changes ? hash ^ hash >> 29 : 0;
}

/* The bytes are those that some image held; whether they make sense is the service's to say. */
static oc_err_t ledger_restored(void *context)
{
    const ledger_t *self = context;
    uint64_t hash = 0;
    for (uint64_t i = 0; i < ACCOUNTS; i++)
        hash += account_hash(i, &self->accounts[i]);
    return hash == self->totals->hash ? OC_ERR_OK : OC_ERR_DAMAGED;
}

static uint64_t ledger_hash(void *context)
{
    return ((const ledger_t *)context)->totals->hash;
}

/* Touch, then store: a capture that runs keeps the page as it was. */
static void add(ledger_t *self, uint64_t number, int64_t amount)
{
    account_t *account = &self->accounts[number];
    oc_arena_touch(&self->arena, account);
    oc_arena_touch(&self->arena, self->totals);
    self->totals->hash -= account_hash(number, account);
    account->balance = (int64_t)((uint64_t)account->balance + (uint64_t)amount); /* wraps */
    account->changes++;
    self->totals->hash += account_hash(number, account);
    self->totals->changes++;
}

static oc_err_t ledger_message(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                               const void *bytes, size_t length)
{
    ledger_t *self = context;
    message_t message;
    (void)entry;
    if (length != sizeof message) /* whatever clients send, a service goes on */
        return OC_ERR_OK;
    memcpy(&message, bytes, sizeof message);
    if (message.account >= ACCOUNTS)
        return OC_ERR_OK;
    add(self, message.account, message.number);
    message.number = self->accounts[message.account].balance;
    oc_host_send(self->host, session, &message, sizeof message);
    return OC_ERR_OK;
}

static void ledger_open(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        const void *principal, size_t length)
{
    (void)context, (void)entry, (void)session, (void)principal, (void)length;
}

static void ledger_close(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                         oc_close_reason_t reason)
{
    (void)context, (void)entry, (void)session, (void)reason;
}

int main(int argc, char **argv)
{
    static ledger_t ledger;
    const oc_service_t service = {
        .context = &ledger,
        .start = ledger_start,
        .stop = ledger_stop,
        .session_open = ledger_open,
        .session_close = ledger_close,
        .message = ledger_message,
        .arenas = ledger_arenas,
        .restored = ledger_restored,
        .state_hash = ledger_hash,
    };
    const oc_node_options_t options = {.dir = argc > 1 ? argv[1] : "ledger-log",
                                       .ingress = argc > 2 ? argv[2] : NULL};
    const oc_err_t err = oc_node_run(&service, &options);
    if (err != OC_ERR_OK)
        fprintf(stderr, "ledger: %s: %s\n", oc_err_text(err), oc_err_context());
    return err != OC_ERR_OK;
}
