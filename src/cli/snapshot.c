/*
 * `outcry snapshot`: images of a state for operators. Called by main().
 *
 * Each image is looked at through an exchange of the configuration that the image itself carries,
 * so no configuration file is needed but for an import. What only looks takes no lock and may look
 * at a running node; take asks a running node over its control socket and works by itself where
 * none runs; import makes a new directory and touches no other.
 */
#define _GNU_SOURCE
#include "cli/image_diff.h"
#include "cli/image_exchange.h"
#include "cli/node_setup.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include "base/error.h"
#include "host/control.h"
#include "host/node.h"
#include "host/node_offline.h"
#include "service/exchange.h"
#include "snapshot/image.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char snapshot_help[] =
    "usage: outcry snapshot take|list|verify|export|import|diff DIR [OPTION]...\n"
    "\n"
    "Images of the state in a node's directory DIR.\n"
    "\n"
    "  take DIR             has the node that runs in DIR take an image; where none runs, makes "
    "one\n"
    "                       of what its log says\n"
    "    --full             of everything, not only of what changed since the last one\n"
    "    --config FILE      where none runs: the node's configuration, for how many images it "
    "keeps\n"
    "                       (DIR/outcry.conf; without either none is removed)\n"
    "  list DIR             the complete images, newest first\n"
    "  verify DIR           reads every byte of every image, loads it, works its state out anew, "
    "and\n"
    "                       holds it against the log; of another service's image, all but the "
    "state\n"
    "    --image N          only image N\n"
    "  export DIR           writes a state as a record stream: for another build, other table "
    "sizes\n"
    "    --image N          of image N (the newest)\n"
    "    --threads N        that encode it, 1..64 (one for each processor, at most 64)\n"
    "    --output FILE      to a file that does not exist yet (standard output)\n"
    "  import DIR           makes a new directory whose state is that of a record stream\n"
    "    --input FILE       of a file (standard input)\n"
    "    --config FILE      configuration of the node that will run there (DIR/outcry.conf)\n"
    "  diff DIR [DIR]       names the first difference of two images: of two directories, or of "
    "one\n"
    "    --image N          of the first directory (the newest)\n"
    "    --with N           of the second one (the newest; in one directory it must be given)\n"
    "\n"
    "Exit status: 0; 1 when something failed, an image is bad, or two differ; 2 for usage.\n";

#define TAKE_NS  INT64_C(3600000000000)
#define KEEP_ALL 64 /* the most that can be kept */

typedef struct snapshot_arguments {
    const char *dir;
    const char *other; /* NULL: none was given */
    const char *file;  /* NULL: standard input or output */
    const char *config;
    uint64_t image; /* 0: the newest */
    uint64_t with;
    uint64_t threads; /* of an export; 0: one for each processor */
    bool full;
} snapshot_arguments_t;

