/*
 * Whether a member can have the endpoints that its line names, looked at before anything is
 * started: a module that cannot open its ingress leads all the same, and no client reaches it.
 *
 * Threads: any; may take seconds where a name server does not answer.
 */
#ifndef CLUSTER_MEMBER_PORTS_H
#define CLUSTER_MEMBER_PORTS_H

#include "cluster/member_config.h"
#include "outcry/error.h"

/* Of the member itself. The configuration was checked. Errors: OC_ERR_INVALID_CONFIG: a host has no
 * address, or not one of this machine; OC_ERR_REFUSED: somebody has the port. */
OC_MUST_CHECK oc_err_t member_ports_check(const member_config_t *config);

/* Of the others, hosts without an address may get one later: they are told on stderr. */
void member_ports_tell_unknown(const member_config_t *config);

#endif
