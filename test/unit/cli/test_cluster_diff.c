/*
 * `outcry cluster diff`: two members' directories, made by hand, brought to one position and held
 * against each other. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/cluster.h"
#include "engine/fast_internal.h"
#include "lib/capture.h"
#include "lib/exchange_traffic.h"
#include "lib/member_maker.h"
#include "lib/reference_fixture.h"
#include "lib/temp_dir.h"
#include "service/exchange_internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ADMIN = 3, TRADER = 4 };

typedef struct side {
    char dir[300];
    exchange_t *exchange;
    member_maker_t member;
} side_t;

typedef struct fixture {
    temp_dir_t temp;
    side_t sides[2];
    capture_t said;
} fixture_t;

static void message(side_t *side, int64_t session, const oc_request_t *request)
{
    uint8_t bytes[256];
    side->member.log.timestamp += 1000;
    (void)log_maker_message(&side->member.log, session, bytes,
                            exchange_fixture_encode(request, 1, bytes, sizeof bytes));
    member_maker_apply(&side->member);
}

static void new_order(side_t *side, uint64_t id)
{
    const oc_request_t request =
        exchange_fixture_new(id, OC_SIDE_BUY, 1 + (int64_t)(id % 3), 1 + (int64_t)(id % 9));
    message(side, TRADER, &request);
}

/* From order `first` on, to both. */
static void trade(fixture_t *f, uint64_t first, uint64_t count)
{
    for (int i = 0; i < 2; i++)
        for (uint64_t id = first; id < first + count; id++)
            new_order(&f->sides[i], id);
}

static void open_market(side_t *side)
{
    uint8_t bytes[4096];
    log_maker_t *log = &side->member.log;
    (void)log_maker_term(log, 0);
    (void)log_maker_open(log, ADMIN, "admin");
    (void)log_maker_message(log, ADMIN, bytes, exchange_traffic_opening(bytes, sizeof bytes));
    (void)log_maker_open(log, TRADER, "p2");
    member_maker_apply(&side->member);
    const oc_request_t logon = exchange_fixture_logon_request(2, 0);
    message(side, TRADER, &logon);
}

/* What a directory without images is understood by. */
static void write_configuration(const side_t *side)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/outcry.conf", side->dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file,
                  "[node]\nmax_timers = %d\n[cluster]\nid = 0\nmember0 = "
                  "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4,127.0.0.1:5\n[exchange]\n"
                  "max_orders = 200\nmax_levels = 30\nmax_instruments = 4\nmax_sources = 16\n"
                  "max_sessions = 8\nmax_pending = 3\nstep_bound = 4\nkept_outputs = 64\n"
                  "admin_principal = admin\n",
                  MEMBER_MAKER_TIMERS);
    assert_int_equal(fclose(file), 0);
}

static void begin_verified(fixture_t *f, bool verify_touch)
{
    static const char *const names[2] = {"a", "b"};
    exchange_config_t config = exchange_fixture_config();
    config.engine.verify_touch = verify_touch;
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->temp);
    for (int i = 0; i < 2; i++) {
        side_t *side = &f->sides[i];
        config.engine.hash_key[0] += 12345; /* secret, and another in each process */
        (void)snprintf(side->dir, sizeof side->dir, "%s/%s", f->temp.path, names[i]);
        assert_int_equal(exchange_create(&side->exchange, &config), OC_ERR_OK);
        member_maker_init(&side->member, side->dir, exchange_service(side->exchange));
        open_market(side);
        write_configuration(side);
    }
}

static void begin(fixture_t *f)
{
    begin_verified(f, true);
}

static void end(fixture_t *f)
{
    for (int i = 0; i < 2; i++) {
        member_maker_fini(&f->sides[i].member);
        exchange_destroy(f->sides[i].exchange);
    }
    temp_dir_remove(&f->temp);
}

static int run(fixture_t *f, const char *position)
{
    const char *words[6] = {"diff", f->sides[0].dir, f->sides[1].dir};
    if (position) {
        words[3] = "--position";
        words[4] = position;
    }
    return capture_main(cluster_diff_main, words, &f->said);
}

