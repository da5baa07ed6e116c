/*
 * The mark of an import that is not over: a file "importing" in the directory. It is there durably
 * before anything else of the import is, and goes when the image is committed; while it is there
 * nobody may take the directory for a node's, since what it holds is less than the state.
 */
#ifndef SNAPSHOT_IMPORT_MARK_H
#define SNAPSHOT_IMPORT_MARK_H

#include "base/storage.h"

/*
 * Makes the directory if there is none, and the mark in it. OC_ERR_INVALID_ARGUMENT: there is a log
 * already (nothing was changed), OC_ERR_DAMAGED: half an import is there; those of the device.
 */
OC_MUST_CHECK oc_err_t import_mark_set(const storage_t *storage, const char *dir);

/* Durably. Errors of the device: the mark may be there still. */
OC_MUST_CHECK oc_err_t import_mark_clear(const storage_t *storage, const char *dir);

/* OC_ERR_DAMAGED if there is a mark: what is wrong, and what to do. Also fine where there is no
 * directory that can be listed: whoever opens the log in it says what is wrong. */
OC_MUST_CHECK oc_err_t import_mark_check(const storage_t *storage, const char *dir);

#endif
