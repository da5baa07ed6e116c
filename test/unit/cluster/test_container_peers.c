/*
 * What members say to each other: who differs from most others ends and leaves a mark, others are
 * told of, a leader's configuration must be everybody's, low space is said, secrets must be there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/member_key.h"
#include "lib/capture.h"
#include "lib/container_rig.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static container_rig_t rig;

static int setup(void **state)
{
    (void)state;
    container_rig_init(&rig, CONTAINER_RIG_NONE);
    rig.members = 3;
    return 0;
}

/* A follower with a session of members, and a position at which it has compared. */
static member_message_t compared(void)
{
    container_rig_begin(&rig, false);
    (void)log_maker_open(&rig.log, 5, REPLICA_HOST_PRINCIPAL);
    const uint64_t position = log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    return (member_message_t){
        .type = MEMBER_CHECK, .position = position, .state_hash = rig.tally.hash};
}

static void vote(const member_message_t *check, int32_t member, uint64_t change)
{
    member_message_t message = *check;
    message.member = member;
    message.state_hash ^= change;
    (void)log_maker_said(&rig.log, 5, &message);
}

static void equal_members_go_on(void **state)
{
    (void)state;
    container_report_t report;
    const member_message_t check = compared();
    for (int32_t i = 0; i < 3; i++)
        vote(&check, i, 0);
    container_rig_commit(&rig);
    container_report(rig.container, &report);
    assert_int_equal(report.comparisons, 1);
    assert_int_equal(report.agreed_position, check.position);
}

static void another_member_that_differs_is_told_of(void **state)
{
    (void)state;
    capture_t told;
    const member_message_t check = compared();
    vote(&check, 1, 0);
    vote(&check, 2, 99);
    vote(&check, 0, 0);
    output_capture_begin();
    fake_module_commit(&rig.module);
    int work;
    oc_err_t err = OC_ERR_OK;
    for (int i = 0; i < 10 && err == OC_ERR_OK; i++)
        err = container_do_work(rig.container, &work);
    output_capture_end(&told);
    assert_int_equal(err, OC_ERR_OK);
    assert_non_null(strstr(told.err, "member 2 has diverged"));
    assert_int_equal(access(container_rig_path(&rig, "diverged"), F_OK), -1);
}

static void assert_mark(const char *part)
{
    char line[512] = "";
    FILE *file = fopen(container_rig_path(&rig, "diverged"), "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(fclose(file), 0);
    if (!strstr(line, part))
        fail_msg("'%s' does not say '%s'", line, part);
}

static void one_that_differs_from_most_ends(void **state)
{
    (void)state;
    char part[64];
    const member_message_t check = compared();
    vote(&check, 0, 99);
    container_rig_commit(&rig); /* one alone may be the wrong one */
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    vote(&check, 2, 99);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    fake_module_commit(&rig.module);
    container_rig_run_fails(&rig, OC_ERR_DAMAGED, "this member has diverged: at position");
    (void)snprintf(part, sizeof part, "%016llx) here", 0ULL);
    assert_mark("on most members");
    assert_mark(part);
    assert_int_equal(rig.tally.sum, 10); /* and applies nothing more */
    container_rig_destroy(&rig);
    container_rig_create_fails(&rig, OC_ERR_DAMAGED, "on most members");
}

/* Its module must not go on leading while the state is written: who runs the member sees to it. */
static void a_leader_keeps_its_state_later(void **state)
{
    (void)state;
    rig.images = CONTAINER_RIG_ARENA;
    container_rig_begin(&rig, true);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 10, 0);
    container_rig_commit(&rig);
    assert_false(container_diverged(rig.container));
    rig.container->diverged = true;
    (void)container_fail(rig.container, error_set(OC_ERR_DAMAGED, "diverged"));
    container_rig_run_fails(&rig, OC_ERR_DAMAGED, "diverged");
    assert_true(container_diverged(rig.container));
    assert_int_equal(access(container_rig_path(&rig, "diverged-image"), F_OK), -1);
    container_keep_diverged(rig.container);
    assert_int_equal(access(container_rig_path(&rig, "diverged-image"), F_OK), 0);
    assert_false(container_diverged(rig.container));
}

