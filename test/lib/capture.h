/*
 * Catches what the running test prints, to look at it.
 */
#ifndef LIB_CAPTURE_H
#define LIB_CAPTURE_H

#define CAPTURE_SIZE 16384

typedef struct capture {
    char out[CAPTURE_SIZE]; /* text that went to stdout; what does not fit is cut off */
    char err[CAPTURE_SIZE];
} capture_t;

/* Diverts stdout and stderr of the process until output_capture_end(); one at a time. */
void output_capture_begin(void);

/* Restores both and stores what was printed. */
void output_capture_end(capture_t *captured);

/*
 * Calls a subcommand with the words (which end with NULL) as its argv, captured, and returns its
 * exit status.
 */
int capture_main(int (*run)(int argc, char **argv), const char *const *words, capture_t *captured);

/* Fail the test unless `part` is in what went to stdout, or to stderr. */
void capture_assert_out(const capture_t *captured, const char *part);
void capture_assert_err(const capture_t *captured, const char *part);

#endif
