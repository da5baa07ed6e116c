/*
 * A query of the cluster's members. Called by operators' tools.
 *
 * The module answers on the stream that its service listens to as well, so whoever asks polls that
 * until it is gone again: a subscriber that did not would stop the module. The service sees an
 * answer to a question that is not its own and passes it over.
 */
#define _GNU_SOURCE
#include "cluster/members_query.h"

#include "aeron/embedded.h"
#include "aeron/endpoint.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "cluster/module_aeron.h"
#include "codec/cluster_service_codec.h"

#include <stdio.h>
#include <time.h>

enum { PAUSE_NS = 1000000, POLL_LIMIT = 16 };

#define SAY_AGAIN_NS UINT64_C(1000000000)

typedef struct asking {
    embedded_t *embedded;
    aeron_publication_t *publication;
    aeron_subscription_t *subscription;
    aeron_fragment_assembler_t *assembler;
    members_query_t *answer;
    int64_t correlation_id;
    uint64_t deadline_ns;
    uint64_t said_ns;
    bool answered;
} asking_t;

static void take_member(members_query_member_t *to, const cluster_member_status_t *from,
                        int64_t now_ns)
{
    size_t used = 0;
    *to = (members_query_member_t){.id = from->member,
                                   .term = from->term,
                                   .log_position = from->log_position,
                                   .last_append_ns = -1};
    if (from->last_append_ns > 0 && from->last_append_ns <= now_ns)
        to->last_append_ns = now_ns - from->last_append_ns;
    for (size_t i = 0; i < MEMBER_ENDPOINTS && used < sizeof to->endpoints; i++) {
        const cluster_text_t *endpoint = &from->endpoints[i];
        const int length =
            snprintf(to->endpoints + used, sizeof to->endpoints - used, "%s%.*s", i > 0 ? "," : "",
                     (int)endpoint->length, (const char *)endpoint->bytes);
        used += length > 0 ? (size_t)length : 0;
    }
}

bool members_query_take(members_query_t *answer, const void *bytes, size_t length,
                        int64_t correlation_id)
{
    cluster_control_t control;
    cluster_member_status_t member;
    const codec_result_t result = cluster_control_decode(bytes, length, &control);
    if (result != OC_PROBLEM_NONE || control.type != CLUSTER_CONTROL_MEMBERS ||
        control.correlation_id != correlation_id)
        return false;
    *answer = (members_query_t){.leader = control.members_leader, .own = control.member};
    while (answer->count < MEMBER_COUNT_MAX &&
           cluster_control_member(bytes, length, answer->count, &member))
        take_member(&answer->members[answer->count++], &member, control.members_time_ns);
    return true;
}

members_query_role_t members_query_role(const members_query_t *answer,
                                        const members_query_member_t *member, int64_t silence_ns)
{
    if (answer->leader < 0)
        return MEMBERS_QUERY_UNKNOWN;
    if (member->id == answer->leader)
        return MEMBERS_QUERY_LEADER;
    if (answer->own != answer->leader)
        return member->id == answer->own ? MEMBERS_QUERY_FOLLOWER : MEMBERS_QUERY_UNKNOWN;
    if (member->last_append_ns < 0 || member->last_append_ns > silence_ns)
        return MEMBERS_QUERY_UNREACHABLE;
    return member->term < 0 ? MEMBERS_QUERY_JOINING : MEMBERS_QUERY_FOLLOWER;
}

const char *members_query_role_name(members_query_role_t role)
{
    static const char *const names[] = {"leader", "follower", "joining", "unreachable", "unknown"};
    return names[role];
}

static void on_fragment(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    asking_t *self = context;
    (void)header;
    if (!self->answered)
        self->answered = members_query_take(self->answer, bytes, length, self->correlation_id);
}

static oc_err_t step(asking_t *self, const char *what)
{
    (void)embedded_do_work(self->embedded);
    if (clock_wall_ns() >= self->deadline_ns)
        return error_set(OC_ERR_TIMEOUT, "%s: no answer in time", what);
    (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    return OC_ERR_OK;
}

static oc_err_t connect(asking_t *self)
{
    const uint64_t now_ns = clock_wall_ns();
    endpoint_request_t request = {.embedded = self->embedded,
                                  .what = "a subscription to the module",
                                  .channel = MODULE_CONTROL_CHANNEL,
                                  .stream = MODULE_TO_SERVICE};
    request.timeout_ns = now_ns < self->deadline_ns ? self->deadline_ns - now_ns : 0;
    const oc_err_t err = endpoint_subscription(&request, &self->subscription);
    if (err != OC_ERR_OK)
        return err;
    request.what = "a publication to the module";
    request.stream = MODULE_FROM_SERVICE;
    return endpoint_publication(&request, &self->publication);
}

/* Said again now and then: the first may come before the module's own end is there. */
static void say(asking_t *self)
{
    uint8_t bytes[CLUSTER_REQUEST_BYTES_MAX];
    const uint64_t now_ns = clock_wall_ns();
    if ((self->said_ns != 0 && now_ns - self->said_ns < SAY_AGAIN_NS) ||
        !aeron_subscription_is_connected(self->subscription))
        return;
    const size_t length = cluster_encode_members_query(self->correlation_id, bytes);
    if (aeron_publication_offer(self->publication, bytes, length, NULL, NULL) > 0)
        self->said_ns = now_ns;
}

static oc_err_t ask(asking_t *self)
{
    oc_err_t err = connect(self);
    if (err != OC_ERR_OK)
        return err;
    if (aeron_fragment_assembler_create(&self->assembler, on_fragment, self) < 0)
        return error_set(OC_ERR_TRANSPORT, "an assembler: %s", embedded_error_line());
    self->correlation_id = aeron_next_correlation_id(embedded_aeron(self->embedded));
    while (!self->answered) {
        say(self);
        if (aeron_subscription_poll(self->subscription, aeron_fragment_assembler_handler,
                                    self->assembler, POLL_LIMIT) > 0)
            continue;
        err = step(self, "the module was asked for its members");
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

oc_err_t members_query_ask(const char *aeron_dir, members_query_t *answer, int64_t timeout_ns)
{
    embedded_config_t config;
    asking_t self = {.answer = answer, .deadline_ns = clock_wall_ns() + (uint64_t)timeout_ns};
    embedded_config_init(&config);
    config.dir = aeron_dir;
    config.threading = EMBEDDED_EXTERNAL;
    *answer = (members_query_t){.leader = -1, .own = -1};
    oc_err_t err = embedded_create(&self.embedded, &config);
    if (err != OC_ERR_OK)
        return err;
    err = ask(&self);
    if (self.subscription)
        (void)aeron_subscription_close(self.subscription, NULL, NULL);
    if (self.publication)
        (void)aeron_publication_close(self.publication, NULL, NULL);
    if (self.assembler)
        (void)aeron_fragment_assembler_delete(self.assembler);
    embedded_destroy(self.embedded);
    return err;
}
