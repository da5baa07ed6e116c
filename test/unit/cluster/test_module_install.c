/*
 * Finding java and the jar: in PATH or by name, too old or not to be run, by the file `release` or
 * by its own word; the jar by its name, by the environment, beside the program.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/module_install.h"
#include "lib/temp_dir.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static temp_dir_t dir;
static char found[PATH_MAX];

static int set_up(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return 0;
}

static const char *path_of(const char *name)
{
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", dir.path, name);
    return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(path_of(name), "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path_of(name), mode), 0);
}

static void make_dir(const char *name)
{
    assert_int_equal(mkdir(path_of(name), 0755), 0);
}

/* A program that tells `version` as java does. */
static void write_java(const char *name, const char *version)
{
    char text[256];
    (void)snprintf(text, sizeof text, "#!/bin/sh\necho 'openjdk version \"%s\"' >&2\n", version);
    write_file(name, text, 0755);
}

static oc_err_t find_java(const char *java)
{
    return module_install_java(java, found, sizeof found);
}

static void assert_context(const char *part)
{
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' is not in: %s", part, oc_err_context());
}

static void test_java_by_its_word(void **state)
{
    (void)state;
    write_java("java", "17.0.1");
    assert_int_equal(find_java(path_of("java")), OC_ERR_OK);
    assert_string_equal(found, path_of("java"));
    write_java("java", "21");
    assert_int_equal(find_java(path_of("java")), OC_ERR_OK);
    write_java("java", "11.0.2");
    assert_int_equal(find_java(path_of("java")), OC_ERR_OPEN);
    assert_context("is Java 11, the module needs 17");
    write_java("java", "1.8.0_292");
    assert_int_equal(find_java(path_of("java")), OC_ERR_OPEN);
    assert_context("is Java 8, the module needs 17");
}

static void test_java_by_its_release(void **state)
{
    (void)state;
    make_dir("bin");
    write_java("bin/java", "11");
    write_file("release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n", 0644);
    assert_int_equal(find_java(path_of("bin/java")), OC_ERR_OK);
    write_file("release", "JAVA_VERSION=\"16\"\n", 0644);
    assert_int_equal(find_java(path_of("bin/java")), OC_ERR_OPEN);
    assert_context("is Java 16");
    write_file("release", "nothing of use\n", 0644); /* then it is asked */
    assert_int_equal(find_java(path_of("bin/java")), OC_ERR_OPEN);
    assert_context("is Java 11");
}

static void test_no_java(void **state)
{
    (void)state;
    assert_int_equal(find_java(path_of("java")), OC_ERR_OPEN);
    assert_context("is not a program");
    write_file("java", "#!/bin/sh\n", 0644); /* may not be run */
    assert_int_equal(find_java(path_of("java")), OC_ERR_OPEN);
    assert_context("is not a program");
    write_file("java", "#!/bin/sh\nexit 1\n", 0755);
    assert_int_equal(find_java(path_of("java")), OC_ERR_OPEN);
    assert_context("it does not run");
}

static void test_search_path(void **state)
{
    (void)state;
    char list[1100];
    char *before = strdup(getenv("PATH"));
    assert_non_null(before);
    make_dir("one");
    make_dir("two");
    write_file("one/java", "", 0644); /* passed over: no program */
    write_java("two/java", "17");
    const int length = snprintf(list, sizeof list, ":%s", path_of("one"));
    (void)snprintf(list + length, sizeof list - (size_t)length, ":%s", path_of("two"));
    assert_int_equal(setenv("PATH", list, 1), 0);
    const oc_err_t no_err = find_java("outcry-no-such-java");
    const oc_err_t err = find_java("");
    assert_int_equal(setenv("PATH", before, 1), 0);
    free(before);
    assert_int_equal(no_err, OC_ERR_OPEN);
    assert_context("no `outcry-no-such-java` in PATH");
    assert_int_equal(err, OC_ERR_OK);
    assert_string_equal(found, path_of("two/java"));
}

