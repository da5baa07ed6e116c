/*
 * `outcry cluster status` against a staged module: what is there is printed, what is missing is
 * said, and the JSON is one object. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/cluster.h"
#include "cli/subcommand.h"
#include "host/control.h"
#include "lib/capture.h"
#include "lib/json_scan.h"
#include "lib/module_stage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static capture_t said;

static int run(const char *dir, const char *option)
{
    const char *const words[] = {"status", "--dir", dir, option, NULL};
    return capture_main(cluster_status_main, words, &said);
}

static void printed(const char *word)
{
    if (!strstr(said.out, word))
        fail_msg("'%s' is not in: %s", word, said.out);
}

/* A service's control socket. */
typedef struct service {
    control_t *control;
    pthread_t thread;
    _Atomic bool stop;
} service_t;

static bool answer(void *context, uint32_t connection, const char *request,
                   char text[CONTROL_LINE_MAX])
{
    (void)context;
    (void)connection;
    (void)snprintf(text, CONTROL_LINE_MAX, "%s\nok",
                   strcmp(request, "state") == 0
                       ? "member=1 role=leader position=4096\nstate_hash=0000000000000012"
                       : "completed=3 newest=2\nlast: image 2 \"quoted\"");
    return true;
}

static void *serve(void *context)
{
    service_t *self = context;
    for (int64_t now_ns = 0; !self->stop; now_ns += 10000000) {
        (void)control_do_work(self->control, now_ns);
        (void)usleep(1000);
    }
    return NULL;
}

static void start_service(service_t *self, const char *dir)
{
    self->stop = false;
    assert_int_equal(control_create(&self->control, dir, answer, self), OC_ERR_OK);
    assert_int_equal(pthread_create(&self->thread, NULL, serve, self), 0);
}

static void stop_service(service_t *self)
{
    self->stop = true;
    assert_int_equal(pthread_join(self->thread, NULL), 0);
    control_destroy(self->control);
}

static void parts_missing(void **state)
{
    (void)state;
    module_stage_t stage;
    module_stage_begin(&stage, 3, 1);
    assert_int_equal(run(stage.dir, NULL), EXIT_STATUS_FAILED);
    printed("member: 1\nmembers: 3\ncluster_id: 0\n");
    printed("driver: none: no Aeron driver in ");
    printed("module: none: its driver is not there\n");
    printed("service: none: no member runs in ");
    module_stage_driver(&stage);
    assert_int_equal(run(stage.dir, NULL), EXIT_STATUS_FAILED);
    printed("driver: alive\nmodule: none: no consensus module runs");
    module_stage_counters(&stage, 0);
    assert_int_equal(run(stage.dir, NULL), EXIT_STATUS_FAILED);
    printed("module: active\nrole: leader\nelection: closed\ntoggle: neutral\n"
            "leadership_term: 3\ncommit_position: 4096\n");
    printed("service: none: ");
    module_stage_end(&stage);
}

static void all_there(void **state)
{
    (void)state;
    module_stage_t stage;
    service_t service;
    char path[340];
    module_stage_begin(&stage, 3, 1);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    start_service(&service, stage.dir);
    assert_int_equal(run(stage.dir, NULL), 0);
    printed("service: alive\nservice_member: 1\nservice_role: leader\nservice_position: 4096\n"
            "service_state_hash: 0000000000000012\n");
    printed("images_completed: 3\nimages_newest: 2\nimages_last: image 2 \"quoted\"\n");
    assert_null(strstr(said.out, "diverged"));
    assert_int_equal(run(stage.dir, "--json"), 0);
    const char *at = said.out;
    int64_t position = 0;
    assert_true(json_scan_find(&at, "service_position"));
    assert_true(json_scan_integer(&at, &position));
    assert_int_equal(position, 4096);
    printed("\"service_position\": 4096,");
    printed("\"service_state_hash\": \"0000000000000012\"");
    printed("\"images_last\": \"image 2 \\\"quoted\\\"\"");
    (void)snprintf(path, sizeof path, "%s/diverged", stage.dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(run(stage.dir, NULL), 0);
    printed("diverged: yes");
    stop_service(&service);
    module_stage_end(&stage);
}

static void command_line(void **state)
{
    (void)state;
    const char *const help[] = {"status", "--help", NULL};
    const char *const none[] = {"status", NULL};
    assert_int_equal(capture_main(cluster_status_main, help, &said), 0);
    printed("usage: outcry cluster status");
    assert_int_equal(capture_main(cluster_status_main, none, &said), EXIT_STATUS_USAGE);
    assert_int_equal(run("/no/such/dir", NULL), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "/no/such/dir: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_missing),
        cmocka_unit_test(all_there),
        cmocka_unit_test(command_line),
    };
    return cmocka_run_group_tests_name("cluster_status", tests, NULL, NULL);
}