static void a_split_ends_all(void **state)
{
    (void)state;
    const member_message_t check = compared();
    vote(&check, 0, 1);
    vote(&check, 2, 2);
    vote(&check, 1, 0);
    fake_module_commit(&rig.module);
    container_rig_run_fails(&rig, OC_ERR_DAMAGED, "no majority of the members agrees");
    assert_mark("no majority");
}

static void a_member_alone_compares_with_nobody(void **state)
{
    (void)state;
    container_report_t report;
    rig.members = 1;
    rig.config.id = 0;
    const member_message_t check = compared();
    vote(&check, 0, 99);
    vote(&check, 1, 98);
    container_rig_commit(&rig);
    container_report(rig.container, &report);
    assert_int_equal(report.comparisons, 0);
}

/* ---- Configurations ---- */

static void say_configuration(const char *bytes, uint32_t max_timers)
{
    const member_message_t message = {.type = MEMBER_CONFIGURATION,
                                      .member = 2,
                                      .max_timers = max_timers,
                                      .length = (uint32_t)strlen(bytes),
                                      .bytes = bytes};
    (void)log_maker_said(&rig.log, 5, &message);
}

static void the_leader_s_configuration_is_everybody_s(void **state)
{
    (void)state;
    (void)compared();
    say_configuration("tally 2", 64);
    fake_module_commit(&rig.module);
    container_rig_run_fails(&rig, OC_ERR_INVALID_CONFIG, "the log (as member 2 led)");
    assert_int_equal(access(container_rig_path(&rig, "diverged"), F_OK), -1);
}

/* Who believes everybody may hear anything: it must not end members, now and at every start. */
static void what_differs_after_the_first_word_ends_nobody(void **state)
{
    (void)state;
    capture_t told;
    (void)compared();
    say_configuration("tally 1", 64);
    container_rig_commit(&rig);
    output_capture_begin();
    say_configuration("tally 2", 64);
    say_configuration("tally 1", 63);
    container_rig_commit(&rig);
    output_capture_end(&told);
    const char *line = strstr(told.err, "not heeded");
    assert_non_null(line);
    assert_null(strstr(line + 1, "not heeded"));
    const uint64_t position = rig.log.position;
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    container_rig_recover(&rig, 0, -1);
    container_rig_join(&rig, false);
    container_rig_commit(&rig);
    assert_int_equal(rig.container->log.position, position);
}

static void so_is_its_number_of_timers(void **state)
{
    (void)state;
    (void)compared();
    say_configuration("tally 1", 63);
    fake_module_commit(&rig.module);
    container_rig_run_fails(&rig, OC_ERR_INVALID_CONFIG, "max_timers");
}

/* What a leader says of itself may be lost on the way: it is due until it comes back. */
static void a_leader_says_it_until_it_is_heard(void **state)
{
    (void)state;
    member_message_t message = {.type = MEMBER_CONFIGURATION,
                                .member = 2,
                                .max_timers = 64,
                                .length = 7,
                                .bytes = "tally 1"};
    container_rig_begin(&rig, true);
    (void)log_maker_open(&rig.log, 5, REPLICA_HOST_PRINCIPAL);
    container_rig_commit(&rig);
    assert_true(rig.container->configuration_due);
    (void)log_maker_said(&rig.log, 5, &message);
    container_rig_commit(&rig);
    assert_true(rig.container->configuration_due); /* that was another one's */
    message.member = (int32_t)rig.config.id;
    (void)log_maker_said(&rig.log, 5, &message);
    container_rig_commit(&rig);
    assert_false(rig.container->configuration_due);
}

static void so_is_low_space(void **state)
{
    (void)state;
    const member_message_t notice = {
        .type = MEMBER_NOTICE, .member = (int32_t)rig.config.id, .notice = OC_NOTICE_STORAGE_LOW};
    container_rig_begin(&rig, false);
    (void)log_maker_open(&rig.log, 5, REPLICA_HOST_PRINCIPAL);
    container_rig_commit(&rig);
    rig.container->notice_due = true;
    (void)log_maker_said(&rig.log, 5, &notice);
    container_rig_commit(&rig);
    assert_false(rig.container->notice_due);
}

