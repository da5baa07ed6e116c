/*
 * Runs every script of test/data/scenarios against both implementations of the engine, and compares
 * the hashes they end with. OUTCRY_SCENARIO_KIND (reference, fast, both; both by default) and the
 * file names given as arguments narrow that down.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/scenario.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENARIOS_MAX 256
#define PATH_SIZE     1024

typedef struct scenario_case {
    char name[256];
    char path[PATH_SIZE];
} scenario_case_t;

static scenario_case_t cases[SCENARIOS_MAX];
static size_t case_count;

static bool kind_wanted(const char *kind)
{
    const char *wanted = getenv("OUTCRY_SCENARIO_KIND");
    return !wanted || strcmp(wanted, "both") == 0 || strcmp(wanted, kind) == 0;
}

static void run_kind(const char *path, oc_engine_kind_t kind, scenario_result_t *result)
{
    scenario_run(path, kind, result);
    if (!result->passed)
        fail_msg("%s engine: %s", kind == OC_ENGINE_FAST ? "fast" : "reference", result->why);
}

static void test_scenario(void **state)
{
    const scenario_case_t *scenario = *state;
    scenario_result_t reference;
    scenario_result_t fast;
    if (kind_wanted("reference"))
        run_kind(scenario->path, OC_ENGINE_REFERENCE, &reference);
    if (kind_wanted("fast"))
        run_kind(scenario->path, OC_ENGINE_FAST, &fast);
    if (kind_wanted("reference") && kind_wanted("fast")) {
        assert_int_equal(reference.state_hash, fast.state_hash);
        assert_int_equal(reference.output_hash, fast.output_hash);
    }
}

static int compare_cases(const void *a, const void *b)
{
    return strcmp(((const scenario_case_t *)a)->name, ((const scenario_case_t *)b)->name);
}

static bool name_wanted(const char *name, int count, char **wanted)
{
    for (int i = 0; i < count; i++)
        if (strcmp(wanted[i], name) == 0)
            return true;
    return count == 0;
}

static bool find_cases(const char *folder, int count, char **wanted)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return false;
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".txt") != 0 ||
            !name_wanted(entry->d_name, count, wanted) || case_count == SCENARIOS_MAX)
            continue;
        scenario_case_t *scenario = &cases[case_count++];
        snprintf(scenario->name, sizeof scenario->name, "%s", entry->d_name);
        snprintf(scenario->path, sizeof scenario->path, "%s/%s", folder, entry->d_name);
    }
    closedir(directory);
    qsort(cases, case_count, sizeof cases[0], compare_cases);
    return case_count > 0;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[SCENARIOS_MAX];
    const char *folder = OUTCRY_SOURCE_DIR "/test/data/scenarios";
    if (!find_cases(folder, argc - 1, argv + 1)) {
        fprintf(stderr, "no scenarios in %s\n", folder);
        return 1;
    }
    for (size_t i = 0; i < case_count; i++)
        tests[i] = (struct CMUnitTest){cases[i].name, test_scenario, NULL, NULL, &cases[i]};
    /* The macro around this function wants the array's size at compile time. */
    return _cmocka_run_group_tests("scenarios", tests, case_count, NULL, NULL);
}
