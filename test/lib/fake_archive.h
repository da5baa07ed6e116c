/*
 * What an Aeron archive answers on its control stream, without recording anything: a thread with a
 * client of its own on the driver of the test. It knows one recording, number 5.
 */
#ifndef LIB_FAKE_ARCHIVE_H
#define LIB_FAKE_ARCHIVE_H

#include <stdint.h>

#define FAKE_ARCHIVE_ID         INT64_C(4711)
#define FAKE_ARCHIVE_RECORDING  INT64_C(5)
#define FAKE_ARCHIVE_SESSION_ID INT32_C(77) /* it records this one where no session is named */
#define FAKE_ARCHIVE_STREAM     INT32_C(33)

typedef enum fake_archive_mode {
    FAKE_ARCHIVE_ANSWERS, /* requests; those that name another recording with an error */
    FAKE_ARCHIVE_REFUSES, /* to connect */
    FAKE_ARCHIVE_SILENT,  /* listens and never answers */
} fake_archive_mode_t;

typedef struct fake_archive fake_archive_t;

/* On the driver in `aeron_dir`; the test fails if it cannot be. The caller: fake_archive_stop(). */
fake_archive_t *fake_archive_start(const char *aeron_dir, fake_archive_mode_t mode);

/* Ends it as a process ends. `step` is called meanwhile, for a driver without threads. */
void fake_archive_stop(fake_archive_t *self, int (*step)(void *context), void *context);

/* Requests that it has got, and those to record. Any thread. */
int fake_archive_requests(const fake_archive_t *self);
int fake_archive_records(const fake_archive_t *self);

#endif
