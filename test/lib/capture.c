/*
 * Diverted standard streams. Called by the tests of subcommands and of progress; between begin and
 * end no assertion of a test may fail, because nobody would see its message.
 */
#define _GNU_SOURCE
#include "lib/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { STREAMS = 2, WORDS_MAX = 32, WORD_SIZE = 256 };

typedef struct diversion {
    int kept; /* copy of the stream's own descriptor */
    FILE *file;
} diversion_t;

static diversion_t diversions[STREAMS];

static void divert(diversion_t *diversion, int descriptor)
{
    diversion->file = tmpfile();
    assert_non_null(diversion->file);
    diversion->kept = dup(descriptor);
    assert_true(diversion->kept >= 0);
    assert_int_equal(dup2(fileno(diversion->file), descriptor), descriptor);
}

static void restore(diversion_t *diversion, int descriptor, char text[CAPTURE_SIZE])
{
    dup2(diversion->kept, descriptor);
    close(diversion->kept);
    rewind(diversion->file);
    const size_t size = fread(text, 1, CAPTURE_SIZE - 1, diversion->file);
    text[size] = '\0';
    fclose(diversion->file);
}

void output_capture_begin(void)
{
    fflush(stdout);
    fflush(stderr);
    divert(&diversions[0], STDOUT_FILENO);
    divert(&diversions[1], STDERR_FILENO);
}

void output_capture_end(capture_t *captured)
{
    fflush(stdout);
    fflush(stderr);
    restore(&diversions[0], STDOUT_FILENO, captured->out);
    restore(&diversions[1], STDERR_FILENO, captured->err);
}

int capture_main(int (*run)(int argc, char **argv), const char *const *words, capture_t *captured)
{
    char copies[WORDS_MAX][WORD_SIZE];
    char *argv[WORDS_MAX + 1] = {NULL};
    int argc = 0;
    for (; words[argc]; argc++) {
        assert_true(argc < WORDS_MAX);
        const size_t size = strlen(words[argc]) + 1;
        assert_true(size <= WORD_SIZE);
        memcpy(copies[argc], words[argc], size);
        argv[argc] = copies[argc];
    }
    output_capture_begin();
    const int status = run(argc, argv);
    output_capture_end(captured);
    return status;
}

void capture_assert_out(const capture_t *captured, const char *part)
{
    if (!strstr(captured->out, part))
        fail_msg("'%s' is not in '%s' ('%s')", part, captured->out, captured->err);
}

void capture_assert_err(const capture_t *captured, const char *part)
{
    if (!strstr(captured->err, part))
        fail_msg("'%s' is not in '%s'", part, captured->err);
}
