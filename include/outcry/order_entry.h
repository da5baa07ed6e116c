/*
 * What a participant and the venue say to each other, as plain structs. On the wire they are the
 * SBE messages of schema/order-entry.xml (to the venue) and schema/events.xml (from it); a session
 * message of the transport carries one or more of them back to back.
 *
 * A session logs on to one source. From then on its commands are that source's (the sender on the
 * wire is the session, nobody can name another), and the source's outputs go to it. Outputs of a
 * source carry a contiguous outbound sequence from 1; the venue keeps the newest ones, so that what
 * was missed is sent again at the next logon.
 *
 * CONFIGURE must name OC_RULES_VERSION. Another rules version stops every member that does not know
 * it (rule 11 of engine.h), and the command stays in the log: a venue of such members never starts
 * from that log again. It is the way to newer rules and so must not be refused by builds that lack
 * them, which would go on by the old rules beside members that do not. Only sources with the role
 * ADMIN can give it; a tool for administrators must not let another version be chosen before every
 * member runs a build that knows it.
 *
 * Plain data, no pointers, no padding, as in model.h.
 */
#ifndef OUTCRY_ORDER_ENTRY_H
#define OUTCRY_ORDER_ENTRY_H

#include "outcry/model.h"

/* Name of who authenticated, at most 31 characters, padded with zeroes. */
#define OC_PRINCIPAL_SIZE 32
typedef struct oc_principal {
    char name[OC_PRINCIPAL_SIZE];
} oc_principal_t;

typedef enum oc_request_type {
    OC_REQUEST_COMMAND = 1,      /* u.command; its source, time_ns are set by the venue. Not the
                                    commands that only the host gives */
    OC_REQUEST_LOGON = 2,        /* u.logon -> LOGON, then what was missed; or GAP and that. One
                                    per session message */
    OC_REQUEST_ORDER_STATUS = 3, /* u.order_status -> ORDER_STATUS..., ORDER_STATUS_END. One per
                                    session message */
    OC_REQUEST_PRINCIPAL = 4,    /* u.principal: ADMIN binds a source to a principal -> REPLY */
    OC_REQUEST_STOP = 5,         /* ADMIN ends the host in order -> REPLY */
} oc_request_type_t;

typedef struct oc_request {
    uint8_t type; /* oc_request_type_t */
    uint8_t reserved[7];
    uint64_t request_id; /* all but COMMAND: chosen by the sender, comes back in the answers */
    union {
        oc_command_t command;
        struct {
            oc_source_id_t source;
            uint32_t reserved;
            uint64_t outbound_sequence; /* last one seen, 0: none */
        } logon;
        struct {
            oc_order_id_t after; /* orders with a higher id only; 0: from the first */
            oc_client_order_id_t after_client_order_id; /* of the order `after`: while that one is
                                                           live, the page costs constant time. The
                                                           answer is the same whatever it is */
            uint32_t limit;                             /* 1..OC_ORDER_STATUS_MAX */
            uint32_t reserved;
        } order_status;
        struct {
            oc_source_id_t source;
            uint32_t reserved;
            oc_principal_t principal;
        } principal;
    } u;
} oc_request_t;

/* Most orders of one answer to ORDER_STATUS; for more ask again, with `after` and
 * `after_client_order_id` from the end of the answer. */
#define OC_ORDER_STATUS_MAX UINT32_C(256)

/* One event for its source. (term, position, index) names it in the log, for good. */
typedef struct oc_output {
    oc_event_t event;
    uint64_t outbound_sequence; /* contiguous per source, from 1 */
    uint64_t position;          /* of the log entry that caused it */
    int64_t time_ns;            /* engine time of it */
    uint32_t term;              /* leadership term of the log entry */
    uint32_t index;             /* among the events of that entry, from 0 */
} oc_output_t;

/*
 * Why a message was not understood or not taken (MESSAGE_REJECTED.problem). name, text.
 *
 * TOO_MANY: of the LOGONs in one session message the venue takes the first, and of the ORDER_STATUS
 * the first that comes after a logon; each further one is answered with this and changes nothing.
 * Send it again in a message of its own.
 */