/* Somebody who names a member's session, and has not its key. */
static void strangers_are_told_of_once(void **state)
{
    (void)state;
    capture_t told;
    member_key_t *key;
    member_message_t check;
    assert_int_equal(member_key_create(&key), OC_ERR_OK);
    container_rig_begin(&rig, false);
    (void)log_maker_open(&rig.log, 5, member_key_principal(key));
    check = (member_message_t){
        .type = MEMBER_CHECK,
        .position = log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0),
        .state_hash = 99,
    };
    output_capture_begin();
    for (int32_t member = 0; member < 3; member++)
        vote(&check, member, 0);
    say_configuration("tally 2", 64);
    container_rig_commit(&rig);
    output_capture_end(&told);
    const char *line = strstr(told.err, "somebody who is no member");
    assert_non_null(line);
    assert_null(strstr(line + 1, "somebody who is no member"));
    assert_int_equal(rig.container->log.forged, 4);
    assert_int_equal(access(container_rig_path(&rig, "diverged"), F_OK), -1);
    member_key_destroy(key);
}

static void a_notice_goes_to_the_service(void **state)
{
    (void)state;
    (void)compared();
    const member_message_t notice = {.type = MEMBER_NOTICE, .notice = OC_NOTICE_STORAGE_LOW};
    (void)log_maker_said(&rig.log, 5, &notice);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.notices[OC_NOTICE_STORAGE_LOW], 1);
}

/* ---- Space ---- */

static void low_space_is_told_once(void **state)
{
    (void)state;
    capture_t told;
    int work;
    container_rig_begin(&rig, false);
    rig.container->config.low_space_bytes = UINT64_MAX;
    output_capture_begin();
    for (int i = 0; i < 10; i++) {
        rig.container->space_check_ns = 0; /* a second has gone by */
        assert_int_equal(container_do_work(rig.container, &work), OC_ERR_OK);
    }
    rig.container->config.low_space_bytes = 0;
    rig.container->space_check_ns = 0;
    assert_int_equal(container_do_work(rig.container, &work), OC_ERR_OK);
    output_capture_end(&told);
    const char *low = strstr(told.err, "space is low");
    assert_non_null(low);
    assert_null(strstr(low + 1, "space is low"));
    assert_non_null(strstr(told.err, "there is space again"));
}

/* ---- The internal client ---- */

static oc_err_t create_with_client(container_t **container)
{
    embedded_config_t driver;
    embedded_t *embedded;
    embedded_config_init(&driver);
    assert_int_equal(embedded_create(&embedded, &driver), OC_ERR_OK);
    tally_init(&rig.tally);
    const transport_t transport = fake_transport_table(&rig.transport);
    const container_setup_t with = {.service = &rig.tally.service,
                                    .config = &rig.config,
                                    .link = fake_module_link(&rig.module),
                                    .embedded = embedded,
                                    .transport = &transport};
    const oc_err_t err = container_create(container, &with);
    container_destroy(*container);
    embedded_destroy(embedded);
    return err;
}

static void its_secret_must_be_there(void **state)
{
    (void)state;
    container_t *container;
    temp_file_t file;
    rig.config.node.authentication = NODE_AUTH_SECRETS;
    (void)snprintf(rig.config.node.secrets_file, NODE_TEXT_MAX, "%.200s/none", rig.dir.path);
    assert_int_equal(create_with_client(&container), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "none"));
    temp_file_make(&file);
    (void)snprintf(rig.config.node.secrets_file, NODE_TEXT_MAX, "%.200s", file.path);
    fake_transport_fini(&rig.transport);
    fake_transport_init(&rig.transport);
    assert_int_not_equal(create_with_client(&container), OC_ERR_OK);
    temp_file_remove(&file);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, setup, container_rig_teardown, &rig)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(equal_members_go_on),
        TEST(another_member_that_differs_is_told_of),
        TEST(one_that_differs_from_most_ends),
        TEST(a_leader_keeps_its_state_later),
        TEST(a_split_ends_all),
        TEST(a_member_alone_compares_with_nobody),
        TEST(the_leader_s_configuration_is_everybody_s),
        TEST(what_differs_after_the_first_word_ends_nobody),
        TEST(so_is_its_number_of_timers),
        TEST(a_leader_says_it_until_it_is_heard),
        TEST(so_is_low_space),
        TEST(a_notice_goes_to_the_service),
        TEST(strangers_are_told_of_once),
        TEST(low_space_is_told_once),
        TEST(its_secret_must_be_there),
    };
    return cmocka_run_group_tests_name("container_peers", tests, NULL, NULL);
}
