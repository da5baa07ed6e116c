/*
 * Endpoints that are waited for: what the driver gives can be used, what it refuses is told, and
 * what comes too late is taken back. The driver has no thread of its own, so nothing comes of
 * waiting without stepping it.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/endpoint.h"
#include "base/cycle_clock.h"
#include "lib/stepped_driver.h"

#include <string.h>

enum { STREAM = 7, STEPS = 2000 };

#define PATIENCE_NS UINT64_C(30000000000)

static endpoint_request_t request_of(embedded_t *embedded, const char *channel)
{
    return (endpoint_request_t){.embedded = embedded,
                                .what = "what is added",
                                .channel = channel,
                                .stream = STREAM,
                                .timeout_ns = PATIENCE_NS};
}

static void assert_told(const char *part)
{
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' is not in: %s", part, oc_err_context());
}

static void what_is_added_can_be_used(void **state)
{
    embedded_t *embedded = *state;
    const endpoint_request_t request = request_of(embedded, "aeron:ipc?term-length=64k");
    aeron_subscription_t *subscription;
    aeron_publication_t *publication;
    aeron_exclusive_publication_t *exclusive;
    assert_int_equal(endpoint_subscription(&request, &subscription), OC_ERR_OK);
    assert_int_equal(endpoint_publication(&request, &publication), OC_ERR_OK);
    assert_int_equal(endpoint_exclusive(&request, &exclusive), OC_ERR_OK);
    for (int i = 0; i < STEPS && aeron_subscription_image_count(subscription) < 2; i++)
        (void)embedded_do_work(embedded);
    assert_int_equal(aeron_subscription_image_count(subscription), 2);
    assert_true(aeron_publication_offer(publication, (const uint8_t *)"a", 1, NULL, NULL) > 0);
    assert_true(aeron_exclusive_publication_offer(exclusive, (const uint8_t *)"b", 1, NULL, NULL) >
                0);
    (void)aeron_publication_close(publication, NULL, NULL);
    (void)aeron_exclusive_publication_close(exclusive, NULL, NULL);
    (void)aeron_subscription_close(subscription, NULL, NULL);
}

static void what_is_refused_is_told(void **state)
{
    /* The client reads no further than the scheme, the driver does. */
    static const char *const channels[] = {"nothing", "aeron:udp?endpoint=nowhere"};
    for (size_t i = 0; i < 2; i++) {
        const endpoint_request_t request = request_of(*state, channels[i]);
        aeron_subscription_t *subscription = (void *)&request;
        aeron_publication_t *publication = (void *)&request;
        aeron_exclusive_publication_t *exclusive = (void *)&request;
        assert_int_equal(endpoint_subscription(&request, &subscription), OC_ERR_TRANSPORT);
        assert_told("what is added: ");
        assert_int_equal(endpoint_publication(&request, &publication), OC_ERR_TRANSPORT);
        assert_int_equal(endpoint_exclusive(&request, &exclusive), OC_ERR_TRANSPORT);
        assert_null(subscription);
        assert_null(publication);
        assert_null(exclusive);
    }
}

/* The driver gets the question when it is stepped again, and must not keep what nobody waits for:
 * somebody who listens would have it as an image. */
static void what_comes_too_late_is_taken_back(void **state)
{
    embedded_t *embedded = *state;
    endpoint_request_t request = request_of(embedded, "aeron:ipc?term-length=64k");
    aeron_subscription_t *subscription;
    aeron_subscription_t *ear;
    aeron_publication_t *publication;
    aeron_exclusive_publication_t *exclusive;
    assert_int_equal(endpoint_subscription(&request, &ear), OC_ERR_OK);
    request.timeout_ns = 0;
    assert_int_equal(endpoint_subscription(&request, &subscription), OC_ERR_TIMEOUT);
    assert_told("what is added: the driver in ");
    assert_told(embedded_dir(embedded));
    assert_int_equal(endpoint_publication(&request, &publication), OC_ERR_TIMEOUT);
    assert_int_equal(endpoint_exclusive(&request, &exclusive), OC_ERR_TIMEOUT);
    assert_null(subscription);
    assert_null(publication);
    assert_null(exclusive);
    for (int i = 0; i < STEPS; i++)
        (void)embedded_do_work(embedded);
    const uint64_t start_ns = clock_wall_ns();
    while (aeron_subscription_image_count(ear) > 0 && clock_wall_ns() - start_ns < PATIENCE_NS) {
        (void)embedded_do_work(embedded);
        endpoint_pause(start_ns);
    }
    assert_int_equal(aeron_subscription_image_count(ear), 0);
    (void)aeron_subscription_close(ear, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_added_can_be_used),
        cmocka_unit_test(what_is_refused_is_told),
        cmocka_unit_test(what_comes_too_late_is_taken_back),
    };
    return cmocka_run_group_tests(tests, stepped_driver_make, stepped_driver_end);
}
