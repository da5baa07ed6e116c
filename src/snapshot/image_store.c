/*
 * Which images there are: manifests listed at opening, added by a commit, removed by retention.
 *
 * Called by the snapshot agent, the recovery and the tools. Invariants: a listed image has a
 * manifest that decodes, a data file of the right length, and all of its chain listed; names are
 * durable before anything is done because of them; a data file goes only after the removal of its
 * manifest is durable. It must not look into pages: loading finds out whether those are good.
 */
#include "snapshot/image_internal.h"

#include "base/assert.h"
#include "base/error.h"
#include "snapshot/image_listing.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP_MAX 64

typedef struct store_entry {
    image_manifest_t manifest;
    image_info_t info;
    uint64_t root; /* sequence of the full image that its chain ends at */
    bool kept;     /* by retention */
} store_entry_t;

struct image_store {
    const storage_t *storage;
    char *images;
    bool read_only;
    uint32_t keep;
    uint64_t last_sequence; /* the highest of any name, or given out */
    store_entry_t *entries; /* as listed: by position, then sequence, falling */
    size_t count, capacity;
    image_listed_t *useless; /* with a manifest that is there, but not listed, or only a data file;
                                room for all that were there at opening */
    size_t useless_count, useless_capacity;
    uint64_t unknown; /* the highest of another format version; 0: none */
    /* Of the retention that runs. */
    image_listed_t *going; /* ascending; NULL: none runs */
    size_t going_count;
    size_t manifests_left, data_left; /* elements whose manifest, or data file, is to go yet */
    char **lines;
    size_t line_count;
};

/* ---- The list ---- */

static store_entry_t *find_entry(const image_store_t *self, uint64_t sequence)
{
    for (size_t i = 0; i < self->count; i++)
        if (self->entries[i].info.sequence == sequence)
            return &self->entries[i];
    return NULL;
}

static bool is_newer(const image_info_t *left, const image_info_t *right)
{
    return left->place.position != right->place.position
               ? left->place.position > right->place.position
               : left->sequence > right->sequence;
}

static oc_err_t reserve_entry(image_store_t *self)
{
    if (self->count < self->capacity)
        return OC_ERR_OK;
    const size_t capacity = self->capacity ? self->capacity * 2 : 16;
    store_entry_t *grown = realloc(self->entries, capacity * sizeof *grown);
    if (!grown)
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for a list of %zu images", capacity);
    self->entries = grown;
    self->capacity = capacity;
    return OC_ERR_OK;
}

/* Whether pages of `base` mean something in `identity`. */
static const char *base_problem(const image_identity_t *identity, const store_entry_t *base)
{
    if (!base)
        return "is missing or not complete";
    const image_identity_t *other = &base->manifest.identity;
    if (identity->place.log_id != other->place.log_id)
        return "belongs to another log";
    if (identity->place.position < other->place.position)
        return "is of a later position";
    if (base->info.chain_length >= IMAGE_CHAIN_MAX)
        return "has the longest chain that there may be";
    bool same = identity->section_count == other->section_count;
    for (uint32_t i = 0; same && i < identity->section_count; i++)
        same = image_section_fits(&identity->sections[i], &other->sections[i]);
    return same ? NULL : "has other sections";
}

/* Lists an image whose manifest and file are fine, unless its chain is not there: then *problem
 * says what is wrong with its base. Room has been reserved. */
static bool add_entry(image_store_t *self, const image_manifest_t *manifest, const char **problem)
{
    OC_ASSERT(self->count < self->capacity);
    const image_identity_t *identity = &manifest->identity;
    store_entry_t made = {.manifest = *manifest, .root = identity->sequence};
    image_info_make(&made.info, manifest);
    made.info.chain_length = 1;
    made.info.chain_bytes = manifest->bytes;
    if (identity->base != 0) {
        const store_entry_t *base = find_entry(self, identity->base);
        *problem = base_problem(identity, base);
        if (*problem)
            return false;
        made.root = base->root;
        made.info.chain_length += base->info.chain_length;
        made.info.chain_bytes += base->info.chain_bytes;
    }
    size_t at = self->count;
    while (at > 0 && is_newer(&made.info, &self->entries[at - 1].info)) {
        self->entries[at] = self->entries[at - 1];
        at--;
    }
    self->entries[at] = made;
    self->count++;
    return true;
}

