/*
 * `outcry node`: the exchange as a service under the host `node`. Called by main.
 *
 * What is decided here: which keys of the configuration file are the exchange's ([exchange]), and
 * that the hash key of its look-up tables is drawn anew at each start, since no outcome depends on
 * it and no client may know it. Everything else is the host's and the service's business.
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "host/node_run.h"
#include "service/exchange.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static const char node_help[] =
    "usage: outcry node --dir DIR [OPTION]...\n"
    "\n"
    "Runs the exchange on this machine. What clients send is put in sequence, made durable in "
    "DIR,\n"
    "applied, and answered; what was acknowledged is there again after any restart. Prints\n"
    "`ready: HOST:PORT` when clients may come; SIGTERM ends it in order.\n"
    "\n"
    "  --dir DIR            the log's directory, made if absent; one node at a time\n"
    "  --ingress HOST:PORT  UDP address that clients connect to (127.0.0.1:9010); port 0: a free\n"
    "                       one\n"
    "  --config FILE        `key = value` lines in sections\n"
    "  --print-config       print all keys with their values as such a file, and end\n"
    "\n"
    "Exit status: 0 after an orderly end, 1 when something failed, 2 for a wrong command line.\n";

enum { NUMBERS = 9, EXCHANGE_KEYS = NUMBERS + 3 };

/* Of the [exchange] section, as the file's reader stores it. */
typedef struct exchange_keys {
    uint64_t numbers[NUMBERS];
    int engine;
    int modify_priority;
    char admin_principal[NODE_TEXT_MAX];
} exchange_keys_t;

static const char *const engine_names[] = {"fast", "reference", NULL};
static const char *const priority_names[] = {"keep", "lose", NULL};

/* The plain numbers: where they belong, and their ranges as in outcry/engine.h. */
typedef struct number_key {
    const char *name;
    uint32_t *target;
    uint64_t low;
    uint64_t high;
    const char *help;
} number_key_t;

static void list_numbers(exchange_config_t *exchange, number_key_t list[NUMBERS])
{
    oc_engine_config_t *engine = &exchange->engine;
    const number_key_t all[NUMBERS] = {
        {"max_orders", &engine->max_orders, 1, 1 << 27, "live orders"},
        {"max_levels", &engine->max_levels, 1, 1 << 26, "price levels of all books together"},
        {"max_instruments", &engine->max_instruments, 1, 65536, "instruments"},
        {"max_sources", &engine->max_sources, 1, 1 << 24, "ordering identities"},
        {"max_sessions", &engine->max_sessions, 1, 1 << 24, "sources logged on at once"},
        {"max_pending", &engine->max_pending, 1, 65536, "mass cancels under way at once"},
        {"step_bound", &engine->step_bound, 1, OC_STEP_BOUND_MAX,
         "steps of unfinished work that each entry does"},
        {"kept_outputs", &exchange->kept_outputs, 64, 16384,
         "newest outputs of a source kept for resending, a power of two"},
        {"admin_source", &exchange->admin_source.value, 1, UINT32_MAX,
         "the source that is there from the start and may do everything"},
    };
    memcpy(list, all, sizeof all);
}

static size_t list_keys(exchange_config_t *exchange, exchange_keys_t *values,
                        node_config_key_t keys[EXCHANGE_KEYS])
{
    number_key_t numbers[NUMBERS];
    size_t count = 0;
    list_numbers(exchange, numbers);
    for (size_t i = 0; i < NUMBERS; i++) {
        values->numbers[i] = *numbers[i].target;
        keys[count++] = (node_config_key_t){.section = "exchange",
                                            .name = numbers[i].name,
                                            .number = &values->numbers[i],
                                            .low = numbers[i].low,
                                            .high = numbers[i].high,
                                            .help = numbers[i].help};
    }
    values->engine = (int)exchange->engine.kind;
    values->modify_priority = (int)exchange->engine.modify_priority;
    (void)snprintf(values->admin_principal, sizeof values->admin_principal, "%s",
                   exchange->admin_principal.name);
    keys[count++] = (node_config_key_t){.section = "exchange",
                                        .name = "admin_principal",
                                        .text = values->admin_principal,
                                        .help = "who may log on as that source"};
    keys[count++] = (node_config_key_t){.section = "exchange",
                                        .name = "modify_priority",
                                        .choice = &values->modify_priority,
                                        .choices = priority_names,
                                        .help = "of an order made smaller at its price"};
    keys[count++] = (node_config_key_t){.section = "exchange",
                                        .name = "engine",
                                        .choice = &values->engine,
                                        .choices = engine_names,
                                        .help = "the naive one is for comparison"};
    return count;
}

