/*
 * The fast engine takes all its memory in oc_engine_create() and none after it; when memory runs
 * out there, it says so and keeps nothing.
 *
 * The allocator of this program is wrapped: while armed it counts, and at a chosen call it fails.
 * Under a sanitizer, whose allocator cannot be replaced, its hooks count, and failing is skipped.
 */
#define _GNU_SOURCE /* syscall */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/command_stream.h"
#include "lib/reference_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { COMMANDS = 100000, BATCH = 50 };

static bool armed;
static unsigned long taken;   /* calls that take memory, while armed */
static unsigned long given;   /* calls that give it back */
static unsigned long fail_at; /* the how many-th call fails; 0: none */

#ifdef SANITIZED
#include <sanitizer/allocator_interface.h>

static void on_malloc(const volatile void *address, size_t size)
{
    (void)address;
    (void)size;
    taken += armed;
}

static void on_free(const volatile void *address)
{
    given += armed && address;
}
#else
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *address, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *address);

static bool refused(void)
{
    if (!armed || ++taken != fail_at)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *address, size_t size)
{
    return refused() ? NULL : __libc_realloc(address, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : __libc_memalign(alignment, size);
}

void free(void *address)
{
    given += armed && address;
    __libc_free(address);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (refused())
        return MAP_FAILED;
    const long mapped = syscall(SYS_mmap, address, size, protection, flags, file, offset);
    return (void *)(uintptr_t)mapped; /* -1 is MAP_FAILED */
}
#endif

static void sink(void *context, const oc_event_t *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ((uint64_t *)context)[events[i].type]++;
}

/* Half of the commands one by one, half in batches, each half of every type. */
static void run_stream(uint64_t seed, uint64_t by_type[OC_COMMAND_LAST + 4])
{
    static oc_command_t batch[BATCH];
    uint64_t events[OC_EVENT_COMPLETED + 1] = {0};
    command_stream_t stream;
    oc_engine_config_t config;
    command_stream_init(&stream, seed, &config);
    stream.calm = 8;
    oc_engine_t *engine = NULL;
    assert_int_equal(oc_engine_create(&engine, &config, sink, events), OC_ERR_OK);
    armed = true;
    for (size_t done = 0; done < COMMANDS / 4; done += BATCH) {
        for (size_t i = 0; i < BATCH; i++) {
            command_stream_next(&stream, engine, &batch[i]);
            by_type[batch[i].type]++;
            if (done / BATCH % 2 && oc_engine_apply(engine, &batch[i]) != OC_ERR_OK)
                break;
        }
        if (done / BATCH % 2 == 0 && oc_engine_apply_batch(engine, batch, BATCH) != OC_ERR_OK)
            break;
    }
    armed = false;
    for (int type = OC_EVENT_ACCEPTED; type <= OC_EVENT_COMPLETED; type++)
        assert_true(events[type] > 0);
    fixture_assert_audit(engine);
    oc_engine_destroy(engine);
}

static void test_no_command_allocates(void **state)
{
    (void)state;
    uint64_t by_type[OC_COMMAND_LAST + 4] = {0};
#ifdef SANITIZED
    assert_true(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free));
#endif
    taken = given = fail_at = 0;
    for (uint64_t seed = 2; seed <= 5; seed++)
        run_stream(seed, by_type);
    assert_int_equal(taken, 0);
    assert_int_equal(given, 0);
    for (int type = 0; type <= OC_COMMAND_LAST; type++)
        assert_true(by_type[type] > 50);
}

/* The wrapper is in the way of the engine's calls: creating one takes memory. */
static void test_the_count_is_real(void **state)
{
    (void)state;
    oc_engine_config_t config = fixture_config();
    config.kind = OC_ENGINE_FAST;
    oc_engine_t *engine = NULL;
    taken = given = fail_at = 0;
    armed = true;
    const oc_err_t err = oc_engine_create(&engine, &config, NULL, NULL);
    oc_engine_destroy(engine);
    armed = false;
    assert_int_equal(err, OC_ERR_OK);
    assert_true(taken >= 3);
    assert_int_equal(given, 3); /* what was not mapped */
}

static void test_creation_survives_every_failure(void **state)
{
    (void)state;
#ifdef SANITIZED
    print_message("SKIP: a sanitizer's allocator cannot be made to fail\n");
    skip();
#else
    oc_engine_config_t config = fixture_config();
    config.kind = OC_ENGINE_FAST;
    for (int verify = 0; verify <= 1; verify++) {
        config.verify_touch = verify != 0;
        oc_err_t err = OC_ERR_NO_MEMORY;
        for (fail_at = 1; err != OC_ERR_OK; fail_at++) {
            oc_engine_t *engine = (oc_engine_t *)(uintptr_t)1;
            (void)error_set(OC_ERR_READ, "of an earlier call");
            taken = given = 0;
            armed = true;
            err = oc_engine_create(&engine, &config, NULL, NULL);
            armed = false;
            if (err == OC_ERR_OK) {
                oc_engine_destroy(engine);
                continue;
            }
            assert_int_equal(err, OC_ERR_NO_MEMORY);
            assert_null(engine);
            assert_non_null(strstr(oc_err_context(), "engine: no memory"));
        }
        assert_int_equal(fail_at - 2, 5 + verify); /* engine, events, hints; base, stamps, shadow */
    }
    fail_at = 0;
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_command_allocates),
        cmocka_unit_test(test_the_count_is_real),
        cmocka_unit_test(test_creation_survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
