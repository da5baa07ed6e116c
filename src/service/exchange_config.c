/*
 * The exchange's configuration: defaults, ranges, and its form as the first entry of a log.
 *
 * Called at start. The entry holds everything that the outcome of later entries depends on, and
 * nothing else: not the kind of engine, and not the hash key, which decides where records lie but
 * never what happens. So a secret key need not be in the log, and can be replaced.
 */
#include "base/error.h"
#include "service/exchange_internal.h"

#include <stdio.h>
#include <string.h>

#define CONFIGURATION_MAGIC   UINT32_C(0x5845434f) /* "OCEX" */
#define CONFIGURATION_VERSION UINT32_C(1)

/* A logon can ask for everything that is kept, and what waits for one session is bounded by the
 * host: at the maximum that is half of the node's default of 4 MiB, with room for what goes on. A
 * client that cannot be sent what it missed could never log on again. */
enum { KEPT_OUTPUTS_MIN = 64, KEPT_OUTPUTS_MAX = 16384 };

/* On the wire an output is shorter than in its slot. */
_Static_assert(sizeof(kept_output_t) * KEPT_OUTPUTS_MAX <= (size_t)2 * 1024 * 1024, "half of it");

/* On disk, little-endian. Appending a field is a new version. */
typedef struct configuration_record {
    uint32_t magic;
    uint32_t version;
    uint32_t rules_version;
    uint32_t max_orders;
    uint32_t max_levels;
    uint32_t max_instruments;
    uint32_t max_sources;
    uint32_t max_sessions;
    uint32_t max_pending;
    uint32_t step_bound;
    uint32_t modify_priority;
    uint32_t kept_outputs;
    uint32_t admin_source;
    uint32_t reserved;
    oc_principal_t admin_principal;
} configuration_record_t;

_Static_assert(offsetof(configuration_record_t, admin_source) == 48, "no padding");
_Static_assert(offsetof(configuration_record_t, admin_principal) == 56, "no padding");
_Static_assert(sizeof(configuration_record_t) == 88, "no padding");
_Static_assert(sizeof(configuration_record_t) <= sizeof((exchange_t *)0)->configuration, "fits");

void exchange_config_init(exchange_config_t *config)
{
    memset(config, 0, sizeof *config);
    oc_engine_config_init(&config->engine);
    config->engine.hash_outputs = false; /* only members of a cluster compare them */
    config->engine.max_sources = 256;
    config->engine.max_sessions = 256;
    config->kept_outputs = 4096; /* of a client's 1,024 commands under way, with some fills each */
    config->admin_source = (oc_source_id_t){1};
    config->admin_principal = principal_of("admin", 5);
}

oc_err_t exchange_config_check(const exchange_config_t *config)
{
    const uint32_t kept = config->kept_outputs;
    if (kept < KEPT_OUTPUTS_MIN || kept > KEPT_OUTPUTS_MAX || (kept & (kept - 1)))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "exchange configuration: kept_outputs is %u, must be a power of two from "
                         "%d to %d",
                         kept, KEPT_OUTPUTS_MIN, KEPT_OUTPUTS_MAX);
    if (config->admin_source.value == 0)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "exchange configuration: admin_source is 0, must be 1 or more");
    if (!principal_valid(&config->admin_principal))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "exchange configuration: admin_principal must have 1 to %d characters, "
                         "padded with zeroes",
                         OC_PRINCIPAL_SIZE - 1);
    return oc_engine_config_check(&config->engine);
}

