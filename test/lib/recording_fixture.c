/*
 * A recording for tests. Called by unit tests of cluster/recording*.c.
 */
#include "lib/recording_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

void recording_fixture_init(recording_fixture_t *self, int64_t start, uint64_t count)
{
    assert_true(count <= RECORDING_FIXTURE_MESSAGES);
    temp_dir_make(&self->dir);
    (void)snprintf(self->archive, sizeof self->archive, "%s/archive", self->dir.path);
    archive_maker_init(&self->maker, self->archive);
    made_recording_t other; /* ids are not always 0 */
    archive_maker_record(&self->maker, &other, 0, RECORDING_FIXTURE_TERM,
                         RECORDING_FIXTURE_SEGMENT);
    archive_maker_record(&self->maker, &self->recording, start, RECORDING_FIXTURE_TERM,
                         RECORDING_FIXTURE_SEGMENT);
    for (uint64_t n = 0; n < count; n++) {
        uint8_t bytes[ARCHIVE_SAMPLE_MAX];
        const size_t length = archive_sample(n, bytes);
        self->ends[n] = made_recording_append(&self->recording, bytes, length);
    }
}

void recording_fixture_fini(const recording_fixture_t *self)
{
    temp_dir_remove(&self->dir);
}
