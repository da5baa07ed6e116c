/*
 * A keeper of images under a host that is only a table: when an image is begun, what its host is
 * asked and told, and what is answered over the control socket. (How a node's images come about is
 * in test_node_snapshot.c.)
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "host/image_keeper_internal.h"
#include "lib/control_asking.h"
#include "lib/replica_rig.h"
#include "lib/temp_dir.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)

enum { EVERY = 2000, LATER_TERM = 7 };

/* A host, and what its table was called for. */
typedef struct fixture {
    temp_dir_t temp;
    replica_rig_t rig;
    image_keeper_t *keeper;
    int64_t now_ns;
    bool no_space;
    bool ending;
    uint64_t durable;
    uint32_t placed;
    uint32_t released;
    uint64_t oldest;
    char told[640]; /* the last line */
} fixture_t;

static uint64_t log_durable(void *context)
{
    return ((const fixture_t *)context)->durable;
}

/* What place() knew is seen here. */
static oc_err_t log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    (void)context;
    assert_int_equal(place->log_checksum, 0xabcd);
    assert_int_equal(place->term, LATER_TERM);
    assert_true(place->entries > 0);
    *checksum = place->log_checksum;
    return OC_ERR_OK;
}

static uint64_t log_sync_ns(void *context)
{
    (void)context;
    return 0;
}

static void place(void *context, image_place_t *at)
{
    fixture_t *f = context;
    f->placed++;
    at->log_id = 5;
    at->position = f->rig.position;
    at->group = 2;
    at->log_checksum = 0xabcd;
    at->term = LATER_TERM; /* one that began since the replica's last entry */
}

static bool may_begin(void *context)
{
    return !((const fixture_t *)context)->no_space;
}

static void released(void *context, uint64_t oldest)
{
    fixture_t *f = context;
    f->released++;
    f->oldest = oldest;
}

static void tell(void *context, const char *line)
{
    fixture_t *f = context;
    (void)snprintf(f->told, sizeof f->told, "%s", line);
}

static image_keeper_reply_t request(void *context, uint32_t connection, const char *text,
                                    char answer[CONTROL_LINE_MAX])
{
    (void)context;
    (void)connection;
    if (strcmp(text, "state"))
        return IMAGE_KEEPER_UNKNOWN;
    memcpy(answer, "fine\nok", 8);
    return IMAGE_KEEPER_ANSWERED;
}

static const image_keeper_host_t whole_host = {.name = "member",
                                               .place = place,
                                               .may_begin = may_begin,
                                               .released = released,
                                               .request = request,
                                               .requests = "state",
                                               .tell = tell};

static void make(fixture_t *f, image_keeper_host_t host)
{
    const image_keeper_config_t config = {.dir = f->temp.path,
                                          .storage = storage_device(),
                                          .replica = &f->rig.replica,
                                          .log = {f, log_durable, log_checksum, log_sync_ns},
                                          .every_log_bytes = EVERY,
                                          .every_s = 60,
                                          .pool_percent = 10,
                                          .keep = 2,
                                          .chain_max = 2,
                                          .block_bytes = 64 * 1024,
                                          .stepped = true,
                                          .cpu = -1};
    host.context = f;
    assert_int_equal(image_keeper_create(&f->keeper, &config, &host), OC_ERR_OK);
}

static void begin(fixture_t *f)
{
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->temp);
    replica_rig_init(&f->rig);
    f->durable = UINT64_MAX;
    f->now_ns = SECOND_NS;
    make(f, whole_host);
}

static void start_from(fixture_t *f, image_keeper_from_t from)
{
    from.monotonic_ns = f->now_ns;
    assert_int_equal(image_keeper_start(f->keeper, &from), OC_ERR_OK);
}

static void start(fixture_t *f)
{
    replica_rig_live(&f->rig, 3);
    start_from(f, (image_keeper_from_t){.sequence = 0});
}

static void end(fixture_t *f)
{
    image_keeper_destroy(f->keeper);
    replica_rig_fini(&f->rig);
    temp_dir_remove(&f->temp);
}

static void cycle(fixture_t *f)
{
    f->now_ns += 10000000;
    (void)image_keeper_do_work(f->keeper, f->now_ns, f->rig.position, f->ending);
}

/* Another thread is waited for, and under load that takes many cycles: time goes on so slowly that
 * no image is due by it. */
static void pump(void *context)
{
    fixture_t *f = context;
    f->now_ns += 20000;
    (void)image_keeper_do_work(f->keeper, f->now_ns, f->rig.position, f->ending);
    (void)sched_yield();
}

/* Nobody is there any more to do anything. */
static void rest(void *context)
{
    (void)context;
    (void)sched_yield();
}

