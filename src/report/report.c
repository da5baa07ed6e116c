/*
 * The report as a tree. Called by `outcry report` and the fuzz target.
 *
 * Invariant: all that the page says is in it; the page computes nothing.
 */
#include "report/report.h"

#include "base/assert.h"
#include "base/error.h"
#include "report/comparison.h"
#include "report/figures_of.h"

static json_t *part_of(json_t *run, const char *file)
{
    json_t *groups = figures_of_groups(run);
    json_t *numbers = figures_of_numbers(run);
    const bool marked = json_array_size(json_object_get(run, "marks")) > 0;
    if (!groups || !numbers) {
        json_decref(groups);
        json_decref(numbers);
        return NULL;
    }
    /* A file's name need not be UTF-8. */
    json_t *name = json_string(file);
    return json_pack("{s:o, s:b, s:o, s:o, s:O}", "file",
                     name ? name : json_string("(a name that is no UTF-8)"), "marked", marked,
                     "groups", groups, "numbers", numbers, "run", run);
}

oc_err_t report_make(json_t *const *runs, const char *const *files, size_t count, bool compare,
                     const char *version, json_t **report)
{
    OC_ASSERT(!compare || count == 2);
    json_t *parts = json_array();
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(parts, part_of(runs[i], files[i]));
    json_t *comparison = compare ? comparison_of(runs[0], runs[1]) : json_null();
    *report = json_pack("{s:s, s:i, s:s, s:s, s:o, s:o}", "format", "outcry-report", "version",
                        REPORT_VERSION, "outcry", version, "uplot", UPLOT_VERSION, "runs", parts,
                        "comparison", comparison);
    if (!failed && *report)
        return OC_ERR_OK;
    json_decref(*report);
    *report = NULL;
    return error_set(OC_ERR_NO_MEMORY, "no memory for the report");
}
