/*
 * `outcry member`: the exchange as a service under the host `cluster`. Called by main.
 *
 * It reads the command line; what the configuration means is in cli/node_setup.c, everything else
 * is the host's and the service's business.
 */
#define _GNU_SOURCE
#include "base/process_signals.h"
#include "cli/node_setup.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "cluster/member_run.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = MEMBER_DIR_MAX + 32 };

static const char member_help[] =
    "usage: outcry member --id N --config FILE [--dir DIR]\n"
    "\n"
    "Runs the exchange as a member of an Aeron Cluster on this machine: media driver and service\n"
    "in this process, archive and consensus module in a Java process that it starts, or that runs\n"
    "already. Prints `member N: follower: ...` or `member N: leader: ...` whenever its role\n"
    "changes; SIGTERM ends it in order.\n"
    "\n"
    "  --id N               which of the members that the configuration lists (its id)\n"
    "  --config FILE        `key = value` lines in sections (DIR/outcry.conf)\n"
    "  --dir DIR            of log, images and all else that this member keeps (that of FILE)\n"
    "  --print-config       print all keys with their values as such a file, and end\n"
    "\n"
    "Exit status: 0 after an orderly end, 1 when something failed, 2 for a wrong command line.\n";

typedef struct member_arguments {
    uint64_t id;
    const char *dir;
    const char *config_file;
    bool print_config;
    char dir_of_file[PATH_SIZE];
    char file_in_dir[PATH_SIZE];
} member_arguments_t;

#define NOT_GIVEN UINT64_MAX

/* Where only one of directory and file is named, it says where the other is. False: too long. */
static bool complete(member_arguments_t *arguments)
{
    int length = 0;
    if (!arguments->config_file && arguments->dir) {
        length =
            snprintf(arguments->file_in_dir, PATH_SIZE, "%s/" NODE_CONFIG_NAME, arguments->dir);
        arguments->config_file = arguments->file_in_dir;
    } else if (!arguments->dir && arguments->config_file) {
        const char *slash = strrchr(arguments->config_file, '/');
        const int used = slash ? (int)(slash - arguments->config_file) : 0;
        length = slash && used == 0
                     ? snprintf(arguments->dir_of_file, PATH_SIZE, "/")
                     : snprintf(arguments->dir_of_file, PATH_SIZE, "%.*s", slash ? used : 1,
                                slash ? arguments->config_file : ".");
        arguments->dir = arguments->dir_of_file;
    }
    return length >= 0 && length < PATH_SIZE;
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(member_arguments_t *arguments, int argc, char **argv)
{
    *arguments = (member_arguments_t){.id = NOT_GIVEN};
    const option_t table[] = {
        option_number("id", &arguments->id, 0, MEMBER_COUNT_MAX - 1),
        option_text("dir", &arguments->dir),
        option_text("config", &arguments->config_file),
        option_flag("print-config", &arguments->print_config, true),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "member"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("member", parser.error);
    if (parser.help) {
        fputs(member_help, stdout);
        return 0;
    }
    if (!arguments->dir && !arguments->config_file && !arguments->print_config)
        return subcommand_usage("member", "--config is missing; see outcry member --help");
    if (!complete(arguments))
        return subcommand_usage("member", "the name of the directory is too long");
    return -1;
}

static oc_err_t run(const member_config_t *config, const exchange_config_t *exchange_config)
{
    exchange_t *exchange;
    oc_err_t err = member_config_check(config);
    if (err == OC_ERR_OK)
        err = exchange_create(&exchange, exchange_config);
    if (err != OC_ERR_OK)
        return err;
    err = member_run(exchange_service(exchange), config);
    exchange_destroy(exchange);
    return err;
}

static int configure_and_run(const member_arguments_t *arguments)
{
    member_config_t config;
    exchange_config_t exchange;
    const member_setup_t setup = {arguments->config_file, arguments->dir,
                                  arguments->id == NOT_GIVEN ? NULL : &arguments->id};
    if (arguments->print_config)
        return member_setup_print(&setup, stdout) == OC_ERR_OK ? 0 : subcommand_failed();
    oc_err_t err = member_setup(&setup, &config, &exchange);
    if (err == OC_ERR_OK)
        err = run(&config, &exchange);
    return err == OC_ERR_OK ? 0 : subcommand_failed();
}

int member_main(int argc, char **argv)
{
    member_arguments_t arguments;
    int status = read_arguments(&arguments, argc, argv);
    if (status >= 0)
        return status;
    /* Before the tables are made, which may take seconds: an end is orderly from here on. */
    (void)process_take_signals();
    status = configure_and_run(&arguments);
    process_give_signals_back();
    return status;
}
