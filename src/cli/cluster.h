/*
 * The subcommands of `outcry cluster`, one function each. Each takes its own argv (argv[0] is its
 * name) and returns the exit status, as those of cli/subcommand.h do.
 */
#ifndef CLI_CLUSTER_H
#define CLI_CLUSTER_H

int cluster_up_main(int argc, char **argv);
int cluster_status_main(int argc, char **argv);
int cluster_members_main(int argc, char **argv);
int cluster_diff_main(int argc, char **argv);

/* What the module is asked for by its control toggle; argv[0] says which. */
int cluster_action_main(int argc, char **argv);

int cluster_log_main(int argc, char **argv);
int cluster_prune_main(int argc, char **argv);
int cluster_seed_main(int argc, char **argv);

#endif
