/*
 * What both ends of a transport bench share: a media driver of one's own or one that runs, channels
 * with every parameter said, publication and subscription, and the header of a message.
 *
 * Options become a plan first, which needs no driver: whatever cannot work together is found there,
 * in one line that says what to change. A message is always one frame, so that its size and the MTU
 * are what they seem.
 *
 * A driver of one's own is in a directory that is removed with it.
 *
 * Threads: one for each wire_t; the second end of a process has a client of its own: wire_join().
 */
#ifndef BENCH_WIRE_H
#define BENCH_WIRE_H

#include "aeron/embedded.h"

#include <stdbool.h>
#include <stdint.h>

#define WIRE_CHANNEL_SIZE     512
#define WIRE_STREAM_DEFAULT   1001
#define WIRE_MTU_DEFAULT      1408
#define WIRE_TERM_DEFAULT     (4U * 1024 * 1024)
#define WIRE_SOCKET_DEFAULT   (2U * 1024 * 1024) /* or what the system grants */
#define WIRE_FRAME_BYTES      32                 /* header of a frame: Aeron's own */
#define WIRE_MESSAGE_MIN      32                 /* the header below */
#define WIRE_ENDPOINT_DEFAULT "127.0.0.1:0"

/* ---- A message -------------------------------------------------------------------------------
 *
 * Little-endian, the first bytes of the payload; what follows is zero.
 *
 *   offset  size  field
 *        0     8  sequence: of the sender, from 0
 *        8     8  intended_ns: CLOCK_MONOTONIC of the sender's machine
 *       16     8  sent_ns: the same clock
 *       24     4  sender: tells runs and senders apart
 *       28     2  kind: wire_kind_t
 *       30     2  WIRE_MAGIC
 */
#define WIRE_MAGIC 0x4f57

typedef enum wire_kind {
    WIRE_DATA,
    WIRE_HELLO,   /* is anybody there? it is answered, and is in no figure */
    WIRE_GOODBYE, /* this sender sends no more */
} wire_kind_t;

typedef struct wire_message {
    uint64_t sequence;
    uint64_t intended_ns;
    uint64_t sent_ns;
    uint32_t sender;
    uint16_t kind;
} wire_message_t;

void wire_message_encode(const wire_message_t *message, uint8_t bytes[WIRE_MESSAGE_MIN]);

/* False: no message of ours; *message is then untouched. */
bool wire_message_decode(wire_message_t *message, const uint8_t *bytes, size_t length);

/* ---- The plan -------------------------------------------------------------------------------- */

typedef enum wire_media {
    WIRE_IPC,
    WIRE_UNICAST,
    WIRE_MULTICAST,
} wire_media_t;

/* 0 and NULL: not given. All strings are borrowed. */
typedef struct wire_options {
    const char *aeron_dir;     /* of a driver that runs; else this process has one */
    bool dedicated;            /* that one has three threads instead of one */
    const char *channel;       /* to the receiver: aeron:udp?endpoint=... or aeron:ipc */
    const char *endpoint;      /* instead of a channel: HOST:PORT; port 0: whichever is free */
    const char *back_channel;  /* answers to the sender, */
    const char *back_endpoint; /* or instead; neither: as the channel, or a free port of its host */
    uint64_t stream;           /* the way back has the next one */
    uint64_t mtu;
    uint64_t term_length;
    uint64_t so_rcvbuf;
    uint64_t so_sndbuf;
    uint64_t receiver_window;
    uint64_t message_bytes; /* the largest, with the header above */
    unsigned publications;  /* of all senders and ways together, for the memory they need */
    bool one_way;           /* there is no way back */
    bool apart;             /* the other end is another process */
} wire_options_t;

/* What all that comes to. */
typedef struct wire_plan {
    wire_media_t media;
    uint32_t mtu;
    uint32_t term_length;
    uint32_t so_rcvbuf; /* UDP, as the next two */
    uint32_t so_sndbuf;
    uint32_t receiver_window;
    uint32_t message_bytes;
    int32_t stream;
    int32_t back_stream;
    char channel[WIRE_CHANNEL_SIZE]; /* with all of these in it */
    char back[WIRE_CHANNEL_SIZE];    /* "": one way */
} wire_plan_t;

/* OC_ERR_INVALID_ARGUMENT, OC_ERR_TOO_LONG: one line that names the option. */
OC_MUST_CHECK oc_err_t wire_plan_init(wire_plan_t *self, const wire_options_t *options);

const char *wire_media_name(wire_media_t media);

/* How many bytes may be under way to a receiver that does not read: what the sender may be ahead,
 * and what the receiver grants. */
uint32_t wire_plan_window(const wire_plan_t *self);

/* ---- One end --------------------------------------------------------------------------------- */

typedef struct wire {
    wire_plan_t plan;
    embedded_t *embedded; /* owned */
    bool own_driver;
    bool dedicated;
} wire_t;

/* Begins the driver, or finds the one that runs, and a client on it. Errors: those of the plan;
 * OC_ERR_NOT_CONNECTED (no living driver in aeron_dir), OC_ERR_NO_SPACE (the terms may not fit into
 * memory), those of embedded_create(). The caller: wire_close(). */
OC_MUST_CHECK oc_err_t wire_open(wire_t *self, const wire_options_t *options);

/* Another client on the driver of `other` (borrowed for the call), which must live longer. */
OC_MUST_CHECK oc_err_t wire_join(wire_t *self, const wire_t *other);
void wire_close(wire_t *self); /* a zeroed struct is allowed */

typedef struct wire_in {
    aeron_subscription_t *subscription; /* owned */
    char channel[WIRE_CHANNEL_SIZE];    /* with the port that was free, for who sends */
} wire_in_t;

typedef struct wire_out {
    aeron_exclusive_publication_t *publication; /* owned */
} wire_out_t;

/* Errors: those of the endpoints; what is opened is closed before its wire. A zeroed struct may be
 * closed. */
OC_MUST_CHECK oc_err_t wire_in_open(wire_in_t *self, wire_t *wire, const char *channel,
                                    int32_t stream);
OC_MUST_CHECK oc_err_t wire_out_open(wire_out_t *self, wire_t *wire, const char *channel,
                                     int32_t stream);
void wire_in_close(wire_in_t *self);
void wire_out_close(wire_out_t *self);

bool wire_out_connected(const wire_out_t *self);
bool wire_in_connected(const wire_in_t *self);

typedef enum wire_sent {
    WIRE_SENT,
    WIRE_BUSY, /* the window is full: again at once */
    WIRE_AWAY, /* nobody receives */
    WIRE_DEAD, /* closed, or its last position is reached: it is not going to be better */
} wire_sent_t;

/* Sends one message of `bytes`, WIRE_MESSAGE_MIN up to the plan's message_bytes. */
wire_sent_t wire_send(wire_out_t *self, const wire_message_t *message, uint32_t bytes);

/* Takes up to `limit` fragments; returns how many, -1 after an error of the subscription. */
int wire_poll(wire_in_t *self, aeron_fragment_handler_t handler, void *context, size_t limit);

/* ---- For reports ----------------------------------------------------------------------------- */

#define WIRE_FACTS_MAX 16

typedef struct wire_fact {
    const char *name; /* static */
    char value[WIRE_CHANNEL_SIZE];
    bool is_number;
} wire_fact_t;

typedef struct wire_facts {
    size_t count;
    wire_fact_t items[WIRE_FACTS_MAX];
} wire_facts_t;

/* The configuration as it is in effect. */
void wire_facts(const wire_t *self, wire_facts_t *facts);

#endif