static const char *shown_time(int64_t time_ns, char text[32])
{
    const time_t seconds = (time_t)(time_ns / 1000000000);
    struct tm parts;
    if (!gmtime_r(&seconds, &parts) || strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        text[0] = '\0';
    return text;
}

/* What is wrong with an image may be that a running node removes it at this moment: then a second
 * look does not see it any more. */
static oc_err_t open_store(const char *dir, image_store_t **store)
{
    const image_store_config_t config = {
        .dir = dir, .storage = storage_device(), .read_only = true, .keep = 1};
    const oc_err_t err = image_store_open(store, &config);
    if (err != OC_ERR_OK || !image_store_line(*store, 0))
        return err;
    image_store_close(*store);
    return image_store_open(store, &config);
}

/* What is wrong with manifests; returns how many lines. */
static size_t print_wrong(const image_store_t *store)
{
    size_t count = 0;
    for (const char *line; (line = image_store_line(store, count)) != NULL; count++)
        (void)fprintf(stderr, "outcry: %s\n", line);
    return count;
}

/* The image that was named; NULL with an error if there is none. */
static const image_info_t *choose(const image_store_t *store, const char *dir, uint64_t sequence)
{
    const image_info_t *info = NULL;
    if (sequence)
        info = image_store_find(store, sequence);
    else if (image_store_count(store))
        info = image_store_at(store, 0);
    if (!info && sequence)
        (void)error_set(OC_ERR_INVALID_ARGUMENT, "%s has no image %" PRIu64 "; see snapshot list",
                        dir, sequence);
    else if (!info)
        (void)error_set(OC_ERR_INVALID_ARGUMENT, "%s has no image", dir);
    return info;
}

/* Whether an image has gone since a store was opened: a node that runs removes old ones. */
static bool has_gone(const char *dir, uint64_t sequence)
{
    image_store_t *store;
    if (open_store(dir, &store) != OC_ERR_OK)
        return false;
    const bool gone = !image_store_find(store, sequence);
    image_store_close(store);
    return gone;
}

/* Loads an image of a directory into an exchange that is made for it. *chosen_sequence is what was
 * tried, 0: none. */
static oc_err_t load_once(const char *dir, uint64_t sequence, exchange_t **exchange,
                          image_info_t *info, uint64_t *chosen_sequence)
{
    *chosen_sequence = 0;
    image_store_t *store;
    *exchange = NULL;
    oc_err_t err = open_store(dir, &store);
    if (err != OC_ERR_OK)
        return err;
    const image_info_t *chosen = choose(store, dir, sequence);
    *chosen_sequence = chosen ? chosen->sequence : 0;
    err = chosen ? image_exchange_create(store, chosen, 0, exchange) : OC_ERR_INVALID_ARGUMENT;
    if (err == OC_ERR_OK)
        err = node_load(dir, exchange_service(*exchange), chosen->sequence, 0, info);
    image_store_close(store);
    if (err != OC_ERR_OK) {
        exchange_destroy(*exchange);
        *exchange = NULL;
    }
    return err;
}

/* The newest, when none was named, may just have been replaced: then once more. */
static oc_err_t load(const char *dir, uint64_t sequence, exchange_t **exchange, image_info_t *info)
{
    uint64_t chosen;
    char why[512];
    const oc_err_t err = load_once(dir, sequence, exchange, info, &chosen);
    if (err == OC_ERR_OK || sequence != 0 || chosen == 0)
        return err;
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    if (has_gone(dir, chosen))
        return load_once(dir, sequence, exchange, info, &chosen);
    return error_set(err, "%s", why);
}

/* ---- The log beside it ---- */

/* False: a node's log is not there, or cannot be read: what is wrong is then said later. *first is
 * where it begins. */
static bool find_log(const char *dir, uint64_t *first)
{
    journal_t *journal;
    journal_config_t config;
    journal_config_init(&config);
    config.dir = dir;
    config.read_only = true;
    *first = 0;
    if (journal_open(&journal, &config) != OC_ERR_OK)
        return false;
    *first = journal_first(journal).value;
    const bool found = journal_log_id(journal) != 0;
    (void)journal_close(journal);
    return found;
}

/* ---- take ---- */

/* How images of the directory are kept: as the node's configuration says, or all of them. */
static oc_err_t configure_take(const snapshot_arguments_t *arguments, node_config_t *config,
                               exchange_config_t *exchange_config)
{
    char path[NODE_CONFIG_PATH_MAX];
    const char *file = node_config_find(arguments->config, arguments->dir, path);
    if (file) {
        const node_setup_t setup = {.config_file = file, .dir = arguments->dir};
        const oc_err_t err = node_setup(&setup, config, exchange_config);
        config->group_bytes = 64 * 1024; /* fits segments of any size */
        return err;
    }
    node_config_init(config);
    exchange_config_init(exchange_config);
    (void)snprintf(config->dir, sizeof config->dir, "%s", arguments->dir);
    config->group_bytes = 64 * 1024;
    config->snapshot_keep = KEEP_ALL;
    return OC_ERR_OK;
}

/* The engine that the newest image was made of; without one either does. */
static oc_err_t choose_kind(const char *dir, exchange_config_t *config)
{
    image_store_t *store;
    const oc_err_t err = open_store(dir, &store);
    if (err != OC_ERR_OK)
        return err;
    if (image_store_count(store) > 0)
        config->engine.kind = image_exchange_kind(image_store_at(store, 0));
    image_store_close(store);
    return OC_ERR_OK;
}

/* The log of another service begins otherwise, or there is none. */
static oc_err_t refuse_take(const char *dir)
{
    uint64_t first;
    if (!find_log(dir, &first))
        return error_set(OC_ERR_INVALID_ARGUMENT, "%s: there is no log", dir);
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "the log in %s is not the exchange's: while its own program runs there, it "
                     "takes the image",
                     dir);
}

