/*
 * The tools' side of the control socket against a node's side that runs in another thread: answers,
 * refusals, directories with long names, and nodes that are not there or do not answer.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "base/remove_tree.h"
#include "host/control.h"
#include "lib/temp_dir.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define SECOND_NS INT64_C(1000000000)

typedef struct fixture {
    temp_dir_t dir;
    char log[2048]; /* a name much longer than a socket's may be */
    control_t *control;
    pthread_t thread;
    _Atomic bool stop;
    uint32_t waiting;
    _Atomic bool asked; /* for what has to wait */
    int looks_left;     /* until the one that waits is answered */
    bool vanish;        /* instead of an answer */
} fixture_t;

static bool on_request(void *context, uint32_t connection, const char *request,
                       char answer[CONTROL_LINE_MAX])
{
    fixture_t *f = context;
    if (!strcmp(request, "status"))
        (void)snprintf(answer, CONTROL_LINE_MAX, "images=2\nok");
    else if (!strcmp(request, "later")) {
        f->waiting = connection;
        f->looks_left = 20;
        atomic_store(&f->asked, true);
        return false;
    } else if (!strcmp(request, "never")) {
        atomic_store(&f->asked, true);
        return false;
    } else
        (void)snprintf(answer, CONTROL_LINE_MAX, "error: what is '%s'?", request);
    return true;
}

static void *serve(void *context)
{
    fixture_t *f = context;
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!atomic_load(&f->stop)) {
        (void)control_do_work(f->control, (int64_t)clock_wall_ns());
        if (f->looks_left > 0 && --f->looks_left == 0 && !f->vanish)
            control_answer(f->control, f->waiting, "sequence=7\nok");
        (void)nanosleep(&pause, NULL);
    }
    return NULL;
}

static void begin(fixture_t *f)
{
    memset(f, 0, sizeof *f);
    temp_dir_make(&f->dir);
    int length = snprintf(f->log, sizeof f->log, "%s", f->dir.path);
    for (int i = 0; i < 8; i++) {
        length += snprintf(f->log + length, sizeof f->log - (size_t)length, "/%0100d", i);
        assert_int_equal(mkdir(f->log, 0700), 0);
    }
    assert_int_equal(control_create(&f->control, f->log, on_request, f), OC_ERR_OK);
    assert_int_equal(pthread_create(&f->thread, NULL, serve, f), 0);
}

static void stop(fixture_t *f)
{
    atomic_store(&f->stop, true);
    assert_int_equal(pthread_join(f->thread, NULL), 0);
    control_destroy(f->control);
    f->control = NULL;
}

static void end(fixture_t *f)
{
    assert_int_equal(remove_tree(f->dir.path), OC_ERR_OK);
}

static oc_err_t ask(const fixture_t *f, const char *request, char answer[CONTROL_LINE_MAX],
                    int64_t timeout_ns)
{
    return control_request(f->log, request, answer, CONTROL_LINE_MAX, timeout_ns);
}

static void answers(void **state)
{
    (void)state;
    static fixture_t f;
    char answer[CONTROL_LINE_MAX];
    char little[5];
    begin(&f);
    assert_int_equal(ask(&f, "status", answer, 10 * SECOND_NS), OC_ERR_OK);
    assert_string_equal(answer, "images=2\nok\n");
    assert_int_equal(ask(&f, "later", answer, 10 * SECOND_NS), OC_ERR_OK);
    assert_string_equal(answer, "sequence=7\nok\n");
    assert_int_equal(control_request(f.log, "status", little, sizeof little, 10 * SECOND_NS),
                     OC_ERR_OK);
    assert_string_equal(little, "imag");
    assert_int_equal(control_request(f.log, "status", NULL, 0, 10 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(ask(&f, "nonsense", answer, 10 * SECOND_NS), OC_ERR_REFUSED);
    assert_string_equal(oc_err_context(), "what is 'nonsense'?");
    memset(answer, 'a', sizeof answer - 1);
    answer[sizeof answer - 1] = '\0';
    assert_int_equal(control_request(f.log, answer, NULL, 0, 10 * SECOND_NS), OC_ERR_TOO_LONG);
    stop(&f);
    end(&f);
}

static void no_answer(void **state)
{
    (void)state;
    static fixture_t f;
    char answer[CONTROL_LINE_MAX];
    begin(&f);
    assert_int_equal(ask(&f, "never", answer, SECOND_NS / 10), OC_ERR_TIMEOUT);
    stop(&f);
    /* It is not there any more; the directory is; and not even that. */
    assert_int_equal(ask(&f, "status", answer, SECOND_NS), OC_ERR_NOT_CONNECTED);
    assert_non_null(strstr(oc_err_context(), "no node runs in"));
    assert_int_equal(control_request("/nowhere/at/all", "status", answer, sizeof answer, SECOND_NS),
                     OC_ERR_NOT_CONNECTED);
    end(&f);
}

/* Until the node has taken a request that it does not answer. */
static void await_question(fixture_t *f)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!atomic_load(&f->asked))
        (void)nanosleep(&pause, NULL);
}

static void *ask_later(void *context)
{
    fixture_t *f = context;
    static char answer[CONTROL_LINE_MAX];
    return ask(f, "later", answer, 10 * SECOND_NS) == OC_ERR_CLOSED ? f : NULL;
}

/* The node ends while a request waits. */
static void the_node_ends(void **state)
{
    (void)state;
    static fixture_t f;
    pthread_t asking;
    void *result;
    begin(&f);
    f.vanish = true;
    assert_int_equal(pthread_create(&asking, NULL, ask_later, &f), 0);
    await_question(&f);
    stop(&f);
    assert_int_equal(pthread_join(asking, &result), 0);
    assert_ptr_equal(result, &f);
    end(&f);
}

static void *ask_never(void *context)
{
    fixture_t *f = context;
    static char answer[CONTROL_LINE_MAX];
    return ask(f, "never", answer, 3600 * SECOND_NS) == OC_ERR_INTERRUPTED ? f : NULL;
}

/* Who is to end waits for no answer. */
static void who_asks_is_interrupted(void **state)
{
    (void)state;
    static fixture_t f;
    pthread_t asking;
    void *result;
    begin(&f);
    assert_true(process_take_signals());
    assert_int_equal(pthread_create(&asking, NULL, ask_never, &f), 0);
    await_question(&f);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(pthread_join(asking, &result), 0);
    assert_ptr_equal(result, &f);
    process_give_signals_back();
    stop(&f);
    end(&f);
}

/* More at once than there are places: each is answered. */
static void *ask_status(void *context)
{
    fixture_t *f = context;
    char answer[CONTROL_LINE_MAX];
    for (int i = 0; i < 5; i++)
        if (ask(f, "status", answer, 20 * SECOND_NS) != OC_ERR_OK)
            return NULL;
    return f;
}

static void many(void **state)
{
    (void)state;
    enum { MANY = 24 };
    static fixture_t f;
    pthread_t threads[MANY];
    begin(&f);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_status, &f), 0);
    for (int i = 0; i < MANY; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, &f);
    }
    stop(&f);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),       cmocka_unit_test(no_answer),
        cmocka_unit_test(the_node_ends), cmocka_unit_test(who_asks_is_interrupted),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests_name("control_client", tests, NULL, NULL);
}
