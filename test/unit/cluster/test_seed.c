/*
 * Seeding a wiped member: what comes over, what does not, what is refused; and that whatever keeps
 * it from being finished leaves no member. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/member_survey.h"
#include "cluster/recording.h"
#include "cluster/seed.h"
#include "lib/member_folder.h"
#include "lib/read_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEGMENT ((int64_t)MEMBER_FOLDER_SEGMENT_BYTES)

typedef struct fixture {
    member_folder_t source;
    char to[300];
    char work[320];
    seed_options_t options;
    int64_t recorded; /* as the archive says; -1: it does not say */
} fixture_t;

static bool recorded(void *context, int64_t recording, int64_t *position)
{
    const fixture_t *fixture = context;
    assert_int_equal(recording, fixture->source.log.id);
    *position = fixture->recorded;
    return fixture->recorded >= 0;
}

static void set_up(fixture_t *self)
{
    member_folder_init(&self->source);
    (void)snprintf(self->to, sizeof self->to, "%s/wiped", self->source.temp.path);
    (void)snprintf(self->work, sizeof self->work, "%s.seed", self->to);
    self->options = (seed_options_t){.from = self->source.dir, .to = self->to};
}

static void tear_down(const fixture_t *self)
{
    member_folder_fini(&self->source);
}

static bool is_there(const char *dir, const char *name)
{
    char path[500];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return access(path, F_OK) == 0;
}

static void put_file(const char *dir, const char *name, const char *text)
{
    char path[500];
    (void)mkdir(dir, 0755);
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    (void)fclose(file);
}

