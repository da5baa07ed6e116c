/*
 * Inside of the exchange: its records, and what its files offer each other.
 *
 * A session is a connection whose client the host has authenticated; a seat is what the exchange
 * knows of a source beside the engine: who may speak for it, which session does, how many outputs
 * it has had, and the newest of them. Every seat is a source of the engine and the other way round.
 *
 * Both lie in the exchange's own arena (touch before write), refer to each other by index, and
 * index 0 is "none". Packets, batch and scratch lie beside it: they are empty between entries, but
 * that commands may be held back while nothing is sent.
 */
#ifndef SERVICE_EXCHANGE_INTERNAL_H
#define SERVICE_EXCHANGE_INTERNAL_H

#include "base/id_map.h"
#include "codec/events_codec.h"
#include "service/exchange.h"

/* Of the records below: images of another one are not understood. */
#define EXCHANGE_LAYOUT_VERSION UINT32_C(2)

enum {
    EXCHANGE_BATCH = 64,       /* commands of one message that go to the engine together */
    EXCHANGE_PACKETS = 8,      /* sessions whose outputs of one entry are packed at the same time */
    EXCHANGE_PACKET = 1200,    /* bytes: a packet and what is around it fit a datagram */
    EXCHANGE_THREADS_MAX = 64, /* that check a restored state, or write one as records */
};

/* Tags of the keys in exchange.ids. */
enum { EXCHANGE_ID_SESSION = 1, EXCHANGE_ID_SEAT = 2 };

typedef struct session_record {
    uint64_t id;
    uint32_t seat; /* that it is logged on to; 0: none */
    uint32_t live; /* 1; 0: the record is free */
    oc_principal_t principal;
    uint32_t free_link;
    uint32_t reserved[3];
} session_record_t;

typedef struct seat_record {
    uint32_t source;            /* id */
    uint32_t session;           /* logged on; 0: none */
    uint64_t outbound_sequence; /* of the last output */
    oc_principal_t principal;   /* empty: nobody may log on */
    uint32_t live;              /* 1; 0: the record is free */
    uint32_t free_link;
    uint64_t kept_from; /* the ring holds nothing from before this output: 1, or higher after a
                           restore of records, which have none. Not hashed: it decides what can be
                           resent, not what happens */
} seat_record_t;

/* A slot of a seat's ring; two lines, so that none straddles a page. */
typedef struct kept_output {
    oc_output_t output;
    uint64_t reserved[2];
} kept_output_t;

typedef struct exchange_header {
    uint32_t session_free; /* free lists and highest indices ever used */
    uint32_t session_top;
    uint32_t seat_free;
    uint32_t seat_top;
    int64_t time_ns;      /* as the engine counts it: never falling */
    uint64_t item_sum;    /* of the hash items of all sessions and seats */
    uint64_t hash_key[2]; /* of the id map: that of the exchange whose state it was at first */
    oc_log_entry_t last;  /* the last entry; not hashed, as logs differ */
    uint64_t entries;     /* so many there were */
} exchange_header_t;

_Static_assert(sizeof(session_record_t) == 64, "one line");
_Static_assert(sizeof(seat_record_t) == 64, "one line");
_Static_assert(sizeof(kept_output_t) == 128, "divides a page");

/* What one session is sent by the current entry and has not been handed to the host yet. */
typedef struct packet {
    uint64_t session;
    size_t length;                                     /* 0: the packet is free */
    uint8_t bytes[EXCHANGE_PACKET + EVENTS_BYTES_MAX]; /* room to encode before looking */
} packet_t;

struct exchange {
    oc_service_t service;
    exchange_config_t config;
    oc_engine_t *engine;
    oc_host_t *host; /* borrowed; NULL before start */
    exchange_tap_t tap;
    void *tap_context;

    /* Replicated, in the arena. */
    oc_arena_t arena;
    id_map_t ids;
    exchange_header_t *header;
    session_record_t *sessions;
    seat_record_t *seats;
    kept_output_t *kept; /* kept_outputs per seat */

    /* The entry being applied, and the one that events come from: an earlier one when commands were
     * held back. */
    oc_log_entry_t now;
    oc_log_entry_t entry;
    uint32_t event_index;    /* of the next engine event of `entry` */
    uint64_t event_command;  /* oc_event_t.entry of the last event */
    oc_reason_t host_reason; /* why the host's own command was rejected; NONE */
    uint32_t seat_hint;      /* looked up last; checked before use */
    bool sending;            /* the host is active */
    bool wrong_sums_allowed; /* only looked into */
    size_t packet_max;       /* bytes */
    uint32_t packet_last;    /* used last */
    uint32_t packet_next;    /* emptied next when all are in use */
    packet_t packets[EXCHANGE_PACKETS];
    size_t batch_count;
    uint64_t batch_first; /* oc_event_t.entry of the first command */
    oc_command_t batch[EXCHANGE_BATCH];
    oc_log_entry_t batch_at[EXCHANGE_BATCH];         /* where each command is in the log */
    oc_order_view_t orders[OC_ORDER_STATUS_MAX + 1]; /* scratch of ORDER_STATUS */
    uint8_t configuration[128];                      /* as the host borrows it */
};

