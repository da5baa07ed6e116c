/*
 * Finding java and the module's jar. Called when a member starts its module.
 *
 * Invariants: nothing is started but `java -version`, and that only where no file tells its
 * version. Must not guess: what was found is what the error or the result names.
 */
#define _GNU_SOURCE
#include "cluster/module_install.h"

#include "base/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define JAR       "outcry-cluster.jar"
#define JAR_LEVEL 3 /* folders above the program's own that may be a build folder */

extern char **environ;

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_program(const char *path)
{
    return is_file(path) && access(path, X_OK) == 0;
}

/* "DIR/NAME"; false: it does not fit. */
static bool join(char *path, size_t size, const char *dir, size_t length, const char *name)
{
    const int n = snprintf(path, size, "%.*s/%s", (int)length, dir, name);
    return n > 0 && (size_t)n < size;
}

/* ---- java ---- */

static bool in_search_path(const char *name, char *path, size_t size)
{
    const char *list = getenv("PATH");
    while (list && *list) {
        const size_t length = strcspn(list, ":");
        if (length > 0 && join(path, size, list, length, name) && is_program(path))
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

/* The number behind `key` in a text, 8 of an old "1.8.0"; 0: there is none. */
static int version_in(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at)
        return 0;
    at += strlen(key);
    if (strncmp(at, "1.", 2) == 0)
        at += 2;
    const long number = strtol(at, NULL, 10);
    return number > 0 && number < 1000 ? (int)number : 0;
}

/* Reads what there is, up to the size; terminated. */
static void read_all(FILE *stream, char *text, size_t size)
{
    text[fread(text, 1, size - 1, stream)] = '\0';
}

/* By JDK/release, java being JDK/bin/java; 0: no such file. */
static int released_version(const char *java)
{
    char path[PATH_MAX + 16];
    char text[4096];
    if (!realpath(java, path))
        return 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return 0;
        *slash = '\0';
    }
    const size_t length = strlen(path);
    (void)snprintf(path + length, sizeof path - length, "/release");
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    read_all(file, text, sizeof text);
    (void)fclose(file);
    return version_in(text, "JAVA_VERSION=\"");
}

static int spawn_version(const char *java, int output, pid_t *pid)
{
    /* posix_spawn() does not write to the strings; its type is older than const. */
    char option[] = "-version";
    union {
        const char *in;
        char *out;
    } name = {.in = java};
    char *argv[] = {name.out, option, NULL};
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!failed)
        failed = posix_spawn(pid, java, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* What `java -version` says; 0: nothing that is a version. */
static int told_version(const char *java)
{
    int ends[2];
    pid_t pid;
    char text[1024] = "";
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    const int failed = spawn_version(java, ends[1], &pid);
    (void)close(ends[1]);
    FILE *stream = fdopen(ends[0], "r");
    if (!stream) {
        (void)close(ends[0]);
    } else {
        if (!failed)
            read_all(stream, text, sizeof text);
        (void)fclose(stream);
    }
    if (!failed)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    return version_in(text, "version \"");
}

oc_err_t module_install_java(const char *java, char *path, size_t size)
{
    const char *name = java[0] ? java : "java";
    if (strchr(name, '/')) {
        if (!is_program(name))
            return error_set(OC_ERR_OPEN, "[cluster] java: %s is not a program", name);
        (void)snprintf(path, size, "%s", name);
    } else if (!in_search_path(name, path, size)) {
        return error_set(OC_ERR_OPEN,
                         "there is no `%s` in PATH: install Java %d or newer, or name its program "
                         "by [cluster] java",
                         name, MODULE_JAVA_VERSION);
    }
    int version = released_version(path);
    if (version == 0)
        version = told_version(path);
    if (version == 0)
        return error_set(OC_ERR_OPEN, "%s does not tell its version by -version: it does not run",
                         path);
    if (version < MODULE_JAVA_VERSION)
        return error_set(OC_ERR_OPEN, "%s is Java %d, the module needs %d or newer", path, version,
                         MODULE_JAVA_VERSION);
    return OC_ERR_OK;
}

/* ---- The jar ---- */

/* Each part of a class path must be there; `*missing` is the first that is not. */
static bool all_there(const char *list, char *missing, size_t size)
{
    while (*list) {
        const size_t length = strcspn(list, ":");
        const int n = snprintf(missing, size, "%.*s", (int)length, list);
        if (n < 0 || (size_t)n >= size || access(missing, R_OK) != 0)
            return false;
        list += length + (list[length] == ':');
    }
    return true;
}

static oc_err_t named(const char *jar, const char *by, char *path, size_t size)
{
    char missing[PATH_MAX];
    if (!all_there(jar, missing, sizeof missing))
        return error_set(OC_ERR_OPEN, "%s: %s: %s", by, missing, strerror(errno));
    const int n = snprintf(path, size, "%s", jar);
    return n >= 0 && (size_t)n < size ? OC_ERR_OK
                                      : error_set(OC_ERR_OPEN, "%s: it is too long", by);
}

/* As it is installed (a library may lie one folder deeper than a program), or as it is built. */
static bool beside(const char *dir, char *path, size_t size)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", dir);
    if (join(path, size, folder, strlen(folder), "../share/outcry/" JAR) && is_file(path))
        return true;
    if (join(path, size, folder, strlen(folder), "../../share/outcry/" JAR) && is_file(path))
        return true;
    for (int level = 0; level <= JAR_LEVEL; level++) {
        if (join(path, size, folder, strlen(folder), "cluster/" JAR) && is_file(path))
            return true;
        if (join(path, size, folder, strlen(folder), "build/cluster/" JAR) && is_file(path))
            return true;
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    return false;
}

static void cut_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
}

/* A service author's program lies anywhere; the library that it is linked with does not. */
static bool beside_library(char *path, size_t size)
{
    static const char here = 0;
    char library[PATH_MAX];
    Dl_info info;
    if (dladdr(&here, &info) == 0 || !info.dli_fname || !realpath(info.dli_fname, library))
        return false;
    cut_name(library);
    return beside(library, path, size);
}

oc_err_t module_install_jar(const char *jar, char *path, size_t size)
{
    const char *environment = getenv("OUTCRY_CLUSTER_JAR");
    char program[PATH_MAX];
    if (jar[0])
        return named(jar, "[cluster] jar", path, size);
    if (environment && environment[0])
        return named(environment, "OUTCRY_CLUSTER_JAR", path, size);
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return error_set(OC_ERR_OPEN, "/proc/self/exe: %s", strerror(errno));
    program[length] = '\0';
    cut_name(program);
    if (beside(program, path, size) || beside_library(path, size))
        return OC_ERR_OK;
    return error_set(OC_ERR_OPEN,
                     "no " JAR " in %s/../share/outcry, nor in cluster/ of a build folder above, "
                     "nor beside the library: cluster/java/build makes it; [cluster] jar or "
                     "OUTCRY_CLUSTER_JAR names one",
                     program);
}
