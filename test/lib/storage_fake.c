/*
 * The device in memory. Used by tests of whatever writes files.
 *
 * Invariants: a sector that is not dirty has the same bytes on both sides; a file is forgotten when
 * it has neither name and no handle. One lock around every operation of the table.
 */
#define _GNU_SOURCE
#include "lib/storage_fake.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/prng.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_DEFAULT (UINT64_C(1) << 40)
#define SECTOR           STORAGE_FAKE_SECTOR

typedef struct fake_file fake_file_t;
struct fake_file {
    fake_file_t *next;
    char *name;         /* NULL: removed */
    char *durable_name; /* NULL: not yet there, after a power cut */
    uint8_t *bytes;     /* as read */
    uint8_t *durable;
    uint8_t *dirty; /* by sector */
    uint64_t size;
    uint64_t durable_size;
    uint64_t capacity;
    unsigned handles;
    bool locked;
};

struct storage_file {
    storage_fake_t *device;
    fake_file_t *file;
    bool lock;
    bool writable;
};

struct storage_fake {
    storage_t table;
    pthread_mutex_t mutex;
    fake_file_t *files;
    uint64_t random;
    uint64_t capacity;
    storage_fake_fault_t fault;
    uint64_t countdown;
    uint64_t operations;
    uint64_t bytes_written;
    bool off;
};

typedef enum operation {
    OPERATION_READ,
    OPERATION_CREATE,
    OPERATION_WRITE,
    OPERATION_SYNC,
    OPERATION_NAMES,
} operation_t;

static storage_fake_t *device_of(const storage_t *table)
{
    return table->context;
}

static void *take(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    OC_ASSERT(memory != NULL);
    return memory;
}

static char *copy_text(const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    OC_ASSERT(!text || copy);
    return copy;
}

static void set_text(char **target, const char *text)
{
    char *copy = copy_text(text);
    free(*target);
    *target = copy;
}

static bool same_name(const char *left, const char *right)
{
    return left && right && !strcmp(left, right);
}

static fake_file_t *find(const storage_fake_t *self, const char *path)
{
    for (fake_file_t *file = self->files; file; file = file->next)
        if (same_name(file->name, path))
            return file;
    return NULL;
}

static fake_file_t *add(storage_fake_t *self, const char *path)
{
    fake_file_t *file = take(sizeof *file);
    file->name = copy_text(path);
    file->next = self->files;
    self->files = file;
    return file;
}

static void sweep(storage_fake_t *self)
{
    for (fake_file_t **link = &self->files; *link;) {
        fake_file_t *file = *link;
        if (file->name || file->durable_name || file->handles > 0) {
            link = &file->next;
            continue;
        }
        *link = file->next;
        free(file->bytes);
        free(file->durable);
        free(file->dirty);
        free(file);
    }
}

static uint64_t used_bytes(const storage_fake_t *self)
{
    uint64_t used = 0;
    for (const fake_file_t *file = self->files; file; file = file->next)
        used += file->name ? file->size : 0;
    return used;
}

static void grow(fake_file_t *file, uint64_t size)
{
    if (size > file->capacity) {
        uint64_t capacity = file->capacity ? file->capacity : 64 * SECTOR;
        while (capacity < size)
            capacity *= 2;
        uint8_t *bytes = take(capacity);
        uint8_t *durable = take(capacity);
        uint8_t *dirty = take(capacity / SECTOR);
        if (file->capacity > 0) {
            memcpy(bytes, file->bytes, file->capacity);
            memcpy(durable, file->durable, file->capacity);
            memcpy(dirty, file->dirty, file->capacity / SECTOR);
        }
        free(file->bytes);
        free(file->durable);
        free(file->dirty);
        file->bytes = bytes;
        file->durable = durable;
        file->dirty = dirty;
        file->capacity = capacity;
    }
    if (size > file->size)
        file->size = size;
}

/* ---- Power ---- */

