/*
 * Writes the project's own tape (docs/formats/tape.md): a recorded stream of commands with the
 * configuration they ran under.
 */
#ifndef INPUT_TAPE_WRITER_H
#define INPUT_TAPE_WRITER_H

#include "outcry/engine.h"

typedef struct tape_writer tape_writer_t;

/* Creates (truncates) the file and writes the header. On an error *writer is NULL. */
OC_MUST_CHECK oc_err_t tape_writer_open(tape_writer_t **writer, const char *path,
                                        const oc_engine_config_t *config);

/* Appends one command; buffered. */
OC_MUST_CHECK oc_err_t tape_writer_append(tape_writer_t *writer, const oc_command_t *command);

/* Flushes, closes and frees, whatever it returns. NULL is allowed. */
OC_MUST_CHECK oc_err_t tape_writer_close(tape_writer_t *writer);

#endif
