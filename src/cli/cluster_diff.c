/*
 * `outcry cluster diff`: two members' states at one position of the log, side by side. Called by
 * `outcry cluster`.
 *
 * Each side is brought there by itself: by an image of its own, or the state that it kept when it
 * diverged, and by its own recording of the log. Directories are only read; a member may run.
 */
#define _GNU_SOURCE
#include "cli/cluster.h"

#include "base/error.h"
#include "cli/image_diff.h"
#include "cli/image_exchange.h"
#include "cli/node_setup.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "cluster/member_past.h"
#include "host/replica_image.h"
#include "journal/journal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char diff_help[] =
    "usage: outcry cluster diff A B [--position P]\n"
    "\n"
    "Names the first difference between the states of two members of one cluster. A and B are\n"
    "their directories, or copies; members may run. Both are brought to one position of the log "
    "by\n"
    "their own images and their own recordings of the log: to where one of them diverged, if one\n"
    "did (the state that it kept then is compared), otherwise to the highest position that both\n"
    "have. The log of a member that was killed may end in entries that were never committed: let\n"
    "it join its cluster again first, or give a position, else the logs may be told to differ.\n"
    "A member that diverged and has not kept its state is never told to be equal.\n"
    "\n"
    "  --position P         compare at this position, where an entry of the log must end\n"
    "\n"
    "Exit status: 0 when they are equal; 1 when they differ, may differ, or something failed; 2 "
    "for\n"
    "usage.\n";

enum { TEXT_SIZE = 1024, PATH_SIZE = MEMBER_PAST_PATH_MAX + 32, LIKELY_TIMERS = 4096 };

typedef struct diff_arguments {
    const char *dirs[2];
    uint64_t position; /* 0: the highest that both have */
} diff_arguments_t;

/* One of the two members. */
typedef struct side {
    const char *dir;
    member_past_t past;
    member_past_base_t base;
    bool is_kept; /* the state that it had when it diverged, and nothing applied to it */
    exchange_t *exchange;
    replica_t replica;
    bool has_replica;
    log_applier_t applier;
    timer_entry_t *timers; /* of the replica, where it was brought to */
    int64_t cluster_id;    /* counts only where the log is read from its beginning */
} side_t;

static oc_err_t side_open(side_t *self, const char *dir)
{
    *self = (side_t){.dir = dir};
    return member_past_open(&self->past, dir);
}

static void side_close(side_t *self)
{
    if (self->has_replica)
        replica_fini(&self->replica);
    free(self->timers);
    exchange_destroy(self->exchange);
    member_past_close(&self->past);
}

/* ---- Where they are compared ---- */

static oc_err_t unreachable(const side_t *self, uint64_t position)
{
    const image_store_t *images = self->past.images;
    const size_t count = image_store_count(images);
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "%s cannot be brought to position %" PRIu64 ": its log is there from %" PRIu64
                     " to %" PRIu64 ", and it has %zu images, the oldest of position %" PRIu64,
                     self->dir, position, self->past.log_start, self->past.log_end, count,
                     count > 0 ? image_store_at(images, count - 1)->place.position : 0);
}

static bool both_reach(const side_t sides[2], uint64_t position)
{
    member_past_base_t base;
    return member_past_base(&sides[0].past, position, &base) &&
           member_past_base(&sides[1].past, position, &base);
}

/* Where one of them diverged, if one did; 0: none. Of two the later, if it can be had: a state that
 * was kept goes on with the log, and one that was kept later is not to be had earlier. */
static uint64_t diverged_position(const side_t sides[2])
{
    uint64_t chosen = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t position;
        if (!member_past_diverged(&sides[i].past, &position))
            continue;
        const uint64_t later = position > chosen ? position : chosen;
        const uint64_t earlier = position > chosen ? chosen : position;
        chosen = earlier == 0 || both_reach(sides, later) ? later : earlier;
    }
    return chosen;
}