typedef enum fate { FATE_ALL_LOST, FATE_ALL_KEPT, FATE_FIRST_KEPT, FATE_ANY } fate_t;

static void settle_sector(fake_file_t *file, uint64_t sector, bool kept)
{
    const uint64_t at = sector * SECTOR;
    file->dirty[sector] = 0;
    if (kept)
        memcpy(file->durable + at, file->bytes + at, SECTOR);
    else
        memcpy(file->bytes + at, file->durable + at, SECTOR);
}

static void settle_content(storage_fake_t *self, fake_file_t *file)
{
    const fate_t fate = (fate_t)prng_below(&self->random, 4);
    const uint64_t sectors = (file->size + SECTOR - 1) / SECTOR;
    uint64_t dirty = 0;
    for (uint64_t i = 0; i < sectors; i++)
        dirty += file->dirty[i];
    uint64_t kept_first = dirty ? prng_below(&self->random, (uint32_t)dirty + 1) : 0;
    for (uint64_t i = 0; i < sectors; i++) {
        if (!file->dirty[i])
            continue;
        bool kept = fate == FATE_ALL_KEPT;
        if (fate == FATE_FIRST_KEPT && kept_first > 0) {
            kept_first--;
            kept = true;
        } else if (fate == FATE_ANY) {
            kept = prng_below(&self->random, 2) == 0;
        }
        settle_sector(file, i, kept);
    }
    if (file->size > file->durable_size && prng_below(&self->random, 2) == 0) {
        memset(file->bytes + file->durable_size, 0, file->size - file->durable_size);
        memset(file->durable + file->durable_size, 0, file->size - file->durable_size);
        file->size = file->durable_size;
    }
    file->durable_size = file->size;
}

/* A name that another file has got by then is lost. */
static void settle_name(storage_fake_t *self, fake_file_t *file)
{
    const bool same =
        file->name == NULL ? file->durable_name == NULL : same_name(file->name, file->durable_name);
    if (!same && prng_below(&self->random, 2) == 0)
        set_text(&file->name, file->durable_name);
    set_text(&file->durable_name, file->name);
    for (fake_file_t *other = self->files; other && file->name; other = other->next) {
        if (other != file && same_name(other->name, file->name) &&
            same_name(other->durable_name, file->name)) {
            set_text(&file->name, NULL);
            set_text(&file->durable_name, NULL);
        }
    }
}

static void cut_power(storage_fake_t *self)
{
    self->off = true;
    for (fake_file_t *file = self->files; file; file = file->next) {
        settle_content(self, file);
        settle_name(self, file);
    }
    sweep(self);
}

/* ---- Faults ---- */

static bool can_hit(storage_fake_fault_t fault, operation_t operation)
{
    switch (fault) {
    case STORAGE_FAKE_WRITE_ERROR:
    case STORAGE_FAKE_SHORT_WRITE:
    case STORAGE_FAKE_TORN_WRITE:
        return operation == OPERATION_WRITE;
    case STORAGE_FAKE_NO_SPACE:
        return operation == OPERATION_WRITE || operation == OPERATION_CREATE;
    case STORAGE_FAKE_SYNC_ERROR:
        return operation == OPERATION_SYNC;
    case STORAGE_FAKE_READ_ERROR:
        return operation == OPERATION_READ;
    case STORAGE_FAKE_POWER_CUT:
    case STORAGE_FAKE_KILL:
        return operation != OPERATION_READ;
    case STORAGE_FAKE_NO_FAULT:
        break;
    }
    return false;
}

/* Counts the operation; the fault that hits it, or STORAGE_FAKE_NO_FAULT. */
static storage_fake_fault_t count(storage_fake_t *self, operation_t operation)
{
    self->operations += operation != OPERATION_READ;
    if (!can_hit(self->fault, operation) || --self->countdown > 0)
        return STORAGE_FAKE_NO_FAULT;
    const storage_fake_fault_t fault = self->fault;
    self->fault = STORAGE_FAKE_NO_FAULT;
    if (fault == STORAGE_FAKE_POWER_CUT)
        cut_power(self);
    if (fault == STORAGE_FAKE_KILL)
        self->off = true;
    return fault;
}

