/*
 * `outcry cluster status`: what there is of a member and how it is, from its driver's counters, its
 * files, and its service's control socket. Called by cli/cluster.c.
 *
 * Each part may be missing, and is then said to be; what is there is printed all the same. Nothing
 * is changed.
 */
#define _GNU_SOURCE
#include "base/assert.h"
#include "base/error.h"
#include "cli/cluster.h"
#include "cli/cluster_place.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "cluster/module_lock.h"
#include "cluster/recording_log.h"
#include "host/control.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ENTRIES_MAX = 96, KEY_MAX = 48, VALUE_MAX = 512 };

#define ASK_NS INT64_C(3000000000)

static const char status_help[] =
    "usage: outcry cluster status --dir DIR [--json]\n"
    "\n"
    "Prints how the member in DIR is, as `key: value`: its driver, its consensus module (state,\n"
    "role, term, positions), its service (service_*) and its images (images_*).\n"
    "\n"
    "  --dir DIR            of a member on this machine\n"
    "  --json               as one JSON object\n"
    "\n"
    "Exit status: 0 when driver, module and service are there, 1 when one is not, 2 for a wrong\n"
    "command line.\n";

typedef struct entry {
    char key[KEY_MAX];
    char value[VALUE_MAX];
    bool is_number;
} entry_t;

typedef struct status {
    entry_t entries[ENTRIES_MAX];
    size_t count;
    bool incomplete; /* a part is missing */
} status_t;

