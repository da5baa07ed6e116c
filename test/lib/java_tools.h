/*
 * The official Java programs of tools/java, for tests that need them.
 */
#ifndef LIB_JAVA_TOOLS_H
#define LIB_JAVA_TOOLS_H

/* Builds them. 0: a test can run them; else what its main() returns: 77 where there is no Java, and
 * SKIP has been printed, or another status. */
int java_tools_status(void);

#endif
