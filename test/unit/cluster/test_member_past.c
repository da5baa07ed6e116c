/*
 * A member's past from its directory: which positions can be reached and from where, and that the
 * state there is the one that the member had.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/member_past.h"
#include "host/control.h"
#include "lib/member_maker.h"
#include "lib/replica_rig.h"
#include "lib/temp_dir.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ENTRIES = 300, STATES_MAX = 4096 };

/* A member and the hashes of all its states. */
typedef struct fixture {
    temp_dir_t temp;
    char dir[300];
    tally_t tally;
    member_maker_t member;
    uint64_t positions[STATES_MAX];
    uint64_t hashes[STATES_MAX];
    uint32_t states;
} fixture_t;

static void note(fixture_t *f)
{
    member_maker_apply(&f->member);
    assert_true(f->states < STATES_MAX);
    f->positions[f->states] = f->member.applier.entry_position;
    f->hashes[f->states++] = replica_state_hash(&f->member.replica);
}

static void trade(fixture_t *f, int count)
{
    for (int i = 0; i < count; i++) {
        f->member.log.timestamp += 1000000;
        (void)log_maker_request(&f->member.log, 3, i % 7 ? TALLY_ADD : TALLY_TIMER, i, 5000000);
        note(f);
    }
}

static void begin_in(fixture_t *f, const char *name)
{
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->temp);
    (void)snprintf(f->dir, sizeof f->dir, "%s/%s", f->temp.path, name);
    tally_init(&f->tally);
    tally_keep_stream(&f->tally);
    member_maker_init(&f->member, f->dir, &f->tally.service);
    (void)log_maker_term(&f->member.log, 0);
    note(f);
    (void)log_maker_open(&f->member.log, 3, "anna");
    note(f);
}

static void begin(fixture_t *f)
{
    begin_in(f, "m");
}

static void end(fixture_t *f)
{
    member_maker_fini(&f->member);
    temp_dir_remove(&f->temp);
}

static uint64_t last(const fixture_t *f)
{
    return f->positions[f->states - 1];
}

static uint64_t hash_at(const fixture_t *f, uint64_t position)
{
    for (uint32_t i = 0; i < f->states; i++)
        if (f->positions[i] == position)
            return f->hashes[i];
    fail_msg("no entry ends at %llu", (unsigned long long)position);
    return 0;
}

/* Brings a fresh replica there; its state hash and position. */
static oc_err_t bring(const member_past_t *past, uint64_t position, bool exact, uint64_t *reached,
                      uint64_t *hash)
{
    tally_t tally;
    replica_t replica;
    log_applier_t applier;
    member_past_base_t base;
    const replica_config_t config = {REPLICA_SESSIONS_MAX, MEMBER_MAKER_TIMERS, 1376};
    const member_past_target_t target = {.position = position, .exact = exact, .threads = 1};
    assert_true(member_past_base(past, position, &base));
    tally_init(&tally);
    tally_keep_stream(&tally);
    assert_int_equal(replica_init(&replica, &tally.service, &config), OC_ERR_OK);
    const oc_err_t err = member_past_bring(past, &base, &target, &replica, &applier);
    *reached = applier.entry_position;
    *hash = replica_state_hash(&replica);
    replica_fini(&replica);
    return err;
}