static oc_err_t make_exchange(const snapshot_arguments_t *arguments, node_config_t *config,
                              exchange_t **exchange)
{
    exchange_config_t exchange_config;
    uint8_t bytes[IMAGE_CONFIGURATION_MAX];
    size_t length;
    oc_err_t err = configure_take(arguments, config, &exchange_config);
    if (err == OC_ERR_OK)
        err = node_log_configuration(arguments->dir, bytes, sizeof bytes, &length);
    if (err == OC_ERR_OK && !exchange_config_is(bytes, length))
        err = refuse_take(arguments->dir);
    if (err == OC_ERR_OK)
        err = exchange_config_parse(&exchange_config, bytes, length);
    if (err == OC_ERR_OK)
        err = choose_kind(arguments->dir, &exchange_config);
    return err == OC_ERR_OK ? exchange_create(exchange, &exchange_config) : err;
}

/* A member's log is its archive's: what is taken here is of a node's. */
static oc_err_t refuse_member(const char *dir)
{
    if (!node_config_is_member(dir))
        return OC_ERR_OK;
    return error_set(OC_ERR_REFUSED,
                     "%s is the directory of a member of a cluster that does not run, and only "
                     "while it runs an image is taken: start it (outcry member --dir %s, or the "
                     "program of a service of your own), then ask again",
                     dir, dir);
}

/* `unreachable`: why the node, if one runs, could not be asked. */
static int take_offline(const snapshot_arguments_t *arguments, const char *unreachable)
{
    node_config_t config;
    exchange_t *exchange;
    snapshot_status_t status;
    oc_err_t err = refuse_member(arguments->dir);
    if (err == OC_ERR_OK)
        err = make_exchange(arguments, &config, &exchange);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    err = node_take(&config, exchange_service(exchange), arguments->full, &status);
    exchange_destroy(exchange);
    if (err == OC_ERR_LOCKED)
        err = error_set(err, "a node runs in %s, but %s/control cannot be reached: %s",
                        arguments->dir, arguments->dir, unreachable);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    printf("sequence=%" PRIu64 " position=%" PRIu64 " pages=%" PRIu64 " bytes=%" PRIu64 "\nok\n",
           status.sequence, status.position, status.pages, status.bytes);
    return 0;
}

static int run_take(const snapshot_arguments_t *arguments)
{
    char answer[CONTROL_LINE_MAX];
    const oc_err_t err =
        control_request(arguments->dir, arguments->full ? "snapshot full" : "snapshot", answer,
                        sizeof answer, TAKE_NS);
    if (err == OC_ERR_NOT_CONNECTED) {
        char why[512];
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
        return take_offline(arguments, why);
    }
    if (err != OC_ERR_OK)
        return subcommand_failed();
    fputs(answer, stdout);
    return 0;
}

/* ---- list ---- */

static int run_list(const snapshot_arguments_t *arguments)
{
    image_store_t *store;
    if (open_store(arguments->dir, &store) != OC_ERR_OK)
        return subcommand_failed();
    const size_t wrong = print_wrong(store);
    uint64_t first;
    if (wrong == 0 && image_store_count(store) == 0 && !find_log(arguments->dir, &first) &&
        !node_config_is_member(arguments->dir)) {
        image_store_close(store);
        (void)error_set(OC_ERR_OPEN, "%s has neither images nor a log: is it a node's directory?",
                        arguments->dir);
        return subcommand_failed();
    }
    for (size_t i = 0; i < image_store_count(store); i++) {
        const image_info_t *info = image_store_at(store, i);
        char made[32];
        printf("image: %" PRIu64 " position=%" PRIu64 " term=%" PRIu32 " entries=%" PRIu64
               " base=%" PRIu64 " pages=%" PRIu64 " bytes=%" PRIu64 " chain=%" PRIu32
               " chain_bytes=%" PRIu64 " state_hash=%016" PRIx64 " made=%s\n",
               info->sequence, info->place.position, info->place.term, info->place.entries,
               info->base, info->pages, info->bytes, info->chain_length, info->chain_bytes,
               info->place.state_hash, shown_time(info->made_ns, made));
    }
    printf("images: %zu\n", image_store_count(store));
    image_store_close(store);
    return wrong ? EXIT_STATUS_FAILED : 0;
}

/* ---- verify ---- */

