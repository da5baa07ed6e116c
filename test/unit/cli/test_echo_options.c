/*
 * The options that the benches of the transport share: the plan they come to, what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/echo_options.h"
#include "cli/subcommand.h"
#include "lib/capture.h"

#include <string.h>

static echo_options_t options;
static capture_t captured;

static int check(int argc, char **argv)
{
    option_t table[ECHO_OPTIONS_MAX];
    echo_options_init(&options, "any");
    options_t parser = {
        .table = table, .count = echo_options_table(&options, table, 0), .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    return echo_options_check(&options);
}

#define CHECK(...) capture_main(check, (const char *const[]){"any", __VA_ARGS__, NULL}, &captured)

static void what_is_told_is_in_the_pair(void **state)
{
    (void)state;
    assert_int_equal(CHECK("--size", "100", "--mtu", "4096", "--reflector-cpu", "0", "--driver",
                           "dedicated", "--idle", "spin", "--connect-s", "3", "--stream", "9"),
                     -1);
    assert_int_equal(options.pair.wire.message_bytes, 100);
    assert_int_equal(options.pair.wire.mtu, 4096);
    assert_int_equal(options.pair.wire.stream, 9);
    assert_true(options.pair.wire.dedicated);
    assert_int_equal(options.pair.reflector_cpu, 0);
    assert_false(options.pair.yield);
    assert_true(options.pair.patience_ns == UINT64_C(3000000000));
    assert_int_equal(CHECK("--idle", "yield"), -1);
    assert_true(options.pair.yield);
    assert_int_equal(options.pair.reflector_cpu, REFLECTOR_CPU_ANY);
    assert_int_equal(CHECK("--idle", "auto"), -1);
    assert_int_equal(options.pair.yield, !echo_may_spin(true, false));
}

static void what_cannot_be_is_one_line_with_the_name(void **state)
{
    (void)state;
    static const char *const lines[][3] = {
        {"--size", "31", "outcry: bench: any: a message of 31 bytes: the header alone has 32\n"},
        {"--mtu", "1000", "outcry: bench: any: --mtu: 1000 bytes"},
        {"--channel", "ipc", "outcry: bench: any: the channel 'ipc'"},
        {"--driver", "none", "outcry: bench: "},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(CHECK(lines[i][0], lines[i][1]), EXIT_STATUS_USAGE);
        capture_assert_err(&captured, lines[i][2]);
        assert_true(strchr(captured.err, '\n') == captured.err + strlen(captured.err) - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_is_in_the_pair),
        cmocka_unit_test(what_cannot_be_is_one_line_with_the_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
