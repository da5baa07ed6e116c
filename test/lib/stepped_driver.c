/*
 * Setup and teardown of groups that step their driver. Called by cmocka.
 */
#include "lib/stepped_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int stepped_driver_make(void **state)
{
    embedded_t *embedded = NULL;
    embedded_config_t config;
    embedded_config_init(&config);
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_OK);
    *state = embedded;
    return 0;
}

int stepped_driver_end(void **state)
{
    embedded_destroy(*state);
    return 0;
}
