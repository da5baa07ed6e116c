/*
 * The Java process of a member. Called by the member's start, its loop and its end.
 *
 * Invariants: the write end of the pipe is in this process alone (close-on-exec), so that the child
 * meets its end when this process is gone, however it went; a pid is signalled only before it was
 * reaped; mark files are removed only while the lock says that nobody uses them.
 */
#define _GNU_SOURCE
#include "cluster/module_process.h"

#include "base/assert.h"
#include "base/error.h"
#include "cluster/module_install.h"
#include "cluster/module_lock.h"
#include "cluster/module_properties.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAIN_CLASS     "outcry.cluster.Module"
#define ARGUMENTS_MAX  64
#define ARGUMENTS_OWN  15          /* of them at most, with the NULL at the end */
#define STEP_NS        10000000L   /* between looks at something that will soon be so */
#define PREDECESSOR_NS 3000000000L /* a JVM whose parent has just died needs a moment to end */
#define END_NS         5000000000L
#define LOG_BYTES_MAX  (INT64_C(16) << 20)
#define LOG_TAIL_BYTES 16384
#define STATUS_UNKNOWN 0xff00 /* as of an exit with 255 */

extern char **environ;

struct module_process {
    pid_t pid;     /* 0: none, or reaped */
    int status;    /* as of waitpid(), once reaped */
    int keepalive; /* write end of its standard input; -1: none */
    off_t log_start;
    char log[PATH_MAX];
};

static void sleep_step(void)
{
    nanosleep(&(struct timespec){.tv_nsec = STEP_NS}, NULL);
}

/* ---- What was there before ---- */

oc_err_t module_process_await_end(const member_config_t *config)
{
    const char *dir = config->node.dir;
    bool held = false;
    long pid = -1;
    for (long waited = 0; waited <= PREDECESSOR_NS; waited += STEP_NS) {
        const oc_err_t err = module_lock_probe(dir, &held, &pid);
        if (err != OC_ERR_OK || !held)
            return err;
        sleep_step();
    }
    return error_set(OC_ERR_REFUSED,
                     "%s: another module runs in this directory, its pid is %ld: end it, or wait "
                     "until it has ended",
                     dir, pid);
}

static oc_err_t remove_marks(const member_config_t *config, const char *folder, const char *pattern)
{
    char path[PATH_MAX];
    member_config_path(config, folder, path, sizeof path);
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT ? OC_ERR_OK
                               : error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    oc_err_t err = OC_ERR_OK;
    const struct dirent *entry;
    while (err == OC_ERR_OK && (entry = readdir(dir)) != NULL)
        if (fnmatch(pattern, entry->d_name, 0) == 0 &&
            unlinkat(dirfd(dir), entry->d_name, 0) != 0 && errno != ENOENT)
            err = error_set(OC_ERR_WRITE, "%s/%s: %s", path, entry->d_name, strerror(errno));
    (void)closedir(dir);
    return err;
}

/* Aeron would take them for a living process's for ten seconds. */
static oc_err_t clear_predecessor(const member_config_t *config)
{
    oc_err_t err = module_process_await_end(config);
    if (err == OC_ERR_OK)
        err = remove_marks(config, "archive", "archive-mark.dat");
    if (err == OC_ERR_OK)
        err = remove_marks(config, "cluster", "cluster-mark*.dat");
    return err;
}

/* ---- Start ---- */

typedef struct command {
    char java[PATH_MAX];
    char jar[PATH_MAX];
    char properties[PATH_MAX];
    char classes[PATH_MAX + 32];
    char flags[NODE_TEXT_MAX]; /* cut into words */
    const char *argv[ARGUMENTS_MAX];
    size_t count;
} command_t;

static bool add(command_t *self, const char *argument)
{
    if (self->count + 1 >= ARGUMENTS_MAX)
        return false;
    self->argv[self->count++] = argument;
    return true;
}

static bool add_words(command_t *self, char *text)
{
    bool room = true;
    while (room && *(text += strspn(text, " \t")) != '\0') {
        char *word = text;
        text += strcspn(text, " \t");
        if (*text != '\0')
            *text++ = '\0';
        room = add(self, word);
    }
    return room;
}

/* The archive of classes that cluster/java/share-classes makes beside the jar. If it is there and
 * fits the JVM, half of the start is saved. */
static bool add_classes(command_t *self)
{
    char path[PATH_MAX];
    const size_t length = strlen(self->jar);
    if (length < sizeof ".jar" || strchr(self->jar, ':') ||
        strcmp(self->jar + length - 4, ".jar") != 0)
        return true;
    (void)snprintf(path, sizeof path, "%.*s.jsa", (int)(length - 4), self->jar);
    if (access(path, R_OK) != 0)
        return true;
    (void)snprintf(self->classes, sizeof self->classes, "-XX:SharedArchiveFile=%s", path);
    return add(self, self->classes);
}

