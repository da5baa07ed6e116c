/*
 * Asks members for their states. Called by the demo of a cluster, by benches and by tests.
 *
 * Invariant: states are compared only at one position, at which all stood still for a while; a
 * member that cannot be asked is never taken for one that agrees.
 */
#define _GNU_SOURCE
#include "bench/member_state.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "host/control.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASK_NS   INT64_C(2000000000)
#define STEP_NS  INT64_C(20000000)
#define STILL_NS UINT64_C(100000000)

enum { ANSWER_SIZE = 2 * CONTROL_LINE_MAX, CONTEXT_SIZE = 900 };

/* The value of ` key=` in the answer; NULL: it is not there. */
static const char *find(const char *answer, const char *key)
{
    const size_t length = strlen(key);
    const char *at = answer;
    while ((at = strstr(at, key))) {
        if ((at == answer || at[-1] == ' ' || at[-1] == '\n') && at[length] == '=')
            return at + length + 1;
        at += length;
    }
    return NULL;
}

static uint64_t number(const char *answer, const char *key, int base)
{
    const char *value = find(answer, key);
    return value ? strtoull(value, NULL, base) : 0;
}

oc_err_t member_state_ask(const char *dir, member_state_t *state, int64_t timeout_ns)
{
    char answer[ANSWER_SIZE];
    *state = (member_state_t){0};
    const oc_err_t err = control_request(dir, "state", answer, sizeof answer, timeout_ns);
    if (err != OC_ERR_OK)
        return err;
    const char *role = find(answer, "role");
    if (!role || !find(answer, "position") || !find(answer, "state_hash"))
        return error_set(OC_ERR_FORMAT, "%s: no state of a member: %s", dir, answer);
    (void)snprintf(state->role, sizeof state->role, "%.*s", (int)strcspn(role, " \n"), role);
    state->recovered = number(answer, "recovered", 10) != 0;
    state->term = (int64_t)number(answer, "term", 10);
    state->position = number(answer, "position", 10);
    state->entries = number(answer, "entries", 10);
    state->sessions = number(answer, "sessions", 10);
    state->state_hash = number(answer, "state_hash", 16);
    state->output_hash = number(answer, "output_hash", 16);
    state->agreed_position = number(answer, "agreed_position", 10);
    state->image = number(answer, "image", 10);
    state->replayed = number(answer, "replayed", 10);
    state->load_ns = number(answer, "load_ns", 10);
    state->snapshots = number(answer, "snapshots", 10);
    state->snapshot_ns = number(answer, "snapshot_ns", 10);
    return OC_ERR_OK;
}

/* True when all are in their places and at one position; else `how` tells. */
static bool ask_all(const cluster_folder_t *folder, member_state_t *states, char how[CONTEXT_SIZE])
{
    bool together = true;
    size_t used = 0;
    for (uint32_t i = 0; i < folder->members; i++) {
        char dir[CLUSTER_FOLDER_PATH];
        cluster_folder_dir(folder, i, dir);
        const bool asked = member_state_ask(dir, &states[i], ASK_NS) == OC_ERR_OK;
        const bool placed = asked && states[i].recovered && strcmp(states[i].role, "recovering");
        together = together && placed && states[i].position == states[0].position;
        if (used >= CONTEXT_SIZE)
            continue;
        const int length =
            asked ? snprintf(how + used, CONTEXT_SIZE - used,
                             "%smember %" PRIu32 ": %s, position %" PRIu64, i > 0 ? "; " : "", i,
                             states[i].role, states[i].position)
                  : snprintf(how + used, CONTEXT_SIZE - used, "%smember %" PRIu32 ": %.120s",
                             i > 0 ? "; " : "", i, oc_err_context());
        used += length > 0 ? (size_t)length : 0;
    }
    return together;
}

oc_err_t member_state_settle(const cluster_folder_t *folder, member_state_t *states,
                             int64_t timeout_ns)
{
    char how[CONTEXT_SIZE] = "";
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    uint64_t position = UINT64_MAX;
    uint64_t since_ns = 0;
    OC_ASSERT(folder->members > 0);
    for (;;) {
        const bool together = ask_all(folder, states, how);
        const uint64_t now_ns = clock_wall_ns();
        if (!together || states[0].position != position) {
            position = together ? states[0].position : UINT64_MAX;
            since_ns = now_ns;
        } else if (now_ns - since_ns >= STILL_NS) {
            return OC_ERR_OK;
        }
        if (now_ns >= deadline)
            return error_set(OC_ERR_TIMEOUT, "the members are not at one position after %.1f s: %s",
                             (double)timeout_ns / 1e9, how);
        const oc_err_t err = process_sleep(STEP_NS);
        if (err != OC_ERR_OK)
            return err;
    }
}

bool member_state_equal(const member_state_t *states, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (states[i].position != states[0].position ||
            states[i].state_hash != states[0].state_hash ||
            states[i].output_hash != states[0].output_hash)
            return false;
    return count > 0;
}