size_t image_store_count(const image_store_t *self)
{
    return self->count;
}

const image_info_t *image_store_at(const image_store_t *self, size_t n)
{
    OC_ASSERT(n < self->count);
    return &self->entries[n].info;
}

const image_info_t *image_store_find(const image_store_t *self, uint64_t sequence)
{
    const store_entry_t *entry = find_entry(self, sequence);
    return entry ? &entry->info : NULL;
}

const image_manifest_t *image_store_manifest(const image_store_t *self, uint64_t sequence)
{
    const store_entry_t *entry = find_entry(self, sequence);
    return entry ? &entry->manifest : NULL;
}

const storage_t *image_store_storage(const image_store_t *self)
{
    return self->storage;
}

const char *image_store_images(const image_store_t *self)
{
    return self->images;
}

const char *image_store_line(const image_store_t *self, size_t n)
{
    return n < self->line_count ? self->lines[n] : NULL;
}

uint64_t image_store_unknown(const image_store_t *self)
{
    return self->unknown;
}

uint64_t image_store_next_sequence(image_store_t *self)
{
    return ++self->last_sequence;
}

/* ---- Opening ---- */

/* Notes what is wrong; a line for which there is no memory is left out. */
__attribute__((format(printf, 2, 3))) static void add_line(image_store_t *self, const char *format,
                                                           ...)
{
    char text[IMAGE_CONTEXT_SIZE + 64];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t size = strlen(text) + 1;
    char *line = malloc(size);
    char **grown = realloc(self->lines, (self->line_count + 1) * sizeof *grown);
    if (grown)
        self->lines = grown;
    if (!line || !grown) {
        free(line);
        return;
    }
    memcpy(line, text, size);
    self->lines[self->line_count++] = line;
}

/* The data file is there and as long as it must be. */
static oc_err_t check_length(const image_store_t *self, const image_manifest_t *manifest,
                             const char *path)
{
    storage_file_t *file = NULL;
    uint64_t size = 0;
    oc_err_t err = self->storage->open(self->storage, path, STORAGE_READ, &file);
    if (err != OC_ERR_OK)
        return err;
    err = self->storage->size(file, &size);
    self->storage->close(file);
    if (err == OC_ERR_OK && size != manifest->bytes)
        err = error_set(OC_ERR_DAMAGED,
                        "image: %s: damaged: it has %" PRIu64 " bytes, its manifest says %" PRIu64,
                        path, size, manifest->bytes);
    return err;
}

/* Manifest and length of the data file. */
static oc_err_t look_at(const image_store_t *self, uint64_t sequence, image_manifest_t *manifest)
{
    char *name = image_path(self->images, sequence, IMAGE_MANIFEST_ENDING);
    char *data = image_path(self->images, sequence, IMAGE_PAGES_ENDING);
    oc_err_t err = OC_ERR_OK;
    if (!name || !data)
        err = error_set(OC_ERR_NO_MEMORY, "image: no memory for the names in %s", self->images);
    if (err == OC_ERR_OK)
        err = image_manifest_read(self->storage, name, manifest);
    if (err == OC_ERR_OK && manifest->identity.sequence != sequence)
        err = error_set(OC_ERR_DAMAGED,
                        "image: %s: damaged at offset 0: it is the manifest of image %016" PRIx64,
                        name, manifest->identity.sequence);
    if (err == OC_ERR_OK)
        err = check_length(self, manifest, data);
    free(name);
    free(data);
    return err;
}