size_t exchange_config_write(const exchange_config_t *config, void *bytes)
{
    const configuration_record_t record = {
        .magic = CONFIGURATION_MAGIC,
        .version = CONFIGURATION_VERSION,
        .rules_version = OC_RULES_VERSION,
        .max_orders = config->engine.max_orders,
        .max_levels = config->engine.max_levels,
        .max_instruments = config->engine.max_instruments,
        .max_sources = config->engine.max_sources,
        .max_sessions = config->engine.max_sessions,
        .max_pending = config->engine.max_pending,
        .step_bound = config->engine.step_bound,
        .modify_priority = (uint32_t)config->engine.modify_priority,
        .kept_outputs = config->kept_outputs,
        .admin_source = config->admin_source.value,
        .admin_principal = config->admin_principal,
    };
    memcpy(bytes, &record, sizeof record);
    return sizeof record;
}

bool exchange_config_is(const void *bytes, size_t length)
{
    uint32_t magic;
    if (length < sizeof magic)
        return false;
    memcpy(&magic, bytes, sizeof magic);
    return magic == CONFIGURATION_MAGIC;
}

static oc_err_t read_record(configuration_record_t *record, const void *bytes, size_t length)
{
    if (!exchange_config_is(bytes, length))
        return error_set(OC_ERR_FORMAT, "exchange configuration of the log: it is not an "
                                        "exchange's; the log is of another service");
    if (length < sizeof *record)
        return error_set(OC_ERR_FORMAT,
                         "exchange configuration of the log: %zu bytes, expected %zu", length,
                         sizeof *record);
    memcpy(record, bytes, sizeof *record);
    if (record->version != CONFIGURATION_VERSION || length != sizeof *record)
        return error_set(OC_ERR_FORMAT,
                         "exchange configuration of the log: version %u of %zu bytes, this build "
                         "knows %u; use the build that made the log",
                         record->version, length, CONFIGURATION_VERSION);
    return OC_ERR_OK;
}

oc_err_t exchange_config_parse(exchange_config_t *config, const void *bytes, size_t length)
{
    configuration_record_t record;
    const oc_err_t err = read_record(&record, bytes, length);
    if (err != OC_ERR_OK)
        return err;
    if (record.rules_version != OC_RULES_VERSION)
        return error_set(OC_ERR_RULES_VERSION,
                         "exchange configuration of the log: rules version %u, this build has %u",
                         record.rules_version, OC_RULES_VERSION);
    exchange_config_t parsed = *config;
    parsed.engine.max_orders = record.max_orders;
    parsed.engine.max_levels = record.max_levels;
    parsed.engine.max_instruments = record.max_instruments;
    parsed.engine.max_sources = record.max_sources;
    parsed.engine.max_sessions = record.max_sessions;
    parsed.engine.max_pending = record.max_pending;
    parsed.engine.step_bound = record.step_bound;
    parsed.engine.modify_priority = (oc_modify_priority_t)record.modify_priority;
    parsed.kept_outputs = record.kept_outputs;
    parsed.admin_source = (oc_source_id_t){record.admin_source};
    parsed.admin_principal = record.admin_principal;
    const oc_err_t checked = exchange_config_check(&parsed);
    if (checked == OC_ERR_OK)
        *config = parsed;
    return checked;
}

void exchange_config_describe(void *context, const void *bytes, size_t length, char *text,
                              size_t text_size)
{
    (void)context;
    configuration_record_t r;
    if (read_record(&r, bytes, length) != OC_ERR_OK) {
        snprintf(text, text_size,
                 exchange_config_is(bytes, length) ? "unknown=%zu_bytes" : "another_service's",
                 length);
        return;
    }
    snprintf(text, text_size,
             "rules_version=%u max_orders=%u max_levels=%u max_instruments=%u max_sources=%u "
             "max_sessions=%u max_pending=%u step_bound=%u modify_priority=%s kept_outputs=%u "
             "admin_source=%u admin_principal=%.*s",
             r.rules_version, r.max_orders, r.max_levels, r.max_instruments, r.max_sources,
             r.max_sessions, r.max_pending, r.step_bound, r.modify_priority ? "lose" : "keep",
             r.kept_outputs, r.admin_source, OC_PRINCIPAL_SIZE, r.admin_principal.name);
}
