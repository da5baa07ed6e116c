/*
 * The control socket as its clients see it, good ones and others: silent, half a line, garbage, too
 * many, gone before the answer. Nothing of it may cost the core more than a bounded look.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "host/control.h"
#include "lib/temp_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LOOK_NS   INT64_C(5000000)
#define SECOND_NS INT64_C(1000000000)

typedef struct fixture {
    temp_dir_t dir;
    control_t *control;
    int64_t now_ns;
    char request[300]; /* the last */
    uint32_t requests;
    uint32_t waiting; /* connection of the last one that waits */
} fixture_t;

static bool on_request(void *context, uint32_t connection, const char *request,
                       char answer[CONTROL_LINE_MAX])
{
    fixture_t *f = context;
    (void)snprintf(f->request, sizeof f->request, "%s", request);
    f->requests++;
    if (!strcmp(request, "wait")) {
        f->waiting = connection;
        return false;
    }
    if (!strcmp(request, "long"))
        memset(answer, 'x', CONTROL_LINE_MAX - 1);
    else
        (void)snprintf(answer, CONTROL_LINE_MAX, "you said=%s\nok", request);
    return true;
}

static void begin(fixture_t *f)
{
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->dir);
    assert_int_equal(control_create(&f->control, f->dir.path, on_request, f), OC_ERR_OK);
}

static void end(fixture_t *f)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%.90s/control", f->dir.path);
    control_destroy(f->control);
    assert_int_equal(access(path, F_OK), -1);
    temp_dir_remove(&f->dir);
}

static int work(fixture_t *f, int64_t ns)
{
    f->now_ns += ns;
    return control_do_work(f->control, f->now_ns);
}

static void looks(fixture_t *f, int count)
{
    for (int i = 0; i < count; i++)
        (void)work(f, LOOK_NS);
}

/* -1 when the system's queue is full. */
static int try_join(const fixture_t *f)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%.90s/control", f->dir.path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_true(fd >= 0);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(close(fd), 0);
    return -1;
}

