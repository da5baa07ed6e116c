/*
 * The module's process, with a script in the place of java: what is missing, who has the directory,
 * what an early death says, an orderly end, and that it does not outlive its parent.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/module_process.h"
#include "lib/read_file.h"
#include "lib/temp_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_STEPS 2000 /* of 10 ms */

typedef struct fixture {
    temp_dir_t dir;
    member_config_t config;
} fixture_t;

static void path_of(const fixture_t *self, const char *name, char path[512])
{
    (void)snprintf(path, 512, "%s/%s", self->dir.path, name);
}

static void name_in(const fixture_t *self, const char *name, char text[NODE_TEXT_MAX])
{
    char path[512];
    path_of(self, name, path);
    assert_true(strlen(path) < NODE_TEXT_MAX);
    memcpy(text, path, strlen(path) + 1);
}

static void write_file(const fixture_t *self, const char *name, const char *text, mode_t mode)
{
    char path[512];
    path_of(self, name, path);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

/* A `java` that tells its version and then does what `script` says; $properties is its last
 * argument. */
static void set_java(fixture_t *self, const char *version, const char *script)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "#!/bin/sh\n"
                   "[ \"$1\" = -version ] && { echo 'openjdk version \"%s\"' >&2; exit 0; }\n"
                   "for properties; do :; done\ndir=$(dirname \"$properties\")\n%s\n",
                   version, script);
    write_file(self, "java", text, 0755);
    name_in(self, "java", self->config.java);
}

static int set_up(void **state)
{
    fixture_t *self = calloc(1, sizeof *self);
    assert_non_null(self);
    temp_dir_make(&self->dir);
    member_config_init(&self->config);
    (void)snprintf(self->config.node.dir, sizeof self->config.node.dir, "%s", self->dir.path);
    (void)snprintf(self->config.members[0], sizeof self->config.members[0],
                   "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4,127.0.0.1:5");
    write_file(self, "module.jar", "", 0644);
    name_in(self, "module.jar", self->config.jar);
    set_java(self, "17.0.1", "echo \"pid $$ \"; echo 'module: ready'; exec cat >/dev/null");
    *state = self;
    return 0;
}

static int tear_down(void **state)
{
    fixture_t *self = *state;
    temp_dir_remove(&self->dir);
    free(self);
    return 0;
}

static void sleep_step(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

static oc_err_t start(fixture_t *self, module_process_t **module)
{
    return module_process_start(module, &self->config, "/dev/shm/driver");
}

static void assert_started(fixture_t *self, module_process_t **module)
{
    if (start(self, module) != OC_ERR_OK)
        fail_msg("it does not start: %s", oc_err_context());
}

static void assert_context(const char *part)
{
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' is not in: %s", part, oc_err_context());
}

static void assert_refused(fixture_t *self, oc_err_t expected, const char *part)
{
    module_process_t *module = (module_process_t *)self; /* to be overwritten */
    assert_int_equal(start(self, &module), expected);
    assert_null(module);
    assert_context(part);
}

static bool log_has(const fixture_t *self, const char *text)
{
    char path[512];
    path_of(self, "module.log", path);
    if (access(path, F_OK) != 0)
        return false;
    char *log = read_file(path, NULL);
    const bool found = strstr(log, text) != NULL;
    free(log);
    return found;
}

/* By the script, in the log. */
static pid_t pid_told(const fixture_t *self)
{
    char path[512];
    path_of(self, "module.log", path);
    char *log = read_file(path, NULL);
    const char *told = strstr(log, "pid ");
    const pid_t pid = told ? (pid_t)strtol(told + 4, NULL, 10) : 0;
    free(log);
    return pid;
}

static void await_log(const fixture_t *self, const char *text)
{
    for (int i = 0; i < WAIT_STEPS && !log_has(self, text); i++)
        sleep_step();
    assert_true(log_has(self, text));
}

static oc_err_t await_end(module_process_t *module)
{
    oc_err_t err = OC_ERR_OK;
    for (int i = 0; i < WAIT_STEPS && err == OC_ERR_OK; i++) {
        sleep_step();
        err = module_process_check(module);
    }
    return err;
}

static void await_death(pid_t pid)
{
    for (int i = 0; i < WAIT_STEPS && kill(pid, 0) == 0; i++)
        sleep_step();
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
}

/* ---- What is missing ---- */

static void test_no_java(void **state)
{
    fixture_t *self = *state;
    name_in(self, "no-such-java", self->config.java);
    assert_refused(self, OC_ERR_OPEN, "no-such-java is not a program");
}

static void test_no_jar(void **state)
{
    fixture_t *self = *state;
    name_in(self, "no-such.jar", self->config.jar);
    assert_refused(self, OC_ERR_OPEN, "no-such.jar: No such file");
}

static void test_flags_without_end(void **state)
{
    fixture_t *self = *state;
    for (size_t i = 0; i + 1 < sizeof self->config.jvm_flags; i++)
        self->config.jvm_flags[i] = i % 2 == 0 ? '-' : ' ';
    self->config.jvm_flags[sizeof self->config.jvm_flags - 1] = '\0';
    assert_refused(self, OC_ERR_INVALID_CONFIG, "jvm_flags");
}

/* ---- Who has the directory ---- */

static void test_lock_that_is_held(void **state)
{
    fixture_t *self = *state;
    char path[512];
    char holder[32];
    int ready[2];
    path_of(self, "module.lock", path);
    write_file(self, "module.lock", "", 0644);
    assert_int_equal(pipe(ready), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) { /* as FileChannel.lock() takes it */
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        const int fd = open(path, O_RDWR | O_CLOEXEC);
        (void)alarm(60);
        if (fcntl(fd, F_SETLK, &lock) == 0 && write(ready[1], "x", 1) == 1)
            (void)pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], path, 1), 1);
    (void)snprintf(holder, sizeof holder, "its pid is %d:", (int)pid);
    assert_refused(self, OC_ERR_REFUSED, holder);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    close(ready[0]);
    close(ready[1]);

    module_process_t *module;
    assert_started(self, &module);
    module_process_destroy(module);
}