/* The configured flags come last, for the last one counts; but of collectors the JVM wants one. */
static oc_err_t make_command(command_t *self, const member_config_t *config)
{
    /* Small, for the module keeps little; quick to start: most of that is loading classes. */
    static const char *const defaults[] = {
        "-Xmx256m",
        "-XX:-UsePerfData",
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.base/java.util.zip=ALL-UNNAMED", /* the archive's checksums */
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
    };
    bool room = add(self, self->java);
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
        room = room && add(self, defaults[i]);
    room = room && add_classes(self);
    (void)snprintf(self->flags, sizeof self->flags, "%s", config->jvm_flags);
    if (fnmatch("*-XX:+Use*GC*", self->flags, 0) != 0)
        room = room && add(self, "-XX:+UseSerialGC");
    room = room && add_words(self, self->flags) && add(self, "-cp") && add(self, self->jar) &&
           add(self, MAIN_CLASS) && add(self, self->properties);
    self->argv[self->count] = NULL;
    return room ? OC_ERR_OK
                : error_set(OC_ERR_INVALID_CONFIG, "[cluster] jvm_flags: more than %d words",
                            ARGUMENTS_MAX - ARGUMENTS_OWN);
}

static oc_err_t find_command(command_t *self, const member_config_t *config)
{
    *self = (command_t){.count = 0};
    oc_err_t err = module_install_java(config->java, self->java, sizeof self->java);
    if (err == OC_ERR_OK)
        err = module_install_jar(config->jar, self->jar, sizeof self->jar);
    if (err != OC_ERR_OK)
        return err;
    member_config_path(config, "module.properties", self->properties, sizeof self->properties);
    return make_command(self, config);
}

/* Signals as a fresh program has them; a group of its own, so that what a terminal sends to all
 * reaches it through us, in order. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t set;
    (void)sigemptyset(&set);
    int failed = posix_spawnattr_setsigmask(attributes, &set);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGHUP);
    (void)sigaddset(&set, SIGPIPE);
    if (!failed)
        failed = posix_spawnattr_setsigdefault(attributes, &set);
    if (!failed)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    if (!failed)
        failed = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    return failed;
}

static int spawn(module_process_t *self, const command_t *command, int input, int log)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed)
        goto destroy_actions;
    failed = set_attributes(&attributes);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, log, STDOUT_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
    if (!failed) {
        /* posix_spawn() does not write to the strings; its type is older than const. */
        union {
            const char *const *in;
            char *const *out;
        } argv = {.in = command->argv};
        failed = posix_spawn(&self->pid, command->java, &actions, &attributes, argv.out, environ);
    }
    posix_spawnattr_destroy(&attributes);
destroy_actions:
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        self->pid = 0;
    return failed;
}

