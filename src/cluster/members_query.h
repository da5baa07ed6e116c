/*
 * The members of a cluster as the module of one of them knows them, asked for over the module's
 * control channel on this machine.
 *
 * Threads: one at a time.
 */
#ifndef CLUSTER_MEMBERS_QUERY_H
#define CLUSTER_MEMBERS_QUERY_H

#include "cluster/member_config.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct members_query_member {
    int32_t id;
    int64_t term;                  /* leadership term id that it last told of; -1: none */
    int64_t log_position;          /* that it last told of; the leader knows it of all */
    int64_t last_append_ns;        /* how long ago by the module's clock; -1: never */
    char endpoints[NODE_TEXT_MAX]; /* ingress,consensus,log,catchup,archive; cut if longer */
} members_query_member_t;

typedef struct members_query {
    int32_t leader; /* -1: none is known */
    int32_t own;    /* id of the member that was asked */
    size_t count;
    members_query_member_t members[MEMBER_COUNT_MAX];
} members_query_t;

/*
 * Asks through a client of its own on the driver in `aeron_dir`. Errors: OC_ERR_TRANSPORT (no
 * driver), OC_ERR_TIMEOUT (the module does not answer).
 */
OC_MUST_CHECK oc_err_t members_query_ask(const char *aeron_dir, members_query_t *answer,
                                         int64_t timeout_ns);

/* What is known of a member: only the leader hears of the others. */
typedef enum members_query_role {
    MEMBERS_QUERY_LEADER,
    MEMBERS_QUERY_FOLLOWER,
    MEMBERS_QUERY_JOINING,     /* the leader hears it, and it does not follow in this term yet */
    MEMBERS_QUERY_UNREACHABLE, /* the leader has heard nothing of it for too long */
    MEMBERS_QUERY_UNKNOWN,     /* a follower was asked, or nobody leads */
} members_query_role_t;

/* `silence_ns`: too long; followers tell the leader where they are several times in a heartbeat
 * timeout. */
members_query_role_t members_query_role(const members_query_t *answer,
                                        const members_query_member_t *member, int64_t silence_ns);

/* As commands print it: "leader" and so on. */
const char *members_query_role_name(members_query_role_t role);

/* Takes the answer out of a message of the module; false: it is none, or that of another query. */
bool members_query_take(members_query_t *answer, const void *bytes, size_t length,
                        int64_t correlation_id);

#endif
