/*
 * What a member's directory holds to start from: its log recording, the official snapshots, the
 * images; looked at from outside, whether the member runs or not. Nothing is changed.
 *
 * Order of looking: recording.log, then the catalog, then the images. What an earlier one names is
 * in a later one, for the module lists a recording when it is finished, and an image counts when
 * the log behind it is durable.
 *
 * Threads: one at a time.
 */
#ifndef CLUSTER_MEMBER_SURVEY_H
#define CLUSTER_MEMBER_SURVEY_H

#include "cluster/archive_catalog.h"
#include "cluster/recording_log.h"
#include "outcry/error.h"
#include "snapshot/image.h"

#include <stdbool.h>
#include <stdint.h>

#define MEMBER_SURVEY_PATH_MAX 4096

typedef struct member_survey {
    char dir[MEMBER_SURVEY_PATH_MAX];
    char archive[MEMBER_SURVEY_PATH_MAX + 16];
    char cluster[MEMBER_SURVEY_PATH_MAX + 16];
    recording_log_t log;
    archive_catalog_t catalog;
    recording_descriptor_t recording; /* of the member's log */
    image_store_t *images;
} member_survey_t;

/* OC_ERR_OPEN: no member has run there, or its log is not in the catalog; OC_ERR_READ,
 * OC_ERR_FORMAT, OC_ERR_DAMAGED, OC_ERR_NO_MEMORY. The caller: member_survey_fini(), also after an
 * error. */
OC_MUST_CHECK oc_err_t member_survey_init(member_survey_t *self, const char *dir);
void member_survey_fini(member_survey_t *self);

/* An official snapshot that was read whole. */
typedef struct member_snapshot_found {
    recording_log_entry_t module;
    recording_log_entry_t service;
    bool is_stream;  /* the service's state is in it; else it is a manifest */
    uint64_t log_id; /* that it says */
} member_snapshot_found_t;

/* The nth newest valid one, both recordings read from beginning to end. *found false: there are not
 * so many. OC_ERR_DAMAGED, OC_ERR_OPEN: one of its recordings is not as it must be. */
OC_MUST_CHECK oc_err_t member_survey_snapshot(const member_survey_t *self, size_t n,
                                              member_snapshot_found_t *snapshot, bool *found);

/* The newest image that is whole, every byte of its chain checked; *image is NULL when there is
 * none at all, and OC_ERR_DAMAGED when there are some and none is whole. */
OC_MUST_CHECK oc_err_t member_survey_image(const member_survey_t *self, const image_info_t **image);

/* The lowest position of the images that are there; INT64_MAX: there is none. */
int64_t member_survey_oldest_image(const member_survey_t *self);

#endif
