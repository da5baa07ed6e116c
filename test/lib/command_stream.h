/*
 * A seeded stream of commands, valid ones and all kinds of invalid ones, with few ids and few
 * prices so that they meet each other. Used by the differential tests.
 */
#ifndef TEST_LIB_COMMAND_STREAM_H
#define TEST_LIB_COMMAND_STREAM_H

#include "outcry/engine.h"

typedef struct command_stream {
    uint64_t rng;
    uint32_t sources;      /* ids 1..sources are used; some exist from the start */
    uint32_t instruments;  /* ids 1..instruments */
    uint32_t client_ids;   /* range of client order ids */
    uint32_t price_width;  /* ticks around the middle */
    uint32_t price_spread; /* distance between prices used: 1 dense, large: one level a block */
    uint32_t calm;         /* one command in so many may be about something else than orders */
    uint32_t burst;        /* commands left of a burst that piles up pending work and meddles */
    uint32_t reopen;       /* instruments still to be opened again after a burst */
    uint32_t restricted;   /* commands left until every restriction is lifted; 0: there is none */
    bool deep;             /* books of hundreds of orders, and pending work done in small steps */
    uint64_t next_session;
    uint64_t setup; /* commands issued so far by the opening */
    int64_t time_ns;
} command_stream_t;

/* Chooses the shape of the stream and the limits of the engines that are to take it. */
void command_stream_init(command_stream_t *stream, uint64_t seed, oc_engine_config_t *config);

/* The next command; `engine` is asked for the sequence numbers and sessions it knows. */
void command_stream_next(command_stream_t *stream, const oc_engine_t *engine,
                         oc_command_t *command);

/* Uniform 64 bits, and uniform below n. */
uint64_t stream_random(command_stream_t *stream);
uint32_t stream_below(command_stream_t *stream, uint32_t n);

#endif