/* Moves what was read to where it belongs; the ranges have been checked. */
static oc_err_t take_keys(const exchange_keys_t *values, exchange_config_t *exchange)
{
    number_key_t numbers[NUMBERS];
    list_numbers(exchange, numbers);
    for (size_t i = 0; i < NUMBERS; i++)
        *numbers[i].target = (uint32_t)values->numbers[i];
    exchange->engine.kind = (oc_engine_kind_t)values->engine;
    exchange->engine.modify_priority = (oc_modify_priority_t)values->modify_priority;
    const size_t length = strlen(values->admin_principal);
    if (length == 0 || length >= OC_PRINCIPAL_SIZE)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "[exchange] admin_principal = %s: not 1 to %d characters",
                         values->admin_principal, OC_PRINCIPAL_SIZE - 1);
    exchange->admin_principal = (oc_principal_t){{0}};
    memcpy(exchange->admin_principal.name, values->admin_principal, length);
    return exchange_config_check(exchange);
}

static oc_err_t draw_hash_key(exchange_config_t *exchange)
{
    uint64_t *key = exchange->engine.hash_key;
    if (getrandom(key, sizeof exchange->engine.hash_key, 0) !=
        (ssize_t)sizeof exchange->engine.hash_key)
        return error_set(OC_ERR_READ, "no random numbers from the system: %s", strerror(errno));
    return OC_ERR_OK;
}

typedef struct node_arguments {
    const char *dir;
    const char *ingress;
    const char *config_file;
    bool print_config;
} node_arguments_t;

/* Returns -1 to go on, else the exit status. */
static int read_arguments(node_arguments_t *arguments, int argc, char **argv)
{
    *arguments = (node_arguments_t){0};
    const option_t table[] = {
        option_text("dir", &arguments->dir),
        option_text("ingress", &arguments->ingress),
        option_text("config", &arguments->config_file),
        option_flag("print-config", &arguments->print_config, true),
    };
    options_t parser = {.table = table, .count = sizeof table / sizeof table[0], .command = "node"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("node", parser.error);
    if (parser.help) {
        fputs(node_help, stdout);
        return 0;
    }
    if (!arguments->dir && !arguments->print_config)
        return subcommand_usage("node", "--dir is missing; see outcry node --help");
    return -1;
}

static oc_err_t run(const node_config_t *config, exchange_config_t *exchange_config)
{
    exchange_t *exchange;
    oc_err_t err = draw_hash_key(exchange_config);
    if (err == OC_ERR_OK)
        err = exchange_create(&exchange, exchange_config);
    if (err != OC_ERR_OK)
        return err;
    err = node_run(exchange_service(exchange), config);
    exchange_destroy(exchange);
    return err;
}

static int configure_and_run(const node_arguments_t *arguments)
{
    node_config_t config;
    exchange_config_t exchange;
    exchange_keys_t values;
    node_config_key_t keys[EXCHANGE_KEYS];
    node_config_init(&config);
    exchange_config_init(&exchange);
    const size_t count = list_keys(&exchange, &values, keys);
    if (arguments->config_file &&
        node_config_read(&config, arguments->config_file, keys, count) != OC_ERR_OK)
        return subcommand_failed();
    if (take_keys(&values, &exchange) != OC_ERR_OK)
        return subcommand_failed();
    if (node_config_apply_options(&config, arguments->dir ? arguments->dir : "",
                                  arguments->ingress) != OC_ERR_OK)
        return subcommand_failed();
    if (arguments->print_config) {
        node_config_print(&config, keys, count, stdout);
        return 0;
    }
    return run(&config, &exchange) == OC_ERR_OK ? 0 : subcommand_failed();
}

int node_main(int argc, char **argv)
{
    node_arguments_t arguments;
    int status = read_arguments(&arguments, argc, argv);
    if (status >= 0)
        return status;
    /* Before the tables are made, which may take seconds: an end is orderly from here on. */
    node_take_signals();
    status = configure_and_run(&arguments);
    node_give_signals_back();
    return status;
}
