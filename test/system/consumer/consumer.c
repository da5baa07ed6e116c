/*
 * A program of a user of the installed engine: makes one, applies a command, prints what happened.
 * Built by test_install.sh against an installed copy, never by the project's own build.
 */
#include <outcry/engine.h>

#include <stdio.h>

int main(void)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    oc_engine_t *engine = NULL;
    oc_err_t err = oc_engine_create(&engine, &config, NULL, NULL);
    if (err != OC_ERR_OK) {
        fprintf(stderr, "%s: %s\n", oc_err_text(err), oc_err_context());
        return 1;
    }
    const oc_command_t command = {.type = OC_COMMAND_TIME};
    err = oc_engine_apply(engine, &command);
    oc_engine_destroy(engine);
    puts(oc_err_text(err));
    return err == OC_ERR_OK ? 0 : 1;
}
