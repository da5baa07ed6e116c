/*
 * A small service for tests of hosts: it counts, sets timers, closes sessions, is busy, floods, as
 * its messages say, and folds everything that it is told into a hash. If asked to, it lets the host
 * keep images of it: as a stream, or in an arena of some pages.
 */
#ifndef LIB_TALLY_SERVICE_H
#define LIB_TALLY_SERVICE_H

#include "outcry/service.h"

typedef enum tally_op {
    TALLY_ADD = 1,    /* adds `argument`; answers the sum */
    TALLY_TIMER = 2,  /* timer `argument` in `delay_ns` from the entry's time */
    TALLY_CANCEL = 3, /* cancels timer `argument` */
    TALLY_CLOSE = 4,  /* closes the sender's session */
    TALLY_STOP = 5,   /* ends the host */
    TALLY_BUSY = 6,   /* busy for `argument` time entries */
    TALLY_FLOOD = 7,  /* answers `argument` times */
    TALLY_FAIL = 8,   /* returns an error */
} tally_op_t;

typedef struct tally_request {
    uint32_t op;
    uint32_t reserved;
    int64_t argument;
    int64_t delay_ns;
} tally_request_t;

typedef enum tally_answer_kind {
    TALLY_SUM = 1,   /* value: the sum */
    TALLY_FIRED = 2, /* value: the timer */
    TALLY_TIMED = 3, /* value: time entries left to be busy for */
} tally_answer_kind_t;

typedef struct tally_answer {
    uint32_t kind;
    uint32_t index; /* of a flood */
    int64_t value;
    uint64_t position;
} tally_answer_t;

/* Open sessions that a capture can hold, and pages of the arena. */
#define TALLY_SESSIONS_MAX 64
#define TALLY_PAGES        300

typedef struct tally {
    oc_service_t service;
    oc_host_t *host;
    oc_session_id_t last_session; /* whom timers and time are told to */
    int64_t sum;
    int64_t busy;
    uint64_t hash;
    uint64_t position;
    int64_t time_ns;
    uint32_t opened;
    uint32_t closed;
    oc_close_reason_t close_reason;
    uint32_t messages;
    uint32_t fired;
    uint32_t timed;
    uint32_t notices[3]; /* by oc_notice_t */
    uint32_t roles[3];   /* by oc_role_t */
    uint32_t starts;
    uint32_t stops;
    uint64_t sessions[TALLY_SESSIONS_MAX]; /* open, ascending */
    uint32_t session_count;
    oc_arena_t arena;          /* base NULL: none */
    bool in_arena;             /* it is to have one from start on */
    uint32_t restores;         /* calls of restore() or restored() */
    oc_err_t capture_error;    /* what capture() returns */
    bool refused_timer;        /* a schedule was answered with false */
    const char *configuration; /* borrowed; "tally 1" */
    bool restore_wrong;        /* what is restored comes out otherwise, unless it is empty */
    oc_err_t start_error;      /* what start returns */
} tally_t;

/* The table is in the struct: &tally->service. */
void tally_init(tally_t *tally);

/* Before it starts: with capture() and restore(). */
void tally_keep_stream(tally_t *tally);

/* Before it starts: with an arena, which is there from start to stop; each ADD changes a page of it
 * beside the first. */
void tally_keep_arena(tally_t *tally);

#endif
