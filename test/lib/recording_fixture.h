/*
 * A recording of the fixed sequence of samples in an archive made by hand, which has another
 * recording before it. For tests of who reads recordings.
 */
#ifndef LIB_RECORDING_FIXTURE_H
#define LIB_RECORDING_FIXTURE_H

#include "lib/archive_maker.h"
#include "lib/temp_dir.h"

#define RECORDING_FIXTURE_TERM     65536
#define RECORDING_FIXTURE_SEGMENT  131072
#define RECORDING_FIXTURE_MESSAGES 1000 /* at most */

typedef struct recording_fixture {
    temp_dir_t dir;
    char archive[300];
    archive_maker_t maker;
    made_recording_t recording;               /* its id is 1 */
    int64_t ends[RECORDING_FIXTURE_MESSAGES]; /* of the samples */
} recording_fixture_t;

/* From position `start` on, with the first `count` samples. The caller:
 * recording_fixture_fini(). */
void recording_fixture_init(recording_fixture_t *self, int64_t start, uint64_t count);
void recording_fixture_fini(const recording_fixture_t *self);

#endif