static void expect(const fixture_t *f, const char *text)
{
    if (!strstr(f->said.out, text) && !strstr(f->said.err, text))
        fail_msg("'%s' was not said, but: %s%s", text, f->said.out, f->said.err);
}

static void expect_position(const fixture_t *f, uint64_t position)
{
    char text[64];
    (void)snprintf(text, sizeof text, " position %llu ", (unsigned long long)position);
    expect(f, text);
}

/* ---- Equal ---- */

static void equal_members_are_equal(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 30);
    assert_int_equal(run(&f, NULL), 0); /* from the logs alone */
    expect(&f, "image 0");
    expect(&f, "equal\n");
    expect_position(&f, f.sides[0].member.applier.position);
    (void)member_maker_image(&f.sides[0].member, false);
    trade(&f, 31, 20);
    (void)member_maker_image(&f.sides[1].member, false);
    trade(&f, 51, 10);
    assert_int_equal(run(&f, NULL), 0); /* from images of different positions */
    expect(&f, "image 1 replayed 30 ");
    expect(&f, "image 1 replayed 10 ");
    expect(&f, "equal\n");
    end(&f);
}

/* One is behind: compared is what both have. */
static void the_end_of_the_shorter_log_counts(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 20);
    (void)member_maker_image(&f.sides[0].member, false);
    const uint64_t both = f.sides[1].member.applier.position;
    for (uint64_t id = 21; id < 40; id++)
        new_order(&f.sides[0], id);
    assert_int_equal(run(&f, NULL), 0);
    expect_position(&f, both);
    end(&f);
}

static void a_position_can_be_asked_for(void **state)
{
    (void)state;
    fixture_t f;
    char position[32];
    begin(&f);
    trade(&f, 1, 10);
    const uint64_t at = f.sides[0].member.applier.position;
    trade(&f, 11, 10);
    (void)snprintf(position, sizeof position, "%llu", (unsigned long long)at);
    assert_int_equal(run(&f, position), 0);
    expect_position(&f, at);
    (void)snprintf(position, sizeof position, "%llu", (unsigned long long)at - 32);
    assert_int_equal(run(&f, position), 1); /* inside of an entry */
    assert_int_equal(run(&f, "900000000"), 1);
    expect(&f, "cannot be brought to position 900000000");
    end(&f);
}

/* ---- Different ---- */

/* Something that the log does not say has happened to a member. */
static void corrupt(side_t *side, uint64_t id)
{
    uint8_t bytes[256];
    const oc_service_t *service = exchange_service(side->exchange);
    const oc_request_t request = exchange_fixture_new(id, OC_SIDE_SELL, 7, 15);
    const size_t length = exchange_fixture_encode(&request, 1, bytes, sizeof bytes);
    const oc_log_entry_t entry = side->member.replica.entry;
    assert_int_equal(
        service->message(service->context, &entry, (oc_session_id_t){TRADER}, bytes, length),
        OC_ERR_OK);
}

static void the_diverged_state_is_compared_as_it_was(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 20);
    for (int i = 0; i < 2; i++)
        (void)member_maker_image(&f.sides[i].member, false);
    trade(&f, 21, 5);
    corrupt(&f.sides[1], 777);
    const uint64_t diverged = member_maker_image(&f.sides[1].member, true);
    trade(&f, 26, 5); /* the other goes on, and so does the log */
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "diverged-image 1 replayed 0 ");
    expect(&f, "image 1 replayed 5 ");
    expect_position(&f, diverged);
    expect(&f, "first differing order: instrument 1 sell, place 1: a has none, b has order ");
    expect(&f, "client order 777");
    end(&f);
}

/* Both kept their state, the right one earlier: where the wrong one was kept is where it shows. */
static void of_two_kept_states_the_later_is_compared(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 20);
    corrupt(&f.sides[1], 779);
    (void)member_maker_image(&f.sides[0].member, true);
    trade(&f, 21, 3);
    const uint64_t diverged = member_maker_image(&f.sides[1].member, true);
    trade(&f, 24, 2);
    assert_int_equal(run(&f, NULL), 1);
    expect_position(&f, diverged);
    expect(&f, "first differing order");
    end(&f);
}

