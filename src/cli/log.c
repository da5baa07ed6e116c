/*
 * `outcry log`: looks at a journal and repairs it by hand. Called by main.
 *
 * verify, dump and stat change nothing and also read a journal that a node writes, whose end is
 * then a moving one, and never keep one from starting; cut and purge need the directory for
 * themselves. It must not judge a log itself: verdicts are recovery's.
 */
#include "cli/options.h"
#include "cli/subcommand.h"

#include "base/error.h"
#include "journal/journal.h"
#include "snapshot/image.h"
#include "snapshot/import_mark.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEX_MAX 64 /* bytes of a payload that are printed */

static const char log_help[] =
    "usage: outcry log verify|dump|stat|cut|purge DIR [OPTION]...\n"
    "\n"
    "  verify DIR           read the whole journal and print one line about it; exit status 0 if\n"
    "                       it can be used (a torn end is no damage), 1 if it is damaged, or none\n"
    "  dump DIR             print one line for each entry: position, term, type, timestamp,\n"
    "                       length, payload\n"
    "    --from POSITION    begin there, at a position that dump or a verdict names\n"
    "    --limit N          so many lines at most\n"
    "    --own              the journal's own entries as well\n"
    "  stat DIR             print figures as `key: value`\n"
    "  cut DIR              remove a torn end, as the next start would\n"
    "    --at POSITION      give up everything from that position on, also what was durable\n"
    "    --yes              do it; without it, --at only says what would be lost\n"
    "  purge DIR            remove whole segments that no image needs; a start then needs an "
    "image\n"
    "    --below POSITION   those that end below that position, as far as no image needs them\n"
    "    --dry-run          only print the names, as it does without --yes\n"
    "    --yes              do it\n"
    "    --without-image    also what no image holds: no node can start from what is left\n"
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
#define KEEP_ALL  64 /* the most that image_store_open() takes */

typedef struct log_kind {
    const char *name;
    int (*run)(const log_arguments_t *arguments);
} log_kind_t;

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
    if (err == OC_ERR_OK && journal_log_id(*journal) == 0) {
        (void)journal_close(*journal);
        return error_set(OC_ERR_OPEN,
                         "%s: there is no log of a node in it; outcry cluster log --dir DIR reads "
                         "that of a member",
                         arguments->dir);
    }
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

/* Images of what the log has no more: a start refuses while they are there. */
static void print_useless(const char *dir, uint64_t end, const char *verb)
{
    image_store_t *images;
    const image_store_config_t config = {
        .dir = dir, .storage = storage_device(), .read_only = true, .keep = KEEP_ALL};
    if (image_store_open(&images, &config) != OC_ERR_OK) {
        (void)subcommand_failed();
        return;
    }
    for (size_t n = 0; n < image_store_count(images); n++) {
        const image_info_t *info = image_store_at(images, n);
        if (info->place.position > end)
            printf("%s: image %" PRIu64 " (position %" PRIu64 "); no node starts before " IMAGE_DIR
                   "/%016" PRIx64 ".* is moved away\n",
                   verb, info->sequence, info->place.position, info->sequence);
    }
    image_store_close(images);
}

static int cut_at(journal_t *journal, const char *dir, log_position_t at, bool yes)
{
    journal_cut_t cut;
    if (journal_cut(journal, at, !yes, &cut) != OC_ERR_OK)
        return subcommand_failed();
    print_cut(&cut, yes ? "lost" : "would be lost");
    print_useless(dir, cut.end.value, yes ? "useless" : "would be useless");
    if (yes) {
        printf("saved: %" PRIu64 " files *.cut\n", cut.files);
        return 0;
    }
    fprintf(stderr, "outcry: log: nothing was changed; to do it, say --yes as well\n");
    return EXIT_STATUS_FAILED;
}

/* Without --at only what was never acknowledged may go. */
static int cut_torn(journal_t *journal, const char *dir)
{
    journal_verdict_t verdict;
    if (journal_recover(journal, journal_first(journal), NULL, NULL, &verdict) != OC_ERR_OK)
        return subcommand_failed();
    printf("%s\n", verdict.line);
    if (verdict.kind == JOURNAL_TORN && verdict.cut_bytes > 0)
        return cut_at(journal, dir, verdict.end, true);
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
    const log_position_t at = {arguments->at};
    const int status = arguments->at == NOT_GIVEN
                           ? cut_torn(journal, arguments->dir)
                           : cut_at(journal, arguments->dir, at, arguments->yes);
    (void)journal_close(journal);
    return status;
}

/* ---- purge ---- */

static bool print_name(void *context, const char *name)
{
    printf("%s: %s\n", (const char *)context, name);
    return true;
}

