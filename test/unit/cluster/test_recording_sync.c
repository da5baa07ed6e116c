/*
 * That a recording of the log is made durable, with all that a start finds it by. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/recording.h"
#include "lib/archive_maker.h"
#include "lib/temp_dir.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TERM     65536
#define SEGMENT  131072
#define MESSAGES 500

typedef struct fixture {
    temp_dir_t dir;
    char archive[300];
    char cluster[300];
    archive_maker_t maker;
    made_recording_t recording;
    recording_descriptor_t found;
    int64_t ends[MESSAGES]; /* of the samples */
    int64_t end;
} fixture_t;

static void set_up(fixture_t *self)
{
    temp_dir_make(&self->dir);
    (void)snprintf(self->archive, sizeof self->archive, "%s/archive", self->dir.path);
    (void)snprintf(self->cluster, sizeof self->cluster, "%s/cluster", self->dir.path);
    assert_int_equal(mkdir(self->cluster, 0755), 0);
    archive_maker_init(&self->maker, self->archive);
    archive_maker_record(&self->maker, &self->recording, 96, TERM, SEGMENT);
    const recording_log_entry_t term = {.recording = self->recording.id, .log_position = -1};
    archive_maker_log(self->cluster, &term, 1);
    for (uint64_t n = 0; n < MESSAGES; n++) {
        uint8_t bytes[ARCHIVE_SAMPLE_MAX];
        const size_t length = archive_sample(n, bytes);
        self->ends[n] = made_recording_append(&self->recording, bytes, length);
    }
    self->end = self->recording.position;
    assert_int_equal(recording_find(self->archive, self->recording.id, &self->found), OC_ERR_OK);
}

static oc_err_t sync_from(const fixture_t *self, int64_t from, int64_t position)
{
    return recording_sync(self->archive, self->cluster, &self->found, from, position);
}

static void it_is_made_durable(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    const int64_t end = fixture.end;
    assert_int_equal(sync_from(&fixture, 0, end), OC_ERR_OK);
    assert_int_equal(sync_from(&fixture, fixture.ends[200], fixture.ends[400]), OC_ERR_OK);
    assert_int_equal(sync_from(&fixture, end, end), OC_ERR_OK);
    assert_int_equal(sync_from(&fixture, 0, end + 32), OC_ERR_DAMAGED);
    assert_int_equal(sync_from(&fixture, 0, end - 32), OC_ERR_DAMAGED);
    /* Between frames the one behind is enough: what is before is not read. */
    const int64_t term = end - end % TERM;
    static const uint8_t nothing[4] = {0xff, 0xff, 0xff, 0xff};
    made_recording_patch(&fixture.recording, term, nothing, sizeof nothing);
    assert_int_equal(sync_from(&fixture, 0, fixture.ends[498]), OC_ERR_OK);
    assert_int_equal(sync_from(&fixture, 0, end), OC_ERR_DAMAGED);
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%" PRId64 "-%d.rec", fixture.archive,
                   fixture.recording.id, SEGMENT);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(sync_from(&fixture, 0, end), OC_ERR_DAMAGED);
    assert_int_equal(sync_from(&fixture, 0, fixture.ends[498]), OC_ERR_OPEN);
    assert_int_equal(sync_from(&fixture, fixture.ends[497], fixture.ends[498]), OC_ERR_OK);
    temp_dir_remove(&fixture.dir);
}

/* After a power failure a catalog of before has the frames for never promised, and without its
 * entry in recording.log there is no log: each is synced, which is seen by one that is missing. */
static void what_a_start_finds_it_by_is_durable_too(void **state)
{
    (void)state;
    static const char *const names[] = {"archive/archive.catalog", "cluster/recording.log"};
    for (size_t i = 0; i < 2; i++) {
        fixture_t fixture;
        char path[400];
        set_up(&fixture);
        (void)snprintf(path, sizeof path, "%s/%s", fixture.dir.path, names[i]);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(sync_from(&fixture, 0, fixture.end), OC_ERR_OPEN);
        if (!strstr(oc_err_context(), path))
            fail_msg("'%s' does not name %s", oc_err_context(), path);
        temp_dir_remove(&fixture.dir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_made_durable),
        cmocka_unit_test(what_a_start_finds_it_by_is_durable_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