static oc_err_t verify_log(const char *dir, const image_info_t *info)
{
    journal_config_t config;
    uint32_t checksum = 0;
    journal_config_init(&config);
    config.dir = dir;
    const journal_place_t place = {{info->place.position}, {info->place.group}};
    const oc_err_t err =
        journal_checksum_at(&config, info->place.log_id, &place, place.position, &checksum);
    if (err != OC_ERR_OK || checksum == info->place.log_checksum)
        return err;
    return error_set(OC_ERR_DAMAGED,
                     "its log is not the one in %s: checksum %08" PRIx32 " at position %" PRIu64
                     ", the log has %08" PRIx32,
                     dir, info->place.log_checksum, info->place.position, checksum);
}

static oc_err_t verify_state(const char *dir, uint64_t sequence)
{
    exchange_t *exchange;
    image_info_t info;
    char why[256];
    oc_err_t err = load(dir, sequence, &exchange, &info);
    if (err != OC_ERR_OK)
        return err;
    if (!oc_engine_audit(exchange_engine(exchange), why, sizeof why))
        err = error_set(OC_ERR_DAMAGED, "its state contradicts itself: %s", why);
    exchange_destroy(exchange);
    return err;
}

typedef enum verified {
    VERIFIED_GOOD,
    VERIFIED_BAD,
    VERIFIED_NEITHER, /* it is healthy, but nothing that a start would take */
} verified_t;

static bool is_base(const image_store_t *store, uint64_t sequence)
{
    for (size_t i = 0; i < image_store_count(store); i++)
        if (image_store_at(store, i)->base == sequence)
            return true;
    return false;
}

static verified_t say_bad(const char *dir, const image_info_t *info)
{
    char why[512];
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    const bool gone = has_gone(dir, info->sequence);
    if (gone)
        printf("image %" PRIu64 ": removed meanwhile\n", info->sequence);
    else
        printf("image %" PRIu64 ": bad: %s\n", info->sequence, why);
    return gone ? VERIFIED_NEITHER : VERIFIED_BAD;
}

/* "" of an exchange's image. */
static void describe_foreign(const image_store_t *store, const image_info_t *info, char *text,
                             size_t size)
{
    char sections[IMAGE_EXCHANGE_SECTIONS_SIZE];
    image_exchange_sections(info, sections);
    text[0] = '\0';
    if (image_exchange_is_foreign(store, info))
        (void)snprintf(text, size,
                       " as far as files go: it is of another service (%s), whose state was not "
                       "looked at",
                       sections);
}

static verified_t verify_one(const image_store_t *store, const char *dir, const image_info_t *info)
{
    uint64_t first;
    char foreign[IMAGE_EXCHANGE_SECTIONS_SIZE + 100];
    oc_err_t err = image_verify(store, info, 0);
    describe_foreign(store, info, foreign, sizeof foreign);
    if (err == OC_ERR_OK && !foreign[0])
        err = verify_state(dir, info->sequence);
    if (err != OC_ERR_OK)
        return say_bad(dir, info);
    if (node_config_is_member(dir)) { /* its start and `outcry cluster diff` do that */
        printf("image %" PRIu64 ": ok%s, not held against the member's log\n", info->sequence,
               foreign);
        return VERIFIED_GOOD;
    }
    (void)find_log(dir, &first);
    if (info->place.position < first && is_base(store, info->sequence)) {
        printf("image %" PRIu64 ": base only, its log is gone\n", info->sequence);
        return VERIFIED_NEITHER;
    }
    err = verify_log(dir, info);
    if (err != OC_ERR_OK)
        return say_bad(dir, info);
    printf("image %" PRIu64 ": ok%s\n", info->sequence, foreign);
    return VERIFIED_GOOD;
}

static int run_verify(const snapshot_arguments_t *arguments)
{
    image_store_t *store;
    if (open_store(arguments->dir, &store) != OC_ERR_OK)
        return subcommand_failed();
    size_t bad = print_wrong(store);
    size_t good = 0;
    if (!choose(store, arguments->dir, arguments->image)) {
        image_store_close(store);
        return subcommand_failed();
    }
    for (size_t i = 0; i < image_store_count(store); i++) {
        const image_info_t *info = image_store_at(store, i);
        if (arguments->image && info->sequence != arguments->image)
            continue;
        const verified_t verified = verify_one(store, arguments->dir, info);
        good += verified == VERIFIED_GOOD;
        bad += verified == VERIFIED_BAD;
    }
    image_store_close(store);
    printf("good: %zu\nbad: %zu\n", good, bad);
    return bad ? EXIT_STATUS_FAILED : 0;
}

