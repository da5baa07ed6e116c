/*
 * Where the program `java` and the jar of the module are on this machine.
 *
 * Threads: any.
 */
#ifndef CLUSTER_MODULE_INSTALL_H
#define CLUSTER_MODULE_INSTALL_H

#include "outcry/error.h"

#include <stddef.h>

#define MODULE_JAVA_VERSION 17 /* or newer */

/* Finds `java`, a path or a name to be looked up in PATH, and checks its version by the file
 * `release` of its installation, or by asking it where there is none. OC_ERR_OPEN: there is none,
 * it does not run, it is too old. */
OC_MUST_CHECK oc_err_t module_install_java(const char *java, char *path, size_t size);

/* Finds the jar: `jar` if it is not empty, a class path of several with colons also; else what the
 * environment's OUTCRY_CLUSTER_JAR says; else share/outcry/ beside the program's bin/, or cluster/
 * of a build folder up to three levels above the program; else likewise for the library that this
 * code is in. OC_ERR_OPEN: where it was looked for. */
OC_MUST_CHECK oc_err_t module_install_jar(const char *jar, char *path, size_t size);

#endif
