/*
 * What one client of a load has sent and been told: which command is next, when each was intended,
 * which are answered, what came twice or not at all.
 *
 * Latency counts from the intended time of a command, service time from its send. What was intended
 * before the warm-up's end is in neither histogram, and in counts of its own.
 *
 * An answer is the first event that names the command's sequence: ACCEPTED, REJECTED, MODIFIED,
 * CONFIRMED, or the CANCELLED or EXPIRED of an order of one's own. A source's outputs must come
 * without a gap and each once, by outbound sequence; what is older than the first logon is left
 * out.
 */
#ifndef BENCH_LOAD_SESSION_H
#define BENCH_LOAD_SESSION_H

#include "base/histogram.h"
#include "bench/load_flow.h"
#include "bench/response_log.h"
#include "bench/time_line.h"
#include "outcry/order_entry.h"

#include <stdbool.h>

/* Where the clients of one load put down what they see; one for all of them. */
typedef struct load_recorder {
    time_line_t line;     /* latency by time of the answer */
    histogram_t *service; /* owned; from the send to the answer, ns */
    uint64_t warmup_ns;   /* from the start; set behind load_recorder_init(), 0 until then */
    response_log_t *log;  /* borrowed; NULL: none */
} load_recorder_t;

/* `count` intervals of the time line, as time_line_init() has them. OC_ERR_NO_MEMORY. On success
 * the caller owns it: load_recorder_fini(). */
OC_MUST_CHECK oc_err_t load_recorder_init(load_recorder_t *self, size_t count,
                                          uint64_t interval_ns);
void load_recorder_fini(load_recorder_t *self); /* a zeroed struct is allowed */

/* Forgets what was recorded; intervals, warm-up and log stay. */
void load_recorder_reset(load_recorder_t *self);

typedef struct load_counts {
    uint64_t sent;
    uint64_t answered;
    uint64_t rejected;  /* answered so */
    uint64_t doubled;   /* outputs or answers that came again */
    uint64_t missed;    /* outputs that never came, by outbound sequence */
    uint64_t fills;     /* TRADE and FILL */
    uint64_t sequences; /* rejects that say the sequence is wrong: no answer to any command */
    uint64_t messages;  /* MESSAGE_REJECTED */
    uint64_t late;      /* sent more than 10 us after the intended time */

    uint64_t out_of_order; /* answered behind a command that was sent later */

    /* Of these, what was intended in the warm-up. */
    uint64_t warm_sent;
    uint64_t warm_answered;
    uint64_t warm_late;
} load_counts_t;

typedef struct load_slot {
    uint64_t sequence; /* 0: answered */
    uint64_t intended_ns;
    uint64_t sent_ns;
} load_slot_t;

typedef struct load_session {
    const load_flow_t *flow;    /* borrowed */
    load_recorder_t *recorder;  /* borrowed */
    load_slot_t *slots;         /* owned; by sequence */
    uint64_t mask;              /* slots - 1 */
    uint64_t index;             /* in the flow, of the next command */
    uint64_t id_base;           /* added to the flow's order numbers */
    uint64_t last_sequence;     /* sent */
    uint64_t answered_sequence; /* the highest answered */
    uint64_t outbound_sequence; /* last output seen */
    uint64_t outbound_old;      /* outputs up to here are of an earlier life */
    uint32_t instrument_offset; /* added to the flow's instruments */
    bool logged_on;             /* once */
    load_counts_t counts;
} load_session_t;

/*
 * `unanswered_max` is how many commands may wait for their answer, a power of two. Both pointers
 * are borrowed for the session's life. OC_ERR_NO_MEMORY. The caller owns it: load_session_fini().
 */
OC_MUST_CHECK oc_err_t load_session_init(load_session_t *self, const load_flow_t *flow,
                                         load_recorder_t *recorder, uint32_t unanswered_max);
void load_session_fini(load_session_t *self); /* a zeroed struct is allowed */

/* Sets all counts to 0, for a new run where the flow stands; nothing may wait for an answer. */
void load_session_forget(load_session_t *self);

/* Writes the command that is to be sent next; the same again until load_session_sent(). */
void load_session_next(const load_session_t *self, oc_command_t *command);

/* That command was sent under this sequence; `intended_ns` is when it should have been, `now_ns`
 * when it was. */
void load_session_sent(load_session_t *self, uint64_t sequence, uint64_t intended_ns,
                       uint64_t now_ns);

/* Takes what the venue says (borrowed for the call), received at `now_ns`. */
void load_session_response(load_session_t *self, const oc_response_t *response, uint64_t now_ns);

/* Commands sent and not answered. */
static inline uint64_t load_session_waiting(const load_session_t *self)
{
    return self->counts.sent - self->counts.answered;
}

#endif
