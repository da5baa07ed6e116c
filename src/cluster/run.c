/*
 * oc_node_run(): a service under the host that its configuration asks for. Called by programs of
 * service authors.
 *
 * It lies in this folder because it knows both hosts, and the node's folder knows only its own. It
 * must not do what either host does.
 */
#include "base/error.h"
#include "cluster/member_config.h"
#include "cluster/member_run.h"
#include "host/node_run.h"
#include "outcry/service.h"

static oc_err_t run_member(const oc_service_t *service, const oc_node_options_t *options,
                           const char *file)
{
    member_config_t config;
    member_config_init(&config);
    oc_err_t err = member_config_read(&config, file, NULL, 0);
    if (err == OC_ERR_OK && options->ingress)
        err = error_set(OC_ERR_INVALID_ARGUMENT,
                        "an ingress %s is given, but by %s this is a member of a cluster, and "
                        "member%u there says where clients come",
                        options->ingress, file, (unsigned)config.id);
    if (err == OC_ERR_OK)
        err = node_config_apply_options(&config.node, options->dir, NULL);
    return err == OC_ERR_OK ? member_run(service, &config) : err;
}

static oc_err_t run_node(const oc_service_t *service, const oc_node_options_t *options,
                         const char *file)
{
    node_config_t config;
    oc_err_t err = OC_ERR_OK;
    node_config_init(&config);
    if (file)
        err = node_config_read(&config, file, NULL, 0);
    if (err == OC_ERR_OK)
        err = node_config_apply_options(&config, options->dir, options->ingress);
    return err == OC_ERR_OK ? node_run(service, &config) : err;
}

oc_err_t oc_node_run(const oc_service_t *service, const oc_node_options_t *options)
{
    char path[NODE_CONFIG_PATH_MAX];
    if (!options->dir)
        return error_set(OC_ERR_INVALID_ARGUMENT, "no directory for the log is given");
    const char *file = node_config_find(options->config_file, options->dir, path);
    if (file && member_config_is_cluster(file))
        return run_member(service, options, file);
    return run_node(service, options, file);
}
