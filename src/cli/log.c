/*
 * `outcry log`: looks at a journal and repairs it by hand. Called by main.
 *
 * verify, dump and stat change nothing and also read a journal that a node writes, whose end is
 * then a moving one, and never keep one from starting; cut and purge need the directory for
 * themselves. It must not judge a log itself: verdicts are recovery's.
 */
#include "cli/log.h"

#include "cli/options.h"
#include "cli/subcommand.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define HEX_MAX 64 /* bytes of a payload that are printed */

static const char log_help[] =
    "usage: outcry log verify|dump|stat|cut|purge DIR [OPTION]...\n"
    "\n"
    "  verify DIR           read the whole journal and print one line about it; exit status 0 if\n"
    "                       it can be used (a torn end is no damage), 1 if it is damaged\n"
    "  dump DIR             print one line for each entry: position, term, type, timestamp,\n"
    "                       length, payload\n"
    "    --from POSITION    begin there, at a position that dump or a verdict names\n"
    "    --limit N          so many lines at most\n"
    "    --own              the journal's own entries as well\n"
    "  stat DIR             print figures as `key: value`\n"
    "  cut DIR              remove a torn end, as the next start would\n"
    "    --at POSITION      give up everything from that position on, also what was durable\n"
    "    --yes              do it; without it, --at only says what would be lost\n"
    "  purge DIR            remove whole segments that end below a position\n"
    "    --below POSITION   that position (required)\n"
    "    --dry-run          only print the names, as it does without --yes\n"
    "    --yes              do it; since no image holds what is removed, it is refused without\n"
    "    --without-image    no node can start from what is left\n"
    "\n"
    "What cut removes is saved beside the segments as *.cut; what purge removes is gone.\n";

typedef struct log_arguments {
    const char *dir;
    uint64_t from;
    uint64_t limit;
    uint64_t at;
    uint64_t below;
    bool own;
    bool yes;
    bool dry_run;
    bool without_image;
} log_arguments_t;

#define NOT_GIVEN UINT64_MAX

typedef struct log_kind {
    const char *name;
    int (*run)(const log_arguments_t *arguments);
} log_kind_t;

static log_decoder_t decoder;

void log_set_decoder(log_decoder_t new_decoder)
{
    decoder = new_decoder;
}

/* For readers. Tells on stderr when a node is at work. */
static oc_err_t open_log(journal_t **journal, const log_arguments_t *arguments, bool read_only)
{
    journal_config_t config;
    journal_config_init(&config);
    config.dir = arguments->dir;
    config.group_bytes = 64 << 10; /* nothing is appended: fits segments of any size */
    config.read_only = read_only;
    config.thorough = true;
    config.own_entries = arguments->own;
    const oc_err_t err = journal_open(journal, &config);
    if (err == OC_ERR_OK && journal_in_use(*journal))
        fprintf(stderr, "outcry: log: a process uses %s: its end may be half written\n",
                arguments->dir);
    return err;
}

/* A writer's directory must be there: it is not made by looking for a log in it. */
static oc_err_t open_for_change(journal_t **journal, const log_arguments_t *arguments)
{
    const oc_err_t err = open_log(journal, arguments, true);
    if (err != OC_ERR_OK)
        return err;
    (void)journal_close(*journal);
    *journal = NULL;
    return open_log(journal, arguments, false);
}

static int run_verify(const log_arguments_t *arguments)
{
    journal_t *journal;
    if (open_log(&journal, arguments, true) != OC_ERR_OK)
        return subcommand_failed();
    journal_verdict_t verdict;
    const oc_err_t err = journal_recover(journal, journal_first(journal), NULL, NULL, &verdict);
    (void)journal_close(journal);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    printf("%s\n", verdict.line);
    return 0;
}

/* ---- dump ---- */

typedef struct dump {
    uint64_t left;
} dump_t;

static const char *own_type_name(uint8_t type)
{
    static const char *const names[] = {"none", "group", "pad", "term", "mark"};
    return type < sizeof names / sizeof names[0] ? names[type] : NULL;
}

static void print_hex(const journal_entry_t *entry)
{
    const uint8_t *bytes = entry->payload;
    const uint32_t shown = entry->length < HEX_MAX ? entry->length : HEX_MAX;
    for (uint32_t i = 0; i < shown; i++)
        printf("%02x", bytes[i]);
    if (shown < entry->length)
        printf("...");
    if (entry->length == 0)
        printf("-");
}