/* The log of the one ends before the other was kept. */
static void of_two_kept_states_the_earlier_if_the_later_is_out_of_reach(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 20);
    corrupt(&f.sides[0], 780);
    const uint64_t diverged = member_maker_image(&f.sides[0].member, true);
    for (uint64_t id = 21; id < 24; id++)
        new_order(&f.sides[1], id);
    (void)member_maker_image(&f.sides[1].member, true);
    assert_int_equal(run(&f, NULL), 1);
    expect_position(&f, diverged);
    expect(&f, "client order 780");
    end(&f);
}

/* Nobody noticed: its image has it, and its log alone would not. */
static void an_image_may_be_wrong_by_itself(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 20);
    corrupt(&f.sides[0], 778);
    (void)member_maker_image(&f.sides[0].member, false);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "client order 778");
    end(&f);
}

/* ---- A kept state that is not what it should be ---- */

static void mark(const side_t *side)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/diverged", side->dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void expect_not(const fixture_t *f, const char *text)
{
    if (strstr(f->said.out, text))
        fail_msg("'%s' was said: %s", text, f->said.out);
}

/* Then a member that diverged is what its log makes of it, which is right. */
static void it_may_not_be_there(void **state)
{
    (void)state;
    fixture_t f;
    char path[400];
    begin(&f);
    trade(&f, 1, 20);
    mark(&f.sides[1]);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "b: ");
    expect(&f, "has diverged, and the state that it had then is not there");
    expect_not(&f, "\nequal");
    (void)snprintf(path, sizeof path, "%s/diverged-image", f.sides[1].dir);
    assert_int_equal(mkdir(path, 0755), 0);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "is not there");
    corrupt(&f.sides[1], 777);
    (void)member_maker_image(&f.sides[1].member, true);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "client order 777");
    expect_not(&f, "is not there");
    end(&f);
}

static order_record_t *orders_of(const side_t *side)
{
    exchange_settle(side->exchange); /* what it holds back */
    return ((fast_engine_t *)side->exchange->engine)->orders;
}

/* Memory went wrong, not the exchange: the hash, which is kept with what changes, knows nothing. */
static void its_memory_may_be_damaged(void **state)
{
    (void)state;
    fixture_t f;
    begin_verified(&f, false);
    trade(&f, 1, 20);
    orders_of(&f.sides[1])[5].open_lots += 1 << 20;
    mark(&f.sides[1]);
    (void)member_maker_image(&f.sides[1].member, true);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "b: hash and state differ: engine: the items of the restored state");
    expect(&f, "first differing order: instrument 1 buy");
    expect(&f, "open 1048");
    end(&f);
}

static void so_that_it_leads_nowhere(void **state)
{
    (void)state;
    fixture_t f;
    begin_verified(&f, false);
    trade(&f, 1, 20);
    orders_of(&f.sides[1])[5].level ^= UINT32_C(1) << 31;
    (void)member_maker_image(&f.sides[1].member, true);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "b: hash and state differ: engine: the items of the restored state");
    expect(&f, "no difference can be named: the tables are too damaged");
    end(&f);
}

static void or_round_and_round(void **state)
{
    (void)state;
    fixture_t f;
    begin_verified(&f, false);
    trade(&f, 1, 20);
    order_record_t *orders = orders_of(&f.sides[1]);
    orders[5].open_lots++;
    orders[20].next = orders[20].prev;
    (void)member_maker_image(&f.sides[1].member, true);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "b: hash and state differ");
    expect(&f, "first differing order");
    end(&f);
}

/* A file that is damaged says nothing about the member. */
static void its_file_must_be_whole(void **state)
{
    (void)state;
    fixture_t f;
    char path[400];
    begin(&f);
    trade(&f, 1, 20);
    (void)member_maker_image(&f.sides[1].member, true);
    (void)snprintf(path, sizeof path, "%s/diverged-image/images/%016d.pages", f.sides[1].dir, 1);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 8192 + 1, SEEK_SET), 0);
    assert_int_equal(fputc(0xA5, file), 0xA5);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "image 1 (position ");
    expect_not(&f, "hash and state differ");
    end(&f);
}

