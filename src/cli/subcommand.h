/*
 * The subcommands of the program, and how they end. Each takes its own argv (argv[0] is its name)
 * and returns the exit status: 0, or one of the two below. What went wrong has been printed by
 * then, but for what stdout could not take: subcommand_finish().
 */
#ifndef CLI_SUBCOMMAND_H
#define CLI_SUBCOMMAND_H

#include "outcry/error.h"

#include <stdbool.h>

#define EXIT_STATUS_FAILED 1 /* a file, a result */
#define EXIT_STATUS_USAGE  2 /* the command line */

int replay_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int demo_main(int argc, char **argv);
int log_main(int argc, char **argv);
int calc_main(int argc, char **argv);
int node_main(int argc, char **argv);     /* only with Aeron */
int admin_main(int argc, char **argv);    /* only with Aeron */
int load_main(int argc, char **argv);     /* only with Aeron */
int snapshot_main(int argc, char **argv); /* only with Aeron */
int report_main(int argc, char **argv);   /* only with Aeron */
int member_main(int argc, char **argv);   /* only with Aeron */
int cluster_main(int argc, char **argv);  /* only with Aeron */
int driver_main(int argc, char **argv);   /* only with Aeron */

/* Kinds of bench, called by bench_main(). */
int bench_journal_main(int argc, char **argv);
int bench_capture_main(int argc, char **argv);
int bench_records_main(int argc, char **argv);
int bench_restore_main(int argc, char **argv); /* only with Aeron, as those below */
int bench_node_main(int argc, char **argv);
int bench_recovery_main(int argc, char **argv);
int bench_snapshot_main(int argc, char **argv);
int bench_restart_main(int argc, char **argv);
int bench_rejoin_main(int argc, char **argv); /* called by bench_restart_main() */
int bench_stall_main(int argc, char **argv);
int bench_failover_main(int argc, char **argv);
int bench_rtt_main(int argc, char **argv);
int bench_order_main(int argc, char **argv);
int bench_echo_main(int argc, char **argv);
int bench_knee_main(int argc, char **argv);
int bench_selftest_main(int argc, char **argv);
int bench_burst_main(int argc, char **argv);
int bench_trace_main(int argc, char **argv);

/* Prints "outcry: " and this thread's context line to stderr; returns EXIT_STATUS_FAILED. */
int subcommand_failed(void);

/* Prints what is wrong with the command line of subcommand `name`; returns EXIT_STATUS_USAGE. */
int subcommand_usage(const char *name, const char *message);

/* Puts the formatted text and ": " before this thread's context line; returns `err`. */
oc_err_t subcommand_error(oc_err_t err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Whether a write to stdout failed because nobody reads it any more (`outcry ... | head`): no
 * error to tell of, but no reason to go on either.
 */
bool subcommand_reader_gone(void);

/* Flushes stdout, so that results appear as they are made; false if it takes no more. */
bool subcommand_flush(void);

/*
 * The last thing before the program ends: a result that stdout did not take is a failure. Returns
 * `status`, or EXIT_STATUS_FAILED instead of 0; prints a line only if nothing else was told.
 */
int subcommand_finish(int status);

#endif