static void trade(fixture_t *f, uint64_t bytes)
{
    const uint64_t until = f->rig.position + bytes;
    while (f->rig.position < until)
        replica_rig_request(&f->rig, 10, TALLY_ADD, 1, 0);
}

static snapshot_status_t settle(fixture_t *f)
{
    snapshot_status_t status;
    while (f->keeper->running)
        cycle(f);
    image_keeper_status(f->keeper, &status);
    return status;
}

static oc_err_t ask(fixture_t *f, const char *text, control_asking_t *asking)
{
    control_asking_begin(asking, f->temp.path, text);
    return control_asking_end(asking, pump, f);
}

/* ---- When ---- */

static void by_position_and_by_time(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    start(&f);
    cycle(&f);
    assert_false(f.keeper->running);
    trade(&f, EVERY);
    cycle(&f);
    assert_true(f.keeper->running);
    assert_int_equal(f.placed, 1);
    snapshot_status_t status = settle(&f);
    assert_int_equal(status.completed, 1);
    assert_true(status.newest == f.rig.position);
    assert_int_equal(f.released, 1);
    assert_true(f.oldest == f.rig.position);
    assert_non_null(strstr(f.told, "snapshot: image 1 at position "));
    f.now_ns += 61 * SECOND_NS; /* nothing has happened since: no need for another */
    cycle(&f);
    assert_false(f.keeper->running);
    trade(&f, 1);
    cycle(&f);
    assert_true(f.keeper->running);
    status = settle(&f);
    assert_int_equal(status.completed, 2);
    f.rig.tally.capture_error = OC_ERR_NO_SPACE;
    trade(&f, EVERY);
    cycle(&f);
    assert_false(f.keeper->running);
    assert_non_null(strstr(f.told, "no snapshot at position "));
    end(&f);
}

static void not_while_the_host_says_no(void **state)
{
    (void)state;
    fixture_t f;
    control_asking_t asking;
    begin(&f);
    start(&f);
    f.no_space = true;
    trade(&f, EVERY);
    cycle(&f);
    assert_false(f.keeper->running);
    assert_int_equal(ask(&f, "snapshot", &asking), OC_ERR_OK); /* somebody wants it all the same */
    assert_true(control_asking_told(&asking, "position=") == f.rig.position);
    trade(&f, EVERY);
    f.ending = true;
    f.no_space = false;
    cycle(&f);
    assert_false(f.keeper->running);
    f.ending = false;
    cycle(&f);
    assert_true(f.keeper->running);
    end(&f); /* it is given up */
}

static void thresholds_count_from_the_image_of_the_start(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    start(&f);
    assert_int_equal(image_keeper_begin(f.keeper, true), OC_ERR_OK);
    const snapshot_status_t status = settle(&f);
    const image_keeper_from_t from = {
        .sequence = status.sequence, .position = status.position, .entries = f.rig.replica.entries};
    image_keeper_destroy(f.keeper);
    make(&f, whole_host);
    f.released = 0;
    start_from(&f, from);
    assert_int_equal(f.released, 1); /* what is not needed is known at once */
    assert_true(f.oldest == status.position);
    f.now_ns += 61 * SECOND_NS;
    cycle(&f);
    assert_false(f.keeper->running); /* it is in that image */
    trade(&f, EVERY);
    cycle(&f);
    assert_true(f.keeper->running);
    assert_int_equal(settle(&f).completed, 1);
    end(&f);
}

static void the_host_may_begin_one_itself(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    assert_int_equal(image_keeper_begin(f.keeper, false), OC_ERR_NOT_CONNECTED);
    start_from(&f, (image_keeper_from_t){.sequence = 0});
    assert_int_equal(image_keeper_begin(f.keeper, false), OC_ERR_BACK_PRESSURE); /* of nothing */
    replica_rig_live(&f.rig, 3);
    assert_int_equal(image_keeper_begin(f.keeper, false), OC_ERR_OK);
    assert_int_equal(image_keeper_begin(f.keeper, false), OC_ERR_BACK_PRESSURE);
    assert_int_equal(settle(&f).completed, 1);
    f.rig.tally.capture_error = OC_ERR_NO_SPACE;
    assert_int_equal(image_keeper_begin(f.keeper, false), OC_ERR_NO_SPACE);
    assert_false(f.keeper->running);
    end(&f);
}

/* An image counts only once the log is durable at its position. */
static void it_waits_for_the_log(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    start(&f);
    f.durable = 0;
    assert_int_equal(image_keeper_begin(f.keeper, false), OC_ERR_OK);
    for (int i = 0; i < 200; i++)
        cycle(&f);
    assert_true(f.keeper->running);
    assert_int_equal(f.released, 0);
    f.durable = f.rig.position;
    assert_int_equal(settle(&f).completed, 1);
    end(&f);
}