static void logs_may_differ(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 5);
    new_order(&f.sides[0], 100);
    new_order(&f.sides[1], 103); /* as long as the other */
    trade(&f, 6, 5);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "the logs differ");
    expect(&f, "first differing order");
    end(&f);
}

/* What the exchange does not see, the host does. */
static void sessions_of_the_host_may_differ(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 5);
    session_ledger_mark_closing(&f.sides[1].member.replica.sessions, (oc_session_id_t){ADMIN});
    for (int i = 0; i < 2; i++)
        (void)member_maker_image(&f.sides[i].member, false);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "first differing session: a has session 3 of 'admin', b has session 3 of 'admin', "
               "to be closed");
    end(&f);
}

static void timers_of_the_host_may_differ(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    trade(&f, 1, 5);
    assert_true(
        timer_queue_schedule(&f.sides[0].member.replica.timers, (oc_timer_id_t){9}, INT64_MAX - 5));
    for (int i = 0; i < 2; i++)
        (void)member_maker_image(&f.sides[i].member, false);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "the timers differ: a has 1, b has 0");
    end(&f);
}

/* ---- What cannot be done ---- */

static void there_may_be_nothing_in_common(void **state)
{
    (void)state;
    fixture_t f;
    char path[400];
    begin(&f);
    trade(&f, 1, 5);
    for (int i = 0; i < 2; i++) {
        (void)member_maker_image(&f.sides[i].member, false);
        new_order(&f.sides[1], 6);
        (void)snprintf(path, sizeof path, "%s/cluster/recording.log", f.sides[i].dir);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "there is no position that both");
    end(&f);
}

static void no_member_no_comparison(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    (void)snprintf(f.sides[1].dir, sizeof f.sides[1].dir, "%s/none", f.temp.path);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "none");
    (void)snprintf(f.sides[0].dir, sizeof f.sides[0].dir, "%s", f.temp.path);
    assert_int_equal(run(&f, NULL), 1);
    expect(&f, "member's directory");
    end(&f);
}

static void usage(void **state)
{
    (void)state;
    capture_t said;
    const char *const help[] = {"diff", "--help", NULL};
    const char *const one[] = {"diff", "a", NULL};
    const char *const three[] = {"diff", "a", "b", "c", NULL};
    const char *const zero[] = {"diff", "a", "b", "--position", "0", NULL};
    assert_int_equal(capture_main(cluster_diff_main, help, &said), 0);
    assert_non_null(strstr(said.out, "--position P"));
    assert_int_equal(capture_main(cluster_diff_main, one, &said), 2);
    assert_int_equal(capture_main(cluster_diff_main, three, &said), 2);
    assert_int_equal(capture_main(cluster_diff_main, zero, &said), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_members_are_equal),
        cmocka_unit_test(the_end_of_the_shorter_log_counts),
        cmocka_unit_test(a_position_can_be_asked_for),
        cmocka_unit_test(the_diverged_state_is_compared_as_it_was),
        cmocka_unit_test(of_two_kept_states_the_later_is_compared),
        cmocka_unit_test(of_two_kept_states_the_earlier_if_the_later_is_out_of_reach),
        cmocka_unit_test(an_image_may_be_wrong_by_itself),
        cmocka_unit_test(it_may_not_be_there),
        cmocka_unit_test(its_memory_may_be_damaged),
        cmocka_unit_test(so_that_it_leads_nowhere),
        cmocka_unit_test(or_round_and_round),
        cmocka_unit_test(its_file_must_be_whole),
        cmocka_unit_test(logs_may_differ),
        cmocka_unit_test(sessions_of_the_host_may_differ),
        cmocka_unit_test(timers_of_the_host_may_differ),
        cmocka_unit_test(there_may_be_nothing_in_common),
        cmocka_unit_test(no_member_no_comparison),
        cmocka_unit_test(usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
