/*
 * Unit tests of what a run file must look like: a good one with one thing changed. Run by ctest.
 */
#define _GNU_SOURCE
#include "report/run_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"

/* Made once; each caller gets a copy. */
static json_t *good(void)
{
    static json_t *made;
    if (made)
        return json_deep_copy(made);
    run_file_t *run = run_file_create("knee", RUN_LOOP_OPEN, "1.2.3");
    assert_non_null(run);
    run_maker_knee(run, 20000);
    run_maker_bursts(run, true);
    run_file_mark(run, "late", 1);
    run_file_pinned(run, 1);
    run_file_config(run, "a", "b");
    run_file_figure(run, "f", 1, "s", NULL, 99);
    run_maker_row(run, "fail", "late");
    run_file_verdict(run, "stall", true, NULL);
    made = run_maker_end(run);
    return json_deep_copy(made);
}

/* The value at a path such as series[0].label, and what it is in. */
typedef struct place {
    json_t *within;
    char name[64];
    size_t index; /* in a list */
} place_t;

static place_t find(json_t *root, const char *path)
{
    place_t place = {.within = root};
    json_t *value = root;
    while (*path) {
        if (*path == '.')
            path++;
        place.within = value;
        if (*path == '[') {
            char *end;
            place.index = strtoul(path + 1, &end, 10);
            value = json_array_get(value, place.index);
            path = end + 1;
        } else {
            const size_t length = strcspn(path, ".[");
            (void)snprintf(place.name, sizeof place.name, "%.*s", (int)length, path);
            value = json_object_get(value, place.name);
            path += length;
        }
    }
    return place;
}

/* Puts `value` (taken; NULL: nothing) at the path of a good run. */
static json_t *with(const char *path, json_t *value)
{
    json_t *root = good();
    const place_t place = find(root, path);
    if (json_is_array(place.within))
        assert_int_equal(json_array_set_new(place.within, place.index, value), 0);
    else if (value)
        assert_int_equal(json_object_set_new(place.within, place.name, value), 0);
    else
        assert_int_equal(json_object_del(place.within, place.name), 0);
    return root;
}

static void refused(json_t *root, const char *what)
{
    assert_int_equal(run_shape_check(root, "a.json"), OC_ERR_FORMAT);
    json_decref(root);
    char wanted[500];
    (void)snprintf(wanted, sizeof wanted, "a.json: %s", what);
    if (strncmp(oc_err_context(), wanted, strlen(wanted)) != 0)
        fail_msg("'%s' does not begin with '%s'", oc_err_context(), wanted);
}

static void refused_with(const char *path, json_t *value, const char *why)
{
    char what[400];
    (void)snprintf(what, sizeof what, "%s%s", path, why);
    refused(with(path, value), what);
}

static void test_good_ones(void **state)
{
    (void)state;
    json_t *root = good();
    assert_int_equal(run_shape_check(root, "a.json"), OC_ERR_OK);
    (void)json_object_set_new(root, "of_a_later_build", json_true());
    (void)json_object_del(root, "knee");
    (void)json_object_del(root, "burst");
    (void)json_object_del(root, "matrix");
    (void)json_object_del(root, "verdicts");
    (void)json_array_clear(json_object_get(root, "series"));
    assert_int_equal(run_shape_check(root, "a.json"), OC_ERR_OK);
    json_decref(root);
}

static void test_versions(void **state)
{
    (void)state;
    refused(with("format", json_string("outcry-report")), "is no run file");
    refused(with("version", json_integer(2)), "is a run file of version 2, this build reads");
    refused(with("version", json_real(1.5)), "version is not a whole number");
    refused(with("version", NULL), "version is not a whole number");
}