static void say(status_t *self, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(status_t *self, const char *key, const char *format, ...)
{
    va_list arguments;
    OC_ASSERT(self->count < ENTRIES_MAX);
    entry_t *entry = &self->entries[self->count++];
    *entry = (entry_t){.is_number = false};
    (void)snprintf(entry->key, sizeof entry->key, "%s", key);
    va_start(arguments, format);
    (void)vsnprintf(entry->value, sizeof entry->value, format, arguments);
    va_end(arguments);
}

static void say_number(status_t *self, const char *key, int64_t number)
{
    say(self, key, "%" PRId64, number);
    self->entries[self->count - 1].is_number = true;
}

static void say_missing(status_t *self, const char *key)
{
    say(self, key, "none: %s", oc_err_context());
    self->incomplete = true;
}

/* ---- Driver and module ---- */

static void look_at_recording(status_t *self, const cluster_place_t *place,
                              const counter_table_t *table)
{
    recording_log_t log;
    char path[MEMBER_DIR_MAX + 32];
    int64_t position;
    member_config_path(&place->config, "cluster", path, sizeof path);
    if (recording_log_read(&log, path) == OC_ERR_OK) {
        const int64_t recording = recording_log_log(&log);
        const recording_log_entry_t *snapshot;
        if (recording >= 0)
            say_number(self, "log_recording", recording);
        if (table && recording >= 0 && module_counters_recorded(table, recording, &position))
            say_number(self, "recorded_position", position);
        if (recording_log_snapshot(&log, 0, &snapshot, NULL))
            say_number(self, "snapshot_position", snapshot->log_position);
    }
    recording_log_fini(&log);
}

static void look_at_counters(status_t *self, const module_counters_t *counters)
{
    const int64_t state = module_counters_value(counters, MODULE_COUNTER_STATE);
    const int64_t election = module_counters_value(counters, MODULE_COUNTER_ELECTION_STATE);
    say(self, "module", "%s", module_state_name(state));
    say(self, "role", "%s", module_role_name(module_counters_value(counters, MODULE_COUNTER_ROLE)));
    say(self, "election", "%s", module_election_name(election));
    say(self, "toggle", "%s",
        module_toggle_name(module_counters_value(counters, MODULE_COUNTER_TOGGLE)));
    static const struct {
        const char *key;
        module_counter_t counter;
    } numbers[] = {
        {"leadership_term", MODULE_COUNTER_TERM},
        {"commit_position", MODULE_COUNTER_COMMIT_POSITION},
        {"elections", MODULE_COUNTER_ELECTIONS},
        {"snapshots", MODULE_COUNTER_SNAPSHOTS},
        {"timed_out_clients", MODULE_COUNTER_TIMED_OUT_CLIENTS},
        {"module_errors", MODULE_COUNTER_ERRORS},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        say_number(self, numbers[i].key, module_counters_value(counters, numbers[i].counter));
}

static void look_at_module(status_t *self, const cluster_place_t *place)
{
    counter_table_t *table = NULL;
    module_counters_t counters;
    bool held = false;
    long pid = -1;
    const char *aeron_dir = place->config.node.aeron_dir;
    say(self, "aeron_dir", "%s", aeron_dir);
    oc_err_t err = counter_table_open(&table, aeron_dir);
    if (err != OC_ERR_OK) {
        say_missing(self, "driver");
        (void)error_set(err, "its driver is not there");
    } else {
        say(self, "driver", "alive");
        err = module_counters_find(&counters, table, (int64_t)place->config.cluster_id);
    }
    if (err == OC_ERR_OK)
        look_at_counters(self, &counters);
    else
        say_missing(self, "module");
    if (module_lock_probe(place->config.node.dir, &held, &pid) == OC_ERR_OK && held)
        say_number(self, "module_pid", pid);
    look_at_recording(self, place, table);
    counter_table_close(table);
}

/* ---- Service ---- */

static bool is_number(const char *key, const char *value)
{
    const size_t length = strlen(value);
    if (strstr(key, "hash") || length == 0 || length > 18)
        return false;
    if (value[0] == '0' && length > 1)
        return false;
    return strspn(value, "0123456789") == length;
}

/* Answers are words `key=value`, with spaces or newlines between; the rest of a line behind
 * `key: ` is one value. */
static void take_words(status_t *self, const char *prefix, const char *answer)
{
    for (const char *at = answer; *at && self->count + 8 < ENTRIES_MAX;) {
        char key[KEY_MAX];
        char value[VALUE_MAX];
        const size_t length = strcspn(at, " \n");
        const size_t equals = strcspn(at, "=");
        if (equals < length && equals + strlen(prefix) < sizeof key) {
            (void)snprintf(key, sizeof key, "%s%.*s", prefix, (int)equals, at);
            (void)snprintf(value, sizeof value, "%.*s", (int)(length - equals - 1),
                           at + equals + 1);
            say(self, key, "%s", value);
            self->entries[self->count - 1].is_number = is_number(key, value);
        } else if (length > 1 && at[length - 1] == ':' && at[length] == ' ') {
            const size_t rest = strcspn(at + length + 1, "\n");
            (void)snprintf(key, sizeof key, "%s%.*s", prefix, (int)length - 1, at);
            if (rest > 0)
                say(self, key, "%.*s", (int)rest, at + length + 1);
            at += length + 1 + rest;
            at += *at == '\n';
            continue;
        }
        at += length;
        at += strspn(at, " \n");
    }
}

static void look_at_service(status_t *self, const cluster_place_t *place)
{
    char answer[CONTROL_LINE_MAX];
    char path[MEMBER_DIR_MAX + 32];
    const char *dir = place->config.node.dir;
    const oc_err_t err = control_request(dir, "state", answer, sizeof answer, ASK_NS);
    if (err == OC_ERR_OK) {
        say(self, "service", "alive");
        take_words(self, "service_", answer);
    } else {
        if (err == OC_ERR_NOT_CONNECTED)
            (void)error_set(err, "no member runs in %s", dir);
        say_missing(self, "service");
    }
    if (!self->incomplete &&
        control_request(dir, "status", answer, sizeof answer, ASK_NS) == OC_ERR_OK)
        take_words(self, "images_", answer);
    member_config_path(&place->config, "diverged", path, sizeof path);
    if (access(path, F_OK) == 0)
        say(self, "diverged", "yes: see %s", path);
}

/* ---- Output ---- */

static void print_json_text(const char *text)
{
    putchar('"');
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_json(const status_t *self)
{
    printf("{");
    for (size_t i = 0; i < self->count; i++) {
        const entry_t *entry = &self->entries[i];
        printf("%s\n  ", i > 0 ? "," : "");
        print_json_text(entry->key);
        printf(": ");
        if (entry->is_number)
            printf("%s", entry->value);
        else
            print_json_text(entry->value);
    }
    printf("\n}\n");
}

static void print_lines(const status_t *self)
{
    for (size_t i = 0; i < self->count; i++)
        printf("%s: %s\n", self->entries[i].key, self->entries[i].value);
}

int cluster_status_main(int argc, char **argv)
{
    const char *dir = NULL;
    bool json = false;
    const option_t table[] = {option_text("dir", &dir), option_flag("json", &json, true)};
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "cluster status"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("cluster status", parser.error);
    if (parser.help) {
        fputs(status_help, stdout);
        return 0;
    }
    if (!dir)
        return subcommand_usage("cluster status", "--dir is missing; see outcry cluster status "
                                                  "--help");
    cluster_place_t place;
    static status_t status; /* too large for a stack */
    status = (status_t){.count = 0};
    if (cluster_place_open(&place, dir) != OC_ERR_OK)
        return subcommand_failed();
    say_number(&status, "member", (int64_t)place.config.id);
    say_number(&status, "members", member_config_count(&place.config));
    say_number(&status, "cluster_id", (int64_t)place.config.cluster_id);
    look_at_module(&status, &place);
    look_at_service(&status, &place);
    if (json)
        print_json(&status);
    else
        print_lines(&status);
    return status.incomplete ? EXIT_STATUS_FAILED : 0;
}
