/*
 * `outcry cluster members`: all members, as the module of one of them knows them; where that cannot
 * be asked, as its configuration lists them. Called by cli/cluster.c.
 */
#define _GNU_SOURCE
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
    "Prints a line for each member of the cluster. They are asked of the consensus module of the\n"
    "member in DIR; a leader knows of each what it has in its log. If there is no module, they "
    "are\n"
    "as the configuration lists them.\n"
    "\n"
    "  --dir DIR            of a member on this machine\n"
    "  --timeout S          how long the module may take to answer, 1 to 3600 (5)\n"
    "\n"
    "Exit status: 0, or 1 when the module did not answer, 2 for a wrong command line.\n";

static void print_known(const members_query_t *members)
{
    for (size_t i = 0; i < members->count; i++) {
        const members_query_member_t *member = &members->members[i];
        printf("member: %" PRId32 " role=%s term=%" PRId64 " log_position=%" PRId64, member->id,
               member->id == members->leader ? "leader" : "follower", member->term,
               member->log_position);
        if (member->last_append_ns >= 0)
            printf(" last_append_ms=%.1f", (double)member->last_append_ns / 1e6);
        printf(" endpoints=%s\n", member->endpoints);
    }
    printf("leader: %" PRId32 "\n", members->leader);
    printf("asked: %" PRId32 "\n", members->own);
}

static void print_configured(const member_config_t *config)
{
    for (uint32_t i = 0; i < member_config_count(config); i++)
        printf("member: %" PRIu32 " role=unknown endpoints=%s\n", i, config->members[i]);
}

static int run(const char *dir, uint64_t timeout_s)
{
    cluster_place_t place;
    counter_table_t *table;
    module_counters_t counters;
    members_query_t members;
    if (cluster_place_open(&place, dir) != OC_ERR_OK)
        return subcommand_failed();
    (void)cluster_place_find_leader(&place); /* its module knows most */
    oc_err_t err = cluster_place_counters(&place, &table, &counters);
    if (err == OC_ERR_OK) {
        counter_table_close(table);
        err = members_query_ask(place.config.node.aeron_dir, &members,
                                (int64_t)timeout_s * INT64_C(1000000000));
    }
    if (err == OC_ERR_OK) {
        print_known(&members);
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
