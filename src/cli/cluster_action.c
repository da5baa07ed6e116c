/*
 * `outcry cluster snapshot|suspend|resume|shutdown|abort`: what the consensus module does when its
 * control toggle is set. Called by cli/cluster.c.
 *
 * Only the leader's module acts. When another member's directory is named and the leader's is
 * beside it, it is done there. The toggle is set by compare-and-swap, so two operators do not mix;
 * then this waits until it was done, and says how long it took.
 */
#define _GNU_SOURCE
#include "base/cycle_clock.h"
#include "base/error.h"
#include "cli/cluster.h"
#include "cli/cluster_place.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "cluster/members_query.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PAUSE_NS = 2000000 };

#define QUERY_NS INT64_C(5000000000)

static const char action_help[] =
    "usage: outcry cluster snapshot|suspend|resume|shutdown|abort --dir DIR [--timeout S]\n"
    "\n"
    "  snapshot             have the cluster take an official snapshot\n"
    "  suspend              take nothing from clients, fire no timers, until resume; a change of\n"
    "                       leader or a restart ends it not\n"
    "  resume               go on after suspend\n"
    "  shutdown             take a snapshot and end all members in order\n"
    "  abort                end all members in order, without a snapshot\n"
    "\n"
    "  --dir DIR            of a member on this machine; when another one leads and has its\n"
    "                       directory beside this one (../mN), it is done there\n"
    "  --timeout S          how long it may take, 1 to 3600 (60)\n"
    "\n"
    "Exit status: 0 when it was done, 1 when it was not, 2 for a wrong command line.\n";

typedef struct action {
    const char *name;
    module_toggle_t toggle;
    module_state_t demands; /* what the module must be in */
    module_state_t done;    /* what it is in then; CLOSED: gone */
} action_t;

static const action_t actions[] = {
    {"snapshot", MODULE_TOGGLE_SNAPSHOT, MODULE_STATE_ACTIVE, MODULE_STATE_ACTIVE},
    {"suspend", MODULE_TOGGLE_SUSPEND, MODULE_STATE_ACTIVE, MODULE_STATE_SUSPENDED},
    {"resume", MODULE_TOGGLE_RESUME, MODULE_STATE_SUSPENDED, MODULE_STATE_ACTIVE},
    {"shutdown", MODULE_TOGGLE_SHUTDOWN, MODULE_STATE_ACTIVE, MODULE_STATE_CLOSED},
    {"abort", MODULE_TOGGLE_ABORT, MODULE_STATE_ACTIVE, MODULE_STATE_CLOSED},
};

static const action_t *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (!strcmp(actions[i].name, name))
            return &actions[i];
    return NULL;
}

/* ---- Who leads ---- */

static oc_err_t not_here(const cluster_place_t *place)
{
    members_query_t members;
    cluster_place_t leader;
    const uint32_t own = (uint32_t)place->config.id;
    const oc_err_t err = members_query_ask(place->config.node.aeron_dir, &members, QUERY_NS);
    if (err != OC_ERR_OK || members.leader < 0 || members.leader == (int32_t)own)
        return error_set(OC_ERR_REFUSED,
                         "no member leads, as far as member %" PRIu32 " in %s knows; try again "
                         "after the election",
                         own, place->config.node.dir);
    if (cluster_place_neighbour(place, (uint32_t)members.leader, &leader))
        return error_set(OC_ERR_REFUSED,
                         "no member leads: member %" PRId32 " in %s did, as far as member %" PRIu32
                         " knows; try again after the election",
                         members.leader, leader.config.node.dir, own);
    return error_set(OC_ERR_REFUSED,
                     "member %" PRIu32 " in %s follows, and member %" PRId32
                     " leads: say it there, by --dir",
                     own, place->config.node.dir, members.leader);
}

/* Moves `place` to the member that leads. */
static oc_err_t find_leader(cluster_place_t *place)
{
    counter_table_t *table;
    module_counters_t counters;
    const uint64_t asked = place->config.id;
    if (cluster_place_find_leader(place)) {
        if (place->config.id != asked)
            (void)fprintf(stderr, "outcry: member %" PRIu64 " leads: done there\n",
                          place->config.id);
        return OC_ERR_OK;
    }
    /* What is wrong here says more than that nobody leads. */
    const oc_err_t err = cluster_place_counters(place, &table, &counters);
    if (err != OC_ERR_OK)
        return err;
    counter_table_close(table);
    return not_here(place);
}

/* ---- Doing it ---- */

typedef struct doing {
    const action_t *action;
    embedded_t *embedded;
    counter_table_t *table;
    module_counters_t counters;
    module_toggle_t from; /* what the toggle was at before */
    int64_t snapshots;    /* likewise */
} doing_t;

static const char *way_out(const action_t *action, int64_t state)
{
    if (state == (int64_t)action->done)
        return "that is done already";
    if (state == MODULE_STATE_SUSPENDED)
        return "outcry cluster resume first";
    return "try again later";
}

/* The toggle of a suspended module is where it was put, or neutral: at a leader that came later, by
 * an election or a restart. There other tools can set it to what is never done while suspended, and
 * what would otherwise be in the way for good. */
static bool is_free(const action_t *action, int64_t toggle)
{
    if (action->toggle == MODULE_TOGGLE_RESUME)
        return toggle != MODULE_TOGGLE_RESUME;
    return toggle == MODULE_TOGGLE_NEUTRAL;
}

