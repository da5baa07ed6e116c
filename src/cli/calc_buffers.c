/*
 * `outcry calc buffers`: the depth of every layer, the lines that set it, and whether this machine
 * has it. Called by calc_main().
 *
 * It reads the kernel's limits and changes none. A limit that cannot be read counts as short: what
 * is not known to be enough is not.
 */
#include "calc/buffers.h"
#include "calc/fixed_point.h"
#include "cli/calc.h"
#include "cli/calc_inputs.h"
#include "cli/subcommand.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char buffers_help[] =
    "usage: outcry calc buffers --peak-per-ms P --size S --rtt-ms R --burst-ms B --stall-ms X\n"
    "                           [OPTION]...\n"
    "       outcry calc buffers --trace FILE --rtt-ms R --burst-ms B --stall-ms X [OPTION]...\n"
    "\n"
    "  --peak-per-ms P      most messages of one sender in any sliding ms\n"
    "  --size S             bytes of a message, without headers\n"
    "  --rtt-ms R           round trip between sender and receiver\n"
    "  --burst-ms B         length of a burst\n"
    "  --stall-ms X         longest time the receiving application takes nothing\n"
    "  --survive-ms Y       longest time the host does not empty the card's ring (burst-ms)\n"
    "  --senders M          senders that burst together into one socket (1)\n"
    "  --mtu BYTES          Aeron's MTU (1408)\n"
    "  --charge-bytes N     what the kernel counts for a datagram, where that is known to be\n"
    "                       other than over loopback (by the size of the datagram)\n"
    "  --trace FILE         lines of `offset_ns,size`, of one sender: its busiest ms\n"
    "  --check              compare with the limits of this machine; exit status 1 if one is "
    "short\n"
    "  --limits-dir DIR     where those are (/proc/sys/net/core)\n"
    "  --json               one JSON object\n"
    "\n"
    "Each depth has its reason beside it, as ..._why. The lines to set never go below what Aeron\n"
    "and the kernel have by themselves; URI parameters win over the properties of the driver,\n"
    "which are variables of its environment.\n";

enum { PEAK, SIZE, RTT, BURST, STALL, SURVIVE, SENDERS, MTU, CHARGE, ITEMS };

#define PEAK_MAX   UINT64_C(1000000000000) /* 10^9 per ms */
#define CHARGE_MAX (1 << 20)

/* What is there without any setting: nobody is told to set less. */
#define AERON_DEFAULT  UINT64_C(131072) /* SO_RCVBUF and window */
#define KERNEL_DEFAULT UINT64_C(212992) /* rmem_max and wmem_max */

/* A limit of the kernel, the layer that it bounds, and what that needs. */
typedef struct kernel_limit {
    const char *name;
    const char *layer;
    uint64_t needed;
} kernel_limit_t;

enum { LIMITS = 2 };

/* ---- What to set ---- */

static void report_layers(figures_t *figures, const buffers_t *buffers)
{
    figures_whole(figures, "rx_ring_packets", buffers->rx_ring_packets);
    figures_text(figures, "rx_ring_why",
                 "P x survive_ms: what arrives while the host does not empty the ring");
    figures_whole(figures, "so_rcvbuf_payload_bytes", buffers->so_rcvbuf_payload_bytes);
    figures_text(figures, "so_rcvbuf_payload_why",
                 "P x S x burst_ms; a socket of that size holds less, its datagrams count more");
    figures_whole(figures, "so_rcvbuf_bytes", buffers->so_rcvbuf_bytes);
    figures_text(figures, "so_rcvbuf_why",
                 "P x what the kernel counts x burst_ms, halved because it doubles what is asked "
                 "for; never below the window, which the driver would refuse");
    figures_whole(figures, "window_bytes", buffers->window_bytes);
    figures_text(figures, "window_why",
                 "P x S x rtt_ms in frames: what a sender has under way before it hears again; "
                 "never below the MTU");
    figures_whole(figures, "term_bytes", buffers->term_bytes);
    figures_text(figures, "term_why",
                 "2 x P x S x stall_ms in frames, a power of two: a publisher is at most half a "
                 "term ahead; never below twice the window or 8 messages");
    figures_whole(figures, "so_sndbuf_bytes", buffers->so_sndbuf_bytes);
    figures_text(figures, "so_sndbuf_why",
                 "P x S x burst_ms of one sender in frames; too little loses nothing, but sends "
                 "fall short");
}

