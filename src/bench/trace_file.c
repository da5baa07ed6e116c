/*
 * Reader of traces. Called once, before anything is timed; the captures are read by libpcap.
 *
 * Invariants: every packet is taken or counted as left out; a file is read whole or not at all. It
 * must not guess: a capture of a link that is not known is refused.
 */
#define _GNU_SOURCE
#include "bench/trace_file.h"

#include "base/error.h"
#include "bench/trace_play.h"
#include "bench/udp_packet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pcap/pcap.h>

#define SECOND_NS   1000000000
#define SECONDS_MAX (INT64_C(1) << 33) /* a time beyond is none */

enum { FIRST_CAPACITY = 4096 };

typedef struct reader {
    trace_t *trace;
    size_t capacity; /* of a capture's messages */
    trace_file_counts_t *counts;
    const char *name;
} reader_t;

/* ---- Captures ------------------------------------------------------------------------------- */

static oc_err_t link_of(const reader_t *self, pcap_t *pcap, udp_link_t *link)
{
    const int type = pcap_datalink(pcap);
    switch (type) {
    case DLT_EN10MB:
        *link = UDP_LINK_ETHERNET;
        return OC_ERR_OK;
    case DLT_LINUX_SLL:
        *link = UDP_LINK_COOKED;
        return OC_ERR_OK;
    case DLT_LINUX_SLL2:
        *link = UDP_LINK_COOKED_2;
        return OC_ERR_OK;
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
        *link = UDP_LINK_RAW;
        return OC_ERR_OK;
    default:
        break;
    }
    const char *name = pcap_datalink_val_to_name(type);
    return error_set(OC_ERR_FORMAT,
                     "%s: captured on a link of type %d (%s); known are Ethernet, Linux cooked "
                     "and raw IP",
                     self->name, type, name ? name : "unknown");
}

static oc_err_t grow(reader_t *self)
{
    const size_t capacity = self->capacity ? 2 * self->capacity : FIRST_CAPACITY;
    trace_message_t *messages =
        reallocarray(self->trace->messages, capacity, sizeof *self->trace->messages);
    if (!messages)
        return error_set(OC_ERR_NO_MEMORY, "%s: packet %" PRIu64 ": no memory for %zu messages",
                         self->name, self->counts->packets, capacity);
    self->trace->messages = messages;
    self->capacity = capacity;
    return OC_ERR_OK;
}

static oc_err_t append(reader_t *self, uint64_t time_ns, uint32_t bytes)
{
    trace_t *trace = self->trace;
    if (trace->count == self->capacity) {
        const oc_err_t err = grow(self);
        if (err != OC_ERR_OK)
            return err;
    }
    if (trace->count && time_ns < trace->messages[trace->count - 1].offset_ns) {
        time_ns = trace->messages[trace->count - 1].offset_ns;
        self->counts->back++;
    }
    trace->messages[trace->count++] = (trace_message_t){time_ns, bytes};
    return OC_ERR_OK;
}

static oc_err_t take_packet(reader_t *self, udp_link_t link, const struct pcap_pkthdr *header,
                            const uint8_t *bytes)
{
    const int64_t seconds = header->ts.tv_sec;
    const int64_t rest_ns = header->ts.tv_usec; /* in this precision */
    uint32_t payload_bytes = 0;
    switch (udp_packet_read(link, bytes, header->caplen, &payload_bytes)) {
    case UDP_WHOLE:
        break;
    case UDP_FRAGMENT:
        self->counts->fragments++;
        return OC_ERR_OK;
    case UDP_OTHER:
        self->counts->other++;
        return OC_ERR_OK;
    case UDP_DAMAGED:
        self->counts->damaged++;
        return OC_ERR_OK;
    }
    if (seconds < 0 || seconds >= SECONDS_MAX || rest_ns < 0 || rest_ns >= SECOND_NS)
        return error_set(OC_ERR_FORMAT,
                         "%s: packet %" PRIu64 ": %" PRId64 " s and %" PRId64 " ns are no time",
                         self->name, self->counts->packets, seconds, rest_ns);
    return append(self, (uint64_t)seconds * SECOND_NS + (uint64_t)rest_ns, payload_bytes);
}

static oc_err_t unread(const reader_t *self, const char *why)
{
    const uint64_t before = self->counts->packets;
    if (before == 0)
        return error_set(OC_ERR_FORMAT, "%s: packet 1: %s", self->name, why);
    return error_set(OC_ERR_FORMAT,
                     "%s: packet %" PRIu64 ": %s; `tcpdump -r FILE -c %" PRIu64
                     " -w NEW` keeps what is before it",
                     self->name, before + 1, why, before);
}