static oc_err_t is_gone(oc_err_t err, const char *path)
{
    return error_set(err, "cannot use %s: the device is off", path);
}

static oc_err_t broken(oc_err_t err, const char *what, const char *path)
{
    return error_set(err, "cannot %s %s: a planted fault", what, path ? path : "a removed file");
}

/* ---- The table ---- */

static oc_err_t fake_make_dir(const storage_t *table, const char *dir)
{
    return device_of(table)->off ? is_gone(OC_ERR_OPEN, dir) : OC_ERR_OK;
}

static bool is_in(const char *path, const char *dir, const char **name)
{
    const size_t length = strlen(dir);
    if (!path || strncmp(path, dir, length) != 0 || path[length] != '/')
        return false;
    *name = path + length + 1;
    return !strchr(*name, '/');
}

static oc_err_t fake_list(const storage_t *table, const char *dir, storage_visitor_t visitor,
                          void *context)
{
    storage_fake_t *self = device_of(table);
    if (self->off)
        return is_gone(OC_ERR_OPEN, dir);
    pthread_mutex_lock(&self->mutex);
    const char *name;
    for (const fake_file_t *file = self->files; file; file = file->next)
        if (is_in(file->name, dir, &name) && !visitor(context, name))
            break;
    pthread_mutex_unlock(&self->mutex);
    return OC_ERR_OK;
}

static oc_err_t names_durable(storage_fake_t *self, const char *dir)
{
    if (count(self, OPERATION_SYNC) == STORAGE_FAKE_SYNC_ERROR)
        return broken(OC_ERR_SYNC, "sync", dir);
    if (self->off)
        return is_gone(OC_ERR_SYNC, dir);
    const char *name;
    for (fake_file_t *file = self->files; file; file = file->next)
        if (is_in(file->name, dir, &name) || is_in(file->durable_name, dir, &name))
            set_text(&file->durable_name, file->name);
    sweep(self);
    return OC_ERR_OK;
}

static oc_err_t fake_sync_dir(const storage_t *table, const char *dir)
{
    storage_fake_t *self = device_of(table);
    pthread_mutex_lock(&self->mutex);
    const oc_err_t err = names_durable(self, dir);
    pthread_mutex_unlock(&self->mutex);
    return err;
}

static oc_err_t fake_free_bytes(const storage_t *table, const char *dir, uint64_t *bytes)
{
    storage_fake_t *self = device_of(table);
    pthread_mutex_lock(&self->mutex);
    const uint64_t used = used_bytes(self);
    *bytes = used < self->capacity ? self->capacity - used : 0;
    const bool off = self->off;
    pthread_mutex_unlock(&self->mutex);
    return off ? is_gone(OC_ERR_READ, dir) : OC_ERR_OK;
}

/* `to` is NULL for a removal. */
static oc_err_t change_name(storage_fake_t *self, const char *from, const char *to)
{
    (void)count(self, OPERATION_NAMES);
    if (self->off)
        return is_gone(OC_ERR_WRITE, from);
    fake_file_t *file = find(self, from);
    if (!file)
        return error_set(OC_ERR_WRITE, "cannot change the name %s: there is no such file", from);
    fake_file_t *replaced = to ? find(self, to) : NULL;
    if (replaced && replaced != file)
        set_text(&replaced->name, NULL);
    set_text(&file->name, to);
    sweep(self);
    return OC_ERR_OK;
}

static oc_err_t fake_rename(const storage_t *table, const char *from, const char *to)
{
    storage_fake_t *self = device_of(table);
    pthread_mutex_lock(&self->mutex);
    const oc_err_t err = change_name(self, from, to);
    pthread_mutex_unlock(&self->mutex);
    return err;
}

