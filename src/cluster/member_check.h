/*
 * Looks at a member's directory before its module runs: whether what the module would begin with is
 * what the member had. Where it is not, the module must not take part in elections.
 *
 * Threads: one.
 */
#ifndef CLUSTER_MEMBER_CHECK_H
#define CLUSTER_MEMBER_CHECK_H

#include "cluster/member_config.h"
#include "outcry/error.h"

#include <stdbool.h>

/* Beside outcry.conf: the member has joined a log, of the cluster that it names. */
#define MEMBER_JOINED_FILE "joined"

/* Changes nothing. OC_ERR_DAMAGED: the member has had a log, and the module would begin an empty
 * one; a file of the module's that is torn. OC_ERR_INVALID_CONFIG: the directory is of another
 * cluster_id. OC_ERR_OPEN, OC_ERR_READ, OC_ERR_FORMAT, OC_ERR_NO_MEMORY: it cannot be seen. */
OC_MUST_CHECK oc_err_t member_check_directory(const member_config_t *config);

/* Removes what a kill in a first start left half made, and the module does not start with. Only of
 * a directory that has passed the check, and in which no module runs. OC_ERR_WRITE, as above. */
OC_MUST_CHECK oc_err_t member_check_clear(const member_config_t *config);

/* Whether the module is to have its archive make checksums of what it records: from the first entry
 * of its log on, or never; and not where jvm_flags say what is to be done. Errors as above: it must
 * not be guessed, for a log that has both kinds of frames is refused. */
OC_MUST_CHECK oc_err_t member_check_checksums(const member_config_t *config, bool *checksums);

/* Notes, durably, that the member has joined its log, once recording.log lists it; *noted: that is
 * there now. Errors: atomic_file_write(). */
OC_MUST_CHECK oc_err_t member_check_note_joined(const member_config_t *config, bool *noted);

#endif