/* ---- export, import ---- */

static oc_err_t write_bytes(void *context, const void *bytes, size_t length)
{
    FILE *file = context;
    if (fwrite(bytes, 1, length, file) == length)
        return OC_ERR_OK;
    return error_set(OC_ERR_WRITE, "the record stream: %s", strerror(errno));
}

static oc_err_t read_bytes(void *context, void *bytes, size_t length)
{
    FILE *file = context;
    if (fread(bytes, 1, length, file) == length)
        return OC_ERR_OK;
    if (ferror(file))
        return error_set(OC_ERR_READ, "the record stream: %s", strerror(errno));
    return error_set(OC_ERR_TRUNCATED, "the record stream ends too early; is the file whole?");
}

/* A file that is there already is not written over. */
static FILE *open_output(const char *path)
{
    if (!path)
        return stdout;
    FILE *file = fopen(path, "wxe");
    if (!file)
        (void)error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    return file;
}

/* Durable before it is called done; of a failed export nothing is left. */
static oc_err_t close_output(FILE *file, const char *path, oc_err_t err)
{
    if (err == OC_ERR_OK && (fflush(file) != 0 || (path && fsync(fileno(file)) != 0)))
        err = error_set(OC_ERR_WRITE, "%s: %s", path ? path : "standard output", strerror(errno));
    if (path) {
        char why[512];
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
        (void)fclose(file);
        if (err != OC_ERR_OK) {
            (void)unlink(path);
            (void)error_set(err, "%s", why);
        }
    }
    return err;
}

static oc_err_t export_once(const snapshot_arguments_t *arguments, image_info_t *info,
                            uint64_t *chosen_sequence)
{
    image_store_t *store;
    exchange_t *exchange = NULL;
    *chosen_sequence = 0;
    oc_err_t err = open_store(arguments->dir, &store);
    if (err != OC_ERR_OK)
        return err;
    const image_info_t *chosen = choose(store, arguments->dir, arguments->image);
    *chosen_sequence = chosen ? chosen->sequence : 0;
    err = chosen ? image_exchange_create(store, chosen, (uint32_t)arguments->threads, &exchange)
                 : OC_ERR_INVALID_ARGUMENT;
    FILE *file = err == OC_ERR_OK ? open_output(arguments->file) : NULL;
    if (err == OC_ERR_OK && !file)
        err = OC_ERR_OPEN;
    if (err == OC_ERR_OK)
        err = close_output(file, arguments->file,
                           node_export(arguments->dir, exchange_service(exchange), chosen->sequence,
                                       write_bytes, file, info));
    exchange_destroy(exchange);
    image_store_close(store);
    return err;
}

static int run_export(const snapshot_arguments_t *arguments)
{
    image_info_t info;
    uint64_t chosen;
    char why[512];
    oc_err_t err = export_once(arguments, &info, &chosen);
    if (err != OC_ERR_OK && arguments->image == 0 && chosen != 0) {
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
        /* Nothing is written before all is loaded. */
        if (has_gone(arguments->dir, chosen))
            err = export_once(arguments, &info, &chosen);
        else
            (void)error_set(err, "%s", why);
    }
    if (err != OC_ERR_OK)
        return subcommand_failed();
    (void)fprintf(stderr, "outcry: image %" PRIu64 " at position %" PRIu64 " exported\n",
                  info.sequence, info.place.position);
    return 0;
}

static oc_err_t import(const snapshot_arguments_t *arguments, FILE *file, image_info_t *info)
{
    node_config_t config;
    exchange_config_t exchange_config;
    exchange_t *exchange;
    const node_setup_t setup = {.config_file = arguments->config, .dir = arguments->dir};
    oc_err_t err = node_setup(&setup, &config, &exchange_config);
    if (err == OC_ERR_OK)
        err = exchange_create(&exchange, &exchange_config);
    if (err != OC_ERR_OK)
        return err;
    err = node_import(&config, exchange_service(exchange), read_bytes, file, info);
    exchange_destroy(exchange);
    return err;
}