/* Lists one image, or tells why not. */
static oc_err_t take_image(image_store_t *self, const image_listed_t *listed)
{
    const uint64_t sequence = listed->sequence;
    image_manifest_t manifest;
    const char *problem = NULL;
    oc_err_t err = reserve_entry(self);
    if (err == OC_ERR_OK)
        err = look_at(self, sequence, &manifest);
    if (err == OC_ERR_NO_MEMORY)
        return err;
    if (err == OC_ERR_OK && add_entry(self, &manifest, &problem))
        return OC_ERR_OK;
    if (err != OC_ERR_OK)
        add_line(self, "image %" PRIu64 " is not used: %s", sequence, oc_err_context());
    else
        add_line(self,
                 "image %" PRIu64 " is not used: image %" PRIu64
                 ", which it is incremental to, %s (in %s)",
                 sequence, manifest.identity.base, problem, self->images);
    if (err == OC_ERR_FORMAT)
        self->unknown = sequence; /* not ours to remove */
    else
        self->useless[self->useless_count++] = *listed;
    return OC_ERR_OK;
}

typedef struct looked_for {
    const char *name;
    bool found;
} looked_for_t;

static bool look_for(void *context, const char *name)
{
    looked_for_t *looked = context;
    looked->found |= strcmp(name, looked->name) == 0;
    return !looked->found;
}

/* A file that is absent was removed by somebody else: that is fine. */
static oc_err_t remove_named(const image_store_t *self, uint64_t sequence, const char *ending)
{
    const storage_t *storage = self->storage;
    char context[IMAGE_CONTEXT_SIZE];
    char *path = image_path(self->images, sequence, ending);
    if (!path)
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for a name in %s", self->images);
    oc_err_t err = storage->remove(storage, path);
    if (err != OC_ERR_OK) {
        looked_for_t looked = {.name = path + strlen(self->images) + 1};
        (void)snprintf(context, sizeof context, "%s", oc_err_context());
        if (storage->list(storage, self->images, look_for, &looked) == OC_ERR_OK && !looked.found)
            err = OC_ERR_OK;
        else
            err = error_set(err, "%s", context);
    }
    free(path);
    return err;
}

/* Files that are no image's. One that cannot be removed is in nobody's way. */
static void remove_leftovers(image_store_t *self, const image_listing_t *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        const image_listed_t *file = &listing->files[i];
        oc_err_t err = OC_ERR_OK;
        if (file->has_pages && !file->has_manifest)
            err = remove_named(self, file->sequence, IMAGE_PAGES_ENDING);
        if (err == OC_ERR_OK && file->has_new)
            err = remove_named(self, file->sequence, IMAGE_NEW_ENDING);
        if (err != OC_ERR_OK)
            add_line(self, "what is left of image %" PRIu64 " stays: %s", file->sequence,
                     oc_err_context());
    }
}

static oc_err_t list_images(image_store_t *self, const char *dir)
{
    image_listing_t listing;
    oc_err_t err = image_listing_init(&listing, self->storage, dir, self->images, self->read_only);
    if (err != OC_ERR_OK)
        return err;
    /* Room for all, because recovery may find that some are bad. */
    self->useless_capacity = listing.count + 1;
    self->useless = malloc(self->useless_capacity * sizeof *self->useless);
    if (!self->useless)
        err = error_set(OC_ERR_NO_MEMORY, "image: no memory for the names in %s", self->images);
    /* Ascending, so that a base is listed before what needs it. */
    for (size_t i = 0; err == OC_ERR_OK && i < listing.count; i++) {
        self->last_sequence = listing.files[i].sequence;
        if (listing.files[i].has_manifest)
            err = take_image(self, &listing.files[i]);
    }
    if (err == OC_ERR_OK && !self->read_only)
        remove_leftovers(self, &listing);
    image_listing_fini(&listing);
    return err;
}

oc_err_t image_store_open(image_store_t **store, const image_store_config_t *config)
{
    OC_ASSERT(config->keep >= 1);
    OC_ASSERT(config->keep <= KEEP_MAX);
    const storage_t *storage = config->storage;
    oc_err_t err = OC_ERR_OK;
    image_store_t *self = calloc(1, sizeof *self);
    if (self)
        self->images = image_dir_path(config->dir);
    if (!self || !self->images) {
        free(self);
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for the store in %s", config->dir);
    }
    self->storage = storage;
    self->read_only = config->read_only;
    self->keep = config->keep;
    if (!self->read_only)
        err = storage->make_dir(storage, self->images);
    /* A name that was not synced before the last end must not be built on. */
    if (err == OC_ERR_OK && !self->read_only)
        err = storage->sync_dir(storage, self->images);
    if (err == OC_ERR_OK)
        err = list_images(self, config->dir);
    if (err != OC_ERR_OK) {
        image_store_close(self);
        return err;
    }
    *store = self;
    return OC_ERR_OK;
}

