/*
 * Whether the Java programs can be had here. Called by main() of integration tests.
 */
#include "lib/java_tools.h"

#include "bench/child_process.h"

#include <stdio.h>

enum { SKIPPED = 77 };

/* Maven may fetch what it has not got. */
#define BUILD_NS (INT64_C(480) * 1000 * 1000 * 1000)

int java_tools_status(void)
{
    child_process_t child = {0};
    int status = 1;
    const char *const argv[] = {OUTCRY_SOURCE_DIR "/tools/java/build", NULL};
    if (child_process_start(&child, argv, -1) != OC_ERR_OK ||
        child_process_wait(&child, &status, BUILD_NS) != OC_ERR_OK)
        status = 1;
    child_process_end(&child);
    if (status == SKIPPED)
        printf("SKIP: tools/java/build cannot run here\n");
    return status;
}