static oc_err_t choose_position(const side_t sides[2], const diff_arguments_t *arguments,
                                member_past_target_t *target)
{
    *target = (member_past_target_t){.position = arguments->position, .exact = true};
    if (target->position == 0)
        target->position = diverged_position(sides);
    if (target->position != 0)
        return OC_ERR_OK;
    target->exact = false;
    if (member_past_common(&sides[0].past, &sides[1].past, &target->position))
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "there is no position that both %s (log from %" PRIu64 " to %" PRIu64
                     ", %zu images) and %s (log from %" PRIu64 " to %" PRIu64
                     ", %zu images) can be brought to",
                     sides[0].dir, sides[0].past.log_start, sides[0].past.log_end,
                     image_store_count(sides[0].past.images), sides[1].dir, sides[1].past.log_start,
                     sides[1].past.log_end, image_store_count(sides[1].past.images));
}

/* ---- Bringing them there ---- */

/* The kept state may be damaged: to look into that is what this is for. As far as its tables can be
 * walked at all, that is. */
static oc_err_t make_image_exchange(side_t *self)
{
    const oc_err_t err =
        image_exchange_create(self->base.store, self->base.image, 0, &self->exchange);
    if (err == OC_ERR_OK && self->is_kept)
        exchange_allow_wrong_sums(self->exchange);
    return err;
}

/* As the image says; from the beginning of the log, as the member's configuration says. */
static oc_err_t make_exchange(side_t *self, uint32_t *max_timers)
{
    if (self->base.image) {
        *max_timers = replica_image_max_timers(self->base.image, LIKELY_TIMERS);
        if (*max_timers == 0)
            return error_set(OC_ERR_INVALID_CONFIG,
                             "image %" PRIu64 " was made by a build that lays its state out "
                             "otherwise: use that one",
                             self->base.image->sequence);
        return make_image_exchange(self);
    }
    char file[PATH_SIZE];
    member_config_t *config = malloc(sizeof *config);
    exchange_config_t exchange;
    if (!config)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a configuration");
    (void)snprintf(file, sizeof file, "%s/" NODE_CONFIG_NAME, self->dir);
    const member_setup_t setup = {.config_file = file, .dir = self->dir};
    oc_err_t err = member_setup(&setup, config, &exchange);
    if (err == OC_ERR_OK) {
        *max_timers = (uint32_t)config->node.max_timers;
        self->cluster_id = (int64_t)config->cluster_id;
        err = exchange_create(&self->exchange, &exchange);
    }
    free(config);
    return err;
}

static oc_err_t start_replica(side_t *self)
{
    uint32_t max_timers = 0;
    const oc_err_t err = make_exchange(self, &max_timers);
    if (err != OC_ERR_OK)
        return err;
    const replica_config_t config = {.max_sessions = REPLICA_SESSIONS_MAX,
                                     .max_timers = max_timers,
                                     .message_max = JOURNAL_PAYLOAD_MAX};
    return replica_init(&self->replica, exchange_service(self->exchange), &config);
}

static oc_err_t list_timers(side_t *self)
{
    const timer_queue_t *queue = &self->replica.timers;
    self->timers = calloc(queue->state->count + 1, sizeof *self->timers);
    if (!self->timers)
        return error_set(OC_ERR_NO_MEMORY, "%" PRIu32 " timers", queue->state->count);
    timer_queue_list(queue, self->timers);
    return OC_ERR_OK;
}

static oc_err_t side_bring(side_t *self, member_past_target_t target)
{
    if (!member_past_base(&self->past, target.position, &self->base))
        return unreachable(self, target.position);
    self->is_kept = member_past_is_kept(&self->base, target.position);
    oc_err_t err = start_replica(self);
    if (err == OC_ERR_OK) {
        self->has_replica = true;
        target.cluster_id = self->cluster_id;
        err = member_past_bring(&self->past, &self->base, &target, &self->replica, &self->applier);
    }
    if (err == OC_ERR_OK && self->replica.entries == 0)
        err = error_set(OC_ERR_INVALID_ARGUMENT, "its log has no entry yet");
    if (err == OC_ERR_OK)
        err = list_timers(self);
    return err == OC_ERR_OK ? err : subcommand_error(err, "%s", self->dir);
}

/* The first may find that no entry ends at the position: then where the last before it does. */
static oc_err_t bring_both(side_t sides[2], const diff_arguments_t *arguments)
{
    member_past_target_t target;
    oc_err_t err = choose_position(sides, arguments, &target);
    if (err == OC_ERR_OK)
        err = side_bring(&sides[0], target);
    if (err != OC_ERR_OK)
        return err;
    target.position = sides[0].applier.entry_position;
    target.exact = true;
    return side_bring(&sides[1], target);
}

