/*
 * Files of a real cluster. Called by lib/cluster_rig.c and lib/own_cluster.c, and by the tests of
 * members that lose everything.
 *
 * Must not wait, and knows nothing of processes: these are the rigs' affair.
 */
#define _GNU_SOURCE
#include "lib/cluster_place.h"

#include "base/remove_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { TAIL = 4096, LINE = 2048 };

void cluster_place_set_jar(void)
{
    assert_int_equal(
        setenv("OUTCRY_CLUSTER_JAR", OUTCRY_SOURCE_DIR "/build/cluster/outcry-cluster.jar", 1), 0);
}

const char *cluster_place_path(const local_cluster_t *cluster, uint32_t member, const char *name)
{
    static char path[CLUSTER_FOLDER_PATH];
    if (name == NULL)
        cluster_folder_dir(local_cluster_folder(cluster), member, path);
    else
        cluster_folder_file(local_cluster_folder(cluster), member, name, path);
    return path;
}

bool cluster_place_file_says(const char *path, const char *text)
{
    char line[LINE];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = strstr(line, text) != NULL;
    if (file != NULL)
        (void)fclose(file);
    return found;
}

void cluster_place_print_tail(const char *path)
{
    char tail[TAIL + 1];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    (void)fseek(file, -TAIL, SEEK_END); /* shorter: from the beginning */
    const size_t length = fread(tail, 1, TAIL, file);
    tail[length] = '\0';
    (void)fclose(file);
    (void)fprintf(stderr, "%s:\n%s\n", path, tail); /* print_message() would cut it */
}

void cluster_place_wipe(const local_cluster_t *cluster, uint32_t member)
{
    char dir[CLUSTER_FOLDER_PATH];
    char kept[CLUSTER_FOLDER_PATH + 8];
    (void)snprintf(dir, sizeof dir, "%s", cluster_place_path(cluster, member, NULL));
    (void)snprintf(kept, sizeof kept, "%s.kept", dir);
    assert_int_equal(rename(cluster_place_path(cluster, member, "outcry.conf"), kept), 0);
    assert_int_equal(remove_tree(dir), OC_ERR_OK);
    assert_int_equal(mkdir(dir, 0755), 0);
    assert_int_equal(rename(kept, cluster_place_path(cluster, member, "outcry.conf")), 0);
}