static bool exists(const fixture_t *self, const char *name)
{
    char path[512];
    path_of(self, name, path);
    return access(path, F_OK) == 0;
}

static void test_marks_of_a_dead_one_are_removed(void **state)
{
    fixture_t *self = *state;
    char path[512];
    path_of(self, "archive", path);
    assert_int_equal(mkdir(path, 0755), 0);
    path_of(self, "cluster", path);
    assert_int_equal(mkdir(path, 0755), 0);
    write_file(self, "archive/archive-mark.dat", "x", 0644);
    write_file(self, "archive/archive.catalog", "x", 0644);
    write_file(self, "cluster/cluster-mark.dat", "x", 0644);
    write_file(self, "cluster/cluster-mark-service-0.dat", "x", 0644);
    write_file(self, "cluster/recording.log", "x", 0644);
    module_process_t *module;
    assert_started(self, &module);
    assert_false(exists(self, "archive/archive-mark.dat"));
    assert_false(exists(self, "cluster/cluster-mark.dat"));
    assert_false(exists(self, "cluster/cluster-mark-service-0.dat"));
    assert_true(exists(self, "archive/archive.catalog"));
    assert_true(exists(self, "cluster/recording.log"));
    module_process_destroy(module);
}

/* ---- Its life ---- */

static void test_command_line(void **state)
{
    fixture_t *self = *state;
    set_java(self, "21", "echo \"args: $*\"; exec cat >/dev/null");
    (void)snprintf(self->config.jvm_flags, sizeof self->config.jvm_flags,
                   " -Xmx1g  -Daeron.cluster.members=x ");
    module_process_t *module;
    assert_started(self, &module);
    await_log(self, "-XX:+UseSerialGC -Xmx1g -Daeron.cluster.members=x -cp ");
    await_log(self, "outcry.cluster.Module ");
    module_process_destroy(module);
    (void)snprintf(self->config.jvm_flags, sizeof self->config.jvm_flags, "-XX:+UseParallelGC");
    assert_started(self, &module);
    await_log(self, "java.base/java.nio=ALL-UNNAMED -XX:+UseParallelGC -cp "); /* one collector */
    module_process_destroy(module);
}

static void test_runs_and_is_ended(void **state)
{
    fixture_t *self = *state;
    module_process_t *module;
    assert_started(self, &module);
    await_log(self, "module: ready");
    assert_int_equal(module_process_check(module), OC_ERR_OK);
    const pid_t pid = pid_told(self);
    assert_true(pid > 0);
    assert_int_equal(kill(pid, 0), 0);
    module_process_destroy(module);
    await_death(pid);
}

static void test_ends_one_that_does_not_want_to(void **state)
{
    fixture_t *self = *state;
    set_java(self, "17",
             "trap '' TERM; echo \"pid $$ \"; echo 'module: ready'; while :; do sleep 0.1; done");
    module_process_t *module;
    assert_started(self, &module);
    await_log(self, "module: ready");
    const pid_t pid = pid_told(self);
    module_process_destroy(module);
    await_death(pid);
}

static void test_orderly_end(void **state)
{
    fixture_t *self = *state;
    set_java(self, "17", "echo 'module: error: long ago'; echo 'module: terminated'; exit 0");
    module_process_t *module;
    assert_started(self, &module);
    assert_int_equal(await_end(module), OC_ERR_CLOSED);
    assert_int_equal(module_process_check(module), OC_ERR_CLOSED); /* and stays so */
    module_process_destroy(module);
}

static void test_early_death_with_an_error(void **state)
{
    fixture_t *self = *state;
    write_file(self, "module.log", "module: error: of another run\n", 0644);
    set_java(self, "17",
             "echo 'module: error: first'; echo 'module: error: the port is taken'\n"
             "echo 'more of no use'; exit 1");
    module_process_t *module;
    assert_started(self, &module);
    assert_int_equal(await_end(module), OC_ERR_TRANSPORT);
    assert_context("(status 1): the port is taken;");
    module_process_destroy(module);
}

