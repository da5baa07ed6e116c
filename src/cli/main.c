/*
 * The program `outcry`: a table of subcommands, and the check at the end that stdout took what they
 * wrote.
 */
#define _GNU_SOURCE
#include "cli/options.h"
#include "cli/subcommand.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#ifndef OUTCRY_VERSION
#define OUTCRY_VERSION "unversioned"
#endif

typedef struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} subcommand_t;

static int help_main(int argc, char **argv);
static int version_main(int argc, char **argv);

static const subcommand_t subcommands[] = {
    {"replay", replay_main, "run real order flow from a file through the engine"},
    {"bench", bench_main, "measure the engine"},
    {"log", log_main, "verify, print, repair and purge a journal"},
    {"calc", calc_main, "size a path for bursts: queues, buffers, budgets, frames"},
#ifdef OUTCRY_AERON
    {"demo", demo_main, "a node is killed while it trades, and nothing is lost: see it"},
    {"node", node_main, "run the exchange on this machine: durable, reached over Aeron"},
    {"member", member_main, "run the exchange on this machine as a member of a cluster"},
    {"cluster", cluster_main, "start, look at and operate a cluster of members"},
    {"driver", driver_main, "run a media driver of its own, for members that share one"},
    {"admin", admin_main, "ask a running venue for something: instruments, sources, its end"},
    {"snapshot", snapshot_main, "take, list, verify, export, import and compare images of a state"},
    {"load", load_main, "send order flow to a venue on a schedule, and count the answers"},
    {"report", report_main, "make a page of the run files of benches, with plots and conditions"},
#endif
    {"version", version_main, "print the version"},
    {"help", help_main, "print this text, or that of a subcommand"},
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

static void print_usage(FILE *out)
{
    fprintf(out, "usage: outcry SUBCOMMAND [OPTION]...\n\n");
    for (size_t i = 0; i < SUBCOMMANDS; i++)
        fprintf(out, "  %-9s %s\n", subcommands[i].name, subcommands[i].summary);
    fprintf(out, "\n`outcry SUBCOMMAND --help` lists its options.\n");
}

static const subcommand_t *find(const char *name)
{
    for (size_t i = 0; i < SUBCOMMANDS; i++)
        if (!strcmp(subcommands[i].name, name))
            return &subcommands[i];
    return NULL;
}

static int unknown_subcommand(const char *name)
{
    const char *names[SUBCOMMANDS + 1] = {0};
    for (size_t i = 0; i < SUBCOMMANDS; i++)
        names[i] = subcommands[i].name;
    const char *nearest = options_nearest(name, names);
    if (nearest)
        fprintf(stderr, "outcry: unknown subcommand '%s'; did you mean '%s'?\n", name, nearest);
    else
        fprintf(stderr, "outcry: unknown subcommand '%s'\n", name);
    print_usage(stderr);
    return EXIT_STATUS_USAGE;
}

static int version_main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--help") != 0) {
        fprintf(stderr, "outcry: version: unexpected operand '%s'\n", argv[1]);
        return EXIT_STATUS_USAGE;
    }
    printf("outcry %s\n", OUTCRY_VERSION);
    return 0;
}

static int help_main(int argc, char **argv)
{
    if (argc < 2 || !strcmp(argv[1], "--help")) {
        print_usage(stdout);
        return 0;
    }
    const subcommand_t *subcommand = find(argv[1]);
    if (!subcommand)
        return unknown_subcommand(argv[1]);
    if (subcommand->run == help_main) {
        print_usage(stdout);
        return 0;
    }
    char help[] = "--help";
    char *arguments[] = {argv[1], help, NULL};
    return subcommand->run(2, arguments);
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_STATUS_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return help_main(1, argv);
    if (!strcmp(argv[1], "--version"))
        return version_main(1, argv);
    const subcommand_t *subcommand = find(argv[1]);
    return subcommand ? subcommand->run(argc - 1, argv + 1) : unknown_subcommand(argv[1]);
}

int main(int argc, char **argv)
{
    /* A reader who goes (`outcry ... | head`) ends the run quietly, with its files closed. */
    (void)signal(SIGPIPE, SIG_IGN);
    return subcommand_finish(run(argc, argv));
}
