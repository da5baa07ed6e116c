/*
 * `outcry node`: the exchange as a service under the host `node`. Called by main.
 *
 * It reads the command line; what the configuration means is in cli/node_setup.c, everything else
 * is the host's and the service's business.
 */
#include "base/process_signals.h"
#include "cli/node_setup.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "host/node_run.h"

#include <stdio.h>

static const char node_help[] =
    "usage: outcry node --dir DIR [OPTION]...\n"
    "\n"
    "Runs the exchange on this machine. What clients send is put in sequence, made durable in "
    "DIR,\n"
    "applied, and answered; what was acknowledged is there again after any restart. Prints\n"
    "`ready: HOST:PORT` when clients may come; SIGTERM ends it in order.\n"
    "\n"
    "  --dir DIR            the log's directory, made if absent; one node at a time\n"
    "  --ingress HOST:PORT  UDP address that clients connect to (127.0.0.1:9010); port 0: a free\n"
    "                       one\n"
    "  --config FILE        `key = value` lines in sections (DIR/outcry.conf if there is one, "
    "else\n"
    "                       defaults; the first line on stderr says which)\n"
    "  --print-config       print all keys with their values as such a file, and end\n"
    "\n"
    "Exit status: 0 after an orderly end, 1 when something failed, 2 for a wrong command line.\n";

typedef struct node_arguments {
    const char *dir;
    const char *ingress;
    const char *config_file;
    bool print_config;
} node_arguments_t;

/* Returns -1 to go on, else the exit status. */
static int read_arguments(node_arguments_t *arguments, int argc, char **argv)
{
    *arguments = (node_arguments_t){0};
    const option_t table[] = {
        option_text("dir", &arguments->dir),
        option_text("ingress", &arguments->ingress),
        option_text("config", &arguments->config_file),
        option_flag("print-config", &arguments->print_config, true),
    };
    options_t parser = {.table = table, .count = sizeof table / sizeof table[0], .command = "node"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("node", parser.error);
    if (parser.help) {
        fputs(node_help, stdout);
        return 0;
    }
    if (!arguments->dir && !arguments->print_config)
        return subcommand_usage("node", "--dir is missing; see outcry node --help");
    return -1;
}

static oc_err_t run(const node_config_t *config, const exchange_config_t *exchange_config)
{
    exchange_t *exchange;
    oc_err_t err = exchange_create(&exchange, exchange_config);
    if (err != OC_ERR_OK)
        return err;
    err = node_run(exchange_service(exchange), config);
    exchange_destroy(exchange);
    return err;
}

static int configure_and_run(const node_arguments_t *arguments)
{
    node_config_t config;
    exchange_config_t exchange;
    const node_setup_t setup = {arguments->config_file, arguments->dir, arguments->ingress};
    if (arguments->print_config)
        return node_setup_print(&setup, stdout) == OC_ERR_OK ? 0 : subcommand_failed();
    oc_err_t err = node_setup(&setup, &config, &exchange);
    if (err == OC_ERR_OK)
        err = run(&config, &exchange);
    return err == OC_ERR_OK ? 0 : subcommand_failed();
}

int node_main(int argc, char **argv)
{
    node_arguments_t arguments;
    int status = read_arguments(&arguments, argc, argv);
    if (status >= 0)
        return status;
    /* Before the tables are made, which may take seconds: an end is orderly from here on. */
    (void)process_take_signals();
    status = configure_and_run(&arguments);
    process_give_signals_back();
    return status;
}