static oc_err_t check(doing_t *self)
{
    const int64_t state = module_counters_value(&self->counters, MODULE_COUNTER_STATE);
    const int64_t toggle = module_counters_value(&self->counters, MODULE_COUNTER_TOGGLE);
    self->from = (module_toggle_t)toggle;
    if (state != (int64_t)self->action->demands)
        return error_set(OC_ERR_REFUSED, "%s: the consensus module is %s, not %s: %s",
                         self->action->name, module_state_name(state),
                         module_state_name(self->action->demands), way_out(self->action, state));
    if (toggle == MODULE_TOGGLE_INACTIVE)
        return error_set(OC_ERR_REFUSED,
                         "%s: the leadership went to another member just now; try again after the "
                         "election",
                         self->action->name);
    if (!is_free(self->action, toggle))
        return error_set(OC_ERR_REFUSED,
                         "%s: the control toggle is at %s, for something else is "
                         "under way; try again later",
                         self->action->name, module_toggle_name(toggle));
    return OC_ERR_OK;
}

/* Anything but TIMEOUT ends the waiting. */
static oc_err_t look(const doing_t *self)
{
    const action_t *action = self->action;
    const bool alive = module_counters_alive(&self->counters) && !embedded_closed(self->embedded);
    if (action->done == MODULE_STATE_CLOSED)
        return alive ? OC_ERR_TIMEOUT : OC_ERR_OK;
    if (!alive)
        return error_set(OC_ERR_CLOSED, "%s: the consensus module ended meanwhile", action->name);
    const int64_t toggle = module_counters_value(&self->counters, MODULE_COUNTER_TOGGLE);
    const int64_t state = module_counters_value(&self->counters, MODULE_COUNTER_STATE);
    const int64_t role = module_counters_value(&self->counters, MODULE_COUNTER_ROLE);
    if (role != MODULE_ROLE_LEADER)
        return error_set(OC_ERR_CLOSED,
                         "%s: the leadership went to another member meanwhile; "
                         "it may be done or not",
                         action->name);
    if (action->done == MODULE_STATE_SUSPENDED)
        return state == MODULE_STATE_SUSPENDED ? OC_ERR_OK : OC_ERR_TIMEOUT;
    if (toggle != MODULE_TOGGLE_NEUTRAL || state != action->done)
        return OC_ERR_TIMEOUT;
    if (action->toggle == MODULE_TOGGLE_SNAPSHOT &&
        module_counters_value(&self->counters, MODULE_COUNTER_SNAPSHOTS) == self->snapshots)
        return error_set(OC_ERR_REFUSED, "snapshot: the service gave none; its member says why");
    return OC_ERR_OK;
}

static oc_err_t await(const doing_t *self, uint64_t timeout_s)
{
    const uint64_t deadline = clock_wall_ns() + timeout_s * UINT64_C(1000000000);
    oc_err_t err;
    while ((err = look(self)) == OC_ERR_TIMEOUT && clock_wall_ns() < deadline) {
        (void)embedded_do_work(self->embedded);
        (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    if (err != OC_ERR_TIMEOUT)
        return err;
    return error_set(
        err, "%s: asked for, and not done after %" PRIu64 " s: the module is %s, its toggle at %s",
        self->action->name, timeout_s,
        module_state_name(module_counters_value(&self->counters, MODULE_COUNTER_STATE)),
        module_toggle_name(module_counters_value(&self->counters, MODULE_COUNTER_TOGGLE)));
}

static oc_err_t toggle_and_await(doing_t *self, const cluster_place_t *place, uint64_t timeout_s)
{
    oc_err_t err = check(self);
    if (err != OC_ERR_OK)
        return err;
    self->snapshots = module_counters_value(&self->counters, MODULE_COUNTER_SNAPSHOTS);
    const uint64_t start_ns = clock_wall_ns();
    if (!module_counters_toggle(&self->counters, self->from, self->action->toggle))
        return error_set(OC_ERR_REFUSED,
                         "%s: the control toggle was set by somebody else just now; try again",
                         self->action->name);
    err = await(self, timeout_s);
    if (err != OC_ERR_OK)
        return err;
    printf("%s: member %" PRIu64 ": done in %.1f ms\n", self->action->name, place->config.id,
           (double)(clock_wall_ns() - start_ns) / 1e6);
    return OC_ERR_OK;
}

static oc_err_t run(const action_t *action, cluster_place_t *place, uint64_t timeout_s)
{
    doing_t self = {.action = action};
    embedded_config_t config;
    oc_err_t err = find_leader(place);
    if (err != OC_ERR_OK)
        return err;
    embedded_config_init(&config);
    config.dir = place->config.node.aeron_dir;
    config.threading = EMBEDDED_EXTERNAL;
    err = embedded_create(&self.embedded, &config);
    if (err != OC_ERR_OK)
        return err;
    err = counter_table_of(&self.table, self.embedded);
    if (err == OC_ERR_OK)
        err = module_counters_find(&self.counters, self.table, (int64_t)place->config.cluster_id);
    if (err == OC_ERR_OK)
        err = toggle_and_await(&self, place, timeout_s);
    counter_table_close(self.table);
    embedded_destroy(self.embedded);
    return err;
}

int cluster_action_main(int argc, char **argv)
{
    char command[32];
    const char *dir = NULL;
    uint64_t timeout_s = 60;
    const option_t table[] = {
        option_text("dir", &dir),
        option_number("timeout", &timeout_s, 1, 3600),
    };
    const action_t *action = find_action(argv[0]);
    if (!action)
        return subcommand_usage("cluster", "no such action; see outcry cluster --help");
    (void)snprintf(command, sizeof command, "cluster %s", action->name);
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = command};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage(command, parser.error);
    if (parser.help) {
        fputs(action_help, stdout);
        return 0;
    }
    if (!dir)
        return subcommand_usage(command, "--dir is missing: the directory of a member");
    cluster_place_t place;
    oc_err_t err = cluster_place_open(&place, dir);
    if (err == OC_ERR_OK)
        err = run(action, &place, timeout_s);
    return err == OC_ERR_OK ? 0 : subcommand_failed();
}
