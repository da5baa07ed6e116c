/*
 * The directory of a member of a cluster, made by hand and of content that means nothing to a
 * service: a log recording whose entries are a cluster's, images, official snapshots,
 * recording.log. For tests of what looks at, prunes and seeds such directories; where a replica
 * must load what is there, lib/member_maker.h makes it. Everything fails the test on trouble.
 */
#ifndef LIB_MEMBER_FOLDER_H
#define LIB_MEMBER_FOLDER_H

#include "lib/archive_maker.h"
#include "lib/temp_dir.h"

#include <stdbool.h>
#include <stdint.h>

#define MEMBER_FOLDER_TERM_BYTES    65536
#define MEMBER_FOLDER_SEGMENT_BYTES 131072
#define MEMBER_FOLDER_LOG_ID        UINT64_C(0x1122334455667788)

typedef struct member_folder {
    temp_dir_t temp;
    char dir[300]; /* of the member, in `temp` */
    char archive[320];
    char cluster[320];
    archive_maker_t maker;
    made_recording_t log;
    uint64_t messages;
} member_folder_t;

/* Leadership term 0 has begun, one session is open, nothing else. The caller:
 * member_folder_fini(). */
void member_folder_init(member_folder_t *self);
void member_folder_fini(const member_folder_t *self);

/* Appends session messages until the log is at `position` or behind it; returns where it is. */
int64_t member_folder_grow(member_folder_t *self, int64_t position);

/* Appends one entry of the log with the bytes of a session message; returns its end. */
int64_t member_folder_message(member_folder_t *self, int64_t session, const void *bytes,
                              size_t length);

/* An official snapshot at a position, of term 0; `stream`: with a state, else a manifest. Returns
 * the recording of the service's part; the module's has the next id. */
int64_t member_folder_snapshot(member_folder_t *self, int64_t position, bool stream);

/* An image at a position; `base`: the image that it is built on, 0: none. Returns its number. */
uint64_t member_folder_image(const member_folder_t *self, int64_t position, uint64_t base,
                             uint64_t log_id);

/* Whether a file of the archive is there. */
bool member_folder_has(const member_folder_t *self, int64_t recording, int64_t base);

#endif