/* Every member that is there is required or told of when it has another type. */
static size_t each_member(json_t *value, const char *path, size_t *optional)
{
    const char *key;
    json_t *member;
    size_t seen = 0;
    json_object_foreach(value, key, member)
    {
        char name[200];
        (void)snprintf(name, sizeof name, "%s%s%s", path, *path ? "." : "", key);
        if (!strcmp(name, "format") || !strcmp(name, "version"))
            continue;
        seen++;
        json_t *without = with(name, NULL);
        if (run_shape_check(without, "a.json") == OC_ERR_OK)
            ++*optional;
        else
            assert_non_null(strstr(oc_err_context(), name));
        json_decref(without);
        json_t *wrong = json_is_object(member) ? json_array() : json_object();
        if (strncmp(name, "conditions.configuration.", 25) != 0)
            refused_with(name, wrong, " is not a");
        else
            json_decref(wrong);
        if (json_is_object(member))
            seen += each_member(member, name, optional);
        if (json_is_array(member) && json_is_object(json_array_get(member, 0))) {
            (void)snprintf(name + strlen(name), sizeof name - strlen(name), "[0]");
            seen += each_member(json_array_get(member, 0), name, optional);
        }
    }
    return seen;
}

static void test_every_member(void **state)
{
    (void)state;
    json_t *root = good();
    size_t optional = 0;
    const size_t seen = each_member(root, "", &optional);
    json_decref(root);
    assert_true(seen > 80);
    /* knee, knee.rho_at, burst, series[].service, .hlog, figures[].percentile, the configuration's
     * and the environment's AERON_* */
    assert_true(optional >= 7);
}

static void test_values(void **state)
{
    (void)state;
    refused_with("loop", json_string("half open"), " is neither open nor closed");
    refused_with("marks[0]", json_integer(3), " is not an object");
    refused_with("conditions.pinned_cpus", json_pack("[s]", "a"), " is not a list of numbers");
    refused_with("conditions.configuration", json_pack("{s:i}", "a", 1),
                 " is not an object of texts");
    refused_with("series[1].rate", json_integer(-1), " is not a number that is not negative");
    refused_with("series[0].percentiles[2].percentile", json_integer(101),
                 " is not a number from 0 to 100");
    refused_with("knee.points[0].verdict", json_string("maybe"), " is not pass, fail or marked");
    refused_with("knee.points[0].p999", json_array(), " is empty");
    refused_with("knee.percentile", json_integer(50), " is not 99.9");
    refused_with("burst.verdict", json_string("marked"), " is neither pass nor fail");
    refused_with("burst.reasons", json_pack("[i]", 1), " is not a list of texts");
    refused_with("burst.counters.short_sends", json_string("2"), " is not a number");
    refused_with("matrix[0].verdict", json_string("marked"), " is not pass, fail, impossible");
    refused_with("verdicts[0].verdict", json_string("ok"), " is neither pass nor fail");
}

static void test_ladders(void **state)
{
    (void)state;
    refused(with("series[0].percentiles[3].value", json_integer(1)),
            "series[0] has percentiles that do not ascend");
    refused(with("series[1].service.percentiles[3].count", json_integer(0)),
            "series[1].service has percentiles that do not ascend");
    refused(with("series[0].count", json_integer(1000000)),
            "series[0] has percentiles that do not end with p100 of all");
    refused(with("series[0].max", json_integer(5)), "series[0] has a percentile above its max");
    refused(with("series[0].unit", json_string("us")), "series[0] has a unit other than ns");
}

static void test_lone_median(void **state)
{
    (void)state;
    json_t *median = json_pack("[{s:i, s:i, s:i}]", "value", 5, "percentile", 50, "count", 500);
    refused(with("series[0].percentiles", median), "series[0] has no percentile but p50");
    json_t *root = with("figures[0].percentile", json_integer(50));
    assert_int_equal(run_shape_check(root, "a.json"),
                     OC_ERR_OK); /* beside series it is not alone */
    (void)json_array_clear(json_object_get(root, "series"));
    refused(root, "figures have no percentile but p50");
}

static void test_repeats_have_one_set_of_qualifiers(void **state)
{
    (void)state;
    refused(with("series[1].mtu", json_integer(9000)),
            "series[1] has the label of another series, but another rate");
    refused(with("series[1].rate", json_integer(40001)), "series[1] has the label");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_ones),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_every_member),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_ladders),
        cmocka_unit_test(test_lone_median),
        cmocka_unit_test(test_repeats_have_one_set_of_qualifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