/* ---- Comparing ---- */

static void describe_session(const ledger_session_t *session, char text[TEXT_SIZE / 4])
{
    if (session)
        (void)snprintf(text, TEXT_SIZE / 4, "session %" PRIu64 " of '%.31s'%s", session->id.value,
                       session->open.principal.name, session->closing ? ", to be closed" : "");
    else
        (void)snprintf(text, TEXT_SIZE / 4, "none");
}

static bool same_session(const ledger_session_t *a, const ledger_session_t *b)
{
    return a && b && memcmp(a, b, sizeof *a) == 0;
}

/* The sessions that hosts know, which need not be logged on. */
static bool same_sessions(const session_ledger_t *a, const session_ledger_t *b,
                          char text[TEXT_SIZE])
{
    const uint32_t most = a->state->count > b->state->count ? a->state->count : b->state->count;
    for (uint32_t i = 0; i < most; i++) {
        const ledger_session_t *in_a = i < a->state->count ? session_ledger_at(a, i) : NULL;
        const ledger_session_t *in_b = i < b->state->count ? session_ledger_at(b, i) : NULL;
        if (same_session(in_a, in_b))
            continue;
        char of_a[TEXT_SIZE / 4];
        char of_b[TEXT_SIZE / 4];
        describe_session(in_a, of_a);
        describe_session(in_b, of_b);
        (void)snprintf(text, TEXT_SIZE, "first differing session: a has %s, b has %s", of_a, of_b);
        return false;
    }
    return true;
}

static bool same_timers(const side_t *a, const side_t *b, char text[TEXT_SIZE])
{
    const uint32_t in_a = a->replica.timers.state->count;
    const uint32_t in_b = b->replica.timers.state->count;
    if (in_a == in_b && memcmp(a->timers, b->timers, in_a * sizeof *a->timers) == 0)
        return true;
    (void)snprintf(text, TEXT_SIZE, "the timers differ: a has %" PRIu32 ", b has %" PRIu32, in_a,
                   in_b);
    return false;
}

/* Before the states: who has another log or configuration is bound to have another state. */
static bool same_origin(const side_t sides[2], char text[TEXT_SIZE])
{
    const log_applier_t *a = &sides[0].applier;
    const log_applier_t *b = &sides[1].applier;
    log_record_t configuration;
    replica_configuration(&sides[1].replica, &configuration);
    if (a->log_id != b->log_id) {
        (void)snprintf(text, TEXT_SIZE,
                       "the logs are of different clusters: a has %016" PRIx64
                       ", b has %016" PRIx64,
                       a->log_id, b->log_id);
        return false;
    }
    if (a->checksum != b->checksum) {
        (void)snprintf(text, TEXT_SIZE,
                       "the logs differ: up to this position a has the checksum %08" PRIx32
                       ", b has %08" PRIx32,
                       a->checksum, b->checksum);
        return false;
    }
    if (replica_check_configuration(&sides[0].replica, &configuration, "b") == OC_ERR_OK)
        return true;
    (void)snprintf(text, TEXT_SIZE, "the configurations differ: %.900s", oc_err_context());
    return false;
}

static bool same_states(side_t sides[2], char text[TEXT_SIZE])
{
    const replica_t *a = &sides[0].replica;
    const replica_t *b = &sides[1].replica;
    return image_diff(sides[0].exchange, sides[1].exchange, text, TEXT_SIZE) &&
           same_sessions(&a->sessions, &b->sessions, text) &&
           same_timers(&sides[0], &sides[1], text);
}

/* A state that does not agree with its hash may lead anywhere: so another process goes through it,
 * and this one lives to tell. */
static bool same_states_apart(side_t sides[2], char text[TEXT_SIZE])
{
    enum { EQUAL = 40, DIFFERENT };
    int status = 0;
    (void)snprintf(text, TEXT_SIZE, "no difference can be named: the tables are too damaged");
    char *shared = mmap(NULL, TEXT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return false;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL); /* nothing but its end is of interest */
        (void)signal(SIGBUS, SIG_DFL);
        _exit(same_states(sides, shared) ? EQUAL : DIFFERENT);
    }
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
        WEXITSTATUS(status) == DIFFERENT)
        (void)snprintf(text, TEXT_SIZE, "%.*s", TEXT_SIZE - 1, shared);
    (void)munmap(shared, TEXT_SIZE);
    return WIFEXITED(status) && WEXITSTATUS(status) == EQUAL;
}