static oc_err_t fake_remove(const storage_t *table, const char *path)
{
    storage_fake_t *self = device_of(table);
    pthread_mutex_lock(&self->mutex);
    const oc_err_t err = change_name(self, path, NULL);
    pthread_mutex_unlock(&self->mutex);
    return err;
}

static storage_file_t *make_handle(storage_fake_t *self, fake_file_t *file, bool writable)
{
    storage_file_t *handle = take(sizeof *handle);
    handle->device = self;
    handle->file = file;
    handle->writable = writable;
    file->handles++;
    return handle;
}

static oc_err_t lock_file(storage_fake_t *self, const char *path, storage_file_t **handle)
{
    if (self->off)
        return is_gone(OC_ERR_OPEN, path);
    fake_file_t *file = find(self, path);
    if (file && file->locked)
        return error_set(OC_ERR_LOCKED, "another process holds %s", path);
    if (!file)
        file = add(self, path);
    file->locked = true;
    *handle = make_handle(self, file, false);
    (*handle)->lock = true;
    return OC_ERR_OK;
}

static oc_err_t fake_lock(const storage_t *table, const char *path, storage_file_t **handle)
{
    storage_fake_t *self = device_of(table);
    pthread_mutex_lock(&self->mutex);
    const oc_err_t err = lock_file(self, path, handle);
    pthread_mutex_unlock(&self->mutex);
    return err;
}

static oc_err_t fake_probe(const storage_t *table, const char *path)
{
    storage_fake_t *self = device_of(table);
    pthread_mutex_lock(&self->mutex);
    const fake_file_t *file = find(self, path);
    oc_err_t err = OC_ERR_OK;
    if (self->off)
        err = is_gone(OC_ERR_OPEN, path);
    else if (file && file->locked)
        err = error_set(OC_ERR_LOCKED, "another process holds %s", path);
    pthread_mutex_unlock(&self->mutex);
    return err;
}

static oc_err_t open_file(storage_fake_t *self, const char *path, storage_mode_t mode,
                          storage_file_t **handle)
{
    if (mode == STORAGE_CREATE && count(self, OPERATION_CREATE) == STORAGE_FAKE_NO_SPACE)
        return broken(OC_ERR_NO_SPACE, "make", path);
    if (self->off)
        return is_gone(OC_ERR_OPEN, path);
    fake_file_t *file = find(self, path);
    if (mode == STORAGE_CREATE ? file != NULL : file == NULL)
        return error_set(OC_ERR_OPEN, "cannot open %s: the name is %s", path,
                         file ? "taken" : "unknown");
    if (!file)
        file = add(self, path);
    *handle = make_handle(self, file, mode != STORAGE_READ && mode != STORAGE_READ_CACHED);
    return OC_ERR_OK;
}

static oc_err_t fake_open(const storage_t *table, const char *path, storage_mode_t mode,
                          storage_file_t **handle)
{
    storage_fake_t *self = device_of(table);
    pthread_mutex_lock(&self->mutex);
    const oc_err_t err = open_file(self, path, mode, handle);
    pthread_mutex_unlock(&self->mutex);
    return err;
}

static void fake_close(storage_file_t *handle)
{
    if (!handle)
        return;
    storage_fake_t *self = handle->device;
    pthread_mutex_lock(&self->mutex);
    if (handle->lock)
        handle->file->locked = false;
    handle->file->handles--;
    sweep(self);
    pthread_mutex_unlock(&self->mutex);
    free(handle);
}

static oc_err_t fake_size(storage_file_t *handle, uint64_t *bytes)
{
    pthread_mutex_lock(&handle->device->mutex);
    *bytes = handle->file->size;
    pthread_mutex_unlock(&handle->device->mutex);
    return OC_ERR_OK;
}

static void check_blocks(uint64_t offset, const void *bytes, size_t length)
{
    OC_ASSERT(offset % STORAGE_BLOCK == 0);
    OC_ASSERT((uintptr_t)bytes % STORAGE_BLOCK == 0);
    OC_ASSERT(length % STORAGE_BLOCK == 0);
}