/* Opened for appending, so that what a predecessor said is still there; but not for ever. */
static int open_log(module_process_t *self)
{
    struct stat info;
    if (stat(self->log, &info) == 0 && info.st_size > LOG_BYTES_MAX) {
        char old[PATH_MAX + 8];
        (void)snprintf(old, sizeof old, "%s.old", self->log);
        (void)rename(self->log, old);
    }
    const int log = open(self->log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    self->log_start = log >= 0 ? lseek(log, 0, SEEK_END) : 0;
    return log;
}

static oc_err_t launch(module_process_t *self, const command_t *command)
{
    int ends[2];
    const int log = open_log(self);
    if (log < 0)
        return error_set(OC_ERR_WRITE, "%s: %s", self->log, strerror(errno));
    if (pipe2(ends, O_CLOEXEC) != 0) {
        (void)close(log);
        return error_set(OC_ERR_OPEN, "a pipe to the module: %s", strerror(errno));
    }
    const int failed = spawn(self, command, ends[0], log);
    (void)close(ends[0]);
    (void)close(log);
    self->keepalive = ends[1];
    return failed ? error_set(OC_ERR_OPEN, "%s: %s", command->java, strerror(failed)) : OC_ERR_OK;
}

oc_err_t module_process_start(module_process_t **module, const member_config_t *config,
                              const char *aeron_dir)
{
    *module = NULL;
    module_process_t *self = calloc(1, sizeof *self);
    command_t *command = calloc(1, sizeof *command);
    oc_err_t err = OC_ERR_NO_MEMORY;
    if (self && command) {
        self->keepalive = -1;
        member_config_path(config, "module.log", self->log, sizeof self->log);
        err = find_command(command, config);
        if (err == OC_ERR_OK)
            err = clear_predecessor(config);
        if (err == OC_ERR_OK)
            err = module_properties_write(config, aeron_dir);
        if (err == OC_ERR_OK)
            err = launch(self, command);
    } else {
        (void)error_set(err, "the module's process");
    }
    free(command);
    if (err != OC_ERR_OK) {
        if (self && self->keepalive >= 0)
            (void)close(self->keepalive);
        free(self);
        return err;
    }
    OC_ASSERT(self->pid > 0);
    *module = self;
    return OC_ERR_OK;
}

/* ---- Watch ---- */

/* True once it has ended; reaps it. */
static bool ended(module_process_t *self)
{
    if (self->pid == 0)
        return true;
    const pid_t pid = waitpid(self->pid, &self->status, WNOHANG);
    if (pid == 0 || (pid < 0 && errno == EINTR))
        return false;
    if (pid < 0)
        self->status = STATUS_UNKNOWN; /* the program ignores SIGCHLD: the system has reaped it */
    self->pid = 0;
    return true;
}

/* What a JVM says at its own end. */
static bool is_end_of_jvm(const char *line)
{
    return line[0] == '#' || strncmp(line, "Terminating due to ", 19) == 0;
}

/* Its lines as one, without what only fills them; what does not fit is left out. */
static void join_line(char *text, size_t size, const char *line)
{
    const size_t used = strlen(text);
    line += strspn(line, "# \t");
    if (*line && used + strlen(line) + sizeof "; " <= size)
        (void)snprintf(text + used, size - used, "%s%s", used > 0 ? "; " : "", line);
}

/* The end of the log as far as it is of this run: it may have been begun anew meanwhile. */
static void read_tail(const module_process_t *self, char *text, size_t size)
{
    text[0] = '\0';
    FILE *file = fopen(self->log, "re");
    if (!file)
        return;
    if (fseeko(file, 0, SEEK_END) == 0) {
        const off_t end = ftello(file);
        off_t from = self->log_start <= end ? self->log_start : 0;
        if (end - from > (off_t)size - 1)
            from = end - ((off_t)size - 1);
        if (fseeko(file, from, SEEK_SET) == 0)
            text[fread(text, 1, size - 1, file)] = '\0';
    }
    (void)fclose(file);
}

/* The rest of a line that begins with `key`; else `otherwise`. */
static const char *behind(const char *line, const char *key, const char *otherwise)
{
    const size_t length = strlen(key);
    return strncmp(line, key, length) == 0 ? line + length : otherwise;
}

/* Why it ended, in its own words: what the Java program calls fatal; without that, what the JVM
 * says of its end, or of why it does not begin; then what was complained of last. */
void module_process_words(const module_process_t *self, char *words, size_t size)
{
    char text[LOG_TAIL_BYTES];
    char jvm[MODULE_WORDS_MAX] = "";
    char only_jvm[MODULE_WORDS_MAX] = "";
    const char *fatal = NULL;
    const char *complaint = NULL;
    const char *last = "";
    bool began = false;
    read_tail(self, text, sizeof text);
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        began = began || strncmp(line, "module: ", 8) == 0;
        if (is_end_of_jvm(line))
            join_line(jvm, sizeof jvm, line);
        else
            join_line(only_jvm, sizeof only_jvm, line);
        fatal = behind(line, "module: fatal: ", fatal);
        complaint = behind(line, "module: error: ", behind(line, "module: warning: ", complaint));
        if (*line && strncmp(line, "module: ", 8) != 0)
            last = line;
        line = end ? end + 1 : NULL;
    }
    if (!fatal)
        fatal = jvm[0] ? jvm : !began ? only_jvm : complaint ? complaint : last;
    (void)snprintf(words, size, "%s", *fatal ? fatal : "it said nothing");
}

oc_err_t module_process_check(module_process_t *self)
{
    char words[MODULE_WORDS_MAX];
    if (!ended(self))
        return OC_ERR_OK;
    if (WIFEXITED(self->status) && WEXITSTATUS(self->status) == 0)
        return error_set(OC_ERR_CLOSED, "the module has ended in order");
    module_process_words(self, words, sizeof words);
    const bool killed = WIFSIGNALED(self->status);
    return error_set(OC_ERR_TRANSPORT, "the module has ended (%s %d): %s; see %s",
                     killed ? "signal" : "status",
                     killed ? WTERMSIG(self->status) : WEXITSTATUS(self->status), words, self->log);
}

void module_process_destroy(module_process_t *self)
{
    if (!self)
        return;
    if (!ended(self))
        (void)kill(self->pid, SIGTERM);
    for (long waited = 0; !ended(self) && waited < END_NS; waited += STEP_NS)
        sleep_step();
    if (!ended(self)) {
        (void)kill(self->pid, SIGKILL);
        while (!ended(self))
            sleep_step();
    }
    (void)close(self->keepalive);
    free(self);
}
