/*
 * The frame of benches of clusters: what is measured is started, and gone whatever happens. The
 * members here are scripts that only say what members say; the peer's script builds nothing.
 */
#define _GNU_SOURCE
#include "bench/cluster_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/nowhere_terms.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* `member --id N`: the last of three leads. */
static const char member[] = "#!/bin/sh\n"
                             "role=follower; [ $3 != 2 ] || role=leader\n"
                             "echo \"member $3: $role: term 0, position 64\"\n"
                             "exec sleep 300\n";
static const char failing[] = "#!/bin/sh\nexit 3\n";

typedef struct fixture {
    temp_dir_t dir;
    char data[300];
    char program[300];
    cluster_terms_t terms;
    uint32_t calls;
} fixture_t;

static void begin(fixture_t *f, const char *script)
{
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->dir);
    (void)snprintf(f->data, sizeof f->data, "%s/data", f->dir.path);
    (void)snprintf(f->program, sizeof f->program, "%s/run.sh", f->dir.path);
    FILE *file = fopen(f->program, "we");
    assert_non_null(file);
    assert_true(fputs(script, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(f->program, 0700), 0);
    f->terms = nowhere_terms;
    f->terms.dir = f->data;
    f->terms.program = f->program;
    f->terms.peer = f->dir.path;
}

/* Of a bench nothing is left, and the folder was not there before. */
static void end(fixture_t *f)
{
    assert_int_not_equal(access(f->data, F_OK), 0);
    temp_dir_remove(&f->dir);
}

static oc_err_t measure(measured_cluster_t *cluster, void *context)
{
    fixture_t *f = context;
    f->calls++;
    assert_ptr_equal(cluster->terms, &f->terms);
    assert_int_equal(cluster->leader, 2);
    for (uint32_t i = 0; i < f->terms.members; i++) {
        local_member_state_t state;
        local_cluster_state(cluster->cluster, i, &state);
        assert_true(state.running);
        assert_int_equal(state.role, i == 2 ? LOCAL_ROLE_LEADER : LOCAL_ROLE_FOLLOWER);
    }
    return f->calls == 1 ? OC_ERR_OK : error_set(OC_ERR_REFUSED, "measured in vain");
}

static oc_err_t measure_peer(peer_cluster_t *peer, void *context)
{
    (void)peer;
    ((fixture_t *)context)->calls++;
    return OC_ERR_OK;
}

static void test_started_and_gone(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, member);
    assert_int_equal(cluster_bench_run(&f.terms, measure, &f), OC_ERR_OK);
    assert_int_equal(f.calls, 1);
    assert_int_equal(cluster_bench_run(&f.terms, measure, &f), OC_ERR_REFUSED);
    assert_int_equal(f.calls, 2);
    assert_string_equal(oc_err_context(), "measured in vain");
    end(&f);
}

static void test_not_started(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, failing);
    assert_int_equal(cluster_bench_run(&f.terms, measure, &f), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "status 3"));
    assert_int_equal(cluster_bench_run_peer(&f.terms, measure_peer, &f), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "status 3"));
    assert_int_equal(f.calls, 0);
    end(&f);
}

static void test_nowhere(void **state)
{
    (void)state;
    fixture_t f = {.calls = 0};
    nowhere_assert_no_folder(cluster_bench_run(&nowhere_terms, measure, &f));
    nowhere_assert_no_peer(cluster_bench_run_peer(&nowhere_terms, measure_peer, &f));
    assert_int_equal(f.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_started_and_gone),
        cmocka_unit_test(test_not_started),
        cmocka_unit_test(test_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