static void test_jar_by_name(void **state)
{
    (void)state;
    char list[1100];
    write_file("a.jar", "", 0644);
    const int length = snprintf(list, sizeof list, "%s:", path_of("a.jar"));
    (void)snprintf(list + length, sizeof list - (size_t)length, "%s", path_of("b.jar"));
    assert_int_equal(module_install_jar(list, found, sizeof found), OC_ERR_OPEN);
    assert_context("[cluster] jar: ");
    assert_context("b.jar: No such file");
    write_file("b.jar", "", 0644);
    assert_int_equal(module_install_jar(list, found, sizeof found), OC_ERR_OK);
    assert_string_equal(found, list);
    assert_int_equal(module_install_jar(list, found, 8), OC_ERR_OPEN);
    assert_context("too long");
}

static void test_jar_by_environment(void **state)
{
    (void)state;
    assert_int_equal(setenv("OUTCRY_CLUSTER_JAR", path_of("c.jar"), 1), 0);
    assert_int_equal(module_install_jar("", found, sizeof found), OC_ERR_OPEN);
    assert_context("OUTCRY_CLUSTER_JAR: ");
    write_file("c.jar", "", 0644);
    assert_int_equal(module_install_jar("", found, sizeof found), OC_ERR_OK);
    assert_string_equal(found, path_of("c.jar"));
    assert_int_equal(unsetenv("OUTCRY_CLUSTER_JAR"), 0);
}

/* ---- Beside the program, which is a copy of this one, called with --find ---- */

static void copy_self(const char *name)
{
    static char block[1 << 16];
    FILE *from = fopen("/proc/self/exe", "re");
    FILE *to = fopen(path_of(name), "we");
    assert_non_null(from);
    assert_non_null(to);
    for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;)
        assert_int_equal(fwrite(block, 1, n, to), n);
    assert_int_equal(fclose(from), 0);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(chmod(path_of(name), 0755), 0);
}

/* What the copy finds; "" if nothing. */
static const char *found_by(const char *name)
{
    char command[600];
    assert_int_equal(unsetenv("OUTCRY_CLUSTER_JAR"), 0);
    (void)snprintf(command, sizeof command, "'%s' --find", path_of(name));
    FILE *output = popen(command, "re");
    assert_non_null(output);
    if (!fgets(found, sizeof found, output))
        found[0] = '\0';
    (void)pclose(output);
    return found;
}

static void assert_found(const char *program, const char *jar)
{
    char resolved[PATH_MAX];
    char expected[PATH_MAX];
    assert_non_null(realpath(found_by(program), resolved));
    assert_non_null(realpath(path_of(jar), expected));
    assert_string_equal(resolved, expected);
}

static void test_jar_beside_the_program(void **state)
{
    (void)state;
    make_dir("bin");
    make_dir("share");
    make_dir("share/outcry");
    make_dir("cluster");
    copy_self("bin/program");
    assert_string_equal(found_by("bin/program"), "");
    write_file("cluster/outcry-cluster.jar", "", 0644); /* of a build folder above */
    assert_found("bin/program", "cluster/outcry-cluster.jar");
    write_file("share/outcry/outcry-cluster.jar", "", 0644);
    assert_found("bin/program", "share/outcry/outcry-cluster.jar");
}

static void test_jar_of_a_build_folder(void **state)
{
    (void)state;
    make_dir("a");
    make_dir("a/b");
    make_dir("a/b/c");
    make_dir("a/b/c/d");
    make_dir("build");
    make_dir("build/cluster");
    write_file("build/cluster/outcry-cluster.jar", "", 0644);
    copy_self("a/b/c/program");
    assert_found("a/b/c/program", "build/cluster/outcry-cluster.jar");
    copy_self("a/b/c/d/program"); /* too deep */
    assert_string_equal(found_by("a/b/c/d/program"), "");
}

static int find_and_print(void)
{
    char path[PATH_MAX];
    if (module_install_jar("", path, sizeof path) != OC_ERR_OK)
        return strstr(oc_err_context(), "cluster/java/build makes it") ? 0 : 1;
    (void)fputs(path, stdout);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--find") == 0)
        return find_and_print();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_java_by_its_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_java_by_its_release, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_java, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_search_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_jar_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_jar_by_environment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_jar_beside_the_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_jar_of_a_build_folder, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