static oc_err_t dump_entry(void *context, const journal_entry_t *entry)
{
    dump_t *dump = context;
    if (dump->left == 0 || subcommand_reader_gone())
        return OC_ERR_CLOSED;
    dump->left--;
    const char *name = own_type_name(entry->type);
    char number[8];
    (void)snprintf(number, sizeof number, "%u", entry->type);
    printf("%" PRIu64 " %" PRIu32 " %s %" PRId64 " %" PRIu32 " ", entry->start.value, entry->term,
           name ? name : number, entry->timestamp_ns, entry->length);
    if (name || !decoder || !decoder(stdout, entry))
        print_hex(entry);
    printf("\n");
    return OC_ERR_OK;
}

static int run_dump(const log_arguments_t *arguments)
{
    journal_t *journal;
    if (open_log(&journal, arguments, true) != OC_ERR_OK)
        return subcommand_failed();
    const log_position_t from =
        arguments->from == NOT_GIVEN ? journal_first(journal) : (log_position_t){arguments->from};
    dump_t dump = {arguments->limit};
    journal_verdict_t verdict;
    const oc_err_t err = journal_recover(journal, from, dump_entry, &dump, &verdict);
    (void)journal_close(journal);
    /* CLOSED is dump_entry()'s own: enough was printed. */
    return err == OC_ERR_OK || err == OC_ERR_CLOSED ? 0 : subcommand_failed();
}

/* ---- stat ---- */

typedef struct tally {
    uint64_t payload_bytes;
    int64_t first_ns;
    int64_t last_ns;
    bool any;
} tally_t;

static oc_err_t tally_entry(void *context, const journal_entry_t *entry)
{
    tally_t *tally = context;
    if (!tally->any)
        tally->first_ns = entry->timestamp_ns;
    tally->any = true;
    tally->last_ns = entry->timestamp_ns;
    tally->payload_bytes += entry->length;
    return OC_ERR_OK;
}

static int run_stat(const log_arguments_t *arguments)
{
    static const char *const kinds[] = {"new", "clean", "intact", "torn", "damaged"};
    journal_t *journal;
    if (open_log(&journal, arguments, true) != OC_ERR_OK)
        return subcommand_failed();
    journal_verdict_t verdict;
    tally_t tally = {0};
    const oc_err_t err =
        journal_recover(journal, journal_first(journal), tally_entry, &tally, &verdict);
    const bool in_use = journal_in_use(journal);
    (void)journal_close(journal);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    printf("verdict: %s\n", kinds[verdict.kind]);
    printf("closed: %s\n", verdict.closed ? "yes" : "no");
    printf("in_use: %s\n", in_use ? "yes" : "no");
    printf("first_position: %" PRIu64 "\n", verdict.first.value);
    printf("end_position: %" PRIu64 "\n", verdict.end.value);
    printf("proven_position: %" PRIu64 "\n", verdict.proven.value);
    printf("entries: %" PRIu64 "\n", verdict.entries);
    printf("payload_bytes: %" PRIu64 "\n", tally.payload_bytes);
    printf("first_timestamp_ns: %" PRId64 "\n", tally.first_ns);
    printf("last_timestamp_ns: %" PRId64 "\n", tally.last_ns);
    printf("term: %" PRIu32 "\n", verdict.term);
    printf("checksum: %08" PRIx32 "\n", verdict.checksum);
    printf("cut_bytes: %" PRIu64 "\n", verdict.cut_bytes);
    return 0;
}

/* ---- cut ---- */

static void print_cut(const journal_cut_t *cut, const char *verb)
{
    printf("kept: %" PRIu64 " entries up to position %" PRIu64 "\n", cut->entries, cut->end.value);
    if (cut->lost_to.value > cut->end.value)
        printf("%s: position %" PRIu64 " to %" PRIu64 ", %" PRIu64 " bytes\n", verb, cut->end.value,
               cut->lost_to.value, cut->lost_to.value - cut->end.value);
    else
        printf("%s: nothing, nothing is written behind it\n", verb);
}

static int cut_at(journal_t *journal, log_position_t at, bool yes)
{
    journal_cut_t cut;
    if (journal_cut(journal, at, !yes, &cut) != OC_ERR_OK)
        return subcommand_failed();
    print_cut(&cut, yes ? "lost" : "would be lost");
    if (yes) {
        printf("saved: %" PRIu64 " files *.cut\n", cut.files);
        return 0;
    }
    fprintf(stderr, "outcry: log: nothing was changed; to do it, say --yes as well\n");
    return EXIT_STATUS_FAILED;
}

/* Without --at only what was never acknowledged may go. */
static int cut_torn(journal_t *journal)
{
    journal_verdict_t verdict;
    if (journal_recover(journal, journal_first(journal), NULL, NULL, &verdict) != OC_ERR_OK)
        return subcommand_failed();
    printf("%s\n", verdict.line);
    if (verdict.kind == JOURNAL_TORN && verdict.cut_bytes > 0)
        return cut_at(journal, verdict.end, true);
    printf("cut: nothing, the end is not torn\n");
    return 0;
}