static int join(const fixture_t *f)
{
    const int fd = try_join(f);
    assert_true(fd >= 0);
    return fd;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* What is there, or "-" if nothing is, "." at the end. */
static const char *hear(int fd)
{
    static char text[2048];
    const ssize_t got = recv(fd, text, sizeof text - 1, 0);
    if (got < 0)
        return errno == EAGAIN ? "-" : strerror(errno);
    text[got] = '\0';
    return got == 0 ? "." : text;
}

static void a_request_is_answered(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    const int fd = join(&f);
    say(fd, "sta");
    looks(&f, 3);
    assert_int_equal(f.requests, 0);
    say(fd, "tus\nand more");
    looks(&f, 1);
    assert_string_equal(f.request, "status");
    assert_string_equal(hear(fd), "you said=status\nok\n");
    /* One request for each connection; what was behind it is lost with it. */
    assert_string_equal(hear(fd), ".");
    looks(&f, 3);
    assert_int_equal(f.requests, 1);
    assert_int_equal(close(fd), 0);

    const int typed = join(&f);
    say(typed, "status\r\n");
    looks(&f, 2);
    assert_string_equal(f.request, "status");
    assert_int_equal(close(typed), 0);
    const int empty = join(&f);
    say(empty, "\n");
    looks(&f, 2);
    assert_string_equal(f.request, "");
    assert_string_equal(hear(empty), "you said=\nok\n");
    assert_int_equal(close(empty), 0);
    end(&f);
}

static void an_answer_may_come_later(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    const int gone = join(&f);
    say(gone, "wait\n");
    looks(&f, 2);
    const uint32_t first = f.waiting;
    assert_int_equal(close(gone), 0);
    looks(&f, 2);
    const int fd = join(&f);
    say(fd, "wait\n");
    looks(&f, 2);
    assert_int_equal(f.requests, 2);
    assert_int_not_equal(f.waiting, first);
    /* It has ended its side, as a pipe into a tool does; and it waits longer than a second. */
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    (void)work(&f, 10 * SECOND_NS);
    looks(&f, 2);
    control_answer(f.control, first, "nobody\nok");
    looks(&f, 1);
    assert_string_equal(hear(fd), "-");
    control_answer(f.control, f.waiting, "pages=3\nok");
    control_answer(f.control, f.waiting, "again\nok");
    looks(&f, 1);
    assert_string_equal(hear(fd), "pages=3\nok\n");
    assert_string_equal(hear(fd), ".");
    assert_int_equal(close(fd), 0);
    end(&f);
}

/* Served only now and then, whatever comes. */
static void it_looks_now_and_then(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    f.now_ns = SECOND_NS;
    assert_int_equal(work(&f, 0), 0);
    const int fd = join(&f);
    say(fd, "status\n");
    assert_int_equal(work(&f, LOOK_NS - 1), 0);
    assert_int_equal(work(&f, 1), 1); /* accepted */
    assert_int_equal(work(&f, LOOK_NS - 1), 0);
    assert_int_equal(f.requests, 0);
    assert_int_equal(work(&f, 1), 1);
    assert_int_equal(f.requests, 1);
    assert_int_equal(work(&f, LOOK_NS), 0);
    assert_int_equal(close(fd), 0);
    end(&f);
}

static void lines_too_long_and_garbage(void **state)
{
    (void)state;
    static fixture_t f;
    char garbage[4096];
    begin(&f);
    memset(garbage, 'a', sizeof garbage);
    const int fd = join(&f);
    assert_true(send(fd, garbage, sizeof garbage, MSG_NOSIGNAL) > 0);
    looks(&f, 3);
    assert_int_equal(f.requests, 0);
    assert_non_null(strstr(hear(fd), "error: the line is too long"));
    assert_int_equal(close(fd), 0);

    const int cut = join(&f); /* would be taken for "long" */
    assert_int_equal(send(cut, "long\0er\n", 8, MSG_NOSIGNAL), 8);
    looks(&f, 3);
    assert_int_equal(f.requests, 0);
    assert_non_null(strstr(hear(cut), "error: a request is a line of text"));
    assert_int_equal(close(cut), 0);

    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (char)(i * 31 % 251);
    for (int i = 0; i < 50; i++) {
        const int hostile = join(&f);
        assert_true(send(hostile, garbage + i * 7, 600, MSG_NOSIGNAL) > 0);
        if (i % 2 == 0)
            assert_int_equal(close(hostile), 0);
        looks(&f, 2);
        if (i % 2 == 1)
            assert_int_equal(close(hostile), 0);
        looks(&f, 1);
    }
    const int good = join(&f);
    say(good, "long\n");
    looks(&f, 2);
    assert_int_equal(strlen(hear(good)), CONTROL_LINE_MAX - 1);
    assert_int_equal(close(good), 0);
    end(&f);
}

/* Those that say nothing have their places for a second; then others get them. */
static void silent_ones_lose_their_place(void **state)
{
    (void)state;
    enum { MANY = 40 };
    static fixture_t f;
    int silent[MANY];
    begin(&f);
    int joined = 0;
    while (joined < MANY && (silent[joined] = try_join(&f)) >= 0) {
        if (joined % 3 == 0)
            say(silent[joined], "half a li");
        joined++;
        looks(&f, 1);
    }
    assert_true(joined >= 16);
    assert_true(joined < MANY); /* the queue is bounded */
    looks(&f, 20);
    assert_string_equal(hear(silent[0]), "-");
    (void)work(&f, SECOND_NS);
    assert_string_equal(hear(silent[0]), ".");
    looks(&f, 5);
    (void)work(&f, SECOND_NS);
    looks(&f, 5);
    (void)work(&f, SECOND_NS);
    for (int i = 0; i < joined; i++)
        assert_int_equal(close(silent[i]), 0);
    looks(&f, 5);
    const int fd = join(&f);
    say(fd, "status\n");
    looks(&f, 2);
    assert_string_equal(hear(fd), "you said=status\nok\n");
    assert_int_equal(close(fd), 0);
    end(&f);
}

static void only_for_its_user(void **state)
{
    (void)state;
    static fixture_t f;
    struct stat info;
    char path[400];
    begin(&f);
    (void)snprintf(path, sizeof path, "%s/control", f.dir.path);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    end(&f);
}

static void left_over_names(void **state)
{
    (void)state;
    static fixture_t f;
    char path[400];
    control_t *second;
    begin(&f);
    (void)snprintf(path, sizeof path, "%s/control", f.dir.path);
    /* As after a kill: the name is there, nobody listens any more. */
    assert_int_equal(control_create(&second, f.dir.path, on_request, &f), OC_ERR_OK);
    control_destroy(f.control);
    f.control = NULL;
    control_destroy(second);
    /* What is no socket is not removed. */
    const int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(control_create(&f.control, f.dir.path, on_request, &f), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "cannot listen"));
    assert_null(f.control);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(control_create(&f.control, "/nowhere/at/all", on_request, &f), OC_ERR_OPEN);
    control_destroy(NULL);
    temp_dir_remove(&f.dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_answered),
        cmocka_unit_test(an_answer_may_come_later),
        cmocka_unit_test(it_looks_now_and_then),
        cmocka_unit_test(lines_too_long_and_garbage),
        cmocka_unit_test(silent_ones_lose_their_place),
        cmocka_unit_test(only_for_its_user),
        cmocka_unit_test(left_over_names),
    };
    return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