static void check_reaches(const fixture_t *f, const member_past_t *past, uint64_t position)
{
    uint64_t reached;
    uint64_t hash;
    if (bring(past, position, true, &reached, &hash) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_true(reached == position);
    assert_true(hash == hash_at(f, position));
}

static void every_state_from_the_log_alone(void **state)
{
    (void)state;
    fixture_t f;
    member_past_t past;
    uint64_t reached;
    uint64_t hash;
    begin(&f);
    trade(&f, ENTRIES);
    assert_int_equal(member_past_open(&past, f.dir), OC_ERR_OK);
    assert_true(past.log_start == 0);
    assert_true(past.log_end == last(&f));
    assert_false(member_past_diverged(&past, &reached));
    for (uint32_t i = 0; i < f.states; i += 17)
        check_reaches(&f, &past, f.positions[i]);
    check_reaches(&f, &past, last(&f));
    /* Between two entries there is no state. */
    assert_int_equal(bring(&past, last(&f) - 32, true, &reached, &hash), OC_ERR_DAMAGED);
    assert_int_equal(bring(&past, last(&f) - 32, false, &reached, &hash), OC_ERR_OK);
    assert_true(reached == f.positions[f.states - 2]);
    assert_true(hash == f.hashes[f.states - 2]);
    member_past_base_t base;
    assert_false(member_past_base(&past, last(&f) + 32, &base));
    assert_false(member_past_base(&past, 0, &base));
    member_past_close(&past);
    end(&f);
}

static void from_the_nearest_image(void **state)
{
    (void)state;
    fixture_t f;
    member_past_t past;
    member_past_base_t base;
    uint64_t images[3];
    begin(&f);
    for (int i = 0; i < 3; i++) {
        trade(&f, ENTRIES);
        images[i] = member_maker_image(&f.member, false);
        assert_true(images[i] == last(&f));
    }
    trade(&f, ENTRIES);
    assert_int_equal(member_past_open(&past, f.dir), OC_ERR_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(member_past_base(&past, images[i], &base));
        assert_true(base.image->place.position == images[i]);
        assert_false(base.diverged);
        check_reaches(&f, &past, images[i]);
    }
    assert_true(member_past_base(&past, images[1] - 96, &base));
    assert_true(base.image->place.position == images[0]);
    assert_true(member_past_base(&past, last(&f), &base));
    assert_true(base.image->place.position == images[2]);
    check_reaches(&f, &past, last(&f));
    assert_true(member_past_base(&past, images[0] - 96, &base));
    assert_null(base.image);
    member_past_close(&past);
    end(&f);
}

/* What was purged of the log leads nowhere. */
static void not_through_a_gap(void **state)
{
    (void)state;
    fixture_t f;
    member_past_t past;
    member_past_base_t base;
    begin(&f);
    trade(&f, ENTRIES);
    const uint64_t early = member_maker_image(&f.member, false);
    while (f.member.log.position < 2 * (uint64_t)LOG_MAKER_SEGMENT_BYTES + 5000)
        trade(&f, ENTRIES / 3);
    const uint64_t late = member_maker_image(&f.member, false);
    trade(&f, ENTRIES / 3);
    made_recording_purge(&f.member.recording, LOG_MAKER_SEGMENT_BYTES);
    assert_int_equal(member_past_open(&past, f.dir), OC_ERR_OK);
    assert_true(past.log_start == LOG_MAKER_SEGMENT_BYTES);
    assert_true(member_past_base(&past, early, &base)); /* itself */
    assert_false(member_past_base(&past, early + 128, &base));
    assert_false(member_past_base(&past, early - 128, &base));
    assert_false(member_past_base(&past, late - 128, &base));
    assert_true(member_past_base(&past, late, &base));
    check_reaches(&f, &past, last(&f));
    member_past_close(&past);
    end(&f);
}

static void a_copy_without_its_log(void **state)
{
    (void)state;
    fixture_t f;
    member_past_t past;
    member_past_base_t base;
    char path[400];
    begin(&f);
    trade(&f, ENTRIES);
    const uint64_t image = member_maker_image(&f.member, false);
    (void)snprintf(path, sizeof path, "%s/cluster/recording.log", f.dir);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(member_past_open(&past, f.dir), OC_ERR_OK);
    assert_int_equal(past.recording, -1);
    assert_true(member_past_base(&past, image, &base));
    assert_false(member_past_base(&past, image - 96, &base));
    check_reaches(&f, &past, image);
    member_past_close(&past);
    end(&f);
}

static void the_diverged_state_comes_first(void **state)
{
    (void)state;
    fixture_t f;
    member_past_t past;
    member_past_base_t base;
    uint64_t position;
    uint64_t reached;
    uint64_t hash;
    begin(&f);
    trade(&f, ENTRIES);
    (void)member_maker_image(&f.member, false);
    f.tally.sum += 5; /* a bit has flipped somewhere */
    f.tally.hash ^= 1;
    const uint64_t wrong = f.tally.hash;
    const uint64_t diverged = member_maker_image(&f.member, true);
    trade(&f, ENTRIES);
    assert_int_equal(member_past_open(&past, f.dir), OC_ERR_OK);
    assert_true(member_past_diverged(&past, &position));
    assert_true(position == diverged);
    assert_true(member_past_base(&past, diverged, &base));
    assert_true(base.diverged);
    assert_true(member_past_is_kept(&base, diverged));
    assert_false(member_past_is_kept(&base, diverged + 96)); /* entries are applied to it */
    assert_false(past.marked);
    assert_int_equal(bring(&past, diverged, true, &reached, &hash), OC_ERR_OK);
    assert_true(hash == wrong);
    check_reaches(&f, &past, last(&f)); /* it went on from there */
    member_past_close(&past);
    end(&f);
}

static uint64_t common(const fixture_t *a, const fixture_t *b)
{
    member_past_t pasts[2];
    uint64_t position;
    assert_int_equal(member_past_open(&pasts[0], a->dir), OC_ERR_OK);
    assert_int_equal(member_past_open(&pasts[1], b->dir), OC_ERR_OK);
    if (!member_past_common(&pasts[0], &pasts[1], &position))
        position = 0;
    uint64_t other;
    assert_true(member_past_common(&pasts[1], &pasts[0], &other) == (position > 0));
    assert_true(other == position);
    member_past_close(&pasts[0]);
    member_past_close(&pasts[1]);
    return position;
}

static void lose_log(const fixture_t *f)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/cluster/recording.log", f->dir);
    assert_int_equal(unlink(path), 0);
}

