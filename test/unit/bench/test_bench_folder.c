/*
 * Folders of benches: made, removed with what was made for them, and what a killed bench left, gone
 * with the next one; never what is not a bench's, or a living one's. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "bench/bench_folder.h"
#include "host/driver_dir.h"
#include "lib/expect_abort.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fixture {
    temp_dir_t dir;
    char parent[300];
} fixture_t;

static void begin(fixture_t *f)
{
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->dir);
    (void)snprintf(f->parent, sizeof f->parent, "%s/parent", f->dir.path);
}

/* What drivers make of a folder of that name. */
static void make_driver(const char *of, char aeron_dir[128])
{
    assert_int_equal(driver_dir_of(of, aeron_dir, 128), OC_ERR_OK);
    assert_int_equal(mkdir(aeron_dir, 0700), 0);
}

static void test_made_and_removed(void **state)
{
    (void)state;
    fixture_t f;
    bench_folder_t folder;
    bench_folder_t none = {0};
    begin(&f);
    assert_int_equal(bench_folder_make(&folder, f.parent, "some"), OC_ERR_OK);
    assert_non_null(strstr(folder.path, "/parent/bench-some-"));
    assert_int_equal(access(folder.path, W_OK), 0);
    bench_folder_remove(&folder);
    assert_int_not_equal(access(f.parent, F_OK), 0); /* it was not there before */
    assert_int_equal(mkdir(f.parent, 0700), 0);
    assert_int_equal(bench_folder_make(&folder, f.parent, "some"), OC_ERR_OK);
    bench_folder_remove(&folder);
    assert_int_equal(rmdir(f.parent), 0); /* it was */
    bench_folder_remove(&folder);
    bench_folder_remove(&none);
    temp_dir_remove(&f.dir);
}

/* A client's process that is no more, and what it left; its id. */
static long make_client(const bench_folder_t *folder)
{
    char path[64];
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    (void)snprintf(path, sizeof path, "/dev/shm/outcry-%ld-3", (long)pid);
    assert_int_equal(mkdir(path, 0700), 0);
    bench_folder_note_client(folder, pid);
    return pid;
}

/* A bench with a node and a member that nobody ends in order. */
static void be_killed(void *context)
{
    const fixture_t *f = context;
    bench_folder_t folder;
    char path[BENCH_FOLDER_PATH + 16];
    char mark[400];
    char aeron_dir[128];
    assert_int_equal(bench_folder_make(&folder, f->parent, "killed"), OC_ERR_OK);
    make_driver(folder.path, aeron_dir);
    (void)snprintf(path, sizeof path, "%s/m2", folder.path);
    assert_int_equal(mkdir(path, 0700), 0);
    make_driver(path, aeron_dir);
    (void)snprintf(mark, sizeof mark, "/dev/shm/outcry-%ld-0", (long)getpid());
    assert_int_equal(mkdir(mark, 0700), 0);
    const long client = make_client(&folder);
    (void)snprintf(mark, sizeof mark, "%s/names", f->dir.path);
    FILE *file = fopen(mark, "we");
    assert_non_null(file);
    (void)fprintf(file, "%s %s /dev/shm/outcry-%ld-0 /dev/shm/outcry-%ld-3\n", folder.path,
                  aeron_dir, (long)getpid(), client);
    (void)fclose(file);
    _exit(0);
}

static void test_what_a_killed_one_left_goes(void **state)
{
    (void)state;
    fixture_t f;
    bench_folder_t living;
    bench_folder_t folder;
    char path[400];
    char names[4][400];
    begin(&f);
    assert_int_equal(bench_folder_make(&living, f.parent, "living"), OC_ERR_OK);
    assert_int_equal(child_status(be_killed, &f), 0);
    (void)snprintf(path, sizeof path, "%s/bench-node-backup", f.parent); /* a user's own */
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(names[0], sizeof names[0], "%s/names", f.dir.path);
    FILE *file = fopen(names[0], "re");
    assert_non_null(file);
    assert_int_equal(
        fscanf(file, "%399s %399s %399s %399s", names[0], names[1], names[2], names[3]), 4);
    (void)fclose(file);
    for (int i = 0; i < 4; i++)
        assert_int_equal(access(names[i], F_OK), 0);
    assert_int_equal(bench_folder_make(&folder, f.parent, "some"), OC_ERR_OK);
    for (int i = 0; i < 4; i++)
        assert_int_not_equal(access(names[i], F_OK), 0);
    assert_int_equal(access(living.path, F_OK), 0);
    assert_int_equal(access(path, F_OK), 0);
    bench_folder_remove(&folder);
    bench_folder_remove(&living); /* made the parent, which is not empty yet */
    assert_int_equal(access(path, F_OK), 0);
    temp_dir_remove(&f.dir);
}

/* Given up in order, it is no killed bench's. */
static void test_kept(void **state)
{
    (void)state;
    fixture_t f;
    bench_folder_t folder;
    bench_folder_t next;
    char path[BENCH_FOLDER_PATH];
    begin(&f);
    assert_int_equal(bench_folder_make(&folder, f.parent, "kept"), OC_ERR_OK);
    (void)snprintf(path, sizeof path, "%s", folder.path);
    bench_folder_keep(&folder);
    bench_folder_keep(&folder);
    assert_int_equal(bench_folder_make(&next, f.parent, "next"), OC_ERR_OK);
    assert_int_equal(access(path, F_OK), 0);
    bench_folder_remove(&next);
    bench_folder_remove(&folder);
    assert_int_equal(rmdir(path), 0); /* nothing is in it */
    temp_dir_remove(&f.dir);
}

static void refused(const char *parent, const char *words)
{
    bench_folder_t folder;
    assert_int_equal(bench_folder_make(&folder, parent, "some"), OC_ERR_OPEN);
    if (!strstr(oc_err_context(), words))
        fail_msg("'%s' is not in: %s", words, oc_err_context());
    bench_folder_remove(&folder);
}

static void test_impossible(void **state)
{
    (void)state;
    fixture_t f;
    char longer[BENCH_FOLDER_PATH + 10];
    begin(&f);
    refused("/nowhere/folder", "/nowhere/folder: No such file or directory");
    refused("/dev/null", "/dev/null: Not a directory");
    refused("/proc", "/proc: "); /* nobody can make a folder in it */
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    refused(longer, "xxx"); /* the context has no room for more */
    temp_dir_remove(&f.dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_and_removed),
        cmocka_unit_test(test_what_a_killed_one_left_goes),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
