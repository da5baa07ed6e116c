/*
 * Errors and drops of UDP, from /proc. Called by loss_counters.c before and after a run.
 *
 * Invariants: columns are found by their names, so that a kernel with other ones is read alike or
 * not at all; nothing that is missing is an error, for a container may hide any of it. A socket
 * that was closed takes its drops with it: both readings are made while it is open.
 */
#define _GNU_SOURCE
#include "bench/udp_errors.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE  320
#define FIRST_SIZE ((size_t)64 * 1024)
#define TEXT_MAX   ((size_t)16 * 1024 * 1024)

/* ---- The texts ------------------------------------------------------------------------------- */

/* The next word of the line at *at, which moves behind it; 0: the line has no more. */
static size_t next_word(const char **at, const char **word)
{
    *at += strspn(*at, " \t");
    *word = *at;
    const size_t length = strcspn(*at, " \t\n");
    *at += length;
    return length;
}

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : NULL;
}

static bool is_word(const char *word, size_t length, const char *expected)
{
    return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

/* The number in the column of `numbers` that is named so in `names`. */
static bool column(const char *names, const char *numbers, const char *name, uint64_t *value)
{
    const char *word;
    const char *number;
    size_t length;
    while ((length = next_word(&names, &word)) > 0) {
        if (next_word(&numbers, &number) == 0)
            return false;
        if (is_word(word, length, name)) {
            *value = strtoull(number, NULL, 10);
            return isdigit((unsigned char)*number) != 0;
        }
    }
    return false;
}

bool udp_errors_add_snmp(udp_errors_t *self, const char *text)
{
    const char *names = NULL;
    for (const char *line = text; line && *line; line = next_line(line)) {
        uint64_t full;
        uint64_t all;
        if (strncmp(line, "Udp:", 4) != 0)
            continue;
        if (names == NULL) {
            names = line;
            continue;
        }
        if (!column(names, line, "RcvbufErrors", &full) || !column(names, line, "InErrors", &all))
            return false;
        self->rcvbuf_errors += full;
        self->in_errors += all;
        return true;
    }
    return false;
}

bool udp_errors_add_snmp6(udp_errors_t *self, const char *text)
{
    unsigned found = 0;
    for (const char *line = text; line && *line; line = next_line(line)) {
        const char *at = line;
        const char *word;
        const char *number;
        const size_t length = next_word(&at, &word);
        if (next_word(&at, &number) == 0 || !isdigit((unsigned char)*number))
            continue;
        if (is_word(word, length, "Udp6RcvbufErrors")) {
            self->rcvbuf_errors += strtoull(number, NULL, 10);
            found++;
        } else if (is_word(word, length, "Udp6InErrors")) {
            self->in_errors += strtoull(number, NULL, 10);
            found++;
        }
    }
    return found == 2;
}

/* Of a socket's line: sl, local, remote, state, queues, timer, retransmits, uid, timeout, inode,
 * references, pointer, drops. Its head has two names for some of them, so places are counted. */
enum { INODE_WORD = 9, DROPS_WORD = 12 };

static bool read_socket(const char *line, uint64_t *inode, uint64_t *drops)
{
    const char *word;
    for (int i = 0; i <= DROPS_WORD; i++) {
        const size_t length = next_word(&line, &word);
        if (length == 0)
            return false;
        if (i == INODE_WORD)
            *inode = strtoull(word, NULL, 10);
        if (i == DROPS_WORD)
            *drops = strtoull(word, NULL, 10);
    }
    return isdigit((unsigned char)*word) != 0;
}

bool udp_errors_add_sockets(udp_errors_t *self, const char *text, const uint64_t *inodes,
                            size_t count)
{
    const char *line = next_line(text);
    const char *drops_name = strstr(text, "drops");
    if (line == NULL || drops_name == NULL || drops_name >= line)
        return false;
    for (; line && *line; line = next_line(line)) {
        uint64_t inode = 0;
        uint64_t drops = 0;
        if (!read_socket(line, &inode, &drops))
            return false;
        for (size_t i = 0; i < count; i++) {
            if (inodes[i] == inode) {
                self->socket_drops += drops;
                self->sockets++;
                break;
            }
        }
    }
    return true;
}

/* ---- The files ------------------------------------------------------------------------------- */

/* A whole file of /proc, terminated, which the caller frees; NULL: it cannot be read. */
static char *read_text(pid_t pid, const char *name)
{
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "/proc/%ld/net/%s", (long)pid, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return NULL;
    size_t size = FIRST_SIZE;
    size_t used = 0;
    char *text = malloc(size);
    while (text != NULL) {
        used += fread(text + used, 1, size - 1 - used, file);
        if (used < size - 1 || size >= TEXT_MAX)
            break;
        size *= 2;
        char *more = realloc(text, size);
        if (more == NULL)
            free(text);
        text = more;
    }
    if (text != NULL && (ferror(file) || used == size - 1)) {
        free(text);
        text = NULL;
    }
    (void)fclose(file);
    if (text != NULL)
        text[used] = '\0';
    return text;
}

/* Inodes of the process's sockets, of whatever kind; false: they cannot be seen, or not all. */
static bool list_sockets(pid_t pid, uint64_t *inodes, size_t *count)
{
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    DIR *folder = opendir(path);
    *count = 0;
    if (folder == NULL)
        return false;
    bool all = true;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char target[64];
        uint64_t inode;
        const ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        if (length < 0) {
            /* "." and ".." are no links; what is closed meanwhile is gone. */
            all = all && (errno == EINVAL || errno == ENOENT);
            continue;
        }
        target[length] = '\0';
        if (sscanf(target, "socket:[%" SCNu64 "]", &inode) != 1)
            continue;
        if (*count == UDP_ERRORS_SOCKETS_MAX) {
            all = false;
            break;
        }
        inodes[(*count)++] = inode;
    }
    (void)closedir(folder);
    return all;
}

static void read_namespace(udp_errors_t *self, pid_t pid)
{
    char *text = read_text(pid, "snmp");
    self->namespace_known = text != NULL && udp_errors_add_snmp(self, text);
    free(text);
    text = read_text(pid, "snmp6"); /* absent where there is no IPv6 */
    if (text != NULL)
        (void)udp_errors_add_snmp6(self, text);
    free(text);
}

static void read_sockets(udp_errors_t *self, pid_t pid)
{
    uint64_t inodes[UDP_ERRORS_SOCKETS_MAX];
    size_t count;
    if (!list_sockets(pid, inodes, &count))
        return;
    char *text = read_text(pid, "udp");
    self->sockets_known = text != NULL && udp_errors_add_sockets(self, text, inodes, count);
    free(text);
    text = read_text(pid, "udp6");
    if (text != NULL)
        self->sockets_known =
            udp_errors_add_sockets(self, text, inodes, count) && self->sockets_known;
    free(text);
    /* A process without any may be another one that has the same number here. */
    self->sockets_known = self->sockets_known && self->sockets > 0;
}

void udp_errors_read(udp_errors_t *self, pid_t pid)
{
    memset(self, 0, sizeof *self);
    const pid_t whose = pid ? pid : getpid();
    read_namespace(self, whose);
    read_sockets(self, whose);
}
