/*
 * Progress on stderr: a bar that redraws itself on a terminal, or one line every 10 %.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum progress_style {
    PROGRESS_NONE,
    PROGRESS_BAR,   /* redrawn in place, ten times a second at most */
    PROGRESS_LINES, /* for logs */
} progress_style_t;

typedef struct progress {
    progress_style_t style;
    const char *label; /* borrowed */
    uint64_t drawn_ns; /* when the bar was last drawn */
    unsigned percent;  /* last one shown */
    bool drawn;
} progress_t;

/* Whether stderr is a terminal. */
bool progress_on_terminal(void);

void progress_begin(progress_t *self, progress_style_t style, const char *label);

/* `fraction` from 0 to 1. Cheap enough to be called every few thousand records. */
void progress_update(progress_t *self, double fraction);

/* Removes the bar, so that the next line of output stands alone. */
void progress_end(progress_t *self);

#endif