static oc_err_t read_file(storage_file_t *handle, uint64_t offset, void *bytes, size_t length,
                          size_t *got)
{
    const fake_file_t *file = handle->file;
    if (count(handle->device, OPERATION_READ) == STORAGE_FAKE_READ_ERROR)
        return broken(OC_ERR_READ, "read", file->name);
    if (handle->device->off)
        return is_gone(OC_ERR_READ, "a file");
    const uint64_t rest = offset < file->size ? file->size - offset : 0;
    *got = rest < length ? (size_t)rest : length;
    if (*got > 0)
        memcpy(bytes, file->bytes + offset, *got);
    return OC_ERR_OK;
}

static oc_err_t fake_read(storage_file_t *handle, uint64_t offset, void *bytes, size_t length,
                          size_t *got)
{
    check_blocks(offset, bytes, length);
    pthread_mutex_lock(&handle->device->mutex);
    const oc_err_t err = read_file(handle, offset, bytes, length, got);
    pthread_mutex_unlock(&handle->device->mutex);
    return err;
}

static void put_sector(fake_file_t *file, uint64_t offset, const uint8_t *bytes)
{
    memcpy(file->bytes + offset, bytes, SECTOR);
    file->dirty[offset / SECTOR] = 1;
}

static oc_err_t write_file(storage_file_t *handle, uint64_t offset, const uint8_t *bytes,
                           size_t length)
{
    storage_fake_t *self = handle->device;
    fake_file_t *file = handle->file;
    const storage_fake_fault_t fault = count(self, OPERATION_WRITE);
    if (self->off)
        return is_gone(OC_ERR_WRITE, "a file");
    if (fault == STORAGE_FAKE_WRITE_ERROR)
        return broken(OC_ERR_WRITE, "write", file->name);
    if (fault == STORAGE_FAKE_NO_SPACE)
        return broken(OC_ERR_NO_SPACE, "write", file->name);
    const uint64_t end = offset + length;
    if (end > file->size && end - file->size + used_bytes(self) > self->capacity)
        return error_set(OC_ERR_NO_SPACE, "cannot write %s: the device is full", file->name);
    grow(file, end);
    const size_t sectors = length / SECTOR;
    const bool torn = fault == STORAGE_FAKE_TORN_WRITE;
    const size_t first =
        fault == STORAGE_FAKE_SHORT_WRITE ? prng_below(&self->random, (uint32_t)sectors) : sectors;
    for (size_t i = 0; i < first; i++)
        if (!torn || prng_below(&self->random, 2) == 0)
            put_sector(file, offset + i * SECTOR, bytes + i * SECTOR);
    self->bytes_written += length;
    if (torn)
        cut_power(self);
    return fault == STORAGE_FAKE_NO_FAULT ? OC_ERR_OK : broken(OC_ERR_WRITE, "write", file->name);
}

static oc_err_t fake_write(storage_file_t *handle, uint64_t offset, const void *bytes,
                           size_t length)
{
    check_blocks(offset, bytes, length);
    OC_ASSERT(handle->writable);
    pthread_mutex_lock(&handle->device->mutex);
    const oc_err_t err = write_file(handle, offset, bytes, length);
    pthread_mutex_unlock(&handle->device->mutex);
    return err;
}

static void make_durable(fake_file_t *file)
{
    const uint64_t sectors = (file->size + SECTOR - 1) / SECTOR;
    for (uint64_t i = 0; i < sectors; i++)
        if (file->dirty[i])
            settle_sector(file, i, true);
    file->durable_size = file->size;
}

static oc_err_t fake_sync(storage_file_t *handle)
{
    storage_fake_t *self = handle->device;
    oc_err_t err = OC_ERR_OK;
    pthread_mutex_lock(&self->mutex);
    if (count(self, OPERATION_SYNC) == STORAGE_FAKE_SYNC_ERROR)
        err = broken(OC_ERR_SYNC, "sync", handle->file->name);
    else if (self->off)
        err = is_gone(OC_ERR_SYNC, "a file");
    else
        make_durable(handle->file);
    pthread_mutex_unlock(&self->mutex);
    return err;
}

