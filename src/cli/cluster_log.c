/*
 * `outcry cluster log`: prints the log of a member from the files of its archive, whether it runs
 * or not, and its list of recordings. Called by cluster_main().
 *
 * It must not judge the log, nor change anything.
 */
#define _GNU_SOURCE
#include "cli/cluster.h"

#include "cli/cluster_place.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include "base/error.h"
#include "cluster/log_reader.h"
#include "cluster/module_lock.h"
#include "cluster/recording.h"
#include "cluster/recording_log.h"
#include "codec/cluster_service_codec.h"
#include "codec/member_codec.h"
#include "codec/order_entry_codec.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char log_help[] =
    "usage: outcry cluster log --dir DIR [OPTION]...\n"
    "\n"
    "Prints one line for each entry of a member's log: position of its end, leadership term, time\n"
    "in the cluster's unit, kind, session, bytes, and what is in it.\n"
    "\n"
    "  --dir DIR        of the member\n"
    "  --from POSITION  begin behind that position, one that this command prints\n"
    "  --to POSITION    print entries that end there or before\n"
    "  --limit N        so many entries at most\n"
    "  --recordings     print the module's recording.log and the archive's catalog instead\n"
    "\n"
    "Of a running member the end moves, and what stands last may not be committed yet.\n";

typedef struct log_arguments {
    const char *dir;
    uint64_t from;
    uint64_t to;
    uint64_t limit;
    bool recordings;
    char archive[PATH_MAX];
    char cluster[PATH_MAX];
} log_arguments_t;

#define FROM_START UINT64_MAX

/* ---- Recordings ---- */

static const char *entry_name(int32_t type)
{
    switch (type) {
    case RECORDING_LOG_TERM:
        return "term";
    case RECORDING_LOG_SNAPSHOT:
        return "snapshot";
    case RECORDING_LOG_STANDBY_SNAPSHOT:
        return "standby_snapshot";
    default:
        return "unknown";
    }
}

static bool print_recording(void *context, const recording_descriptor_t *recording)
{
    (void)context;
    printf("recording: %" PRId64 " start %" PRId64 " stop %" PRId64 " stream %" PRId32
           " segment_bytes %" PRId32 " term_bytes %" PRId32 "%s\n",
           recording->id, recording->start_position, recording->stop_position, recording->stream_id,
           recording->segment_bytes, recording->term_bytes, recording->valid ? "" : " invalid");
    return !subcommand_reader_gone();
}

static int print_recordings(const log_arguments_t *arguments, const recording_log_t *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const recording_log_entry_t *entry = &log->entries[i];
        printf("%s: recording %" PRId64 " term %" PRId64 " term_base %" PRId64 " position %" PRId64
               " time %" PRId64 " service %" PRId32 "%s\n",
               entry_name(entry->type), entry->recording, entry->term, entry->term_base,
               entry->log_position, entry->timestamp, entry->service,
               entry->valid ? "" : " invalid");
    }
    return recording_list(arguments->archive, print_recording, NULL) == OC_ERR_OK
               ? 0
               : subcommand_failed();
}

/* ---- What is in a message ---- */

/* Of a client: what is not printable must not reach a terminal. */
static void print_text(const char *name, const cluster_text_t *text)
{
    printf(" %s ", name);
    for (uint32_t i = 0; i < text->length; i++)
        putchar(text->bytes[i] > ' ' && text->bytes[i] < 0x7F ? text->bytes[i] : '?');
    if (text->length == 0)
        putchar('-');
}

static void print_command(const oc_command_t *command)
{
    printf(" %s", oc_command_type_name((oc_command_type_t)command->type));
    printf(" sequence %" PRIu64 " instrument %" PRIu32, command->sequence,
           command->instrument.value);
    if (command->type == OC_COMMAND_NEW || command->type == OC_COMMAND_CANCEL ||
        command->type == OC_COMMAND_MODIFY)
        printf(" order %" PRIu64 " price %" PRId64 " quantity %" PRId64,
               command->u.order.client_order_id.value, command->u.order.price_ticks,
               command->u.order.quantity_lots);
    if (command->type == OC_COMMAND_NEW)
        printf(" %s", command->side == OC_SIDE_BUY ? "buy" : "sell");
}