#define OC_PROBLEM_TABLE(X)                                                                        \
    X(NONE, "none")                                                                                \
    X(SHORT, "short_message")                                                                      \
    X(SCHEMA, "unknown_schema")                                                                    \
    X(VERSION, "unknown_version")                                                                  \
    X(TEMPLATE, "unknown_template")                                                                \
    X(FIELD, "invalid_field")                                                                      \
    X(NOT_LOGGED_ON, "not_logged_on")                                                              \
    X(TOO_MANY, "too_many")

typedef enum oc_problem {
#define OC_PROBLEM_ENUM(name, text) OC_PROBLEM_##name,
    OC_PROBLEM_TABLE(OC_PROBLEM_ENUM)
#undef OC_PROBLEM_ENUM
        OC_PROBLEM_COUNT
} oc_problem_t;

typedef enum oc_response_type {
    OC_RESPONSE_OUTPUT = 1,           /* u.output */
    OC_RESPONSE_LOGON = 2,            /* u.logon */
    OC_RESPONSE_GAP = 3,              /* u.gap: these outputs are not kept any more; ask for
                                         ORDER_STATUS */
    OC_RESPONSE_ORDER_STATUS = 4,     /* u.order: one live order */
    OC_RESPONSE_ORDER_STATUS_END = 5, /* u.order_status_end */
    OC_RESPONSE_REPLY = 6,            /* u.reply */
    OC_RESPONSE_MESSAGE_REJECTED = 7, /* u.message_rejected */
} oc_response_type_t;

typedef struct oc_response {
    uint8_t type; /* oc_response_type_t */
    uint8_t reserved[7];
    uint64_t request_id; /* LOGON, GAP, ORDER_STATUS, ORDER_STATUS_END, REPLY */
    union {
        oc_output_t output;
        struct {
            oc_source_id_t source;
            uint32_t roles;             /* OC_ROLE_* */
            uint64_t sequence;          /* last of the source's commands taken: go on with + 1 */
            uint64_t outbound_sequence; /* last of the source's outputs */
            uint8_t reason;             /* oc_reason_t: NONE, or why not */
            uint8_t last_status;        /* oc_reason_t: what became of the last command */
            uint8_t reserved[6];
        } logon;
        struct {
            oc_source_id_t source;
            uint32_t reserved;
            uint64_t first; /* outbound sequences first..last are gone */
            uint64_t last;
        } gap;
        struct {
            oc_instrument_id_t instrument;
            uint8_t side;          /* oc_side_t */
            uint8_t time_in_force; /* oc_time_in_force_t */
            uint8_t reserved[2];
            uint32_t flags; /* as on entry: POST_ONLY, CANCEL_ON_DISCONNECT */
            uint32_t reserved2;
            oc_client_order_id_t client_order_id;
            oc_order_id_t order_id;
            int64_t price_ticks;
            int64_t open_lots;
            int64_t executed_lots;
        } order;
        struct {
            oc_order_id_t last; /* `after` of the next request, 0 if there was none */
            oc_client_order_id_t last_client_order_id; /* `after_client_order_id` of the next
                                                          request, 0 if there was none */
            uint32_t count;                            /* of this answer */
            uint8_t more;                              /* 1: there are orders with higher ids */
            uint8_t reason;                            /* oc_reason_t */
            uint8_t reserved[2];
            uint64_t sequence; /* as in logon, at this point of the log */
            uint64_t outbound_sequence;
        } order_status_end;
        struct {
            uint8_t reason; /* oc_reason_t: NONE: done */
            uint8_t reserved[7];
        } reply;
        struct {
            uint64_t position; /* of the log entry */
            uint32_t offset;   /* of the message in it */
            uint16_t template_id;
            uint8_t problem; /* oc_problem_t */
            uint8_t reserved;
        } message_rejected;
    } u;
} oc_response_t;

#ifndef __cplusplus
_Static_assert(sizeof(oc_request_t) == 80, "no padding");
_Static_assert(sizeof(oc_output_t) == 112, "an output is seven 16-byte stores");
_Static_assert(sizeof(oc_response_t) == 128, "two cache lines");
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Text of a problem, static; "unknown" for a value that is none. */
OC_EXPORT const char *oc_problem_name(unsigned problem);

#ifdef __cplusplus
}
#endif

#endif
