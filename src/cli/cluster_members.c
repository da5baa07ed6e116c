/*
 * `outcry cluster members`: all members, as the module of one of them knows them; where that cannot
 * be asked, as its configuration lists them. Called by cli/cluster.c.
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "cli/cluster.h"
#include "cli/cluster_place.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "cluster/members_query.h"

#include <inttypes.h>
#include <stdio.h>

static const char members_help[] =
    "usage: outcry cluster members --dir DIR [--timeout S]\n"
    "\n"
    "Prints a line for each member of the cluster, as the consensus module of the leader knows it\n"
    "if the leader's directory is DIR or beside it (../mN), else as that of the member in DIR. If\n"
    "there is none, or it is in an election, they are as the configuration lists them.\n"
    "\n"
    "  role=leader          as the module that was asked (asked: N) believes\n"
    "  role=follower        the leader hears it\n"
    "  role=joining         the leader hears it, and it does not follow in this term yet\n"
    "  role=unreachable     it does not run, or its words do not come: the leader has heard "
    "nothing\n"
    "                       of it for heartbeat_timeout_ms, or since it leads\n"
    "  role=unknown         only the leader hears the others, and it was not asked\n"
    "  term, log_position   what the member last told the leader\n"
    "  last_append_ms       how long ago that was\n"
    "\n"
    "  --dir DIR            of a member on this machine\n"
    "  --timeout S          how long the module may take to answer, 1 to 3600 (5)\n"
    "\n"
    "Exit status: 0, or 1 when no module answered, 2 for a wrong command line.\n";

/* Of others a follower's module has no figures but those it began with. */
static void print_figures(const members_query_member_t *member)
{
    if (member->term >= 0)
        printf(" term=%" PRId64 " log_position=%" PRId64, member->term, member->log_position);
    if (member->last_append_ns >= 0)
        printf(" last_append_ms=%.1f", (double)member->last_append_ns / 1e6);
}

static void print_known(const members_query_t *members, int64_t silence_ns)
{
    for (size_t i = 0; i < members->count; i++) {
        const members_query_member_t *member = &members->members[i];
        const members_query_role_t role = members_query_role(members, member, silence_ns);
        printf("member: %" PRId32 " role=%s", member->id, members_query_role_name(role));
        if (members->own == members->leader)
            print_figures(member);
        printf(" endpoints=%s\n", member->endpoints);
    }
    if (members->leader >= 0)
        printf("leader: %" PRId32 "\n", members->leader);
    else
        printf("leader: none\n");
    printf("asked: %" PRId32 "\n", members->own);
}

static void print_configured(const member_config_t *config)
{
    for (uint32_t i = 0; i < member_config_count(config); i++)
        printf("member: %" PRIu32 " role=unknown endpoints=%s\n", i, config->members[i]);
}

/* In an election a module does not answer, which would be waited for in vain. */
static oc_err_t check_election(const cluster_place_t *place)
{
    counter_table_t *table;
    module_counters_t counters;
    const oc_err_t err = cluster_place_counters(place, &table, &counters);
    if (err != OC_ERR_OK)
        return err;
    const int64_t election = module_counters_value(&counters, MODULE_COUNTER_ELECTION_STATE);
    counter_table_close(table);
    if (election == MODULE_ELECTION_CLOSED)
        return OC_ERR_OK;
    return error_set(OC_ERR_REFUSED,
                     "no member leads, as far as member %" PRIu64 " in %s knows, whose election "
                     "is at %s: most members must run and reach each other; try again then",
                     place->config.id, place->config.node.dir, module_election_name(election));
}

static int run(const char *dir, uint64_t timeout_s)
{
    cluster_place_t place;
    members_query_t members;
    if (cluster_place_open(&place, dir) != OC_ERR_OK)
        return subcommand_failed();
    (void)cluster_place_find_leader(&place); /* its module knows most */
    oc_err_t err = check_election(&place);
    if (err == OC_ERR_OK)
        err = members_query_ask(place.config.node.aeron_dir, &members,
                                (int64_t)timeout_s * INT64_C(1000000000));
    if (err == OC_ERR_OK) {
        print_known(&members, (int64_t)place.config.heartbeat_timeout_ms * INT64_C(1000000));
        return 0;
    }
    print_configured(&place.config);
    return subcommand_failed();
}

int cluster_members_main(int argc, char **argv)
{
    const char *dir = NULL;
    uint64_t timeout_s = 5;
    const option_t table[] = {
        option_text("dir", &dir),
        option_number("timeout", &timeout_s, 1, 3600),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "cluster members"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("cluster members", parser.error);
    if (parser.help) {
        fputs(members_help, stdout);
        return 0;
    }
    if (!dir)
        return subcommand_usage("cluster members",
                                "--dir is missing; see outcry cluster members --help");
    return run(dir, timeout_s);
}
