/*
 * `outcry calc budget`: what a sender may send at once. Called by calc_main().
 */
#include "calc/budget.h"
#include "cli/calc.h"
#include "cli/calc_inputs.h"

static const char budget_help[] =
    "usage: outcry calc budget --rate-bits R --depth-ms D --size S [OPTION]...\n"
    "       outcry calc budget --trace FILE --rate-bits R --depth-ms D [OPTION]...\n"
    "\n"
    "  --rate-bits R   bits per second at which the bucket fills\n"
    "  --depth-ms D    how long it takes to fill: it holds R x D\n"
    "  --size S        bytes of a message, without headers\n"
    "  --burst N       messages that are to go out at once: how long does that take\n"
    "  --absorb N      messages that the receiver absorbs at once, as `calc burst` tells\n"
    "  --mtu BYTES     Aeron's MTU (1408)\n"
    "  --trace FILE    lines of `offset_ns,size`: replayed through the bucket\n"
    "  --json          one JSON object\n"
    "\n"
    "Bits are counted as they go out, with the headers of Aeron, UDP, IP and Ethernet. The\n"
    "tolerance is the smaller of what sender and receiver take at once, with each message in\n"
    "packets of its own.\n";

enum { RATE, DEPTH, SIZE, BURST, ABSORB, MTU, ITEMS };

static int by_formula(const calc_inputs_t *inputs, const budget_input_t *input, figures_t *figures)
{
    budget_t budget;
    if (budget_calculate(input, &budget) != OC_ERR_OK)
        return calc_inputs_refused(inputs);
    calc_inputs_report(inputs, figures);
    figures_whole(figures, "bucket_bits", budget.bucket_bits);
    figures_whole(figures, "message_bits", budget.message_bits);
    figures_whole(figures, "at_once_messages", budget.at_once);
    figures_whole(figures, "at_once_packed_messages", budget.at_once_packed);
    figures_whole(figures, "sustained_messages_per_s", budget.sustained_per_s);
    if (input->burst > 0)
        figures_number(figures, "burst_takes_ms", (double)budget.burst_ns / 1e6, 6);
    figures_whole(figures, "tolerance_messages", budget.tolerance);
    figures_text(figures, "tolerance_limit", budget.limited_by_receiver ? "receiver" : "sender");
    return calc_inputs_print(inputs, figures);
}

static int from_trace(const calc_inputs_t *inputs, const budget_input_t *input, figures_t *figures)
{
    budget_trace_t budget;
    if (budget_replay(&inputs->trace, input, &budget) != OC_ERR_OK)
        return calc_inputs_refused(inputs);
    calc_inputs_report(inputs, figures);
    figures_whole(figures, "bucket_bits", budget.bucket_bits);
    figures_whole(figures, "needed_bits", budget.needed_bits);
    figures_whole(figures, "delayed_messages", budget.delayed);
    figures_number(figures, "worst_delay_ms", (double)budget.delay_ns_max / 1e6, 6);
    return calc_inputs_print(inputs, figures);
}

int calc_budget_main(int argc, char **argv)
{
    calc_input_t items[ITEMS] = {
        [RATE] = {.option = "rate-bits",
                  .figure = "rate_bits_per_s",
                  .need = CALC_NEEDED,
                  .low = 1,
                  .high = UINT64_C(1000000000000000)},
        [DEPTH] = CALC_MS("depth-ms", "depth_ms", CALC_NEEDED),
        [SIZE] = CALC_SIZE,
        [BURST] = {.option = "burst",
                   .figure = "burst_messages",
                   .need = CALC_NO_TRACE,
                   .low = 1,
                   .high = UINT64_C(1000000000000)},
        [ABSORB] = {.option = "absorb",
                    .figure = "absorb_messages",
                    .need = CALC_NO_TRACE,
                    .high = UINT64_C(1000000000000)},
        [MTU] = CALC_MTU,
    };
    static figures_t figures;
    calc_inputs_t inputs = {
        .command = "calc budget", .help = budget_help, .items = items, .count = ITEMS};
    int status = calc_inputs_read(&inputs, argc, argv);
    const budget_input_t input = {
        .rate_bits = items[RATE].value,
        .depth_ns = items[DEPTH].value,
        .burst = items[BURST].value,
        .absorb = items[ABSORB].text ? items[ABSORB].value : UINT64_MAX,
        .size = (uint32_t)items[SIZE].value,
        .mtu = (uint32_t)items[MTU].value,
    };
    if (status < 0)
        status = inputs.trace_path ? from_trace(&inputs, &input, &figures)
                                   : by_formula(&inputs, &input, &figures);
    calc_inputs_fini(&inputs);
    return status;
}