static seed_result_t seed(const fixture_t *self)
{
    seed_result_t result;
    if (seed_member(&self->options, &result) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_false(is_there(self->to, "seed-unfinished"));
    assert_int_not_equal(access(self->work, F_OK), 0);
    return result;
}

static void refuse(const fixture_t *self, oc_err_t expected, const char *text)
{
    seed_result_t result;
    const oc_err_t err = seed_member(&self->options, &result);
    if (err != expected || !strstr(oc_err_context(), text))
        fail_msg("%s: '%s' is not in '%s'", oc_err_text(err), text, oc_err_context());
    assert_false(is_there(self->to, "archive"));
    assert_int_not_equal(access(self->work, F_OK), 0);
}

/* Both logs, message by message, from `start` to `end`, where the copy ends. */
static void expect_log(const fixture_t *self, int64_t start, int64_t end)
{
    char archive[400];
    recording_reader_t *readers[2];
    recording_message_t messages[2];
    bool found[2];
    const int64_t id = self->source.log.id;
    (void)snprintf(archive, sizeof archive, "%s/archive", self->to);
    assert_int_equal(recording_reader_open(&readers[0], self->source.archive, id, start),
                     OC_ERR_OK);
    assert_int_equal(recording_reader_open(&readers[1], archive, id, start), OC_ERR_OK);
    for (;;) {
        assert_int_equal(recording_reader_next(readers[0], end, &messages[0], &found[0]),
                         OC_ERR_OK);
        assert_int_equal(recording_reader_next(readers[1], INT64_MAX, &messages[1], &found[1]),
                         OC_ERR_OK);
        assert_int_equal(found[0], found[1]);
        if (!found[0])
            break;
        assert_int_equal(messages[0].position, messages[1].position);
        assert_int_equal(messages[0].length, messages[1].length);
        assert_memory_equal(messages[0].bytes, messages[1].bytes, messages[0].length);
    }
    recording_descriptor_t copy;
    assert_int_equal(recording_find(archive, id, &copy), OC_ERR_OK);
    assert_int_equal(copy.start_position, start);
    assert_int_equal(copy.stop_position, end);
    recording_reader_close(readers[0]);
    recording_reader_close(readers[1]);
}

static void what_a_start_needs_comes_over(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    member_folder_t *source = &fixture.source;
    (void)member_folder_snapshot(source, member_folder_grow(source, SEGMENT), false);
    const int64_t oldest = member_folder_grow(source, 2 * SEGMENT);
    (void)member_folder_image(source, oldest, 0, MEMBER_FOLDER_LOG_ID);
    const int64_t full = member_folder_grow(source, 3 * SEGMENT);
    const uint64_t base = member_folder_image(source, full, 0, MEMBER_FOLDER_LOG_ID);
    const int64_t image = member_folder_grow(source, 4 * SEGMENT + 500);
    (void)member_folder_image(source, image, base, MEMBER_FOLDER_LOG_ID);
    const int64_t snapshot = member_folder_grow(source, 5 * SEGMENT + 500);
    (void)member_folder_snapshot(source, snapshot, false);
    const int64_t end = member_folder_grow(source, 6 * SEGMENT + 500);
    put_file(source->dir, "outcry.conf", "of the source");
    put_file(source->cluster, "cluster-mark.dat", "mark");
    put_file(source->cluster, "node-state.dat", "state");
    put_file(source->archive, "archive-mark.dat", "mark");

    const seed_result_t result = seed(&fixture);
    assert_int_equal(result.snapshot_position, snapshot);
    assert_int_equal(result.image_position, image);
    assert_int_equal(result.log_start, 4 * SEGMENT);
    assert_int_equal(result.log_end, end);
    assert_int_equal(result.files, 4 + 2 + 3); /* two images, a snapshot, three segments */
    expect_log(&fixture, 4 * SEGMENT, end);
    member_survey_t copy;
    member_snapshot_found_t found;
    bool any;
    const image_info_t *info;
    assert_int_equal(member_survey_init(&copy, fixture.to), OC_ERR_OK);
    assert_int_equal(member_survey_snapshot(&copy, 0, &found, &any), OC_ERR_OK);
    assert_true(any);
    assert_int_equal(found.module.log_position, snapshot);
    assert_int_equal(member_survey_snapshot(&copy, 1, &found, &any), OC_ERR_OK);
    assert_false(any);
    assert_int_equal(member_survey_image(&copy, &info), OC_ERR_OK);
    assert_int_equal(info->place.position, image);
    assert_int_equal(member_survey_oldest_image(&copy), full);
    assert_int_equal(copy.log.count, 3);
    assert_int_equal(copy.catalog.next_recording_id, source->maker.next_id);
    member_survey_fini(&copy);
    assert_false(is_there(fixture.to, "outcry.conf"));
    assert_false(is_there(fixture.to, "cluster/cluster-mark.dat"));
    assert_false(is_there(fixture.to, "cluster/node-state.dat"));
    assert_false(is_there(fixture.to, "archive/archive-mark.dat"));
    tear_down(&fixture);
}

static void the_own_configuration_stays(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    put_file(fixture.to, "outcry.conf", "of the wiped one");
    put_file(fixture.source.dir, "outcry.conf", "of the source");
    const int64_t end = member_folder_grow(&fixture.source, 2 * SEGMENT);
    const seed_result_t result = seed(&fixture);
    assert_int_equal(result.snapshot_position, -1);
    assert_int_equal(result.image_position, -1);
    expect_log(&fixture, 0, end);
    char path[400];
    (void)snprintf(path, sizeof path, "%s/outcry.conf", fixture.to);
    char *text = read_file(path, NULL);
    assert_string_equal(text, "of the wiped one");
    free(text);
    tear_down(&fixture);
}

static void an_empty_directory_is_taken(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    assert_int_equal(mkdir(fixture.to, 0755), 0);
    const int64_t end = member_folder_grow(&fixture.source, 1000);
    char with_slashes[320];
    (void)snprintf(with_slashes, sizeof with_slashes, "%s//", fixture.to);
    fixture.options.to = with_slashes;
    (void)seed(&fixture);
    expect_log(&fixture, 0, end);
    tear_down(&fixture);
}

/* Where the state comes from decides from where on the log is needed. */
static void the_log_begins_where_it_must(void **state)
{
    (void)state;
    static const struct {
        int64_t image;
        int64_t snapshot;
        bool stream;
        int64_t start;
    } cases[] = {
        {0, 3 * SEGMENT, true, 3 * SEGMENT},
        {0, 3 * SEGMENT, false, 0},
        {4 * SEGMENT, 3 * SEGMENT, false, 3 * SEGMENT},
        {2 * SEGMENT, 0, false, 0},
        {2 * SEGMENT, 3 * SEGMENT, true, 2 * SEGMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture_t fixture;
        set_up(&fixture);
        member_folder_t *source = &fixture.source;
        for (int64_t at = SEGMENT; at < 6 * SEGMENT; at += SEGMENT) {
            const int64_t end = member_folder_grow(source, at + 500);
            if (at == cases[i].image)
                (void)member_folder_image(source, end, 0, MEMBER_FOLDER_LOG_ID);
            if (at == cases[i].snapshot)
                (void)member_folder_snapshot(source, end, cases[i].stream);
        }
        assert_int_equal(seed(&fixture).log_start, cases[i].start);
        expect_log(&fixture, cases[i].start, source->log.position);
        tear_down(&fixture);
    }
}

static void a_running_source_says_where_it_ends(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    fixture.options.recorded = recorded;
    fixture.options.context = &fixture;
    fixture.recorded = -1;
    const int64_t end = member_folder_grow(&fixture.source, SEGMENT + 2000);
    (void)member_folder_grow(&fixture.source, SEGMENT + 9000); /* still being written */
    refuse(&fixture, OC_ERR_NOT_CONNECTED, "try again");
    fixture.recorded = end;
    assert_int_equal(seed(&fixture).log_end, end);
    expect_log(&fixture, 0, end);
    tear_down(&fixture);
}

static recording_log_entry_t term(int64_t id, int64_t base, int64_t end)
{
    return (recording_log_entry_t){.term = id,
                                   .term_base = base,
                                   .log_position = end,
                                   .service = -1,
                                   .type = RECORDING_LOG_TERM,
                                   .valid = true};
}

/* A term that began behind the end of the copy would make it look newer than it is. */
static void only_terms_of_the_copied_log_are_known(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    fixture.options.recorded = recorded;
    fixture.options.context = &fixture;
    fixture.recorded = member_folder_grow(&fixture.source, 5000);
    const int64_t behind = member_folder_grow(&fixture.source, 9000);
    recording_log_entry_t entries[] = {term(1, fixture.recorded - 96, behind),
                                       term(2, fixture.recorded - 64, -1), term(3, behind, -1)};
    entries[1].valid = false;
    archive_maker_log(fixture.source.cluster, entries, 3);
    assert_int_equal(seed(&fixture).log_term, 1);
    char cluster[400];
    recording_log_t log;
    (void)snprintf(cluster, sizeof cluster, "%s/cluster", fixture.to);
    assert_int_equal(recording_log_read(&log, cluster), OC_ERR_OK);
    assert_int_equal(log.count, 2);
    assert_int_equal(log.entries[0].term, 0);
    assert_int_equal(log.entries[1].term, 1);
    assert_int_equal(log.entries[1].log_position, -1);
    recording_log_fini(&log);
    tear_down(&fixture);
}

static void only_a_wiped_member_is_seeded(void **state)
{
    (void)state;
    static const char *const names[] = {"lock", ".hidden", "images", "outcry.conf.old"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fixture_t fixture;
        set_up(&fixture);
        put_file(fixture.to, names[i], "");
        put_file(fixture.to, "outcry.conf", "");
        refuse(&fixture, OC_ERR_REFUSED, names[i]);
        assert_true(is_there(fixture.to, names[i]));
        tear_down(&fixture);
    }
    fixture_t fixture;
    set_up(&fixture);
    put_file(fixture.source.temp.path, "wiped", "a file");
    refuse(&fixture, OC_ERR_REFUSED, "wiped");
    tear_down(&fixture);
}

static void a_source_with_too_little_is_refused(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    member_folder_t *source = &fixture.source;
    (void)member_folder_grow(source, 3 * SEGMENT);
    made_recording_purge(&source->log, SEGMENT); /* and no snapshot */
    refuse(&fixture, OC_ERR_REFUSED, "its log begins at position");
    (void)member_folder_snapshot(source, 2 * SEGMENT, false); /* a manifest without an image */
    refuse(&fixture, OC_ERR_REFUSED, "its log begins at position");
    (void)member_folder_image(source, 2 * SEGMENT, 0, 99);
    refuse(&fixture, OC_ERR_DAMAGED, "another log");
    tear_down(&fixture);

    set_up(&fixture);
    fixture.options.from = "nowhere";
    refuse(&fixture, OC_ERR_OPEN, "nowhere");
    tear_down(&fixture);
}

static void the_log_must_reach_what_needs_it(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    const int64_t end = member_folder_grow(&fixture.source, SEGMENT);
    (void)member_folder_snapshot(&fixture.source, end + 64, true);
    refuse(&fixture, OC_ERR_DAMAGED, "its log ends at position");
    tear_down(&fixture);
}

/* Damage in the middle of the log is found before anything takes the target's place. */
static void damage_is_not_copied(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    const int64_t at = member_folder_grow(&fixture.source, SEGMENT / 2);
    (void)member_folder_grow(&fixture.source, 3 * SEGMENT);
    const uint32_t wrong = 31;
    made_recording_patch(&fixture.source.log, at, &wrong, sizeof wrong);
    refuse(&fixture, OC_ERR_DAMAGED, "length of a frame");
    tear_down(&fixture);
}

static void a_missing_segment_leaves_nothing(void **state)
{
    (void)state;
    fixture_t fixture;
    char path[400];
    set_up(&fixture);
    put_file(fixture.to, "outcry.conf", "mine");
    (void)member_folder_grow(&fixture.source, 3 * SEGMENT);
    (void)snprintf(path, sizeof path, "%s/0-%" PRId64 ".rec", fixture.source.archive, SEGMENT);
    assert_int_equal(unlink(path), 0);
    refuse(&fixture, OC_ERR_DAMAGED, path);
    assert_true(is_there(fixture.to, "outcry.conf"));
    tear_down(&fixture);
}

/* Behind an orderly stop the catalog knows where the log ends. */
static void a_log_that_misses_its_end_is_not_copied(void **state)
{
    (void)state;
    fixture_t fixture;
    char path[400];
    set_up(&fixture);
    (void)member_folder_grow(&fixture.source, 3 * SEGMENT);
    made_recording_stop(&fixture.source.log);
    (void)snprintf(path, sizeof path, "%s/0-%" PRId64 ".rec", fixture.source.archive,
                   (fixture.source.log.position - 1) / SEGMENT * SEGMENT);
    assert_int_equal(truncate(path, 0), 0);
    refuse(&fixture, OC_ERR_DAMAGED, path);
    assert_int_equal(unlink(path), 0);
    refuse(&fixture, OC_ERR_DAMAGED, path);
    tear_down(&fixture);
}

static void a_member_that_has_diverged_is_no_source(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    (void)member_folder_grow(&fixture.source, SEGMENT);
    put_file(fixture.source.dir, "diverged", "at position 640 ...\n");
    refuse(&fixture, OC_ERR_REFUSED, "has diverged");
    tear_down(&fixture);
}

/* What a killed seed left goes; what has the name and is somebody's stays. */
static void the_next_seed_tidies_up(void **state)
{
    (void)state;
    fixture_t fixture;
    seed_result_t result;
    set_up(&fixture);
    (void)member_folder_grow(&fixture.source, 5000);
    put_file(fixture.work, "mine", "");
    assert_int_equal(seed_member(&fixture.options, &result), OC_ERR_REFUSED);
    assert_true(is_there(fixture.work, "mine"));
    assert_int_not_equal(access(fixture.to, F_OK), 0);
    put_file(fixture.work, "seed-unfinished", "");
    (void)seed(&fixture);
    assert_true(is_there(fixture.to, "archive"));
    assert_false(is_there(fixture.to, "mine"));
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_start_needs_comes_over),
        cmocka_unit_test(the_own_configuration_stays),
        cmocka_unit_test(an_empty_directory_is_taken),
        cmocka_unit_test(the_log_begins_where_it_must),
        cmocka_unit_test(a_running_source_says_where_it_ends),
        cmocka_unit_test(only_terms_of_the_copied_log_are_known),
        cmocka_unit_test(only_a_wiped_member_is_seeded),
        cmocka_unit_test(a_source_with_too_little_is_refused),
        cmocka_unit_test(the_log_must_reach_what_needs_it),
        cmocka_unit_test(damage_is_not_copied),
        cmocka_unit_test(a_missing_segment_leaves_nothing),
        cmocka_unit_test(a_log_that_misses_its_end_is_not_copied),
        cmocka_unit_test(a_member_that_has_diverged_is_no_source),
        cmocka_unit_test(the_next_seed_tidies_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