static inline void exchange_touch(exchange_t *self, const void *record)
{
    oc_arena_touch(&self->arena, record);
}

/* ---- exchange.c ---- */

/* Gives the engine a command of the current entry; nothing is held back. */
oc_err_t exchange_apply(exchange_t *self, const oc_command_t *command);

/* Gives the engine what is held back. */
oc_err_t exchange_apply_batch(exchange_t *self);

/* Gives the engine a command of the host itself; the reason when it was rejected. */
oc_reason_t exchange_host_command(exchange_t *self, oc_command_t command);

/* Between entries: gives the engine what is held back. */
void exchange_settle(exchange_t *self);

/* oc_service_t.state_hash */
uint64_t exchange_state_hash(void *context);

/* Around changes between entries, which are then checked for stores that were not announced. */
void exchange_verify_begin(exchange_t *self);
void exchange_verify_end(exchange_t *self);

/* Forgets what lies beside the arena, and takes over the hash key that lies in it. */
void exchange_reset(exchange_t *self);

/* ---- seats.c: who is there, and who speaks for whom ---- */

/* A principal of its bytes; an empty one, which matches nobody, when they cannot be one. */
oc_principal_t principal_of(const void *bytes, size_t length);
bool principal_valid(const oc_principal_t *principal);
bool principal_equal(const oc_principal_t *a, const oc_principal_t *b);

/* Index of a session or seat; 0 if there is none. */
uint32_t session_find(const exchange_t *self, oc_session_id_t id);
uint32_t seat_find(exchange_t *self, oc_source_id_t source);

/* False when the table is full. */
bool session_add(exchange_t *self, oc_session_id_t id, const oc_principal_t *principal);
void session_remove(exchange_t *self, uint32_t session);

/* Seats come and go with the engine's sources, which have the same limit. */
void seat_add(exchange_t *self, oc_source_id_t source);
void seat_remove(exchange_t *self, uint32_t seat);
void seat_bind(exchange_t *self, uint32_t seat, const oc_principal_t *principal);

/* From here on the session speaks for the seat, and the seat's outputs go to it; and the end. */
void seat_take(exchange_t *self, uint32_t seat, uint32_t session);
void seat_leave(exchange_t *self, uint32_t seat);

/* A fresh seat's outputs were numbered up to there, and none of them is kept. */
void seat_restore(exchange_t *self, uint32_t seat, uint64_t outbound_sequence,
                  const oc_principal_t *principal);

/* Numbers the seat's next output. */
uint64_t seat_number_output(exchange_t *self, seat_record_t *seat);

/* The sum of the items of both tables worked out anew; kept in the header. */
uint64_t seats_hash(const exchange_t *self);

/* ---- outbox.c: what goes out ---- */

/* The engine's event sink; context is the exchange. */
void outbox_take_events(void *context, const oc_event_t *events, size_t count);

/* Packs a response for a session; nothing when the host is not active. */
void outbox_respond(exchange_t *self, oc_session_id_t session, const oc_response_t *response);

/* Sends a seat's session again what it had after `seen`; first a GAP for what is not kept. */
void outbox_resend(exchange_t *self, uint32_t seat, uint64_t seen, uint64_t request_id);

/* Hands to the host what is packed. */
void outbox_flush(exchange_t *self);

/* ---- logon.c, requests.c: what clients ask ---- */

void logon_request(exchange_t *self, uint32_t session, const oc_request_t *request);

/* Ends a seat's logon, in the engine too. */
void logon_end(exchange_t *self, uint32_t seat);

/* Applies a message of a session; an error of the engine ends the host. */
oc_err_t requests_apply(exchange_t *self, oc_session_id_t session, const uint8_t *bytes,
                        size_t length);

/* Which of a seat's outputs are kept: from this one on, up to the last. */
uint64_t outbox_first_kept(const exchange_t *self, const seat_record_t *seat);

/* Where an output of a seat is, or would be. */
const oc_output_t *outbox_kept(const exchange_t *self, uint32_t seat, uint64_t sequence);

/* ---- exchange_check.c, exchange_image.c, exchange_records.c: the state, taken out and put in ----
 */

/* Holds everything in the arena against itself and against the engine. OC_ERR_DAMAGED. */
oc_err_t exchange_check(const exchange_t *self);

/* How many threads to use when so many are asked for; 0: one for each processor. */
unsigned exchange_thread_count(uint32_t asked);

/* Members of the table of the same names. */
size_t exchange_arenas(void *context, oc_arena_t **arenas, size_t capacity);
oc_err_t exchange_restored(void *context);
oc_err_t exchange_capture(void *context, oc_capture_sink_t sink, void *sink_context);
oc_err_t exchange_restore(void *context, oc_restore_source_t source, void *source_context);
bool exchange_next_session(void *context, oc_session_id_t after, oc_session_id_t *next);

/* ---- exchange_config.c ---- */

/* Writes the configuration entry; returns its size, at most 128. */
size_t exchange_config_write(const exchange_config_t *config, void *bytes);
/* oc_service_t.describe */
void exchange_config_describe(void *context, const void *bytes, size_t length, char *text,
                              size_t text_size);

#endif
