/*
 * Conditions for run files. Called by the benches that write one, before they begin.
 *
 * Invariant: it fails nowhere; what cannot be read is said to be unknown, and never guessed.
 */
#define _GNU_SOURCE
#include "bench/run_conditions.h"

#include <aeronc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void unknown(char *text)
{
    (void)snprintf(text, RUN_CONDITIONS_TEXT, "unknown");
}

/* The first line of a file without its end; "unknown" if there is none. */
static void read_line(const char *path, char *text)
{
    unknown(text);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (!fgets(text, RUN_CONDITIONS_TEXT, file))
        unknown(text);
    text[strcspn(text, "\n")] = '\0';
    (void)fclose(file);
}

static int64_t read_number(const char *path)
{
    char text[RUN_CONDITIONS_TEXT];
    read_line(path, text);
    char *end;
    const long long number = strtoll(text, &end, 10);
    return end == text || *end || number < 0 ? -1 : number;
}

/* What bench_host_print() says of build, compiler and processor. */
static void read_host(run_conditions_t *self, const char *version)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    if (!stream)
        return;
    bench_host_print(stream, BENCH_HOST_CPU_ANY);
    (void)fclose(stream);
    char *rest = printed;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (!strncmp(line, "build: ", 7))
            (void)snprintf(self->build, sizeof self->build, "%s %s", version, line + 7);
        else if (!strncmp(line, "compiler: ", 10))
            (void)snprintf(self->compiler, sizeof self->compiler, "%s", line + 10);
        else if (!strncmp(line, "cpu_model: ", 11))
            (void)snprintf(self->cpu_model, sizeof self->cpu_model, "%s", line + 11);
    }
    free(printed);
}

/* "always [madvise] never" becomes "madvise". */
static void read_huge_pages(run_conditions_t *self)
{
    char text[RUN_CONDITIONS_TEXT];
    read_line("/sys/kernel/mm/transparent_hugepage/enabled", text);
    const char *chosen = strchr(text, '[');
    chosen = chosen ? chosen + 1 : text;
    const long long reserved = read_number("/proc/sys/vm/nr_hugepages");
    (void)snprintf(self->huge_pages, sizeof self->huge_pages, "transparent %.*s, reserved %lld",
                   (int)strcspn(chosen, "]"), chosen, reserved);
    if (reserved < 0)
        (void)snprintf(self->huge_pages, sizeof self->huge_pages, "transparent %.*s",
                       (int)strcspn(chosen, "]"), chosen);
}

void run_conditions_read(run_conditions_t *self, const char *version)
{
    memset(self, 0, sizeof *self);
    unknown(self->build);
    unknown(self->compiler);
    unknown(self->cpu_model);
    unknown(self->kernel);
    read_host(self, version);
    (void)snprintf(self->aeron, sizeof self->aeron, "%s", aeron_version_text());
    read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", self->governor);
    read_huge_pages(self);
    struct utsname name;
    if (uname(&name) == 0)
        (void)snprintf(self->kernel, sizeof self->kernel, "%s %s", name.sysname, name.release);
    self->processors = sysconf(_SC_NPROCESSORS_ONLN);
    self->rmem_max = read_number("/proc/sys/net/core/rmem_max");
    self->rmem_default = read_number("/proc/sys/net/core/rmem_default");
    self->wmem_max = read_number("/proc/sys/net/core/wmem_max");
    double load[1];
    self->load_average = getloadavg(load, 1) == 1 ? load[0] : -1.0;
    const time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || !strftime(self->start, sizeof self->start, "%FT%TZ", &parts))
        self->start[0] = '\0';
    bench_host_time(&self->begin);
}