static int run_import(const snapshot_arguments_t *arguments)
{
    image_info_t info;
    FILE *file = arguments->file ? fopen(arguments->file, "re") : stdin;
    oc_err_t err = OC_ERR_OK;
    if (!file)
        err = error_set(OC_ERR_OPEN, "%s: %s", arguments->file, strerror(errno));
    if (err == OC_ERR_OK)
        err = import(arguments, file, &info);
    if (file && arguments->file)
        (void)fclose(file);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    printf("imported: %s state_hash=%016" PRIx64 "\n", arguments->dir, info.place.state_hash);
    return 0;
}

/* ---- diff ---- */

static int run_diff(const snapshot_arguments_t *arguments)
{
    exchange_t *first;
    exchange_t *second;
    image_info_t info[2];
    const char *other = arguments->other ? arguments->other : arguments->dir;
    if (!arguments->other && arguments->with == 0)
        return subcommand_usage("snapshot", "diff needs a second DIR, or --with N");
    if (load(arguments->dir, arguments->image, &first, &info[0]) != OC_ERR_OK)
        return subcommand_failed();
    if (load(other, arguments->with, &second, &info[1]) != OC_ERR_OK) {
        exchange_destroy(first);
        return subcommand_failed();
    }
    char difference[1024];
    const bool equal = image_diff(first, second, difference, sizeof difference);
    printf("a: %s image %" PRIu64 " position %" PRIu64 " state_hash %016" PRIx64 "\n",
           arguments->dir, info[0].sequence, info[0].place.position, info[0].place.state_hash);
    printf("b: %s image %" PRIu64 " position %" PRIu64 " state_hash %016" PRIx64 "\n", other,
           info[1].sequence, info[1].place.position, info[1].place.state_hash);
    printf("%s\n", equal ? "equal" : difference);
    exchange_destroy(first);
    exchange_destroy(second);
    return equal ? 0 : EXIT_STATUS_FAILED;
}

/* ---- The command line ---- */

typedef struct snapshot_kind {
    const char *name;
    int (*run)(const snapshot_arguments_t *arguments);
} snapshot_kind_t;

static const snapshot_kind_t kinds[] = {
    {"take", run_take},     {"list", run_list},     {"verify", run_verify},
    {"export", run_export}, {"import", run_import}, {"diff", run_diff},
};

static const snapshot_kind_t *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return NULL;
}

/* Returns -1 to go on, else the exit status. */
static int read_options(snapshot_arguments_t *arguments, const snapshot_kind_t *kind, int argc,
                        char **argv)
{
    *arguments = (snapshot_arguments_t){0};
    option_t table[4];
    size_t count = 0;
    if (kind->run == run_take)
        table[count++] = option_flag("full", &arguments->full, true);
    if (kind->run == run_take)
        table[count++] = option_text("config", &arguments->config);
    if (kind->run == run_verify || kind->run == run_export || kind->run == run_diff)
        table[count++] = option_number("image", &arguments->image, 1, INT64_MAX);
    if (kind->run == run_diff)
        table[count++] = option_number("with", &arguments->with, 1, INT64_MAX);
    if (kind->run == run_export) {
        table[count++] = option_text("output", &arguments->file);
        table[count++] = option_number("threads", &arguments->threads, 1, 64);
    }
    if (kind->run == run_import) {
        table[count++] = option_text("input", &arguments->file);
        table[count++] = option_text("config", &arguments->config);
    }
    options_t parser = {.table = table,
                        .count = count,
                        .operand_low = 1,
                        .operand_high = kind->run == run_diff ? 2 : 1,
                        .operand_name = "DIR",
                        .command = "snapshot"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("snapshot", parser.error);
    if (parser.help) {
        fputs(snapshot_help, stdout);
        return 0;
    }
    arguments->dir = parser.operands[0];
    arguments->other = parser.operands[1];
    return -1;
}

int snapshot_main(int argc, char **argv)
{
    if (argc < 2)
        return subcommand_usage("snapshot", "take, list, verify, export, import or diff is needed; "
                                            "see outcry snapshot --help");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        fputs(snapshot_help, stdout);
        return 0;
    }
    const snapshot_kind_t *kind = find_kind(argv[1]);
    if (!kind) {
        fprintf(stderr,
                "outcry: snapshot: '%s' is not one of take, list, verify, export, import, diff\n",
                argv[1]);
        return EXIT_STATUS_USAGE;
    }
    snapshot_arguments_t arguments;
    const int status = read_options(&arguments, kind, argc - 1, argv + 1);
    return status >= 0 ? status : kind->run(&arguments);
}