static void print_request(const oc_request_t *request)
{
    switch (request->type) {
    case OC_REQUEST_COMMAND:
        print_command(&request->u.command);
        break;
    case OC_REQUEST_LOGON:
        printf(" logon source %" PRIu32 " outbound_sequence %" PRIu64,
               request->u.logon.source.value, request->u.logon.outbound_sequence);
        break;
    case OC_REQUEST_ORDER_STATUS:
        printf(" order_status after %" PRIu64, request->u.order_status.after.value);
        break;
    case OC_REQUEST_PRINCIPAL: {
        const char *name = request->u.principal.principal.name;
        const cluster_text_t text = {name, (uint32_t)strnlen(name, OC_PRINCIPAL_SIZE)};
        printf(" principal source %" PRIu32, request->u.principal.source.value);
        print_text("name", &text);
        break;
    }
    default:
        printf(" stop");
    }
}

/* A session message may hold several requests; of another service's nothing is said. */
static void print_requests(const cluster_text_t *payload)
{
    const char *at = payload->bytes;
    size_t left = payload->length;
    for (bool first = true; left > 0; first = false) {
        oc_request_t request;
        size_t consumed;
        uint16_t template_id;
        const codec_result_t result =
            order_entry_decode(at, left, &request, &consumed, &template_id);
        if (result != OC_PROBLEM_NONE || consumed == 0)
            return;
        if (!first)
            printf(" ;");
        print_request(&request);
        at += consumed;
        left -= consumed;
    }
}

static bool print_member(const cluster_text_t *payload)
{
    member_message_t message;
    if (member_message_decode(payload->bytes, payload->length, &message) != OC_PROBLEM_NONE)
        return false;
    switch (message.type) {
    case MEMBER_CHECK:
        printf(" check member %" PRId32 " at %" PRIu64 " state %016" PRIx64 " output %016" PRIx64,
               message.member, message.position, message.state_hash, message.output_hash);
        break;
    case MEMBER_CONFIGURATION:
        printf(" configuration member %" PRId32 " %" PRIu32 " bytes", message.member,
               message.length);
        break;
    default:
        printf(" notice member %" PRId32 " %" PRIu32, message.member, message.notice);
    }
    return true;
}

/* ---- Entries ---- */

static const char *kind_name(cluster_log_type_t type)
{
    switch (type) {
    case CLUSTER_LOG_MESSAGE:
        return "message";
    case CLUSTER_LOG_TIMER:
        return "timer";
    case CLUSTER_LOG_OPEN:
        return "open";
    case CLUSTER_LOG_CLOSE:
        return "close";
    case CLUSTER_LOG_ACTION:
        return "action";
    case CLUSTER_LOG_TERM:
        return "term";
    case CLUSTER_LOG_MEMBERSHIP:
        return "membership";
    default:
        return "other";
    }
}

static void print_details(const cluster_log_entry_t *entry)
{
    static const char *const reasons[] = {"client", "service", "timeout"};
    static const char *const actions[] = {"suspend", "resume", "snapshot"};
    switch (entry->type) {
    case CLUSTER_LOG_MESSAGE:
        if (!print_member(&entry->payload))
            print_requests(&entry->payload);
        break;
    case CLUSTER_LOG_TIMER:
        printf(" correlation_id %" PRId64, entry->correlation_id);
        break;
    case CLUSTER_LOG_OPEN:
        print_text("principal", &entry->principal);
        print_text("channel", &entry->channel);
        break;
    case CLUSTER_LOG_CLOSE:
        printf(" by %s", entry->close_reason >= 0 && entry->close_reason < 3
                             ? reasons[entry->close_reason]
                             : "unknown");
        break;
    case CLUSTER_LOG_ACTION:
        printf(" %s flags %" PRId32,
               entry->action >= 0 && entry->action < 3 ? actions[entry->action] : "unknown",
               entry->flags);
        break;
    case CLUSTER_LOG_TERM:
        printf(" leader %" PRId32 " term_base %" PRId64 " log_session %" PRId32, entry->leader,
               entry->term_base, entry->log_session);
        break;
    default:
        break;
    }
}

