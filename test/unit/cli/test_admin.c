/*
 * Unit tests of `outcry admin`'s command line in this process. What it does to a venue is tested in
 * test/system/test_admin.sh. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"

#include <string.h>

static capture_t captured;

#define ADMIN(...)                                                                                 \
    capture_main(admin_main, (const char *const[]){"admin", __VA_ARGS__, NULL}, &captured)

/* A command line that is refused before anybody is asked. */
#define REFUSED(part, ...)                                                                         \
    do {                                                                                           \
        assert_int_equal(ADMIN("--ingress", "127.0.0.1:9", __VA_ARGS__), 2);                       \
        assert_string_equal(captured.out, "");                                                     \
        if (!strstr(captured.err, part))                                                           \
            fail_msg("'%s' is not in '%s'", part, captured.err);                                   \
    } while (0)

/* A command line that is right, and nobody answers. */
#define UNANSWERED(...)                                                                            \
    do {                                                                                           \
        assert_int_equal(ADMIN("--ingress", "127.0.0.1:9", "--timeout-ms", "1", __VA_ARGS__), 1);  \
        assert_string_equal(captured.out, "");                                                     \
        if (!strstr(captured.err, "not connected within 1 ms"))                                    \
            fail_msg("'%s'", captured.err);                                                        \
    } while (0)

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(ADMIN("--help"), 0);
    assert_non_null(strstr(captured.out, "usage: outcry admin"));
    assert_int_equal(ADMIN("resume"), 2);
    assert_non_null(strstr(captured.err, "missing --ingress"));
    assert_int_equal(ADMIN("--ingress", "127.0.0.1:9"), 2);
}

static void test_refused(void **state)
{
    (void)state;
    REFUSED("unknown command 'begin'", "begin");
    REFUSED("unknown command 'instrument'", "instrument");
    REFUSED("unknown command 'instrument'", "instrument", "drop", "1");
    REFUSED("wrong number of words for 'add'", "instrument", "add");
    REFUSED("wrong number of words for 'resume'", "resume", "now");
    REFUSED("missing '--max-quantity'", "instrument", "add", "1", "--low", "1", "--high", "2");
    REFUSED("missing '--low'", "instrument", "add", "1", "--high", "2", "--max-quantity", "1");
    REFUSED("--high 'x'", "instrument", "bands", "1", "--low", "1", "--high", "x", "--max-quantity",
            "1");
    REFUSED("id must be in", "instrument", "state", "0", "closed");
    REFUSED("id must be in", "source", "retire", "4294967296");
    REFUSED("id 'one'", "source", "retire", "one");
    REFUSED("states are", "instrument", "state", "1", "open");
    REFUSED("roles are", "source", "add", "7", "--roles", "trade,king");
    REFUSED("roles are", "source", "add", "7", "--roles", "trade,");
    REFUSED("missing '--roles'", "source", "add", "7");
    REFUSED("1 to 31 characters", "principal", "bind", "a-name-that-is-longer-than-it-may-be", "7");
    REFUSED("price '9223372036854775808'", "mark", "1", "9223372036854775808");
    REFUSED("missing '--step-bound'", "configure", "--modify-priority", "lose");
    REFUSED("missing '--modify-priority'", "configure", "--step-bound", "4");
    REFUSED("step-bound", "configure", "--step-bound", "0", "--modify-priority", "lose");
    REFUSED("state", "instrument", "add", "1", "--state", "open");
}

static void test_unanswered(void **state)
{
    (void)state;
    UNANSWERED("instrument", "add", "1", "--low=-5", "--high", "5", "--max-quantity", "1",
               "--state", "halted");
    UNANSWERED("mark", "1", "--", "-9");
    UNANSWERED("principal", "bind", "bob", "7");
    UNANSWERED("source", "add", "7", "--roles", "trade,risk,mark,admin");
    UNANSWERED("configure", "--step-bound", "4", "--modify-priority", "keep");
    UNANSWERED("lift");
    UNANSWERED("stop");
}

static void test_secret_file(void **state)
{
    (void)state;
    assert_int_equal(ADMIN("--ingress", "127.0.0.1:9", "--secret-file", "no/such/file", "resume"),
                     1);
    assert_non_null(strstr(captured.err, "no/such/file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unanswered),
        cmocka_unit_test(test_secret_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