void image_store_close(image_store_t *self)
{
    if (!self)
        return;
    for (size_t i = 0; i < self->line_count; i++)
        free(self->lines[i]);
    free(self->lines);
    free(self->going);
    free(self->useless);
    free(self->entries);
    free(self->images);
    free(self);
}

static void unlist(image_store_t *self, uint64_t sequence)
{
    const store_entry_t *entry = find_entry(self, sequence);
    if (entry) {
        const size_t at = (size_t)(entry - self->entries);
        memmove(&self->entries[at], &self->entries[at + 1],
                (--self->count - at) * sizeof *self->entries);
        return;
    }
    size_t left = 0;
    for (size_t i = 0; i < self->useless_count; i++)
        if (self->useless[i].sequence != sequence)
            self->useless[left++] = self->useless[i];
    self->useless_count = left;
}

static bool is_chained_to(const image_store_t *self, const store_entry_t *entry, uint64_t sequence)
{
    while (entry && entry->info.sequence != sequence)
        entry = find_entry(self, entry->info.base);
    return entry != NULL;
}

void image_store_pass_over(image_store_t *self, uint64_t sequence)
{
    OC_ASSERT(find_entry(self, sequence) != NULL);
    OC_ASSERT(!self->going);
    /* Those built on it first: they are of no more use than it. */
    for (size_t i = self->count; i-- > 0;) {
        const store_entry_t *entry = &self->entries[i];
        if (entry->info.sequence != sequence && is_chained_to(self, entry, sequence)) {
            image_store_pass_over(self, entry->info.sequence);
            i = self->count;
        }
    }
    OC_ASSERT(self->useless_count < self->useless_capacity);
    self->useless[self->useless_count++] = (image_listed_t){
        .sequence = sequence,
        .base = find_entry(self, sequence)->info.base,
        .has_pages = true,
        .has_manifest = true,
        .passed_over = true,
    };
    unlist(self, sequence);
}

/* ---- Commit ---- */

/* The manifest of a data file, from what is in it. */
static oc_err_t make_manifest(const image_store_t *self, const image_info_t *info, const char *path,
                              image_manifest_t *manifest, uint8_t *block)
{
    storage_file_t *file = NULL;
    image_header_t header;
    size_t got = 0;
    uint64_t size = 0;
    oc_err_t err = self->storage->open(self->storage, path, STORAGE_READ, &file);
    if (err != OC_ERR_OK)
        return err;
    err = self->storage->size(file, &size);
    if (err == OC_ERR_OK)
        err = self->storage->read(file, 0, block, STORAGE_BLOCK, &got);
    self->storage->close(file);
    if (err == OC_ERR_OK && got < STORAGE_BLOCK)
        err = error_set(OC_ERR_DAMAGED, "image: %s: damaged at offset 0: it is cut off", path);
    if (err == OC_ERR_OK)
        err = image_header_decode(block, path, &header);
    if (err != OC_ERR_OK)
        return err;
    if (header.identity.sequence != info->sequence || size != image_file_bytes(info->pages) ||
        header.identity.pages != info->pages)
        return error_set(OC_ERR_DAMAGED, "image: %s: damaged: it is not what was written", path);
    memset(manifest, 0, sizeof *manifest);
    manifest->identity = header.identity;
    manifest->bytes = size;
    manifest->header_crc = header.crc;
    return OC_ERR_OK;
}

