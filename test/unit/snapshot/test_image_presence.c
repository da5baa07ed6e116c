/*
 * Files of images that somebody has removed or shortened. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/image_maker.h"
#include "snapshot/image_presence.h"

#include <string.h>

static void each_file_of_a_chain(void **state)
{
    (void)state;
    static const char *const endings[] = {IMAGE_PAGES_ENDING, IMAGE_MANIFEST_ENDING};
    image_maker_t maker;
    uint64_t chain[3] = {0};
    image_maker_init(&maker, 4);
    image_maker_reopen(&maker);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(image_maker_take(&maker, i > 0 ? chain[i - 1] : 0, &chain[i]), OC_ERR_OK);
    assert_int_equal(image_presence_check_chain(maker.store, chain[2]), OC_ERR_OK);
    for (size_t i = 0; i < 6; i++) {
        uint64_t size;
        static uint8_t kept[1 << 20];
        const char *path = image_maker_path(chain[i / 2], endings[i % 2]);
        const storage_t *storage = storage_fake_table(maker.device);
        const uint8_t *bytes = storage_fake_bytes(maker.device, path, &size);
        assert_true(size + 4096 <= sizeof kept);
        memcpy(kept, bytes, size);
        assert_int_equal(storage->remove(storage, path), OC_ERR_OK);
        assert_int_not_equal(image_presence_check_chain(maker.store, chain[2]), OC_ERR_OK);
        assert_non_null(strstr(oc_err_context(), path));
        assert_int_equal(image_presence_check(maker.store, chain[2]) == OC_ERR_OK, i < 4);
        storage_fake_put(maker.device, path, kept, size + 4096);
        assert_int_equal(image_presence_check_chain(maker.store, chain[2]), OC_ERR_DAMAGED);
        storage_fake_put(maker.device, path, kept, size);
        assert_int_equal(image_presence_check_chain(maker.store, chain[2]), OC_ERR_OK);
    }
    image_maker_close(&maker);
    image_maker_fini(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_file_of_a_chain),
    };
    return cmocka_run_group_tests_name("image_presence", tests, NULL, NULL);
}
