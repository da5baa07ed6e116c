/*
 * A node or a member of the exchange, as a configuration file and the command line describe it.
 */
#ifndef CLI_NODE_SETUP_H
#define CLI_NODE_SETUP_H

#include "cluster/member_config.h"
#include "host/node_config.h"
#include "service/exchange.h"

#include <stdio.h>

/* All borrowed for the call. */
typedef struct node_setup {
    const char *config_file; /* NULL: that in the directory, if there is one, else defaults */
    const char *dir;         /* of the log; NULL: none, only to print */
    const char *ingress;     /* NULL: as in the file */
} node_setup_t;

/* Fills in both, with a fresh secret hash key. Errors: those of node_config_read() and of
 * exchange_config_check(); OC_ERR_REFUSED: the file is a member's; OC_ERR_READ: no random numbers.
 */
OC_MUST_CHECK oc_err_t node_setup(const node_setup_t *setup, node_config_t *config,
                                  exchange_config_t *exchange);

/* Prints all keys with their values as a file that reads back the same. Errors likewise. */
OC_MUST_CHECK oc_err_t node_setup_print(const node_setup_t *setup, FILE *out);

/* All borrowed for the call. */
typedef struct member_setup {
    const char *config_file; /* NULL: defaults */
    const char *dir;         /* of the member; NULL: none, only to print */
    const uint64_t *id;      /* NULL: as in the file */
} member_setup_t;

/* The same for a member. Errors: those of member_config_read(), and likewise. */
OC_MUST_CHECK oc_err_t member_setup(const member_setup_t *setup, member_config_t *config,
                                    exchange_config_t *exchange);
OC_MUST_CHECK oc_err_t member_setup_print(const member_setup_t *setup, FILE *out);

#endif