/* Makes a new file of one block, durably; its name is not. */
static oc_err_t write_file(const image_store_t *self, const char *path, const uint8_t *block)
{
    storage_file_t *file = NULL;
    oc_err_t err = self->storage->open(self->storage, path, STORAGE_CREATE, &file);
    if (err != OC_ERR_OK)
        return err;
    err = self->storage->write(file, 0, block, STORAGE_BLOCK);
    if (err == OC_ERR_OK)
        err = self->storage->sync(file);
    self->storage->close(file);
    return err;
}

typedef struct commit_files {
    char *pages;
    char *new_manifest;
    char *manifest;
    uint8_t *block;
    bool made;    /* new_manifest may be there */
    bool renamed; /* manifest may be there */
} commit_files_t;

static void free_files(commit_files_t *files)
{
    free(files->pages);
    free(files->new_manifest);
    free(files->manifest);
    free(files->block);
}

static bool name_files(commit_files_t *files, const image_store_t *self, uint64_t sequence)
{
    files->pages = image_path(self->images, sequence, IMAGE_PAGES_ENDING);
    files->new_manifest = image_path(self->images, sequence, IMAGE_NEW_ENDING);
    files->manifest = image_path(self->images, sequence, IMAGE_MANIFEST_ENDING);
    files->block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    return files->pages && files->new_manifest && files->manifest && files->block;
}

/* Takes a commit back. The data file goes only when it is certain that no manifest names it. */
static void take_back(const image_store_t *self, const commit_files_t *files)
{
    const storage_t *storage = self->storage;
    if (files->made && !files->renamed)
        (void)storage->remove(storage, files->new_manifest);
    if (files->renamed && (storage->remove(storage, files->manifest) != OC_ERR_OK ||
                           storage->sync_dir(storage, self->images) != OC_ERR_OK))
        return;
    if (files->pages) /* without memory for the name, the next opening removes it */
        (void)storage->remove(storage, files->pages);
}

void image_store_discard(image_store_t *self, uint64_t sequence)
{
    OC_ASSERT(find_entry(self, sequence) == NULL);
    (void)remove_named(self, sequence, IMAGE_PAGES_ENDING);
}

/* From the finished data file to the durable manifest. */
static oc_err_t commit_files(const image_store_t *self, const image_manifest_t *manifest,
                             commit_files_t *files)
{
    const storage_t *storage = self->storage;
    oc_err_t err = storage->sync_dir(storage, self->images);
    if (err != OC_ERR_OK)
        return err;
    (void)image_manifest_encode(manifest, files->block);
    files->made = true;
    err = write_file(self, files->new_manifest, files->block);
    if (err != OC_ERR_OK)
        return err;
    err = storage->rename(storage, files->new_manifest, files->manifest);
    if (err != OC_ERR_OK)
        return err;
    files->renamed = true;
    return storage->sync_dir(storage, self->images);
}

oc_err_t image_store_commit(image_store_t *self, const image_info_t *info)
{
    OC_ASSERT(!self->read_only);
    OC_ASSERT(find_entry(self, info->sequence) == NULL);
    commit_files_t files = {.made = false};
    image_manifest_t manifest;
    const char *problem = NULL;
    oc_err_t err = OC_ERR_OK;
    if (!name_files(&files, self, info->sequence))
        err = error_set(OC_ERR_NO_MEMORY, "image: no memory to commit in %s", self->images);
    if (err == OC_ERR_OK)
        err = reserve_entry(self);
    if (err == OC_ERR_OK)
        err = make_manifest(self, info, files.pages, &manifest, files.block);
    if (err == OC_ERR_OK && info->base != 0)
        problem = base_problem(&manifest.identity, find_entry(self, info->base));
    if (problem)
        err = error_set(OC_ERR_INVALID_ARGUMENT,
                        "image: %s: image %" PRIu64 ", its base, %s: make a full one", files.pages,
                        info->base, problem);
    if (err == OC_ERR_OK)
        err = commit_files(self, &manifest, &files);
    if (err == OC_ERR_OK) {
        const bool added = add_entry(self, &manifest, &problem);
        OC_ASSERT(added);
    } else {
        err = image_failed(err, UINT64_MAX,
                           "the image is given up, those before it are as they were");
        char context[IMAGE_CONTEXT_SIZE];
        (void)snprintf(context, sizeof context, "%s", oc_err_context());
        take_back(self, &files);
        err = error_set(err, "%s", context);
    }
    free_files(&files);
    return err;
}

