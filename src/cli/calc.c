/*
 * `outcry calc KIND`: sizes a path for bursts, by arithmetic alone. Called by main.
 *
 * The formulas are in src/calc; docs/calc.md explains each with its source.
 */
#include "cli/calc.h"

#include "cli/options.h"
#include "cli/subcommand.h"

#include <stdio.h>
#include <string.h>

static const char calc_help[] =
    "usage: outcry calc KIND [OPTION]...\n"
    "\n"
    "  burst    the queue that a burst leaves in front of a receiver, and the longest wait in it\n"
    "  buffers  the least depth of each layer, and the lines that set it; compared with what this\n"
    "           machine has\n"
    "  budget   what a sender with a token bucket may send at once\n"
    "  frames   messages in a datagram by MTU\n"
    "\n"
    "All take --json for one JSON object and --trace FILE for a recorded burst, lines of\n"
    "`offset_ns,size`, instead of figures; `outcry calc KIND --help` lists the rest.\n"
    "docs/calc.md has the formulas, their sources and worked examples.\n"
    "Exit status: 0, 1 (an unreadable trace; a layer that is short), 2 (the command line).\n";

typedef struct calc_kind {
    const char *name;
    int (*run)(int argc, char **argv);
} calc_kind_t;

static const calc_kind_t kinds[] = {
    {"burst", calc_burst_main},
    {"buffers", calc_buffers_main},
    {"budget", calc_budget_main},
    {"frames", calc_frames_main},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int unknown_kind(const char *name)
{
    const char *names[KINDS + 1] = {0};
    char message[200];
    for (size_t i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    const char *nearest = options_nearest(name, names);
    if (nearest)
        (void)snprintf(message, sizeof message, "there is no '%.64s'; did you mean '%s'?", name,
                       nearest);
    else
        (void)snprintf(message, sizeof message,
                       "there is no '%.64s'; burst, buffers, budget and frames are there", name);
    return subcommand_usage("calc", message);
}

int calc_main(int argc, char **argv)
{
    if (argc < 2)
        return subcommand_usage("calc", "calc needs a kind: burst, buffers, budget or frames");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        (void)fputs(calc_help, stdout);
        return 0;
    }
    for (size_t i = 0; i < KINDS; i++)
        if (!strcmp(argv[1], kinds[i].name))
            return kinds[i].run(argc - 1, argv + 1);
    return unknown_kind(argv[1]);
}
