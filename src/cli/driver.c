/*
 * `outcry driver`: a media driver as a process of its own, for members that are told
 * `driver = external`. Called by main, and as a child by bench/local_cluster.c.
 *
 * It must not take a directory from a driver that lives.
 */
#define _GNU_SOURCE
#include "aeron/embedded.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "host/driver_dir.h"

#include <stdio.h>
#include <time.h>

enum { PAUSE_NS = 5000000 };

static const char driver_help[] =
    "usage: outcry driver --dir AERON_DIR [--threading shared|dedicated]\n"
    "\n"
    "Runs an Aeron media driver until SIGTERM. Prints `ready: AERON_DIR` when clients may come.\n"
    "\n"
    "  --dir AERON_DIR      directory that clients name to find it, best under /dev/shm; what a\n"
    "                       dead driver left there is removed\n"
    "  --threading KIND     shared: one thread (default); dedicated: conductor, sender, receiver\n"
    "\n"
    "Exit status: 0 after an orderly end, 1 when something failed, 2 for a wrong command line.\n";

static const char *const threading_names[] = {"shared", "dedicated", NULL};

static oc_err_t serve(embedded_t *embedded)
{
    printf("ready: %s\n", embedded_dir(embedded));
    (void)fflush(stdout);
    while (!process_end_requested()) {
        (void)embedded_do_work(embedded);
        if (embedded_closed(embedded))
            return error_set(OC_ERR_CLOSED,
                             "the driver in %s gave its own client up: this machine "
                             "stood still for ten seconds",
                             embedded_dir(embedded));
        (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return OC_ERR_OK;
}

static oc_err_t run(const char *dir, int threading)
{
    embedded_config_t config;
    embedded_t *embedded;
    embedded_config_init(&config);
    config.dir = dir;
    config.threading = threading == 0 ? EMBEDDED_SHARED : EMBEDDED_DEDICATED;
    oc_err_t err = driver_dir_remove_stale(dir, false);
    if (err == OC_ERR_OK)
        err = embedded_create(&embedded, &config);
    if (err != OC_ERR_OK)
        return err;
    err = serve(embedded);
    embedded_destroy(embedded);
    return err;
}

int driver_main(int argc, char **argv)
{
    const char *dir = NULL;
    int threading = 0;
    const option_t table[] = {
        option_text("dir", &dir),
        option_choice("threading", &threading, threading_names),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "driver"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("driver", parser.error);
    if (parser.help) {
        fputs(driver_help, stdout);
        return 0;
    }
    if (!dir)
        return subcommand_usage("driver", "--dir is missing; see outcry driver --help");
    (void)process_take_signals();
    const oc_err_t err = run(dir, threading);
    const int status = err == OC_ERR_OK ? 0 : subcommand_failed();
    process_give_signals_back();
    return status;
}