/* ---- Retention ---- */

static void keep_chain(image_store_t *self, store_entry_t *entry)
{
    while (entry && !entry->kept) {
        entry->kept = true;
        entry = find_entry(self, entry->info.base);
    }
}

/* The image that is kept beside the newest ones: the newest without a file of the newest of all; 0
 * if there is none. */
static size_t find_apart(const image_store_t *self)
{
    for (size_t i = 1; i < self->count; i++)
        if (self->entries[i].root != self->entries[0].root)
            return i;
    return 0;
}

static bool is_wanted(const image_store_t *self, size_t n, size_t apart)
{
    return n < self->keep || n == apart;
}

/* Marks what is kept; returns the lowest sequence among it. */
static uint64_t mark_kept(image_store_t *self)
{
    const size_t apart = find_apart(self);
    uint64_t lowest = UINT64_MAX;
    for (size_t i = 0; i < self->count; i++)
        self->entries[i].kept = false;
    for (size_t i = 0; i < self->count; i++)
        if (is_wanted(self, i, apart))
            keep_chain(self, &self->entries[i]);
    for (size_t i = 0; i < self->count; i++)
        if (self->entries[i].kept && self->entries[i].info.sequence < lowest)
            lowest = self->entries[i].info.sequence;
    return lowest;
}

uint64_t image_store_oldest(const image_store_t *self)
{
    const size_t apart = find_apart(self);
    uint64_t oldest = UINT64_MAX;
    for (size_t i = 0; i < self->count; i++)
        if (is_wanted(self, i, apart) && self->entries[i].info.place.position < oldest)
            oldest = self->entries[i].info.place.position;
    return oldest;
}

/* Useless images go when all that is kept is newer, unless they were passed over: those were found
 * to be bad, and would be listed as good by the next opening. */
static bool is_useless_going(const image_store_t *self, const image_listed_t *useless,
                             uint64_t lowest)
{
    return self->count > 0 &&
           (useless->passed_over || !useless->has_manifest || useless->sequence < lowest);
}

/* What goes, ascending. `going` has room for all. */
static size_t list_going(image_store_t *self, image_listed_t *going)
{
    const uint64_t lowest = mark_kept(self);
    size_t count = 0;
    for (size_t i = 0; i < self->count; i++)
        if (!self->entries[i].kept)
            going[count++] = (image_listed_t){.sequence = self->entries[i].info.sequence,
                                              .base = self->entries[i].info.base,
                                              .has_manifest = true,
                                              .has_pages = true};
    for (size_t i = 0; i < self->useless_count; i++)
        if (is_useless_going(self, &self->useless[i], lowest))
            going[count++] = self->useless[i];
    if (count > 1)
        qsort(going, count, sizeof *going, image_listed_compare);
    return count;
}

static void tell_going(const image_listed_t *going, size_t count, storage_visitor_t visitor,
                       void *context)
{
    char name[IMAGE_NAME_DIGITS + sizeof IMAGE_NEW_ENDING];
    bool more = visitor != NULL;
    for (size_t i = 0; more && i < count; i++) {
        (void)snprintf(name, sizeof name, "%016" PRIx64 "%s", going[i].sequence,
                       IMAGE_MANIFEST_ENDING);
        if (going[i].has_manifest)
            more = visitor(context, name);
        (void)snprintf(name, sizeof name, "%016" PRIx64 "%s", going[i].sequence,
                       IMAGE_PAGES_ENDING);
        if (more && going[i].has_pages)
            more = visitor(context, name);
    }
}

