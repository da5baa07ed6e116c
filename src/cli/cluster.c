/*
 * `outcry cluster`: starts, looks at and operates a cluster. Called by main.
 *
 * A table of subcommands; each has a file of its own, or shares one with those that are like it.
 */
#include "cli/cluster.h"

#include "cli/options.h"
#include "cli/subcommand.h"

#include <stdio.h>
#include <string.h>

typedef struct cluster_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} cluster_command_t;

static const cluster_command_t commands[] = {
    {"up", cluster_up_main, "run all members of a cluster on this machine"},
    {"status", cluster_status_main, "what a member's module and service say of themselves"},
    {"members", cluster_members_main, "all members as the module knows them"},
    {"snapshot", cluster_action_main, "have an official snapshot taken"},
    {"suspend", cluster_action_main, "take nothing from clients until resumed"},
    {"resume", cluster_action_main, "go on after suspend"},
    {"shutdown", cluster_action_main, "end all members in order, with a snapshot"},
    {"abort", cluster_action_main, "end all members in order, without a snapshot"},
    {"log", cluster_log_main, "read a member's log"},
    {"prune", cluster_prune_main, "remove what no start needs of a member's log"},
    {"seed", cluster_seed_main, "give a wiped member state and log of another one"},
    {"diff", cluster_diff_main, "name the first difference between two members' states"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out)
{
    fprintf(out, "usage: outcry cluster SUBCOMMAND [OPTION]...\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\n`outcry cluster SUBCOMMAND --help` lists its options.\n");
}

static int unknown(const char *name)
{
    const char *names[COMMANDS + 1] = {0};
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *nearest = options_nearest(name, names);
    if (nearest)
        fprintf(stderr, "outcry: cluster: unknown subcommand '%s'; did you mean '%s'?\n", name,
                nearest);
    else
        fprintf(stderr, "outcry: cluster: unknown subcommand '%s'; see outcry cluster --help\n",
                name);
    return EXIT_STATUS_USAGE;
}

int cluster_main(int argc, char **argv)
{
    if (argc < 2)
        return subcommand_usage("cluster", "a subcommand is needed; see outcry cluster --help");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        print_help(stdout);
        return 0;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, argv[1]))
            return commands[i].run(argc - 1, argv + 1);
    return unknown(argv[1]);
}