static int run_cut(const log_arguments_t *arguments)
{
    if (arguments->yes && arguments->at == NOT_GIVEN)
        return subcommand_usage("log", "--yes is for --at POSITION");
    journal_t *journal;
    if (open_for_change(&journal, arguments) != OC_ERR_OK)
        return subcommand_failed();
    const int status = arguments->at == NOT_GIVEN
                           ? cut_torn(journal)
                           : cut_at(journal, (log_position_t){arguments->at}, arguments->yes);
    (void)journal_close(journal);
    return status;
}

/* ---- purge ---- */

static bool print_name(void *context, const char *name)
{
    printf("%s: %s\n", (const char *)context, name);
    return true;
}

/*
 * A node recovers from position 0 or from an image, and no node of today keeps images: whatever is
 * removed here ends the log's use for one.
 */
static int refuse_purge(void)
{
    fprintf(stderr, "outcry: log: refused: there is no image of what would be removed, and a node "
                    "recovers from position 0: none can start from what is left; nothing was "
                    "changed; to remove it all the same, say --without-image as well\n");
    return EXIT_STATUS_FAILED;
}

static int run_purge(const log_arguments_t *arguments)
{
    static char would[] = "would_remove";
    static char does[] = "removed";
    if (arguments->below == NOT_GIVEN)
        return subcommand_usage("log", "purge needs --below POSITION");
    if (arguments->yes && arguments->dry_run)
        return subcommand_usage("log", "--yes and --dry-run exclude each other");
    if (arguments->yes && !arguments->without_image)
        return refuse_purge();
    const bool removes = arguments->yes;
    journal_t *journal;
    if (open_for_change(&journal, arguments) != OC_ERR_OK)
        return subcommand_failed();
    journal_verdict_t verdict;
    oc_err_t err = journal_recover(journal, journal_first(journal), NULL, NULL, &verdict);
    if (err == OC_ERR_OK)
        err = journal_purge(journal, (log_position_t){arguments->below}, !removes, print_name,
                            removes ? does : would);
    const log_position_t first = journal_first(journal);
    (void)journal_close(journal);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    printf("first_position: %" PRIu64 "\n", first.value);
    if (!removes)
        fprintf(stderr, "outcry: log: nothing was changed; to do it, say --yes as well\n");
    return removes || arguments->dry_run ? 0 : EXIT_STATUS_FAILED;
}

/* ---- The command line ---- */

static const log_kind_t kinds[] = {
    {"verify", run_verify}, {"dump", run_dump},   {"stat", run_stat},
    {"cut", run_cut},       {"purge", run_purge},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const log_kind_t *find_kind(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return NULL;
}

/* Returns -1 to go on, else the exit status. */
static int read_options(log_arguments_t *arguments, const log_kind_t *kind, int argc, char **argv)
{
    const uint64_t most = INT64_MAX;
    *arguments = (log_arguments_t){
        .from = NOT_GIVEN, .limit = UINT64_MAX, .at = NOT_GIVEN, .below = NOT_GIVEN};
    option_t table[4];
    size_t count = 0;
    if (kind->run == run_dump) {
        table[count++] = option_number("from", &arguments->from, 0, most);
        table[count++] = option_number("limit", &arguments->limit, 0, most);
        table[count++] = option_flag("own", &arguments->own, true);
    } else if (kind->run == run_cut) {
        table[count++] = option_number("at", &arguments->at, 0, most);
        table[count++] = option_flag("yes", &arguments->yes, true);
    } else if (kind->run == run_purge) {
        table[count++] = option_number("below", &arguments->below, 0, most);
        table[count++] = option_flag("dry-run", &arguments->dry_run, true);
        table[count++] = option_flag("yes", &arguments->yes, true);
        table[count++] = option_flag("without-image", &arguments->without_image, true);
    }
    options_t parser = {.table = table,
                        .count = count,
                        .operand_low = 1,
                        .operand_high = 1,
                        .operand_name = "DIR",
                        .command = "log"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("log", parser.error);
    if (parser.help) {
        fputs(log_help, stdout);
        return 0;
    }
    arguments->dir = parser.operands[0];
    return -1;
}

int log_main(int argc, char **argv)
{
    if (argc < 2)
        return subcommand_usage("log", "verify, dump, stat, cut or purge is needed; see outcry log "
                                       "--help");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        fputs(log_help, stdout);
        return 0;
    }
    const log_kind_t *kind = find_kind(argv[1]);
    if (!kind) {
        fprintf(stderr, "outcry: log: '%s' is not one of verify, dump, stat, cut, purge\n",
                argv[1]);
        return EXIT_STATUS_USAGE;
    }
    log_arguments_t arguments;
    const int status = read_options(&arguments, kind, argc - 1, argv + 1);
    return status >= 0 ? status : kind->run(&arguments);
}
