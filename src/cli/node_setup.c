/*
 * What decides over a node or a member of the exchange: the host's keys and the exchange's own
 * ([exchange]) of one configuration file. Called by `outcry node`, `outcry member`, and by `outcry
 * snapshot import`, whose directory a node is to run in.
 *
 * The hash key of the look-up tables is drawn anew each time, since no outcome depends on it and no
 * client may know it; a state restored from an image keeps its own.
 */
#define _GNU_SOURCE
#include "cli/node_setup.h"

#include "base/assert.h"
#include "base/error.h"
#include "host/node_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

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

static void list_keys(exchange_config_t *exchange, exchange_keys_t *values,
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
    OC_ASSERT(count == EXCHANGE_KEYS);
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

/* The exchange's configuration, and its keys for a reader of files. */
typedef struct exchange_setup {
    exchange_config_t *config;
    exchange_keys_t values;
    node_config_key_t keys[EXCHANGE_KEYS];
} exchange_setup_t;

static void begin(exchange_setup_t *self, exchange_config_t *exchange)
{
    self->config = exchange;
    exchange_config_init(exchange);
    list_keys(exchange, &self->values, self->keys);
}

/* What of the host's configuration the exchange needs, once all is read. */
static oc_err_t finish(const exchange_setup_t *self, const node_config_t *config)
{
    self->config->restore_threads = (uint32_t)config->restore_threads;
    return draw_hash_key(self->config);
}

static oc_err_t read_node(const node_setup_t *setup, exchange_setup_t *exchange,
                          node_config_t *config)
{
    oc_err_t err = OC_ERR_OK;
    char path[NODE_CONFIG_PATH_MAX];
    const char *file = setup->config_file;
    if (!file && setup->dir)
        file = node_config_find(NULL, setup->dir, path);
    node_config_init(config);
    if (file && !setup->config_file && member_config_is_cluster(file))
        err = error_set(OC_ERR_REFUSED,
                        "%s has a section [cluster]: a member of a cluster runs by it, not a node: "
                        "outcry member --config %s",
                        file, file);
    else if (file)
        err = node_config_read(config, file, exchange->keys, EXCHANGE_KEYS);
    if (err == OC_ERR_OK)
        err = take_keys(&exchange->values, exchange->config);
    if (err == OC_ERR_OK)
        err = node_config_apply_options(config, setup->dir ? setup->dir : "", setup->ingress);
    return err;
}

static oc_err_t read_member(const member_setup_t *setup, exchange_setup_t *exchange,
                            member_config_t *config)
{
    oc_err_t err = OC_ERR_OK;
    member_config_init(config);
    if (setup->config_file)
        err = member_config_read(config, setup->config_file, exchange->keys, EXCHANGE_KEYS);
    if (err == OC_ERR_OK)
        err = take_keys(&exchange->values, exchange->config);
    if (err == OC_ERR_OK)
        err = node_config_apply_options(&config->node, setup->dir ? setup->dir : "", NULL);
    if (setup->id)
        config->id = *setup->id;
    return err;
}

oc_err_t node_setup(const node_setup_t *setup, node_config_t *config, exchange_config_t *exchange)
{
    exchange_setup_t self;
    begin(&self, exchange);
    const oc_err_t err = read_node(setup, &self, config);
    return err == OC_ERR_OK ? finish(&self, config) : err;
}

oc_err_t node_setup_print(const node_setup_t *setup, FILE *out)
{
    node_config_t config;
    exchange_config_t exchange;
    exchange_setup_t self;
    begin(&self, &exchange);
    const oc_err_t err = read_node(setup, &self, &config);
    if (err == OC_ERR_OK)
        node_config_print(&config, self.keys, EXCHANGE_KEYS, out);
    return err;
}

oc_err_t member_setup(const member_setup_t *setup, member_config_t *config,
                      exchange_config_t *exchange)
{
    exchange_setup_t self;
    begin(&self, exchange);
    const oc_err_t err = read_member(setup, &self, config);
    exchange->engine.hash_outputs = true; /* members compare it */
    return err == OC_ERR_OK ? finish(&self, &config->node) : err;
}

oc_err_t member_setup_print(const member_setup_t *setup, FILE *out)
{
    member_config_t config;
    exchange_config_t exchange;
    exchange_setup_t self;
    begin(&self, &exchange);
    const oc_err_t err = read_member(setup, &self, &config);
    if (err == OC_ERR_OK)
        member_config_print(&config, self.keys, EXCHANGE_KEYS, out);
    return err;
}