static void report_text(figures_t *figures, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void report_text(figures_t *figures, const char *name, const char *format, ...)
{
    char text[FIGURES_VALUE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    figures_text(figures, name, text);
}

static uint64_t at_least(uint64_t value, uint64_t least)
{
    return value > least ? value : least;
}

static void report_lines(figures_t *figures, const calc_inputs_t *inputs, const buffers_t *buffers,
                         const kernel_limit_t limits[LIMITS])
{
    const uint64_t mtu = inputs->items[MTU].value;
    const uint64_t term = at_least(buffers->term_bytes, 2 * AERON_DEFAULT);
    const uint64_t window = at_least(buffers->window_bytes, AERON_DEFAULT);
    const uint64_t receive = at_least(buffers->so_rcvbuf_bytes, AERON_DEFAULT);
    const uint64_t send = at_least(buffers->so_sndbuf_bytes, AERON_DEFAULT);
    for (size_t i = 0; i < LIMITS; i++) {
        char name[FIGURES_NAME];
        (void)snprintf(name, sizeof name, "sysctl_%s", limits[i].name);
        report_text(figures, name, "net.core.%s = %" PRIu64, limits[i].name,
                    at_least(limits[i].needed, KERNEL_DEFAULT));
    }
    report_text(figures, "card", "ethtool -G INTERFACE rx %" PRIu64, buffers->rx_ring_packets);
    report_text(figures, "uri_publication",
                "term-length=%" PRIu64 "|mtu=%" PRIu64 "|so-sndbuf=%" PRIu64, term, mtu, send);
    report_text(figures, "uri_subscription", "so-rcvbuf=%" PRIu64 "|rcv-wnd=%" PRIu64, receive,
                window);
    report_text(figures, "driver_of_publisher",
                "AERON_TERM_BUFFER_LENGTH=%" PRIu64 " AERON_MTU_LENGTH=%" PRIu64
                " AERON_SOCKET_SO_SNDBUF=%" PRIu64,
                term, mtu, send);
    report_text(figures, "driver_of_subscriber",
                "AERON_SOCKET_SO_RCVBUF=%" PRIu64 " AERON_RCV_INITIAL_WINDOW_LENGTH=%" PRIu64,
                receive, window);
}

/* ---- What is there ---- */

static bool read_limit(const char *dir, const char *name, uint64_t *value, char why[200])
{
    char path[4096];
    char text[32] = "";
    if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, name) >= sizeof path) {
        (void)snprintf(why, 200, "its path is too long");
        return false;
    }
    FILE *in = fopen(path, "r");
    if (!in) {
        (void)snprintf(why, 200, "cannot be read: %s", strerror(errno));
        return false;
    }
    const bool read = fgets(text, sizeof text, in) != NULL;
    (void)fclose(in);
    text[strcspn(text, "\n")] = '\0';
    (void)snprintf(why, 200, "holds no number");
    return read && fixed_parse(text, 0, value);
}

/* Compares each; how many are short. */
static unsigned check_limits(figures_t *figures, const char *dir,
                             const kernel_limit_t limits[LIMITS])
{
    unsigned short_ones = 0;
    for (size_t i = 0; i < LIMITS; i++) {
        char name[FIGURES_NAME];
        char why[200];
        uint64_t now = 0;
        const bool known = read_limit(dir, limits[i].name, &now, why);
        const bool enough = known && now >= limits[i].needed;
        (void)snprintf(name, sizeof name, "check_%s", limits[i].layer);
        if (known)
            report_text(figures, name,
                        "%s: net.core.%s is %" PRIu64 " bytes, %" PRIu64 " are needed",
                        enough ? "ok" : "short", limits[i].name, now, limits[i].needed);
        else
            report_text(figures, name, "short: %s/%s %s; %" PRIu64 " bytes are needed", dir,
                        limits[i].name, why, limits[i].needed);
        short_ones += !enough;
    }
    figures_text(figures, "check", short_ones > 0 ? "short" : "ok");
    return short_ones;
}