static oc_err_t read_packets(reader_t *self, pcap_t *pcap)
{
    udp_link_t link = UDP_LINK_RAW;
    const oc_err_t known = link_of(self, pcap, &link);
    if (known != OC_ERR_OK)
        return known;
    for (;;) {
        struct pcap_pkthdr *header;
        const uint8_t *bytes;
        const int status = pcap_next_ex(pcap, &header, &bytes);
        if (status == PCAP_ERROR_BREAK) /* the end of the file */
            return OC_ERR_OK;
        if (status != 1)
            return unread(self, pcap_geterr(pcap));
        self->counts->packets++;
        const oc_err_t err = take_packet(self, link, header, bytes);
        if (err != OC_ERR_OK)
            return err;
    }
}

/* Closes the file. */
static oc_err_t read_capture(reader_t *self, FILE *file)
{
    char why[PCAP_ERRBUF_SIZE] = "";
    pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
    if (!pcap) {
        (void)fclose(file);
        return error_set(OC_ERR_FORMAT, "%s: %s", self->name, why);
    }
    const oc_err_t err = read_packets(self, pcap);
    pcap_close(pcap);
    return err;
}

/* ---- Both ----------------------------------------------------------------------------------- */

/* By the first bytes, which are left unread: the marks of pcap in either byte order, with times in
 * microseconds or nanoseconds, or of a changed pcap; and of pcapng. */
static oc_err_t look(const reader_t *self, FILE *file, bool *capture)
{
    static const uint8_t marks[][4] = {
        {0xa1, 0xb2, 0xc3, 0xd4}, {0xd4, 0xc3, 0xb2, 0xa1}, {0xa1, 0xb2, 0x3c, 0x4d},
        {0x4d, 0x3c, 0xb2, 0xa1}, {0xa1, 0xb2, 0xcd, 0x34}, {0x34, 0xcd, 0xb2, 0xa1},
        {0x0a, 0x0d, 0x0d, 0x0a},
    };
    uint8_t first[4] = {0};
    *capture = false;
    const size_t length = fread(first, 1, sizeof first, file);
    if (ferror(file))
        return error_set(OC_ERR_READ, "%s: %s", self->name, strerror(errno));
    if (fseek(file, 0, SEEK_SET) != 0)
        return error_set(OC_ERR_READ, "%s: %s; a trace must be a file, not a pipe", self->name,
                         strerror(errno));
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        *capture |= length == sizeof first && memcmp(first, marks[i], sizeof first) == 0;
    return OC_ERR_OK;
}

static oc_err_t finish(const reader_t *self)
{
    trace_t *trace = self->trace;
    const trace_file_counts_t *counts = self->counts;
    if (trace->count == 0)
        return error_set(OC_ERR_FORMAT,
                         "%s: of %" PRIu64 " packets none is a whole UDP datagram with a payload: "
                         "%" PRIu64 " fragments, %" PRIu64 " others, %" PRIu64 " damaged",
                         self->name, counts->packets, counts->fragments, counts->other,
                         counts->damaged);
    const uint64_t first_ns = trace->messages[0].offset_ns;
    for (size_t i = 0; i < trace->count; i++) {
        trace->messages[i].offset_ns -= first_ns;
        if (trace->messages[i].offset_ns > TRACE_PLAY_SPAN_NS_MAX)
            return error_set(OC_ERR_TOO_LONG,
                             "%s: message %zu of %zu comes more than 30 days behind the first one; "
                             "cut the trace",
                             self->name, i + 1, trace->count);
    }
    return OC_ERR_OK;
}

oc_err_t trace_file_read_stream(trace_t *trace, FILE *file, const char *name,
                                trace_file_counts_t *counts)
{
    reader_t reader = {.trace = trace, .counts = counts, .name = name};
    bool capture;
    memset(trace, 0, sizeof *trace);
    memset(counts, 0, sizeof *counts);
    oc_err_t err = look(&reader, file, &capture);
    if (err == OC_ERR_OK && capture) {
        err = read_capture(&reader, file);
    } else {
        if (err == OC_ERR_OK)
            err = trace_csv_read(trace, file, name);
        counts->packets = trace->count;
        (void)fclose(file);
    }
    if (err == OC_ERR_OK)
        err = finish(&reader);
    if (err != OC_ERR_OK)
        trace_fini(trace);
    return err;
}

oc_err_t trace_file_read(trace_t *trace, const char *path, trace_file_counts_t *counts)
{
    FILE *file = fopen(path, "re");
    memset(trace, 0, sizeof *trace);
    if (!file)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    return trace_file_read_stream(trace, file, path, counts);
}