static void the_highest_that_both_have(void **state)
{
    (void)state;
    fixture_t a;
    fixture_t b;
    begin_in(&a, "a");
    begin_in(&b, "b");
    trade(&a, ENTRIES);
    trade(&b, ENTRIES / 2);
    assert_true(common(&a, &b) == last(&b));
    const uint64_t image = member_maker_image(&b.member, false);
    trade(&b, ENTRIES);
    assert_true(common(&a, &b) == last(&a));
    lose_log(&b); /* its image is all that is left */
    assert_true(common(&a, &b) == image);
    (void)member_maker_image(&a.member, false);
    lose_log(&a);
    assert_true(common(&a, &b) == 0);
    end(&a);
    end(&b);
}

static void nothing_is_there(void **state)
{
    (void)state;
    temp_dir_t temp;
    member_past_t past;
    char path[400];
    temp_dir_make(&temp);
    assert_int_equal(member_past_open(&past, temp.path), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "member's directory"));
    member_past_close(&past);
    (void)snprintf(path, sizeof path, "%s/none", temp.path);
    assert_int_equal(member_past_open(&past, path), OC_ERR_OPEN);
    member_past_close(&past);
    temp_dir_remove(&temp);
}

/* ---- A member that runs ---- */

typedef struct running {
    control_t *control;
    pthread_t thread;
    _Atomic bool stop;
    uint64_t applied;
} running_t;

static bool on_request(void *context, uint32_t connection, const char *request,
                       char answer[CONTROL_LINE_MAX])
{
    const running_t *self = context;
    (void)connection;
    assert_string_equal(request, "status");
    (void)snprintf(answer, CONTROL_LINE_MAX, "enabled=1 newest=0 applied=%llu\nlast: none\nok",
                   (unsigned long long)self->applied);
    return true;
}

static void *serve(void *context)
{
    running_t *self = context;
    int64_t now_ns = 0;
    while (!atomic_load(&self->stop)) {
        const struct timespec pause = {.tv_nsec = 1000000};
        (void)control_do_work(self->control, now_ns += 100000000);
        (void)nanosleep(&pause, NULL);
    }
    return NULL;
}

static void a_running_log_counts_as_far_as_it_is_applied(void **state)
{
    (void)state;
    fixture_t f;
    member_past_t past;
    running_t running = {.stop = false};
    begin(&f);
    trade(&f, ENTRIES);
    running.applied = f.positions[f.states / 2];
    assert_int_equal(control_create(&running.control, f.dir, on_request, &running), OC_ERR_OK);
    assert_int_equal(pthread_create(&running.thread, NULL, serve, &running), 0);
    assert_int_equal(member_past_open(&past, f.dir), OC_ERR_OK);
    atomic_store(&running.stop, true);
    assert_int_equal(pthread_join(running.thread, NULL), 0);
    control_destroy(running.control);
    assert_true(past.log_end == running.applied);
    check_reaches(&f, &past, running.applied);
    member_past_close(&past);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_from_the_log_alone),
        cmocka_unit_test(from_the_nearest_image),
        cmocka_unit_test(not_through_a_gap),
        cmocka_unit_test(a_copy_without_its_log),
        cmocka_unit_test(the_diverged_state_comes_first),
        cmocka_unit_test(the_highest_that_both_have),
        cmocka_unit_test(nothing_is_there),
        cmocka_unit_test(a_running_log_counts_as_far_as_it_is_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
