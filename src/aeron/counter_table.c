/*
 * Counters of a driver. Called by the cluster's host, which finds what its module offers, and by
 * tools that look at a driver's directory.
 *
 * Invariants: a counter is taken for found only if it was allocated before and after its key was
 * looked at, for the driver gives the places of freed counters to new ones. Read-only tables are
 * mapped without the right to write: a swap must not even be tried. Must not allocate but for the
 * table itself.
 */
#include "aeron/counter_table.h"

#include "base/assert.h"
#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Aeron's own clients take a driver for dead after that, unless they are told otherwise. */
#define DRIVER_TIMEOUT_MS INT64_C(10000)

#define PATH_BYTES 4096

struct counter_table {
    aeron_counters_reader_t *reader; /* borrowed of the client, or of the file */
    aeron_cnc_t *file;               /* NULL: it is a client's */
};

_Static_assert(COUNTER_KEY_BYTES_MAX == AERON_COUNTER_MAX_KEY_LENGTH, "as Aeron has it");

oc_err_t counter_table_of(counter_table_t **table, embedded_t *embedded)
{
    *table = NULL;
    counter_table_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        return error_set(OC_ERR_NO_MEMORY, "the table of counters: %zu bytes", sizeof *self);
    self->reader = aeron_counters_reader(embedded_aeron(embedded));
    OC_ASSERT(self->reader != NULL);
    *table = self;
    return OC_ERR_OK;
}

/* How the driver's last sign of life looks at this time of day. */
static oc_err_t check_alive(aeron_cnc_t *file, const char *aeron_dir)
{
    const int64_t heartbeat_ms = aeron_cnc_to_driver_heartbeat(file);
    const int64_t age_ms = aeron_epoch_clock() - heartbeat_ms;
    aeron_cnc_constants_t constants;
    if (aeron_cnc_constants(file, &constants) < 0)
        return error_set(OC_ERR_NOT_CONNECTED, "the Aeron driver in %s: %s", aeron_dir,
                         embedded_error_line());
    const int64_t pid = constants.pid;
    if (heartbeat_ms < 0)
        return error_set(OC_ERR_NOT_CONNECTED,
                         "the Aeron driver in %s (process %" PRId64 ") has ended; start it anew",
                         aeron_dir, pid);
    if (heartbeat_ms == 0)
        return error_set(OC_ERR_NOT_CONNECTED,
                         "the Aeron driver in %s (process %" PRId64
                         ") has given no sign of life yet; try again when it has started",
                         aeron_dir, pid);
    if (age_ms > DRIVER_TIMEOUT_MS)
        return error_set(OC_ERR_NOT_CONNECTED,
                         "the Aeron driver in %s (process %" PRId64
                         ") is dead: no sign of life for %" PRId64 " s; start it anew",
                         aeron_dir, pid, age_ms / 1000);
    return OC_ERR_OK;
}

/* Aeron waits for a file that is not there and says no more than that it did. */
static oc_err_t check_file(const char *aeron_dir)
{
    char path[PATH_BYTES];
    struct stat info;
    const int length = snprintf(path, sizeof path, "%s/cnc.dat", aeron_dir);
    if (length < 0 || (size_t)length >= sizeof path)
        return error_set(OC_ERR_TOO_LONG, "the Aeron directory %.64s...: at most %d characters",
                         aeron_dir, PATH_BYTES - 9);
    if (stat(path, &info) != 0)
        return error_set(OC_ERR_NOT_CONNECTED, "no Aeron driver in %s: %s: %s", aeron_dir, path,
                         strerror(errno));
    return OC_ERR_OK;
}

oc_err_t counter_table_open(counter_table_t **table, const char *aeron_dir)
{
    *table = NULL;
    oc_err_t err = check_file(aeron_dir);
    if (err != OC_ERR_OK)
        return err;
    counter_table_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        return error_set(OC_ERR_NO_MEMORY, "the table of counters: %zu bytes", sizeof *self);
    if (aeron_cnc_init(&self->file, aeron_dir, 0) < 0) {
        err = error_set(OC_ERR_NOT_CONNECTED,
                        "the Aeron driver in %s: its cnc.dat cannot be used: %s", aeron_dir,
                        embedded_error_line());
        goto free_self;
    }
    err = check_alive(self->file, aeron_dir);
    if (err != OC_ERR_OK)
        goto close_file;
    self->reader = aeron_cnc_counters_reader(self->file);
    *table = self;
    return OC_ERR_OK;

close_file:
    aeron_cnc_close(self->file);
free_self:
    free(self);
    return err;
}

