/*
 * `outcry calc burst`: the queue behind a burst, by the formula or from a trace. Called by
 * calc_main().
 */
#include "calc/burst.h"
#include "cli/calc.h"
#include "cli/calc_inputs.h"

static const char burst_help[] =
    "usage: outcry calc burst --arrivals N --burst-ms T --drain-per-ms MU --size S [OPTION]...\n"
    "       outcry calc burst --trace FILE --drain-per-ms MU [--burst-ms T] [OPTION]...\n"
    "\n"
    "  --arrivals N        messages of each sender in the burst\n"
    "  --burst-ms T        length of the burst, in ms; with a trace that of the window whose\n"
    "                      messages are counted (1)\n"
    "  --drain-per-ms MU   messages per ms that the receiver takes: its knee\n"
    "  --size S            bytes of a message, without headers\n"
    "  --senders M         senders whose bursts come together (1)\n"
    "  --mtu BYTES         Aeron's MTU (1408)\n"
    "  --trace FILE        lines of `offset_ns,size`: replayed message by message\n"
    "  --json              one JSON object\n"
    "\n"
    "q_burst messages wait at most, the last of them worst_queueing_ms; buffer_bytes is what they\n"
    "are on the wire, each in packets of its own, so_rcvbuf_bytes what to ask a socket for that "
    "is\n"
    "to hold them. From a trace all of that is exact, and formula_ is what the formula gives for\n"
    "the window.\n";

enum { ARRIVALS, BURST, DRAIN, SIZE, SENDERS, MTU, ITEMS };

#define DRAIN_MAX UINT64_C(1000000000000) /* 10^9 per ms */

static double ms(uint64_t ns)
{
    return (double)ns / 1e6;
}

static int by_formula(const calc_inputs_t *inputs, figures_t *figures)
{
    const calc_input_t *items = inputs->items;
    const burst_input_t input = {
        .arrivals = items[ARRIVALS].value,
        .senders = items[SENDERS].value,
        .burst_ns = items[BURST].value,
        .drain_milli_per_ms = items[DRAIN].value,
        .size = (uint32_t)items[SIZE].value,
        .mtu = (uint32_t)items[MTU].value,
    };
    burst_t burst;
    if (burst_calculate(&input, &burst) != OC_ERR_OK)
        return calc_inputs_refused(inputs);
    calc_inputs_report(inputs, figures);
    figures_whole(figures, "burst_messages", burst.messages);
    figures_whole(figures, "payload_bytes", burst.payload_bytes);
    figures_number(figures, "lambda_peak_per_ms", (double)burst.peak_milli_per_ms / 1e3, 3);
    figures_whole(figures, "q_burst", burst.q_burst);
    figures_text(figures, "q_burst_unit", "messages");
    figures_number(figures, "worst_queueing_ms", ms(burst.worst_queueing_ns), 3);
    figures_whole(figures, "buffer_bytes", burst.buffer_bytes);
    figures_whole(figures, "so_rcvbuf_bytes", burst.so_rcvbuf_bytes);
    return calc_inputs_print(inputs, figures);
}

static void report_window(figures_t *figures, const trace_t *trace, const trace_window_t *window)
{
    figures_whole(figures, "window_messages", window->count);
    figures_number(figures, "window_begin_ms", ms(trace->messages[window->first].offset_ns), 6);
}

static int from_trace(const calc_inputs_t *inputs, figures_t *figures)
{
    const calc_input_t *items = inputs->items;
    const burst_trace_input_t input = {
        .window_ns = items[BURST].value,
        .drain_milli_per_ms = items[DRAIN].value,
        .mtu = (uint32_t)items[MTU].value,
    };
    burst_trace_t burst;
    if (burst_replay(&inputs->trace, &input, &burst) != OC_ERR_OK)
        return calc_inputs_refused(inputs);
    calc_inputs_report(inputs, figures);
    figures_whole(figures, "payload_bytes", burst.payload_bytes);
    figures_whole(figures, "peak_per_ms", burst.busiest_ms.count);
    figures_text(figures, "peak_per_ms_unit", "messages in any sliding ms");
    report_window(figures, &inputs->trace, &burst.busiest);
    figures_whole(figures, "q_burst", burst.q_burst);
    figures_text(figures, "q_burst_unit", "messages");
    figures_number(figures, "q_burst_at_ms", ms(burst.q_burst_ns), 6);
    figures_number(figures, "worst_queueing_ms", ms(burst.worst_queueing_ns), 3);
    figures_whole(figures, "buffer_bytes", burst.buffer_bytes);
    figures_whole(figures, "so_rcvbuf_bytes", burst.so_rcvbuf_bytes);
    figures_whole(figures, "formula_q_burst", burst.formula_q_burst);
    figures_number(figures, "formula_worst_queueing_ms", ms(burst.formula_worst_queueing_ns), 3);
    return calc_inputs_print(inputs, figures);
}

int calc_burst_main(int argc, char **argv)
{
    calc_input_t items[ITEMS] = {
        [ARRIVALS] = {.option = "arrivals",
                      .figure = "arrivals_messages_per_sender",
                      .need = CALC_FROM_TRACE,
                      .low = 1,
                      .high = UINT64_C(1000000000000)},
        [BURST] = CALC_MS("burst-ms", "burst_ms", CALC_WINDOW),
        [DRAIN] = {.option = "drain-per-ms",
                   .figure = "drain_messages_per_ms",
                   .decimals = 3,
                   .need = CALC_NEEDED,
                   .low = 1,
                   .high = DRAIN_MAX},
        [SIZE] = CALC_SIZE,
        [SENDERS] = CALC_SENDERS(CALC_NO_TRACE),
        [MTU] = CALC_MTU,
    };
    calc_inputs_t inputs = {
        .command = "calc burst", .help = burst_help, .items = items, .count = ITEMS};
    static figures_t figures;
    items[BURST].value = 1000000;
    int status = calc_inputs_read(&inputs, argc, argv);
    if (status < 0)
        status = inputs.trace_path ? from_trace(&inputs, &figures) : by_formula(&inputs, &figures);
    calc_inputs_fini(&inputs);
    return status;
}
