/*
 * `outcry admin`: what an operator asks of a running venue. Called by main.
 *
 * Each command line is one command of the log, or one request, sent with the client library by a
 * source that has the role; nothing is changed by any other way. The answer is one line.
 */
#define _GNU_SOURCE
#include "aeron/secret_file.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "outcry/client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char admin_help[] =
    "usage: outcry admin --ingress HOST:PORT [OPTION]... COMMAND\n"
    "\n"
    "Sends one command to a running venue and prints `confirmed`, or `rejected: REASON`.\n"
    "\n"
    "  instrument add ID --low N --high N --max-quantity N [--state S]\n"
    "  instrument bands ID --low N --high N --max-quantity N\n"
    "  instrument state ID S    closed, pre_open, continuous or halted\n"
    "  source add ID --roles R  of trade, risk, mark and admin, with commas\n"
    "  source retire ID\n"
    "  principal bind NAME ID   lets NAME log on as source ID\n"
    "  mark ID PRICE            the mark price of an instrument\n"
    "  resume                   ends the reduce-only state after a recovery\n"
    "  restrict                 puts it in force\n"
    "  lift                     ends the one that low storage put in force\n"
    "  configure --step-bound N --modify-priority keep|lose\n"
    "  stop                     ends the node in order\n"
    "\n"
    "  --ingress HOST:PORT      where the venue is, or 0=HOST:PORT,1=HOST:PORT,... of a cluster\n"
    "  --principal NAME         who we are (admin)\n"
    "  --secret-file FILE       lines `name = secret`, to prove it\n"
    "  --source N               the source to log on to (1)\n"
    "  --timeout-ms N           how long to wait, at most (5000)\n"
    "\n"
    "Prices and quantities are in ticks and lots; a price below zero as --low=-N, or after --.\n"
    "Exit status: 0 confirmed, 1 rejected or not answered, 2 for a wrong command line.\n";

enum { WORDS = OPTIONS_OPERANDS_MAX, POLL_LIMIT = 64 };

#define IDLE_NS 50000

static const char *const state_names[] = {"closed", "pre_open", "continuous", "halted", NULL};
static const char *const priority_names[] = {"keep", "lose", NULL};
static const char *const role_names[] = {"trade", "risk", "mark", "admin", NULL};

/* What the command line says. */
typedef struct admin {
    const char *ingress;
    const char *principal;
    const char *secret_file;
    const char *low;
    const char *high;
    const char *roles;
    uint64_t source;
    uint64_t timeout_ms;
    uint64_t max_quantity; /* 0: not given */
    uint64_t step_bound;   /* 0: not given */
    int state;
    int modify_priority; /* -1: not given */
    const char *words[WORDS];
    size_t word_count;
    oc_request_t request; /* COMMAND: u.command */
    char error[200];
} admin_t;

/* What became of it. */
typedef struct admin_answer {
    uint64_t sequence;   /* of our command, 0 until it is sent */
    uint64_t request_id; /* of our request, 0 likewise */
    bool done;
    uint8_t reason;
    const char *problem; /* the message was not taken at all */
} admin_answer_t;

/* ---- Reading the command --------------------------------------------------------------------- */

static bool bad(admin_t *self, const char *what, const char *text)
{
    (void)snprintf(self->error, sizeof self->error, "%s '%s'", what, text ? text : "");
    return false;
}

static bool read_number(admin_t *self, const char *what, const char *text, int64_t *number)
{
    char *end;
    if (!text)
        return bad(self, "missing", what);
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (end == text || *end || errno)
        return bad(self, what, text);
    return true;
}

static bool read_id(admin_t *self, const char *text, uint32_t *id)
{
    int64_t number;
    if (!read_number(self, "id", text, &number))
        return false;
    if (number < 1 || number > UINT32_MAX)
        return bad(self, "id must be in 1..4294967295, not", text);
    *id = (uint32_t)number;
    return true;
}

/* Index of a name, -1 if it is none of them. */
static int find_name(const char *const *names, const char *text, size_t length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], text, length))
            return i;
    return -1;
}

static bool read_roles(admin_t *self, uint32_t *roles)
{
    *roles = 0;
    if (!self->roles)
        return bad(self, "missing", "--roles");
    for (const char *at = self->roles;;) {
        const size_t length = strcspn(at, ",");
        const int role = find_name(role_names, at, length);
        if (role < 0)
            return bad(self, "roles are trade, risk, mark and admin, not", self->roles);
        *roles |= 1U << role;
        if (!at[length])
            return true;
        at += length + 1;
    }
}

static bool read_bands(admin_t *self, oc_command_t *command)
{
    if (self->max_quantity == 0)
        return bad(self, "missing", "--max-quantity");
    command->u.instrument.max_quantity_lots = (int64_t)self->max_quantity;
    return read_number(self, "--low", self->low, &command->u.instrument.price_low_ticks) &&
           read_number(self, "--high", self->high, &command->u.instrument.price_high_ticks);
}

static bool instrument_add(admin_t *self, oc_command_t *command)
{
    command->type = OC_COMMAND_INSTRUMENT_ADD;
    command->u.instrument.state = (uint8_t)self->state;
    return read_id(self, self->words[2], &command->instrument.value) && read_bands(self, command);
}