static void print_entry(const recording_message_t *message)
{
    cluster_log_entry_t entry;
    if (cluster_log_decode(message->bytes, message->length, &entry) != OC_PROBLEM_NONE) {
        printf("%" PRId64 " - - not_understood - %zu\n", message->position, message->length);
        return;
    }
    const bool has_session = entry.type == CLUSTER_LOG_MESSAGE || entry.type == CLUSTER_LOG_OPEN ||
                             entry.type == CLUSTER_LOG_CLOSE;
    printf("%" PRId64 " %" PRId64 " %" PRId64 " %s ", message->position, entry.term,
           entry.timestamp, kind_name(entry.type));
    if (has_session)
        printf("%" PRId64, entry.session);
    else
        printf("-");
    printf(" %zu", message->length);
    print_details(&entry);
    printf("\n");
}

/* Up to where the recording is to be believed: while an archive has the files, what it says that it
 * has recorded, for of what is behind that a part may be written. */
static oc_err_t find_limit(const log_arguments_t *arguments, int64_t recording, int64_t *limit)
{
    bool running;
    cluster_place_t place;
    counter_table_t *table;
    recording_descriptor_t now;
    *limit = (int64_t)arguments->to;
    oc_err_t err = module_lock_probe(arguments->dir, &running, NULL);
    if (err == OC_ERR_OK && running)
        err = recording_find(arguments->archive, recording, &now);
    if (err != OC_ERR_OK || !running || now.stop_position >= 0)
        return err;
    err = cluster_place_open(&place, arguments->dir);
    if (err == OC_ERR_OK)
        err = counter_table_open(&table, place.config.node.aeron_dir);
    if (err != OC_ERR_OK)
        return err;
    int64_t recorded;
    const bool found = module_counters_recorded(table, recording, &recorded);
    counter_table_close(table);
    if (!found)
        return error_set(OC_ERR_NOT_CONNECTED,
                         "%s: the archive does not say how far it has recorded; try again",
                         arguments->dir);
    if (recorded < *limit)
        *limit = recorded;
    return OC_ERR_OK;
}

static oc_err_t print_entries(const log_arguments_t *arguments, int64_t recording)
{
    int64_t limit;
    recording_descriptor_t descriptor;
    recording_reader_t *reader;
    oc_err_t err = find_limit(arguments, recording, &limit);
    if (err == OC_ERR_OK)
        err = recording_find(arguments->archive, recording, &descriptor);
    const int64_t from = arguments->from == FROM_START && err == OC_ERR_OK
                             ? descriptor.start_position
                             : (int64_t)arguments->from;
    if (err == OC_ERR_OK)
        err = recording_reader_open(&reader, arguments->archive, recording, from);
    if (err != OC_ERR_OK)
        return err;
    bool found = true;
    for (uint64_t n = 0; err == OC_ERR_OK && n < arguments->limit && !subcommand_reader_gone();
         n++) {
        recording_message_t message;
        err = log_reader_next(reader, limit, &message, &found);
        if (err != OC_ERR_OK || !found)
            break;
        print_entry(&message);
    }
    recording_reader_close(reader);
    return err;
}

static int run(const log_arguments_t *arguments)
{
    recording_log_t log;
    int status = 0;
    if (recording_log_read(&log, arguments->cluster) != OC_ERR_OK)
        return subcommand_failed();
    const int64_t recording = recording_log_log(&log);
    if (arguments->recordings) {
        status = print_recordings(arguments, &log);
    } else if (recording < 0) {
        (void)error_set(OC_ERR_OPEN, "%s: the member has no log yet", arguments->dir);
        status = subcommand_failed();
    } else if (print_entries(arguments, recording) != OC_ERR_OK) {
        status = subcommand_failed();
    }
    recording_log_fini(&log);
    return status;
}

int cluster_log_main(int argc, char **argv)
{
    log_arguments_t arguments = {.from = FROM_START, .to = INT64_MAX, .limit = UINT64_MAX};
    const option_t table[] = {
        option_text("dir", &arguments.dir),
        option_number("from", &arguments.from, 0, INT64_MAX),
        option_number("to", &arguments.to, 0, INT64_MAX),
        option_number("limit", &arguments.limit, 0, INT64_MAX),
        option_flag("recordings", &arguments.recordings, true),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "cluster log"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("cluster log", parser.error);
    if (parser.help) {
        fputs(log_help, stdout);
        return 0;
    }
    if (!arguments.dir)
        return subcommand_usage("cluster log", "--dir DIR is needed");
    (void)snprintf(arguments.archive, sizeof arguments.archive, "%s/archive", arguments.dir);
    (void)snprintf(arguments.cluster, sizeof arguments.cluster, "%s/cluster", arguments.dir);
    return run(&arguments);
}