/* ---- What is asked ---- */

static void before_the_start_there_is_a_status_and_no_image(void **state)
{
    (void)state;
    fixture_t f;
    control_asking_t asking;
    snapshot_status_t status;
    begin(&f);
    assert_int_equal(ask(&f, "status", &asking), OC_ERR_OK);
    assert_int_equal(control_asking_told(&asking, "enabled="), 0);
    assert_int_equal(ask(&f, "snapshot", &asking), OC_ERR_REFUSED);
    assert_non_null(strstr(asking.context, "not over yet"));
    assert_int_equal(ask(&f, "state", &asking), OC_ERR_OK);
    image_keeper_status(f.keeper, &status);
    assert_true(status.oldest == UINT64_MAX);
    start_from(&f, (image_keeper_from_t){.sequence = 0});
    assert_int_equal(ask(&f, "snapshot full", &asking), OC_ERR_REFUSED);
    assert_non_null(strstr(asking.context, "no state yet"));
    replica_rig_live(&f.rig, 3);
    assert_int_equal(ask(&f, "snapshot full", &asking), OC_ERR_OK);
    assert_int_equal(ask(&f, "status", &asking), OC_ERR_OK);
    assert_int_equal(control_asking_told(&asking, "enabled="), 1);
    assert_int_equal(control_asking_told(&asking, "completed="), 1);
    assert_true(control_asking_told(&asking, "applied=") == f.rig.position);
    end(&f);
}

static void other_requests_are_the_hosts(void **state)
{
    (void)state;
    fixture_t f;
    control_asking_t asking;
    begin(&f);
    start(&f);
    assert_int_equal(ask(&f, "state", &asking), OC_ERR_OK);
    assert_non_null(strstr(asking.answer, "fine"));
    assert_int_equal(ask(&f, "nonsense", &asking), OC_ERR_REFUSED);
    assert_non_null(strstr(asking.context, "requests are: snapshot, snapshot full, status, state"));
    end(&f);
}

/* The least that a host must have. */
static void a_table_may_have_one_function(void **state)
{
    (void)state;
    fixture_t f;
    control_asking_t asking;
    begin(&f);
    image_keeper_destroy(f.keeper);
    make(&f, (image_keeper_host_t){.name = "node", .place = place});
    start(&f);
    assert_int_equal(ask(&f, "state", &asking), OC_ERR_REFUSED);
    assert_non_null(strstr(asking.context, "requests are: snapshot, snapshot full, status"));
    const uint64_t before = settle(&f).completed; /* much time may pass while one asks */
    trade(&f, EVERY);
    cycle(&f);
    assert_int_equal(settle(&f).completed, before + 1);
    end(&f);
}

static void who_waits_is_told_of_the_end(void **state)
{
    (void)state;
    fixture_t f;
    control_asking_t first;
    control_asking_t second;
    begin(&f);
    start(&f);
    f.durable = 0; /* so that the first never ends */
    control_asking_begin(&first, f.temp.path, "snapshot");
    while (!f.keeper->running)
        pump(&f);
    control_asking_begin(&second, f.temp.path, "snapshot");
    while (!f.keeper->asked)
        pump(&f);
    image_keeper_destroy(f.keeper);
    f.keeper = NULL;
    assert_int_equal(control_asking_end(&first, rest, NULL), OC_ERR_REFUSED);
    assert_non_null(strstr(first.context, "the member ends; the snapshot is given up"));
    assert_int_equal(control_asking_end(&second, rest, NULL), OC_ERR_REFUSED);
    assert_non_null(strstr(second.context, "the member ends"));
    end(&f);
}

static void an_ending_host_takes_no_image(void **state)
{
    (void)state;
    fixture_t f;
    control_asking_t asking;
    begin(&f);
    start(&f);
    f.ending = true;
    assert_int_equal(ask(&f, "snapshot", &asking), OC_ERR_REFUSED);
    assert_non_null(strstr(asking.context, "the member ends"));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_position_and_by_time),
        cmocka_unit_test(not_while_the_host_says_no),
        cmocka_unit_test(thresholds_count_from_the_image_of_the_start),
        cmocka_unit_test(the_host_may_begin_one_itself),
        cmocka_unit_test(it_waits_for_the_log),
        cmocka_unit_test(before_the_start_there_is_a_status_and_no_image),
        cmocka_unit_test(other_requests_are_the_hosts),
        cmocka_unit_test(a_table_may_have_one_function),
        cmocka_unit_test(who_waits_is_told_of_the_end),
        cmocka_unit_test(an_ending_host_takes_no_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
