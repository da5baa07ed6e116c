/*
 * A venue for the length of a bench: whatever it is, it serves, and of what was started nothing is
 * left. The cluster here is a script that only says what members say. Run by ctest; needs the
 * program.
 */
#define _GNU_SOURCE
#include "bench/order_venue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "bench/measured_venue.h"
#include "lib/nowhere_terms.h"
#include "lib/temp_dir.h"

typedef struct fixture {
    temp_dir_t dir;
    char data[300];
    char ingress[300]; /* that was given to the bench */
    bool fill;
    oc_err_t err; /* that the bench ends with */
} fixture_t;

static oc_err_t measure(const char *ingress, void *context)
{
    fixture_t *f = context;
    (void)snprintf(f->ingress, sizeof f->ingress, "%s", ingress);
    if (f->fill)
        assert_int_equal(measured_venue_fill(ingress, 100), OC_ERR_OK);
    return f->err == OC_ERR_OK ? OC_ERR_OK : error_set(f->err, "measured in vain");
}

static void begin(fixture_t *f)
{
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->dir);
    (void)snprintf(f->data, sizeof f->data, "%s/data", f->dir.path);
}

/* Nothing is left, and the folder was not there before. */
static void end(fixture_t *f)
{
    assert_int_not_equal(access(f->data, F_OK), 0);
    temp_dir_remove(&f->dir);
}

static void test_running(void **state)
{
    (void)state;
    fixture_t f;
    const order_venue_t venue = {.ingress = "there:1"};
    begin(&f);
    assert_int_equal(order_venue_run(&venue, measure, &f), OC_ERR_OK);
    assert_string_equal(f.ingress, "there:1");
    f.err = OC_ERR_REFUSED;
    assert_int_equal(order_venue_run(&venue, measure, &f), OC_ERR_REFUSED);
    end(&f);
}

static void test_node(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    f.fill = true;
    order_venue_t venue = {
        .node = "[journal]\nsync = none\n", .dir = f.data, .program = OUTCRY_PROGRAM};
    if (order_venue_run(&venue, measure, &f) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_non_null(strstr(f.ingress, "127.0.0.1:"));
    f.fill = false;
    f.err = OC_ERR_REFUSED;
    assert_int_equal(order_venue_run(&venue, measure, &f), OC_ERR_REFUSED);
    assert_string_equal(oc_err_context(), "measured in vain");
    venue.program = "/nowhere/outcry";
    assert_int_not_equal(order_venue_run(&venue, measure, &f), OC_ERR_OK);
    venue.dir = "/nowhere/folder";
    assert_int_equal(order_venue_run(&venue, measure, &f), OC_ERR_OPEN);
    end(&f);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

/* Its java and its jar are files of the test's own: a missing jar is told before a start. */
static void test_cluster(void **state)
{
    (void)state;
    fixture_t f;
    char member[300], java[300], jar[300];
    begin(&f);
    (void)snprintf(member, sizeof member, "%s/member", f.dir.path);
    (void)snprintf(java, sizeof java, "%s/java", f.dir.path);
    (void)snprintf(jar, sizeof jar, "%s/some.jar", f.dir.path);
    write_file(member, "#!/bin/sh\n"
                       "echo \"member $3: leader: term 0, position 64\"\n"
                       "exec sleep 300\n");
    write_file(java, "#!/bin/sh\necho 'openjdk version \"21.0.1\" 2023-10-17' >&2\n");
    write_file(jar, "");
    char *path = NULL;
    assert_true(asprintf(&path, "%s:%s", f.dir.path, getenv("PATH")) > 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    cluster_terms_t terms = nowhere_terms;
    terms.members = 1;
    terms.dir = f.data;
    terms.program = member;
    const order_venue_t venue = {.cluster = &terms};
    assert_int_equal(setenv("OUTCRY_CLUSTER_JAR", "/nowhere/some.jar", 1), 0);
    assert_int_equal(order_venue_run(&venue, measure, &f), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/nowhere/some.jar"));
    assert_string_equal(f.ingress, "");
    assert_int_equal(setenv("OUTCRY_CLUSTER_JAR", jar, 1), 0);
    if (order_venue_run(&venue, measure, &f) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_non_null(strstr(f.ingress, "0=127.0.0.1:"));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_running),
        cmocka_unit_test(test_node),
        cmocka_unit_test(test_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