/* ---- The command ---- */

static bool load_of(const calc_inputs_t *inputs, buffers_load_t *load)
{
    const calc_input_t *items = inputs->items;
    const uint32_t mtu = (uint32_t)items[MTU].value;
    if (!inputs->trace_path)
        return buffers_load(items[PEAK].value, (uint32_t)items[SIZE].value, mtu,
                            items[CHARGE].value, load);
    buffers_load_trace(&inputs->trace, mtu, items[CHARGE].value, load);
    return true;
}

static int report(const calc_inputs_t *inputs, figures_t *figures)
{
    const calc_input_t *items = inputs->items;
    buffers_input_t input = {
        .senders = items[SENDERS].value,
        .rtt_ns = items[RTT].value,
        .burst_ns = items[BURST].value,
        .stall_ns = items[STALL].value,
        .survive_ns = items[SURVIVE].value,
        .mtu = (uint32_t)items[MTU].value,
    };
    buffers_t buffers;
    if (!load_of(inputs, &input.load))
        return subcommand_usage(inputs->command, "the load in bytes does not fit 64 bits");
    if (buffers_calculate(&input, &buffers) != OC_ERR_OK)
        return calc_inputs_refused(inputs);
    const kernel_limit_t limits[LIMITS] = {{"rmem_max", "so_rcvbuf", buffers.so_rcvbuf_bytes},
                                           {"wmem_max", "so_sndbuf", buffers.so_sndbuf_bytes}};
    calc_inputs_report(inputs, figures);
    if (inputs->trace_path)
        figures_whole(figures, "peak_messages_per_ms", input.load.messages / 1000);
    report_layers(figures, &buffers);
    report_lines(figures, inputs, &buffers, limits);
    const unsigned short_ones =
        *inputs->check ? check_limits(figures, *inputs->limits_dir, limits) : 0;
    const int status = calc_inputs_print(inputs, figures);
    return short_ones > 0 ? EXIT_STATUS_FAILED : status;
}

int calc_buffers_main(int argc, char **argv)
{
    static figures_t figures;
    bool check = false;
    const char *limits_dir = "/proc/sys/net/core";
    calc_input_t items[ITEMS] = {
        [PEAK] = {.option = "peak-per-ms",
                  .figure = "peak_messages_per_ms",
                  .decimals = 3,
                  .need = CALC_FROM_TRACE,
                  .low = 1,
                  .high = PEAK_MAX},
        [SIZE] = CALC_SIZE,
        [RTT] = CALC_MS("rtt-ms", "rtt_ms", CALC_NEEDED),
        [BURST] = CALC_MS("burst-ms", "burst_ms", CALC_NEEDED),
        [STALL] = CALC_MS("stall-ms", "stall_ms", CALC_NEEDED),
        [SURVIVE] = CALC_MS("survive-ms", "survive_ms", CALC_OPTIONAL),
        [SENDERS] = CALC_SENDERS(CALC_OPTIONAL),
        [MTU] = CALC_MTU,
        [CHARGE] = {.option = "charge-bytes",
                    .figure = "charge_bytes",
                    .low = 1,
                    .high = CHARGE_MAX},
    };
    calc_inputs_t inputs = {
        .command = "calc buffers",
        .help = buffers_help,
        .items = items,
        .count = ITEMS,
        .check = &check,
        .limits_dir = &limits_dir,
    };
    int status = calc_inputs_read(&inputs, argc, argv);
    if (!items[SURVIVE].text)
        items[SURVIVE].value = items[BURST].value;
    if (status < 0)
        status = report(&inputs, &figures);
    calc_inputs_fini(&inputs);
    return status;
}