/* Whether an image can be used, looking at the newest first; those that cannot are told. */
static oc_err_t find_whole(const image_store_t *images, const journal_t *journal)
{
    oc_err_t err = OC_ERR_OK;
    for (size_t n = 0; n < image_store_count(images); n++) {
        if (image_store_at(images, n)->place.position < journal_first(journal).value)
            break;
        err = image_verify(images, image_store_at(images, n), 0);
        if (err == OC_ERR_OK)
            return OC_ERR_OK;
        fprintf(stderr, "outcry: log: %s\n", oc_err_context());
    }
    return err == OC_ERR_OK ? err : error_set(err, "no image is whole; nothing was changed");
}

/* The oldest that a start could go on from: one below the log is there for those built on it. 0:
 * there is none. */
static uint64_t oldest_of(const image_store_t *images, const journal_t *journal)
{
    for (size_t n = image_store_count(images); n-- > 0;) {
        const uint64_t position = image_store_at(images, n)->place.position;
        if (position >= journal_first(journal).value)
            return position;
    }
    return 0;
}

/*
 * A node starts from position 0 or from an image. What the log must be kept for is the oldest
 * image that it still reaches, so that each of them is of use; and one is read whole before
 * anything goes, since a log without its beginning is worth what its images are.
 */
static oc_err_t read_oldest(const journal_t *journal, const char *dir, bool verify,
                            uint64_t *oldest)
{
    image_store_t *images;
    const image_store_config_t config = {
        .dir = dir, .storage = storage_device(), .read_only = true, .keep = KEEP_ALL};
    *oldest = 0;
    oc_err_t err = image_store_open(&images, &config);
    if (err != OC_ERR_OK)
        return err;
    const size_t count = image_store_count(images);
    for (size_t n = 0; err == OC_ERR_OK && n < count; n++) {
        const image_info_t *info = image_store_at(images, n);
        if (info->place.log_id != journal_log_id(journal))
            err = error_set(OC_ERR_DAMAGED, "image %" PRIu64 " in %s is of another log",
                            info->sequence, dir);
    }
    if (err == OC_ERR_OK && verify)
        err = find_whole(images, journal);
    if (err == OC_ERR_OK && count > 0)
        *oldest = oldest_of(images, journal);
    image_store_close(images);
    return err;
}

static int refuse_purge(uint64_t oldest)
{
    if (oldest == 0)
        fprintf(stderr, "outcry: log: refused: there is no image of what would be removed, and "
                        "without one a node starts from position 0: none can start from what is "
                        "left; nothing was changed; take an image (outcry snapshot take), or, to "
                        "remove it all the same, say --without-image as well\n");
    else
        fprintf(
            stderr,
            "outcry: log: refused: the oldest image needs the log from position %" PRIu64
            " on; nothing was changed; to remove what is before that, leave --below out, or, to "
            "make images useless, say --without-image as well\n",
            oldest);
    return EXIT_STATUS_FAILED;
}

/* Where to stop; -1 to go on, else the exit status. */
static int choose_below(const log_arguments_t *arguments, const journal_t *journal, uint64_t *below)
{
    uint64_t oldest;
    *below = arguments->below;
    if (arguments->without_image)
        return -1;
    if (read_oldest(journal, arguments->dir, arguments->yes, &oldest) != OC_ERR_OK)
        return subcommand_failed();
    if (arguments->below == NOT_GIVEN)
        *below = oldest;
    const bool looks = !arguments->yes && arguments->below != NOT_GIVEN;
    return looks || (oldest > 0 && *below <= oldest) ? -1 : refuse_purge(oldest);
}

static int run_purge(const log_arguments_t *arguments)
{
    static char would[] = "would_remove";
    static char does[] = "removed";
    if (arguments->below == NOT_GIVEN && arguments->without_image)
        return subcommand_usage("log", "--without-image needs --below POSITION");
    if (arguments->yes && arguments->dry_run)
        return subcommand_usage("log", "--yes and --dry-run exclude each other");
    const bool removes = arguments->yes;
    const bool looks = arguments->dry_run || (!removes && arguments->below == NOT_GIVEN);
    journal_t *journal;
    if (open_for_change(&journal, arguments) != OC_ERR_OK)
        return subcommand_failed();
    if (import_mark_check(storage_device(), arguments->dir) != OC_ERR_OK) {
        (void)journal_close(journal);
        return subcommand_failed();
    }
    uint64_t below;
    const int status = choose_below(arguments, journal, &below);
    if (status >= 0) {
        (void)journal_close(journal);
        return status;
    }
    journal_verdict_t verdict;
    oc_err_t err = journal_recover(journal, journal_first(journal), NULL, NULL, &verdict);
    if (err == OC_ERR_OK)
        err = journal_purge(journal, (log_position_t){below}, !removes, print_name,
                            removes ? does : would);
    const log_position_t first = journal_first(journal);
    (void)journal_close(journal);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    printf("first_position: %" PRIu64 "\n", first.value);
    if (!removes)
        fprintf(stderr, "outcry: log: nothing was changed; to do it, say --yes as well\n");
    return removes || looks ? 0 : EXIT_STATUS_FAILED;
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
