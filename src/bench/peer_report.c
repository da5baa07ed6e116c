/*
 * Figures out of a peer's lines. Called by bench/peer_cluster.c.
 *
 * Invariant: a line is taken whole or not at all; a figure that is not understood stays 0, and the
 * benches refuse to compare with 0.
 */
#include "bench/peer_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What follows `words` in the line; NULL: they are not in it. */
static const char *behind(const char *line, const char *words)
{
    const char *at = strstr(line, words);
    return at ? at + strlen(words) : NULL;
}

static bool number_behind(const char *line, const char *words, double *value)
{
    const char *at = behind(line, words);
    char *end;
    if (!at)
        return false;
    const double number = strtod(at, &end);
    if (end == at)
        return false;
    *value = number;
    return true;
}

static void add_lost(peer_report_t *self, const char *line)
{
    double lost;
    if (number_behind(line, " lost ", &lost) && lost > 0)
        self->lost += (uint64_t)lost;
}

static bool take_speed(peer_report_t *self, const char *line)
{
    const bool fill = !strncmp(line, "fill: sent ", 11);
    double per_s;
    if (!fill && strncmp(line, "throughput: sent ", 17) != 0)
        return false;
    if (!number_behind(line, " s = ", &per_s))
        return false;
    *(fill ? &self->fill_per_s : &self->throughput_per_s) = per_s;
    add_lost(self, line);
    return true;
}

static bool take_latency(peer_report_t *self, const char *line)
{
    double p50, p99, p999, worst, gap;
    if (!number_behind(line, " p50 ", &p50) || !number_behind(line, " p99 ", &p99) ||
        !number_behind(line, " p99.9 ", &p999) || !number_behind(line, " max ", &worst) ||
        !number_behind(line, "longest gap between replies ", &gap))
        return false;
    self->rtt_p50_us = p50;
    self->rtt_p99_us = p99;
    self->rtt_p999_us = p999;
    self->rtt_max_us = worst;
    self->gap_ms = gap;
    return true;
}

static bool take_stall(peer_report_t *self, const char *line)
{
    double stall;
    double recorded = 0;
    if (strncmp(line, "snapshot ", 9) != 0 || self->snapshots == PEER_REPORT_SNAPSHOTS ||
        !number_behind(line, "client stall (worst latency) ", &stall))
        return false;
    if (!number_behind(line, "trigger to snapshot recorded ", &recorded))
        self->unfinished++;
    self->stall_ms[self->snapshots] = stall;
    self->recorded_ms[self->snapshots++] = recorded;
    return true;
}

/* `[n ms] ...`: a node's. */
static bool take_event(peer_report_t *self, const char *line)
{
    double ms;
    if (line[0] != '[')
        return false;
    if (behind(line, "snapshot take: ") && number_behind(line, " in ", &ms)) {
        if (self->takes == PEER_REPORT_SNAPSHOTS)
            return false;
        self->take_ms[self->takes++] = ms;
        return true;
    }
    if (behind(line, "snapshot loaded: ") && number_behind(line, " in ", &ms)) {
        self->loaded_ms = ms;
        return true;
    }
    return false;
}

bool peer_report_line(peer_report_t *self, const char *line)
{
    if (take_speed(self, line) || take_stall(self, line) || take_event(self, line))
        return true;
    const bool timed = !strncmp(line, "rtt", 3) || !strncmp(line, "stall", 5);
    if (!timed)
        return false;
    if (behind(line, ": rate ")) {
        add_lost(self, line);
        return true;
    }
    return take_latency(self, line);
}
