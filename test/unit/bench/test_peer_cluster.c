/*
 * A peer's script: what it is told, what is read of it, and that nothing of it is left. The script
 * here only pretends.
 */
#define _GNU_SOURCE
#include "bench/peer_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/process_signals.h"
#include "lib/temp_dir.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

static const char script[] =
    "case $1 in\n"
    "build) [ -z \"$REFUSE\" ] || { echo cannot build; exit 3; }; mkdir -p $OUT; echo OUT=$OUT;;\n"
    "node) shift; [ -z \"$REFUSE\" ] || exit 4;"
    " echo \"$GC $NODE_HEAP $PORT $NODE_JAVA_OPTS $*\" > $OUT/told;\n"
    "  echo '[ 5 ms] snapshot take: orders 1 records 1 payload 1 in 3.5 ms (1 ns/order), x'\n"
    "  trap 'echo > $OUT/ended; exit 1' TERM; sleep 300 & echo $! > $OUT/pid; wait;;\n"
    "load) shift; echo connected: \"$@\"; echo \"$*\" > $OUT/load\n"
    "  [ $1 != bad ] || exit 1; [ $1 != hang ] || sleep 300\n"
    "  echo 'fill: sent 5 acked 5 lost 0 in 0.1 s = 50 orders/s acknowledged (window 1)';;\n"
    "esac\n";

typedef struct fixture {
    temp_dir_t dir;
    char data[300];
    cluster_terms_t terms;
    peer_cluster_t peer;
} fixture_t;

static void begin(fixture_t *f)
{
    char path[300];
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->dir);
    (void)snprintf(path, sizeof path, "%s/run.sh", f->dir.path);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(script, file) >= 0);
    assert_int_equal(fclose(file), 0);
    (void)snprintf(f->data, sizeof f->data, "%s/data", f->dir.path);
    f->terms = (cluster_terms_t){.dir = f->data,
                                 .peer = f->dir.path,
                                 .members = 3,
                                 .orders = 500,
                                 .sync_level = 1,
                                 .heartbeat_ms = 1500,
                                 .election_ms = 400,
                                 .heap_mb = 77,
                                 .gc = "SerialGC",
                                 .idle = "spin"};
}

static void end(fixture_t *f)
{
    peer_cluster_fini(&f->peer);
    temp_dir_remove(&f->dir);
}

static void expect(const fixture_t *f, const char *name, const char *words)
{
    char path[400];
    char text[1024] = "";
    (void)snprintf(path, sizeof path, "%s/peer/%s", f->data, name);
    FILE *file = NULL;
    for (int i = 0; i < 6000 && (!file || !text[0]); i++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        if (file)
            (void)fclose(file);
        file = fopen(path, "re");
        if (file && !fgets(text, sizeof text, file))
            text[0] = '\0';
    }
    if (file)
        (void)fclose(file);
    if (!strstr(text, words))
        fail_msg("'%s' is not in: %s", words, text);
}

