/*
 * Fuzzes the reader of run files, and the report on what it takes. Must not crash or hang; a
 * refusal is one line; and no text of a file may add a tag to the page's scripts.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "report/report.h"
#include "report/run_read.h"

/* The data, uPlot and the page's own. */
enum { SCRIPTS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_of(const char *html, const char *part)
{
    size_t found = 0;
    for (const char *at = html; (at = strcasestr(at, part)) != NULL; at++)
        found++;
    return found;
}

static void make_page(json_t *run)
{
    json_t *const runs[] = {run, run};
    const char *const files[] = {"a", "b"};
    json_t *report;
    char *html;
    size_t size;
    OC_ASSERT(report_make(runs, files, 2, true, "fuzz", &report) == OC_ERR_OK);
    OC_ASSERT(report_page(report, &html, &size) == OC_ERR_OK);
    OC_ASSERT(strlen(html) == size);
    OC_ASSERT(count_of(html, "<script") == SCRIPTS);
    OC_ASSERT(count_of(html, "</script") == SCRIPTS);
    free(html);
    json_decref(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *run;
    if (run_read_bytes((const char *)data, size, "fuzz", &run) != OC_ERR_OK) {
        OC_ASSERT(strpbrk(oc_err_context(), "\n\r") == NULL);
        return 0;
    }
    make_page(run);
    json_decref(run);
    return 0;
}
