/*
 * The node's control: a Unix domain socket "control" in its directory, on which operators' tools of
 * the same user ask for things in lines of text, and are answered in lines.
 *
 *     snapshot [full]   takes an image; answers when it is committed or has failed
 *     status            how the snapshots are
 *
 * The last line of an answer is "ok" or "error: <why>". Requests are served by the core, a little
 * in each duty cycle; nobody who connects can make it wait.
 */
#ifndef HOST_CONTROL_H
#define HOST_CONTROL_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTROL_LINE_MAX 1024

typedef struct control control_t;

/* Takes a request (a line without its end). Writes an answer (lines, the last of them ok or error)
 * and returns true; or false: it answers later, by control_answer(). */
typedef bool (*control_handler_t)(void *context, uint32_t connection, const char *request,
                                  char answer[CONTROL_LINE_MAX]);

/* Listens at `dir`/control; a socket left over by a dead node is removed (the directory is locked
 * by the caller). OC_ERR_OPEN. The caller owns *control: control_destroy(). */
OC_MUST_CHECK oc_err_t control_create(control_t **control, const char *dir,
                                      control_handler_t handler, void *context);
void control_destroy(control_t *self); /* removes the socket; NULL is allowed */

/* Accepts, reads, answers: never waits, and looks only every few milliseconds. */
int control_do_work(control_t *self, int64_t now_ns);

/* The answer to a request that waits; nothing if its connection is gone. */
void control_answer(control_t *self, uint32_t connection, const char *answer);

/*
 * For tools: sends one request and reads the whole answer into `answer` (cut to `size`). Errors:
 * OC_ERR_NOT_CONNECTED (there was nobody to connect to in `dir`), OC_ERR_CLOSED (the node ended
 * before it had answered), OC_ERR_TIMEOUT, OC_ERR_REFUSED (it answered with an error, which is the
 * context), OC_ERR_INTERRUPTED (this process is to end, base/process_signals.h).
 */
OC_MUST_CHECK oc_err_t control_request(const char *dir, const char *request, char *answer,
                                       size_t size, int64_t timeout_ns);

#endif