static bool instrument_bands(admin_t *self, oc_command_t *command)
{
    command->type = OC_COMMAND_INSTRUMENT_BANDS;
    return read_id(self, self->words[2], &command->instrument.value) && read_bands(self, command);
}

static bool instrument_state(admin_t *self, oc_command_t *command)
{
    const int state = find_name(state_names, self->words[3], strlen(self->words[3]));
    command->type = OC_COMMAND_INSTRUMENT_STATE;
    if (state < 0)
        return bad(self, "states are closed, pre_open, continuous and halted, not", self->words[3]);
    command->u.instrument.state = (uint8_t)state;
    return read_id(self, self->words[2], &command->instrument.value);
}

static bool source_add(admin_t *self, oc_command_t *command)
{
    command->type = OC_COMMAND_SOURCE_ADD;
    return read_id(self, self->words[2], &command->u.source.id.value) &&
           read_roles(self, &command->u.source.roles);
}

static bool source_retire(admin_t *self, oc_command_t *command)
{
    command->type = OC_COMMAND_SOURCE_RETIRE;
    return read_id(self, self->words[2], &command->u.source.id.value);
}

static bool principal_bind(admin_t *self, oc_command_t *command)
{
    (void)command;
    const char *name = self->words[2];
    self->request = (oc_request_t){.type = OC_REQUEST_PRINCIPAL};
    if (!name[0] || strlen(name) >= OC_PRINCIPAL_SIZE)
        return bad(self, "a principal has 1 to 31 characters, not", name);
    memcpy(self->request.u.principal.principal.name, name, strlen(name));
    return read_id(self, self->words[3], &self->request.u.principal.source.value);
}

static bool mark(admin_t *self, oc_command_t *command)
{
    command->type = OC_COMMAND_MARK_PRICE;
    return read_id(self, self->words[1], &command->instrument.value) &&
           read_number(self, "price", self->words[2], &command->u.mark.price_ticks);
}

static bool resume(admin_t *self, oc_command_t *command)
{
    (void)self;
    command->type = OC_COMMAND_RESTRICTION;
    command->u.restriction.clear = OC_RESTRICT_RECOVERY;
    return true;
}

static bool restrict_venue(admin_t *self, oc_command_t *command)
{
    (void)self;
    command->type = OC_COMMAND_RESTRICTION;
    command->u.restriction.set = OC_RESTRICT_RECOVERY;
    return true;
}

static bool lift(admin_t *self, oc_command_t *command)
{
    (void)self;
    command->type = OC_COMMAND_RESTRICTION;
    command->u.restriction.clear = OC_RESTRICT_STORAGE;
    return true;
}

static bool configure(admin_t *self, oc_command_t *command)
{
    command->type = OC_COMMAND_CONFIGURE;
    command->u.configure.rules_version = OC_RULES_VERSION;
    /* A command sets all of them, and the venue's present values are not known here. */
    if (self->step_bound == 0 || self->modify_priority < 0)
        return bad(self, "missing", self->step_bound ? "--modify-priority" : "--step-bound");
    command->u.configure.step_bound = (uint32_t)self->step_bound;
    command->u.configure.modify_priority = (uint8_t)self->modify_priority;
    return true;
}

static bool stop(admin_t *self, oc_command_t *command)
{
    (void)command;
    self->request = (oc_request_t){.type = OC_REQUEST_STOP};
    return true;
}

static const struct admin_verb {
    const char *first;
    const char *second; /* NULL: the command is one word */
    size_t words;
    bool (*read)(admin_t *self, oc_command_t *command);
} verbs[] = {
    {"instrument", "add", 3, instrument_add},
    {"instrument", "bands", 3, instrument_bands},
    {"instrument", "state", 4, instrument_state},
    {"source", "add", 3, source_add},
    {"source", "retire", 3, source_retire},
    {"principal", "bind", 4, principal_bind},
    {"mark", NULL, 3, mark},
    {"resume", NULL, 1, resume},
    {"restrict", NULL, 1, restrict_venue},
    {"lift", NULL, 1, lift},
    {"configure", NULL, 1, configure},
    {"stop", NULL, 1, stop},
};