/* ---- For the test ---- */

storage_fake_t *storage_fake_create(uint64_t seed)
{
    storage_fake_t *self = take(sizeof *self);
    self->random = seed;
    self->capacity = CAPACITY_DEFAULT;
    OC_ASSERT(pthread_mutex_init(&self->mutex, NULL) == 0);
    self->table = (storage_t){
        .make_dir = fake_make_dir,
        .list = fake_list,
        .sync_dir = fake_sync_dir,
        .free_bytes = fake_free_bytes,
        .rename = fake_rename,
        .remove = fake_remove,
        .lock = fake_lock,
        .probe = fake_probe,
        .open = fake_open,
        .close = fake_close,
        .size = fake_size,
        .read = fake_read,
        .write = fake_write,
        .sync = fake_sync,
        .context = self,
    };
    return self;
}

void storage_fake_destroy(storage_fake_t *self)
{
    for (fake_file_t *file = self->files; file; file = file->next) {
        OC_ASSERT(file->handles == 0);
        set_text(&file->name, NULL);
        set_text(&file->durable_name, NULL);
    }
    sweep(self);
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

const storage_t *storage_fake_table(storage_fake_t *self)
{
    return &self->table;
}

void storage_fake_fault(storage_fake_t *self, storage_fake_fault_t fault, uint64_t nth)
{
    OC_ASSERT(nth > 0);
    pthread_mutex_lock(&self->mutex);
    self->fault = fault;
    self->countdown = nth;
    pthread_mutex_unlock(&self->mutex);
}

bool storage_fake_fault_pending(const storage_fake_t *self)
{
    return self->fault != STORAGE_FAKE_NO_FAULT;
}

void storage_fake_set_capacity(storage_fake_t *self, uint64_t bytes)
{
    pthread_mutex_lock(&self->mutex);
    self->capacity = bytes;
    pthread_mutex_unlock(&self->mutex);
}

void storage_fake_power_cut(storage_fake_t *self)
{
    cut_power(self);
}

void storage_fake_kill(storage_fake_t *self)
{
    self->off = true;
}

bool storage_fake_is_off(const storage_fake_t *self)
{
    return self->off;
}

void storage_fake_restart(storage_fake_t *self)
{
    for (const fake_file_t *file = self->files; file; file = file->next)
        OC_ASSERT(file->handles == 0);
    self->off = false;
    self->fault = STORAGE_FAKE_NO_FAULT;
}

uint8_t *storage_fake_bytes(storage_fake_t *self, const char *path, uint64_t *size)
{
    fake_file_t *file = find(self, path);
    if (!file)
        return NULL;
    *size = file->size;
    return file->bytes;
}

void storage_fake_flip(storage_fake_t *self, const char *path, uint64_t offset, uint8_t mask)
{
    fake_file_t *file = find(self, path);
    OC_ASSERT(file != NULL);
    OC_ASSERT(offset < file->size);
    file->bytes[offset] ^= mask;
    file->durable[offset] ^= mask;
}

void storage_fake_put(storage_fake_t *self, const char *path, const void *bytes, size_t size)
{
    fake_file_t *file = find(self, path);
    if (file)
        set_text(&file->name, NULL);
    file = add(self, path);
    set_text(&file->durable_name, path);
    grow(file, size);
    if (size > 0) {
        memcpy(file->bytes, bytes, size);
        memset(file->dirty, 1, (size + SECTOR - 1) / SECTOR);
    }
    make_durable(file);
}

uint64_t storage_fake_operations(const storage_fake_t *self)
{
    return self->operations;
}

uint64_t storage_fake_bytes_written(const storage_fake_t *self)
{
    return self->bytes_written;
}
