/*
 * `outcry calc frames`: how many messages share a datagram. Called by calc_main().
 *
 * Beside what Aeron's framing gives stands, for the sizes it has, a table from the field that does
 * not count headers and padding; see docs/calc.md.
 */
#include "cli/calc.h"
#include "cli/calc_inputs.h"

#include <stdio.h>

static const char frames_help[] =
    "usage: outcry calc frames --size S [OPTION]...\n"
    "       outcry calc frames --trace FILE [OPTION]...\n"
    "\n"
    "  --size S       bytes of a message, without headers\n"
    "  --mtu BYTES    Aeron's MTU, a multiple of 32 up to 65504 (1408, 8192, 8960 and 65504;\n"
    "                 8960 is the largest for an interface of 9001)\n"
    "  --trace FILE   lines of `offset_ns,size`: its messages packed one after the other\n"
    "  --json         one JSON object\n"
    "\n"
    "Figures are named mtu_BYTES_... . A datagram is as full as frames_per_datagram only when so\n"
    "many messages lie ready; noted_frames_per_datagram is what was noted in the field for it.\n";

enum { SIZE, MTU, ITEMS };

typedef struct noted {
    uint32_t size;
    uint32_t mtu; /* the interface's 9001 is 8960 here */
    const char *frames;
} noted_t;

static const noted_t noted[] = {
    {32, 1408, "40"},  {32, 8192, "230"}, {32, 8960, "250"}, {288, 1408, "4-5"}, {288, 8192, "26"},
    {288, 8960, "29"}, {1344, 1408, "1"}, {1344, 8192, "6"}, {1344, 8960, "6"},
};

static const char *name_of(uint32_t mtu, const char *what)
{
    static char name[FIGURES_NAME];
    (void)snprintf(name, sizeof name, "mtu_%u_%s", mtu, what);
    return name;
}

static void report_noted(figures_t *figures, uint32_t size, uint32_t mtu)
{
    for (size_t i = 0; i < sizeof noted / sizeof noted[0]; i++)
        if (noted[i].size == size && noted[i].mtu == mtu)
            figures_text(figures, name_of(mtu, "noted_frames_per_datagram"), noted[i].frames);
}

/* One size: what a message becomes alone, and how many fit together. */
static void report_size(figures_t *figures, uint32_t size, uint32_t mtu)
{
    wire_message_t message;
    wire_message(size, mtu, &message);
    const uint32_t together = wire_frames_per_datagram(size, mtu);
    figures_whole(figures, name_of(mtu, "max_payload_bytes"), wire_payload_max(mtu));
    figures_whole(figures, name_of(mtu, "datagrams_per_message"), message.datagrams);
    figures_whole(figures, name_of(mtu, "frame_bytes"), message.frame_bytes);
    figures_whole(figures, name_of(mtu, "wire_bytes"), message.wire_bytes);
    figures_whole(figures, name_of(mtu, "frames_per_datagram"), together > 0 ? together : 1);
    report_noted(figures, size, mtu);
}

/* A trace: its datagrams when every message goes alone, and when all lie ready. */
static void report_trace(figures_t *figures, const trace_t *trace, uint32_t mtu)
{
    wire_packer_t packer = {.mtu = mtu};
    uint64_t alone = 0;
    uint64_t frame_bytes = 0;
    for (size_t i = 0; i < trace->count; i++) {
        wire_message_t message;
        wire_message(trace->messages[i].size, mtu, &message);
        alone += message.datagrams;
        frame_bytes += message.frame_bytes;
        wire_packer_add(&packer, trace->messages[i].size);
    }
    figures_whole(figures, name_of(mtu, "max_payload_bytes"), wire_payload_max(mtu));
    figures_whole(figures, name_of(mtu, "frame_bytes"), frame_bytes);
    figures_whole(figures, name_of(mtu, "datagrams_alone"), alone);
    figures_whole(figures, name_of(mtu, "datagrams_packed"), packer.datagrams);
    figures_number(figures, name_of(mtu, "frames_per_datagram"),
                   (double)packer.frames / (double)packer.datagrams, 2);
}

static int report(const calc_inputs_t *inputs, figures_t *figures)
{
    static const uint32_t usual[] = {WIRE_MTU_DEFAULT, 8192, 8960, WIRE_MTU_MAX};
    const uint32_t size = (uint32_t)inputs->items[SIZE].value;
    const uint32_t asked = (uint32_t)inputs->items[MTU].value;
    const size_t count = asked ? 1 : sizeof usual / sizeof usual[0];
    calc_inputs_report(inputs, figures);
    for (size_t i = 0; i < count; i++) {
        const uint32_t mtu = asked ? asked : usual[i];
        if (inputs->trace_path)
            report_trace(figures, &inputs->trace, mtu);
        else
            report_size(figures, size, mtu);
    }
    return calc_inputs_print(inputs, figures);
}

int calc_frames_main(int argc, char **argv)
{
    static figures_t figures;
    calc_input_t items[ITEMS] = {[SIZE] = CALC_SIZE, [MTU] = CALC_MTU};
    calc_inputs_t inputs = {
        .command = "calc frames", .help = frames_help, .items = items, .count = ITEMS};
    items[MTU].value = 0;
    int status = calc_inputs_read(&inputs, argc, argv);
    if (status < 0)
        status = report(&inputs, &figures);
    calc_inputs_fini(&inputs);
    return status;
}