/* Lists what goes, with room to remember all of it. */
static oc_err_t begin_retention(image_store_t *self)
{
    OC_ASSERT(!self->going);
    const size_t capacity = self->count + self->useless_count + 1;
    image_listed_t *going = malloc(capacity * sizeof *going);
    image_listed_t *useless = NULL;
    if (self->useless_capacity < capacity)
        useless = realloc(self->useless, capacity * sizeof *useless);
    if (useless) {
        self->useless = useless;
        self->useless_capacity = capacity;
    }
    if (!going || self->useless_capacity < capacity) {
        free(going);
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for the names in %s", self->images);
    }
    self->going = going;
    self->going_count = list_going(self, going);
    self->manifests_left = self->going_count;
    self->data_left = self->going_count;
    return OC_ERR_OK;
}

static void end_retention(image_store_t *self)
{
    free(self->going);
    self->going = NULL;
}

/* An image that goes on to exist needs the one under it. */
static bool bears_one_that_stays(const image_store_t *self, const image_listed_t *listed)
{
    for (size_t i = 0; i < self->going_count; i++)
        if (self->going[i].stays && self->going[i].base == listed->sequence)
            return true;
    return false;
}

/* Durably, before anything else is removed. */
static oc_err_t remove_manifest(image_store_t *self, image_listed_t *listed)
{
    listed->stays = bears_one_that_stays(self, listed);
    if (listed->stays)
        return OC_ERR_OK;
    oc_err_t err = remove_named(self, listed->sequence, IMAGE_MANIFEST_ENDING);
    if (err == OC_ERR_OK) {
        unlist(self, listed->sequence);
        err = self->storage->sync_dir(self->storage, self->images);
    }
    listed->stays = err != OC_ERR_OK;
    return err;
}

/* What could not be removed is remembered for the next time. */
static oc_err_t remove_data(image_store_t *self, const image_listed_t *listed)
{
    if (!listed->has_manifest)
        unlist(self, listed->sequence);
    const oc_err_t err = remove_named(self, listed->sequence, IMAGE_PAGES_ENDING);
    if (err != OC_ERR_OK) {
        OC_ASSERT(self->useless_count < self->useless_capacity);
        self->useless[self->useless_count++] =
            (image_listed_t){.sequence = listed->sequence, .has_pages = true};
    }
    return err;
}

/* Manifests from the newest to the oldest, each durably before the next, so that no chain loses its
 * base before itself; then the data files. */
static oc_err_t remove_next(image_store_t *self, bool *done)
{
    while (self->manifests_left > 0) {
        image_listed_t *listed = &self->going[--self->manifests_left];
        if (listed->has_manifest)
            return remove_manifest(self, listed);
    }
    while (self->data_left > 0) {
        const image_listed_t *listed = &self->going[--self->data_left];
        if (listed->has_pages && !listed->stays)
            return remove_data(self, listed);
    }
    *done = true;
    return self->going_count > 0 ? self->storage->sync_dir(self->storage, self->images) : OC_ERR_OK;
}

oc_err_t image_store_retain_step(image_store_t *self, bool *done)
{
    OC_ASSERT(!self->read_only);
    *done = false;
    oc_err_t err = self->going ? OC_ERR_OK : begin_retention(self);
    if (err != OC_ERR_OK) {
        *done = true;
        return err;
    }
    err = remove_next(self, done);
    if (*done)
        end_retention(self);
    return err == OC_ERR_OK
               ? OC_ERR_OK
               : image_failed(err, UINT64_MAX, "it stays until the next try, or the next start");
}

oc_err_t image_store_retain(image_store_t *self, bool dry_run, storage_visitor_t visitor,
                            void *context)
{
    OC_ASSERT(dry_run || !self->read_only);
    OC_ASSERT(!self->going);
    char first[IMAGE_CONTEXT_SIZE] = "";
    oc_err_t err = begin_retention(self);
    if (err != OC_ERR_OK)
        return err;
    tell_going(self->going, self->going_count, visitor, context);
    if (dry_run)
        end_retention(self);
    for (bool done = dry_run; !done;) {
        const oc_err_t failed = image_store_retain_step(self, &done);
        if (failed == OC_ERR_OK || err != OC_ERR_OK)
            continue;
        err = failed;
        (void)snprintf(first, sizeof first, "%s", oc_err_context());
    }
    return err == OC_ERR_OK ? OC_ERR_OK : error_set(err, "%s", first);
}
