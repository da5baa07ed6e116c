/*
 * The kinds of `outcry calc`, called by calc_main(): as subcommands (subcommand.h), argv[0] is the
 * kind's name.
 */
#ifndef CLI_CALC_H
#define CLI_CALC_H

int calc_burst_main(int argc, char **argv);
int calc_buffers_main(int argc, char **argv);
int calc_budget_main(int argc, char **argv);
int calc_frames_main(int argc, char **argv);

#endif
