/*
 * The subcommands of the program. Each takes its own argv (argv[0] is its name) and returns the
 * exit status: 0, or one of the two below. What went wrong has been printed by then.
 */
#ifndef CLI_SUBCOMMAND_H
#define CLI_SUBCOMMAND_H

#define EXIT_STATUS_FAILED 1 /* a file, a result */
#define EXIT_STATUS_USAGE  2 /* the command line */

int replay_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int demo_main(int argc, char **argv);

#endif