/* Of a member that told clients something else, and has come to the same state. */
static bool same_outputs(const side_t sides[2], char text[TEXT_SIZE])
{
    const uint64_t a = replica_output_hash(&sides[0].replica);
    const uint64_t b = replica_output_hash(&sides[1].replica);
    if (a != b)
        (void)snprintf(text, TEXT_SIZE,
                       "the states are equal, what was said to clients is not: a has the output "
                       "hash %016" PRIx64 ", b has %016" PRIx64,
                       a, b);
    return a == b;
}

static void print_side(char name, const side_t *self)
{
    const image_info_t *image = self->base.image;
    printf("%c: %s %s %" PRIu64 " replayed %" PRIu64 " position %" PRIu64 " state_hash %016" PRIx64
           "\n",
           name, self->dir, self->base.diverged ? "diverged-image" : "image",
           image ? image->sequence : 0, self->replica.entries - (image ? image->place.entries : 0),
           self->applier.entry_position, replica_state_hash(&self->replica));
}

/* Whether the state can be taken for the one that the member had. */
static bool print_doubts(char name, side_t *self)
{
    uint64_t position;
    if (self->past.marked && !member_past_diverged(&self->past, &position)) {
        printf(
            "%c: %s has diverged, and the state that it had then is not there: this is only what "
            "its images and its log make\n",
            name, self->dir);
        return false;
    }
    if (!self->is_kept)
        return true;
    const uint64_t hash = replica_state_hash(&self->replica);
    const uint64_t was = self->base.image->place.state_hash;
    if (hash != was)
        printf("%c: hash and state differ: the state has %016" PRIx64 ", the member had %016" PRIx64
               "\n",
               name, hash, was);
    else if (exchange_check_sums(self->exchange) != OC_ERR_OK)
        printf("%c: hash and state differ: %s\n", name, oc_err_context());
    else
        return true;
    return false;
}

static int compare(side_t sides[2])
{
    char text[TEXT_SIZE];
    print_side('a', &sides[0]);
    print_side('b', &sides[1]);
    const bool a_certain = print_doubts('a', &sides[0]);
    const bool certain = print_doubts('b', &sides[1]) && a_certain;
    const bool origin = same_origin(sides, text);
    if (!origin)
        printf("%s\n", text);
    const bool states = certain ? same_states(sides, text) : same_states_apart(sides, text);
    if (!states)
        printf("%s\n", text);
    const bool outputs = !states || same_outputs(sides, text);
    if (!outputs)
        printf("%s\n", text);
    else if (states)
        printf("%s\n", origin && certain ? "equal" : "the states are equal all the same");
    return origin && states && outputs && certain ? 0 : EXIT_STATUS_FAILED;
}

/* ---- The command line ---- */

static int diff(const diff_arguments_t *arguments)
{
    side_t *sides = calloc(2, sizeof *sides);
    if (!sides) {
        (void)error_set(OC_ERR_NO_MEMORY, "no memory for two members");
        return subcommand_failed();
    }
    oc_err_t err = side_open(&sides[0], arguments->dirs[0]);
    if (err == OC_ERR_OK)
        err = side_open(&sides[1], arguments->dirs[1]);
    if (err == OC_ERR_OK)
        err = bring_both(sides, arguments);
    const int status = err == OC_ERR_OK ? compare(sides) : subcommand_failed();
    side_close(&sides[0]);
    side_close(&sides[1]);
    free(sides);
    return status;
}

int cluster_diff_main(int argc, char **argv)
{
    diff_arguments_t arguments = {0};
    const option_t table[] = {option_number("position", &arguments.position, 1, INT64_MAX)};
    options_t parser = {.table = table,
                        .count = 1,
                        .operand_low = 2,
                        .operand_high = 2,
                        .operand_name = "DIR",
                        .command = "cluster diff"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("cluster diff", parser.error);
    if (parser.help) {
        fputs(diff_help, stdout);
        return 0;
    }
    arguments.dirs[0] = parser.operands[0];
    arguments.dirs[1] = parser.operands[1];
    return diff(&arguments);
}
