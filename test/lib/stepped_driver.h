/*
 * A group's driver that has no thread: it does nothing unless the test steps it, with
 * embedded_do_work().
 */
#ifndef LIB_STEPPED_DRIVER_H
#define LIB_STEPPED_DRIVER_H

#include "aeron/embedded.h"

/* For cmocka_run_group_tests(): every test's *state is its embedded_t. */
int stepped_driver_make(void **state);
int stepped_driver_end(void **state);

#endif
