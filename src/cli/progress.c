/*
 * Progress shown to people. Called by replay and the demo; writes to stderr only, so that it never
 * mixes with results.
 */
#define _GNU_SOURCE
#include "cli/progress.h"

#include "base/cycle_clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    BAR_WIDTH = 40,
    LINE_STEP_PERCENT = 10,
    REDRAW_NS_MIN = 100000000,
};

bool progress_on_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

void progress_begin(progress_t *self, progress_style_t style, const char *label)
{
    memset(self, 0, sizeof *self);
    self->style = style;
    self->label = label;
}

static void draw_bar(progress_t *self, unsigned percent)
{
    char bar[BAR_WIDTH + 1];
    const unsigned full = percent * BAR_WIDTH / 100;
    for (unsigned i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r%s [%s] %3u %%", self->label, bar, percent);
    fflush(stderr);
    self->drawn = true;
}

void progress_update(progress_t *self, double fraction)
{
    if (self->style == PROGRESS_NONE)
        return;
    const double clamped = fraction < 0.0 ? 0.0 : fraction > 1.0 ? 1.0 : fraction;
    const unsigned percent = (unsigned)(clamped * 100.0);
    if (self->style == PROGRESS_LINES) {
        for (; self->percent + LINE_STEP_PERCENT <= percent; self->percent += LINE_STEP_PERCENT)
            fprintf(stderr, "%s %u %%\n", self->label, self->percent + LINE_STEP_PERCENT);
        return;
    }
    const uint64_t now = clock_wall_ns();
    if (self->drawn && (percent == self->percent || now - self->drawn_ns < REDRAW_NS_MIN))
        return;
    self->percent = percent;
    self->drawn_ns = now;
    draw_bar(self, percent);
}

void progress_end(progress_t *self)
{
    if (self->style == PROGRESS_BAR && self->drawn) {
        fprintf(stderr, "\r%*s\r", (int)(strlen(self->label) + BAR_WIDTH + 9), "");
        fflush(stderr);
    }
    self->style = PROGRESS_NONE;
}
