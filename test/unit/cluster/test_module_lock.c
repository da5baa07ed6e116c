/*
 * The module's lock: seen, taken, refused. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/module_lock.h"
#include "lib/temp_dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Another process with a lock of fcntl, as Java's FileChannel.lock takes it. */
typedef struct holder {
    pid_t pid;
    int stop; /* closed: it ends */
} holder_t;

static void hold(holder_t *self, const char *dir)
{
    char path[300];
    char ready;
    int told[2];
    int stop[2];
    (void)snprintf(path, sizeof path, "%s/module.lock", dir);
    assert_int_equal(pipe(told), 0);
    assert_int_equal(pipe(stop), 0);
    self->pid = fork();
    assert_true(self->pid >= 0);
    if (self->pid == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        const int fd = open(path, O_RDWR | O_CREAT, 0644);
        (void)close(stop[1]);
        if (fd < 0 || fcntl(fd, F_SETLK, &lock) != 0 || write(told[1], "x", 1) != 1)
            _exit(1);
        (void)!read(stop[0], &ready, 1);
        _exit(0);
    }
    (void)close(told[1]);
    (void)close(stop[0]);
    self->stop = stop[1];
    assert_int_equal(read(told[0], &ready, 1), 1);
    (void)close(told[0]);
}

static void release(const holder_t *self)
{
    int status;
    (void)close(self->stop);
    assert_int_equal(waitpid(self->pid, &status, 0), self->pid);
    assert_int_equal(status, 0);
}

static void a_module_is_seen(void **state)
{
    (void)state;
    temp_dir_t dir;
    bool held = true;
    long pid = 0;
    temp_dir_make(&dir);
    assert_int_equal(module_lock_probe(dir.path, &held, &pid), OC_ERR_OK);
    assert_false(held);
    assert_int_equal(pid, -1);
    holder_t holder;
    hold(&holder, dir.path);
    assert_int_equal(module_lock_probe(dir.path, &held, &pid), OC_ERR_OK);
    assert_true(held);
    assert_int_equal(pid, holder.pid);
    int lock;
    assert_int_equal(module_lock_take(dir.path, &lock), OC_ERR_LOCKED);
    assert_int_equal(lock, -1);
    assert_non_null(strstr(oc_err_context(), dir.path));
    release(&holder);
    assert_int_equal(module_lock_probe(dir.path, &held, NULL), OC_ERR_OK);
    assert_false(held);
    temp_dir_remove(&dir);
}

static void it_is_taken_and_given(void **state)
{
    (void)state;
    temp_dir_t dir;
    int lock;
    int second;
    bool held;
    temp_dir_make(&dir);
    assert_int_equal(module_lock_take(dir.path, &lock), OC_ERR_OK);
    assert_int_equal(module_lock_probe(dir.path, &held, NULL), OC_ERR_OK);
    assert_true(held); /* and it still is: to look at it gives nothing away */
    assert_int_equal(module_lock_take(dir.path, &second), OC_ERR_LOCKED);
    module_lock_give(lock);
    assert_int_equal(module_lock_take(dir.path, &lock), OC_ERR_OK);
    module_lock_give(lock);
    module_lock_give(-1);
    temp_dir_remove(&dir);
    assert_int_equal(module_lock_take(dir.path, &lock), OC_ERR_OPEN);
    assert_int_equal(module_lock_probe(dir.path, &held, NULL), OC_ERR_OK);
    assert_false(held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_module_is_seen),
        cmocka_unit_test(it_is_taken_and_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