/* What is fatal counts, whatever else was complained of; then the JVM's own end. */
static void test_death_after_complaints(void **state)
{
    fixture_t *self = *state;
    module_process_t *module;
    set_java(self, "17",
             "echo 'module: error: a channel'; echo 'module: fatal: the device is full'\n"
             "echo 'module: error: another channel'; exit 1");
    assert_started(self, &module);
    assert_int_equal(await_end(module), OC_ERR_TRANSPORT);
    assert_context("(status 1): the device is full;");
    module_process_destroy(module);
    set_java(self, "17",
             "echo 'module: error: a channel'\n"
             "echo 'Terminating due to java.lang.OutOfMemoryError: Java heap space'; exit 3");
    assert_started(self, &module);
    assert_int_equal(await_end(module), OC_ERR_TRANSPORT);
    assert_context("(status 3): Terminating due to java.lang.OutOfMemoryError: Java heap space;");
    module_process_destroy(module);
    set_java(self, "17",
             "echo 'module: ready'; echo '#'; echo '# A fatal error has been detected'\n"
             "echo '#  SIGSEGV (0xb)'; kill -6 $$");
    assert_started(self, &module);
    assert_int_equal(await_end(module), OC_ERR_TRANSPORT);
    assert_context("(signal 6): A fatal error has been detected; SIGSEGV (0xb);");
    module_process_destroy(module);
}

/* The module empties its log when that is full. */
static void test_log_begun_anew(void **state)
{
    fixture_t *self = *state;
    module_process_t *module;
    write_file(self, "module.log", "module: error: of another run, and a long one\n", 0644);
    set_java(self, "17", "echo 'module: fatal: x' >\"$dir/module.log\"; exit 1");
    assert_started(self, &module);
    assert_int_equal(await_end(module), OC_ERR_TRANSPORT);
    assert_context("(status 1): x;");
    module_process_destroy(module);
}

static void test_words_while_it_runs(void **state)
{
    fixture_t *self = *state;
    module_process_t *module;
    char words[MODULE_WORDS_MAX];
    set_java(self, "17", "echo 'module: ready'; exec cat >/dev/null");
    assert_started(self, &module);
    await_log(self, "module: ready");
    module_process_words(module, words, sizeof words);
    assert_string_equal(words, "it said nothing");
    module_process_destroy(module);
    set_java(self, "17",
             "echo 'module: ready'; echo 'module: warning: a gap'; exec cat >/dev/null");
    assert_started(self, &module);
    await_log(self, "a gap");
    module_process_words(module, words, sizeof words);
    assert_string_equal(words, "a gap");
    module_process_destroy(module);
}

static void test_early_death_without_an_error(void **state)
{
    fixture_t *self = *state;
    write_file(self, "module.log", "module: error: of another run\n", 0644);
    set_java(self, "17",
             "echo 'Unrecognized VM option NonSense'\n"
             "echo 'Error: Could not create the Java Virtual Machine.'; exit 1");
    module_process_t *module;
    assert_started(self, &module);
    assert_int_equal(await_end(module), OC_ERR_TRANSPORT);
    assert_context("(status 1): Unrecognized VM option NonSense; Error: Could not create the Java "
                   "Virtual Machine.;");
    module_process_destroy(module);
    set_java(self, "17", "kill -9 $$");
    assert_started(self, &module);
    assert_int_equal(await_end(module), OC_ERR_TRANSPORT);
    assert_context("(signal 9): it said nothing;");
    module_process_destroy(module);
}

/* The stand-in reads its standard input to the end, as the module does. */
static void test_does_not_outlive_its_parent(void **state)
{
    fixture_t *self = *state;
    set_java(self, "17",
             "echo $$ >\"$dir/pid.new\"; mv \"$dir/pid.new\" \"$dir/pid\"; cat >/dev/null");
    const pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        module_process_t *module;
        (void)alarm(60);
        if (start(self, &module) == OC_ERR_OK)
            (void)pause();
        _exit(1);
    }
    char path[512];
    path_of(self, "pid", path);
    for (int i = 0; i < WAIT_STEPS && access(path, F_OK) != 0; i++)
        sleep_step();
    char *text = read_file(path, NULL);
    const pid_t pid = (pid_t)strtol(text, NULL, 10);
    free(text);
    assert_true(pid > 1);
    assert_int_equal(kill(pid, 0), 0);
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    await_death(pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_java, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_jar, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_flags_without_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lock_that_is_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_marks_of_a_dead_one_are_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_command_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_runs_and_is_ended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ends_one_that_does_not_want_to, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_orderly_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_early_death_with_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_death_after_complaints, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_log_begun_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_words_while_it_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_early_death_without_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_does_not_outlive_its_parent, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