static void test_load(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    if (peer_cluster_init(&f.peer, &f.terms) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_int_equal(peer_cluster_fill(&f.peer), OC_ERR_OK);
    expect(&f, "load", "fill --members=3 --idle=yield --orders=500 --window=");
    assert_true(f.peer.report.fill_per_s == 50);
    const char *const options[] = {"--rate=5", NULL};
    assert_int_equal(peer_cluster_load_begin(&f.peer, "rtt", options), OC_ERR_OK);
    assert_int_equal(peer_cluster_load_says(&f.peer, "connected:", 20 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(peer_cluster_load_end(&f.peer, 20 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(peer_cluster_load(&f.peer, "bad", options, 20 * SECOND_NS), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "status 1: connected: bad"));
    end(&f);
}

static void test_node_and_its_end(void **state)
{
    (void)state;
    fixture_t f;
    char path[400];
    char told[128];
    long pid = 0;
    begin(&f);
    assert_int_equal(peer_cluster_init(&f.peer, &f.terms), OC_ERR_OK);
    f.peer.leader = 2; /* of whom alone what it takes counts */
    assert_int_equal(peer_cluster_start(&f.peer, 2), OC_ERR_OK);
    (void)snprintf(told, sizeof told, "SerialGC 77m %u -Daeron.cluster.leader.heartbeat.timeout=",
                   (unsigned)f.peer.port);
    expect(&f, "told", told);
    expect(&f, "told", "timeout=1500ms -Daeron.cluster.election.timeout=400ms ");
    expect(&f, "told", "--member=2 --members=3 --aeronDir=/dev/shm/");
    expect(&f, "told", "--fileSyncLevel=1 --expectedOrders=500 --idle=spin");
    expect(&f, "pid", "");
    for (int i = 0; i < 6000 && f.peer.report.takes == 0; i++) {
        peer_cluster_listen(&f.peer);
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_true(f.peer.report.take_ms[0] == 3.5);
    (void)snprintf(path, sizeof path, "%s/peer/pid", f.data);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pid), 1);
    (void)fclose(file);
    assert_int_equal(kill((pid_t)pid, 0), 0);
    peer_cluster_kill(&f.peer, 2);
    /* What the script started has gone with it, as soon as somebody has taken note. */
    for (int i = 0; i < 6000 && kill((pid_t)pid, 0) == 0; i++) {
        (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
        char state_of = ' ';
        file = fopen(path, "re");
        const int found = file ? fscanf(file, "%*d %*s %c", &state_of) : 0;
        if (file)
            (void)fclose(file);
        if (found == 1 && state_of == 'Z')
            break;
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        assert_true(i < 5999);
    }
    end(&f);
}

/* A member that never joins, and a signal meanwhile: it is asked to end, with its group. */
static void test_interrupted(void **state)
{
    (void)state;
    fixture_t f;
    char path[400];
    char parent[32];
    begin(&f);
    f.terms.members = 1;
    assert_true(process_take_signals());
    assert_int_equal(peer_cluster_init(&f.peer, &f.terms), OC_ERR_OK);
    (void)snprintf(path, sizeof path, "%s/peer/pid", f.data);
    (void)snprintf(parent, sizeof parent, "%ld", (long)getpid());
    const char *const signaller[] = {
        "/bin/sh", "-c", "until [ -s $0 ]; do sleep 0.05; done; kill -TERM $1", path, parent, NULL};
    child_process_t child;
    assert_int_equal(child_process_start(&child, signaller, -1), OC_ERR_OK);
    assert_int_equal(peer_cluster_start_all(&f.peer), OC_ERR_INTERRUPTED);
    assert_int_equal(mkdir(f.peer.aeron, 0700), 0); /* stands for all that is named so */
    peer_cluster_aeron_dir(&f.peer, 0, path);
    assert_int_equal(rename(f.peer.aeron, path), 0);
    peer_cluster_fini(&f.peer);
    assert_int_not_equal(access(path, F_OK), 0);
    (void)snprintf(path, sizeof path, "%s/peer/ended", f.data);
    assert_int_equal(access(path, F_OK), 0); /* in order */
    child_process_end(&child);
    process_give_signals_back();
    end(&f);
}

/* A member that ends is not waited for; who says nothing for too long is told by name. */
static void test_bad_scripts(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    assert_int_equal(peer_cluster_init(&f.peer, &f.terms), OC_ERR_OK);
    assert_int_equal(setenv("REFUSE", "1", 1), 0);
    assert_int_equal(peer_cluster_start_all(&f.peer), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "status 4: member 0"));
    assert_int_equal(unsetenv("REFUSE"), 0);
    const char *const options[] = {NULL};
    assert_int_equal(peer_cluster_load(&f.peer, "hang", options, SECOND_NS / 10), OC_ERR_TIMEOUT);
    assert_non_null(strstr(oc_err_context(), "the peer's script still runs after"));
    end(&f);
}

static void test_no_script_and_no_build(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    assert_int_equal(setenv("REFUSE", "1", 1), 0);
    assert_int_equal(peer_cluster_init(&f.peer, &f.terms), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "status 3: cannot build"));
    assert_int_equal(unsetenv("REFUSE"), 0);
    f.terms.peer = "/nowhere/folder";
    assert_int_equal(peer_cluster_init(&f.peer, &f.terms), OC_ERR_OPEN);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_node_and_its_end),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_bad_scripts),
        cmocka_unit_test(test_no_script_and_no_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