void counter_table_close(counter_table_t *self)
{
    if (self == NULL)
        return;
    if (self->file != NULL)
        aeron_cnc_close(self->file);
    free(self);
}

static int32_t state_of(const counter_table_t *self, int32_t id)
{
    int32_t state = AERON_COUNTER_RECORD_UNUSED;
    if (aeron_counters_reader_counter_state(self->reader, id, &state) < 0)
        return AERON_COUNTER_RECORD_UNUSED;
    return state;
}

static int64_t registration_of(const counter_table_t *self, int32_t id)
{
    int64_t registration = AERON_COUNTER_REGISTRATION_ID_DEFAULT;
    if (aeron_counters_reader_counter_registration_id(self->reader, id, &registration) < 0)
        return AERON_COUNTER_REGISTRATION_ID_DEFAULT;
    return registration;
}

static void take_counter(const counter_table_t *self, int32_t id, counter_t *counter)
{
    counter->id = id;
    counter->registration = registration_of(self, id);
    counter->value = aeron_counters_reader_addr(self->reader, id);
}

static bool key_fits(const counter_table_t *self, int32_t id, const counter_key_t *key)
{
    uint8_t *bytes;
    int32_t type;
    if (aeron_counters_reader_counter_type_id(self->reader, id, &type) < 0 || type != key->type ||
        aeron_counters_reader_metadata_key(self->reader, id, &bytes) < 0)
        return false;
    if (key->bytes == 0)
        return true;
    int64_t wide = 0;
    int32_t narrow = 0;
    if (key->bytes == sizeof wide) {
        memcpy(&wide, bytes + key->offset, sizeof wide);
        return wide == key->value;
    }
    memcpy(&narrow, bytes + key->offset, sizeof narrow);
    return narrow == key->value;
}

bool counter_table_find(const counter_table_t *self, const counter_key_t *key, counter_t *counter)
{
    OC_ASSERT(key->bytes == 0 || key->bytes == sizeof(int32_t) || key->bytes == sizeof(int64_t));
    OC_ASSERT(key->offset <= COUNTER_KEY_BYTES_MAX - key->bytes);
    const int32_t last = aeron_counters_reader_max_counter_id(self->reader);
    for (int32_t id = 0; id <= last; id++) {
        const int32_t state = state_of(self, id);
        /* The driver gives ids in order: nothing was ever behind one that was never used. */
        if (state == AERON_COUNTER_RECORD_UNUSED)
            break;
        if (state != AERON_COUNTER_RECORD_ALLOCATED || !key_fits(self, id, key))
            continue;
        take_counter(self, id, counter);
        if (counter_table_holds(self, counter) && key_fits(self, id, key))
            return true;
    }
    return false;
}

int64_t counter_value(const counter_t *counter)
{
    /* Acquire: what the writer did before it moved the counter is seen by whoever sees it moved. */
    return __atomic_load_n(counter->value, __ATOMIC_ACQUIRE);
}

bool counter_table_holds(const counter_table_t *self, const counter_t *counter)
{
    return state_of(self, counter->id) == AERON_COUNTER_RECORD_ALLOCATED &&
           registration_of(self, counter->id) == counter->registration;
}

void counter_table_key(const counter_table_t *self, const counter_t *counter,
                       uint8_t key[COUNTER_KEY_BYTES_MAX])
{
    uint8_t *bytes;
    memset(key, 0, COUNTER_KEY_BYTES_MAX);
    if (aeron_counters_reader_metadata_key(self->reader, counter->id, &bytes) == 0)
        memcpy(key, bytes, COUNTER_KEY_BYTES_MAX);
}

void counter_table_label(const counter_table_t *self, const counter_t *counter, char *label,
                         size_t size)
{
    OC_ASSERT(size > 0);
    const size_t room =
        size - 1 < AERON_COUNTER_MAX_LABEL_LENGTH ? size - 1 : AERON_COUNTER_MAX_LABEL_LENGTH;
    const int length = aeron_counters_reader_counter_label(self->reader, counter->id, label, room);
    label[length < 0 ? 0 : length] = '\0';
}

bool counter_table_swap(const counter_table_t *self, const counter_t *counter, int64_t expected,
                        int64_t value)
{
    if (self->file != NULL || !counter_table_holds(self, counter))
        return false;
    int64_t *at = aeron_counters_reader_addr(self->reader, counter->id);
    /* Both ways: what was done before is seen by whoever acts on the value, and the other way. */
    return __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}