/* Makes the request of the words and options. */
static bool read_command(admin_t *self)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        const struct admin_verb *verb = &verbs[i];
        if (strcmp(self->words[0], verb->first) != 0 ||
            (verb->second && (self->word_count < 2 || strcmp(self->words[1], verb->second) != 0)))
            continue;
        if (self->word_count != verb->words)
            return bad(self, "wrong number of words for",
                       verb->second ? verb->second : verb->first);
        oc_command_t command = {0};
        self->request = (oc_request_t){.type = OC_REQUEST_COMMAND};
        if (!verb->read(self, &command))
            return false;
        if (self->request.type == OC_REQUEST_COMMAND)
            self->request.u.command = command;
        return true;
    }
    return bad(self, "unknown command", self->words[0]);
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(admin_t *self, int argc, char **argv)
{
    *self = (admin_t){.principal = "admin", .source = 1, .timeout_ms = 5000, .modify_priority = -1};
    const option_t table[] = {
        option_text("ingress", &self->ingress),
        option_text("principal", &self->principal),
        option_text("secret-file", &self->secret_file),
        option_number("source", &self->source, 1, UINT32_MAX),
        option_number("timeout-ms", &self->timeout_ms, 1, 3600000),
        option_text("low", &self->low),
        option_text("high", &self->high),
        option_number("max-quantity", &self->max_quantity, 1, INT64_MAX),
        option_choice("state", &self->state, state_names),
        option_text("roles", &self->roles),
        option_number("step-bound", &self->step_bound, 1, OC_STEP_BOUND_MAX),
        option_choice("modify-priority", &self->modify_priority, priority_names),
    };
    options_t parser = {.table = table,
                        .count = sizeof table / sizeof table[0],
                        .operand_low = 1,
                        .operand_high = WORDS,
                        .operand_name = "COMMAND",
                        .command = "admin"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("admin", parser.error);
    if (parser.help) {
        fputs(admin_help, stdout);
        return 0;
    }
    self->word_count = parser.operand_count;
    memcpy(self->words, parser.operands, parser.operand_count * sizeof self->words[0]);
    if (!self->ingress)
        return subcommand_usage("admin", "missing --ingress HOST:PORT");
    return read_command(self) ? -1 : subcommand_usage("admin", self->error);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static void on_response(void *context, const oc_response_t *response)
{
    admin_answer_t *answer = context;
    const oc_event_t *event = &response->u.output.event;
    /* Outputs of earlier commands of the source may come first. */
    if (response->type == OC_RESPONSE_OUTPUT && answer->sequence != 0 &&
        (event->type == OC_EVENT_CONFIRMED || event->type == OC_EVENT_REJECTED) &&
        event->sequence == answer->sequence) {
        answer->done = true;
        answer->reason = event->reason;
    } else if (response->type == OC_RESPONSE_REPLY && answer->request_id != 0 &&
               response->request_id == answer->request_id) {
        answer->done = true;
        answer->reason = response->u.reply.reason;
    } else if (response->type == OC_RESPONSE_MESSAGE_REJECTED) {
        answer->done = true;
        answer->problem = oc_problem_name(response->u.message_rejected.problem);
    }
}

static oc_err_t ask(oc_client_t *client, admin_t *admin, admin_answer_t *answer)
{
    oc_err_t err;
    if (admin->request.type == OC_REQUEST_COMMAND) {
        err = oc_client_send(client, &admin->request.u.command, &answer->sequence);
    } else {
        err = oc_client_request(client, &admin->request);
        answer->request_id = admin->request.request_id;
    }
    const uint64_t deadline = clock_wall_ns() + admin->timeout_ms * UINT64_C(1000000);
    while (err == OC_ERR_OK && !answer->done) {
        const struct timespec pause = {.tv_nsec = IDLE_NS};
        if (oc_client_poll(client, POLL_LIMIT) == 0)
            (void)nanosleep(&pause, NULL);
        if (oc_client_state(client) == OC_CLIENT_CLOSED)
            err = error_set(OC_ERR_CLOSED, "%s", oc_client_reason(client));
        else if (clock_wall_ns() > deadline)
            err = error_set(OC_ERR_TIMEOUT,
                            "%s does not answer within %" PRIu64
                            " ms; whether it has done it is not known",
                            admin->ingress, admin->timeout_ms);
    }
    return err;
}

static oc_err_t connect_and_ask(admin_t *admin, admin_answer_t *answer)
{
    secret_file_secret_t secret = {.length = 0};
    oc_client_config_t config;
    oc_client_t *client;
    if (admin->secret_file) {
        const oc_err_t err = secret_file_find(admin->secret_file, admin->principal, &secret);
        if (err != OC_ERR_OK)
            return err;
    }
    oc_client_config_init(&config);
    config.ingress = admin->ingress;
    config.principal = admin->principal;
    config.secret = secret.length ? secret.bytes : NULL;
    config.secret_length = secret.length;
    config.source.value = (uint32_t)admin->source;
    config.unanswered_max = 16;
    config.connect_timeout_ns = (int64_t)admin->timeout_ms * INT64_C(1000000);
    config.reconnect_timeout_ns = config.connect_timeout_ns;
    oc_err_t err = oc_client_connect(&client, &config, on_response, answer);
    explicit_bzero(&secret, sizeof secret);
    if (err != OC_ERR_OK)
        return err;
    err = ask(client, admin, answer);
    oc_client_close(client);
    return err;
}

int admin_main(int argc, char **argv)
{
    admin_t admin;
    admin_answer_t answer = {0};
    const int status = read_arguments(&admin, argc, argv);
    if (status >= 0)
        return status;
    if (connect_and_ask(&admin, &answer) != OC_ERR_OK)
        return subcommand_failed();
    if (!answer.problem && answer.reason == OC_REASON_NONE) {
        printf("confirmed\n");
        return 0;
    }
    printf("rejected: %s\n",
           answer.problem ? answer.problem : oc_reason_name((oc_reason_t)answer.reason));
    return EXIT_STATUS_FAILED;
}
