/*
 * Windows of Orders records. Called by records_export.c.
 *
 * A window takes as many whole runs as it has room for. They are cut into parts of about equal
 * size, several for each thread; a part is a stretch of runs that one walk reads, and which order
 * comes when does not matter, because its place says where it goes. What is left of the last record
 * moves to the front of the next window. A run that no window has room for is walked by one thread
 * and cut where the window is full.
 *
 * Slots lie so that entries begin on lines of the cache, and records 24 bytes before one.
 *
 * Invariants: no order is stored outside of its part's stretch, whatever the walk says; the bytes
 * are the same for any number of threads and any window. Must not allocate after
 * order_window_init().
 */
#include "records/order_window.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/huge_memory.h"

#include <string.h>

#define WINDOW_DEFAULT ((size_t)16 << 20)
#define WINDOW_MAX     ((size_t)1 << 46) /* no machine has it, and no sum of sizes overflows */

enum {
    LINE = RECORD_ORDER_BYTES,
    BEFORE_RECORD = LINE - RECORD_LIST_BYTES, /* unused, in front of each slot's record */
    PARTS_PER_THREAD = 8,
    ORDERS_PER_PART = 4096,                /* fewer are not worth a walk of their own */
    RUNS_PER_PART = 2 * ENGINE_WALK_LANES, /* fewer leave lanes of a walk empty */
};

/* ---- Memory ----------------------------------------------------------------------------------*/

/* In huge pages, because stores go to many places at the same time. */
static oc_err_t map_memory(order_window_t *self, size_t size)
{
    self->memory = huge_memory_map(size);
    if (!self->memory)
        return error_set(OC_ERR_NO_MEMORY, "record stream: no memory for a window of %zu bytes",
                         size);
    self->mapped = size;
    return OC_ERR_OK;
}

oc_err_t order_window_init(order_window_t *self, const records_export_config_t *config)
{
    const size_t capacity = record_list_capacity(RECORD_ORDERS, config->record_bytes);
    const size_t window = config->window_bytes > 0 ? config->window_bytes : WINDOW_DEFAULT;
    const size_t full = RECORD_LIST_BYTES + capacity * RECORD_ORDER_BYTES;
    const size_t room = BEFORE_RECORD + config->record_bytes;
    *self = (order_window_t){0};
    if (window > WINDOW_MAX)
        return error_set(OC_ERR_NO_MEMORY, "record stream: no memory for a window of %zu bytes",
                         window);
    *self = (order_window_t){
        .threads = config->threads,
        .record_bytes = config->record_bytes,
        .slot_bytes = (size_t)BEFORE_RECORD + full,
        .slots = (window + full - 1) / full,
        .per_record = (uint32_t)capacity,
        .reciprocal = UINT64_MAX / capacity + 1,
    };
    /* The last slot, which may be the only one, has room for any record. */
    const size_t size = (self->slots - 1) * self->slot_bytes + room;
    oc_err_t err = map_memory(self, size);
    if (err != OC_ERR_OK)
        return err;
    err = encode_team_create(&self->team, config->threads);
    if (err != OC_ERR_OK)
        order_window_fini(self);
    return err;
}

void order_window_fini(order_window_t *self)
{
    encode_team_destroy(self->team);
    huge_memory_unmap(self->memory, self->mapped);
    *self = (order_window_t){0};
}

uint8_t *order_window_scratch(order_window_t *self)
{
    return self->memory + BEFORE_RECORD;
}

/* ---- Places ----------------------------------------------------------------------------------*/

/* place / per_record by multiplication: exact as long as place * per_record < 2^64. */
static inline uint64_t record_of(const order_window_t *self, uint64_t place)
{
    __extension__ typedef unsigned __int128 wide_t;
    return (uint64_t)((wide_t)place * self->reciprocal >> 64);
}

static inline uint8_t *line_of(const order_window_t *self, uint64_t place)
{
    const uint64_t record = record_of(self, place);
    const uint64_t at = place - record * self->per_record;
    return self->memory + (record - self->first) * self->slot_bytes + LINE * (at + 1);
}

/* First place that this window has no room for. */
static uint64_t window_end(const order_window_t *self)
{
    return (self->first + self->slots) * self->per_record;
}

static uint64_t run_end(const engine_order_run_t *run)
{
    return run->first + run->count;
}

static oc_err_t bad_walk(uint64_t from, uint64_t to)
{
    return error_set(OC_ERR_DAMAGED,
                     "record stream: the orders between places %llu and %llu are not those that "
                     "the engine's lists promise; nothing is to be used of this export",
                     (unsigned long long)from, (unsigned long long)to);
}

/* ---- Many runs -------------------------------------------------------------------------------*/

/* The runs of one window. */
typedef struct window_runs {
    const order_window_t *window;
    const oc_engine_t *engine;
    const engine_order_run_t *runs;
    size_t count;
    uint64_t from; /* places of their orders */
    uint64_t to;
    uint32_t parts;
} window_runs_t;

/* First run that begins at `place` or behind it. */
static size_t run_at(const window_runs_t *self, uint64_t place)
{
    size_t low = 0;
    size_t high = self->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->runs[middle].first < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t part_begin(const window_runs_t *self, uint32_t part)
{
    if (part >= self->parts)
        return self->count;
    return run_at(self, self->from + (self->to - self->from) * part / self->parts);
}

static bool encode_part(void *context, uint32_t part)
{
    const window_runs_t *self = context;
    const size_t begin = part_begin(self, part);
    const size_t end = part_begin(self, part + 1);
    if (begin == end)
        return true;
    const uint64_t from = self->runs[begin].first;
    const uint64_t count = run_end(&self->runs[end - 1]) - from;
    engine_order_t orders[ENGINE_WALK_BATCH];
    uint64_t places[ENGINE_WALK_BATCH];
    uint8_t *lines[ENGINE_WALK_BATCH];
    uint64_t encoded = 0;
    engine_walk_t walk;
    engine_walk_init(&walk, self->engine, self->runs + begin, end - begin);
    size_t got;
    while ((got = engine_walk_next(&walk, orders, places)) > 0) {
        for (size_t i = 0; i < got; i++) {
            if (UNLIKELY(places[i] - from >= count))
                return false;
            lines[i] = line_of(self->window, places[i]);
        }
        record_store_orders(orders, lines, got);
        encoded += got;
    }
    record_stores_done();
    return encoded == count;
}

static uint32_t parts_for(uint32_t threads, const window_runs_t *runs)
{
    const uint64_t by_orders = (runs->to - runs->from) / ORDERS_PER_PART + 1;
    const uint64_t by_runs = runs->count / RUNS_PER_PART;
    uint64_t parts = (uint64_t)threads * PARTS_PER_THREAD;
    if (threads == 1)
        return 1;
    parts = parts < by_runs ? parts : by_runs;
    parts = parts > threads ? parts : threads;
    return (uint32_t)(parts < by_orders ? parts : by_orders);
}

static oc_err_t encode_runs(order_window_t *self, const order_window_job_t *job, size_t begin,
                            size_t end)
{
    window_runs_t runs = {
        .window = self,
        .engine = job->engine,
        .runs = job->runs + begin,
        .count = end - begin,
        .from = job->runs[begin].first,
        .to = run_end(&job->runs[end - 1]),
    };
    OC_ASSERT(runs.from == self->filled);
    OC_ASSERT(runs.to <= window_end(self));
    runs.parts = parts_for(self->threads, &runs);
    if (!encode_team_run(self->team, encode_part, &runs, runs.parts))
        return bad_walk(runs.from, runs.to);
    self->filled = runs.to;
    return OC_ERR_OK;
}

/* ---- Finished records ------------------------------------------------------------------------*/

static oc_err_t give_record(order_window_t *self, const order_window_job_t *job, uint64_t slot,
                            uint32_t count)
{
    const record_room_t room = {
        .bytes = self->memory + slot * self->slot_bytes + BEFORE_RECORD,
        .length = RECORD_LIST_BYTES + (size_t)count * RECORD_ORDER_BYTES,
        .ordinal = job->ordinal + self->first + slot,
    };
    const size_t length = record_encode_orders_head(&room, count);
    return job->sink(job->context, room.bytes, length);
}

/* Gives away all full records, and moves what is left to the front. */
static oc_err_t give_full_records(order_window_t *self, const order_window_job_t *job)
{
    const uint64_t full = self->filled / self->per_record - self->first;
    const uint64_t left = self->filled % self->per_record;
    OC_ASSERT(full <= self->slots);
    for (uint64_t slot = 0; slot < full; slot++) {
        const oc_err_t err = give_record(self, job, slot, self->per_record);
        if (err != OC_ERR_OK)
            return err;
    }
    if (full > 0 && left > 0)
        memcpy(self->memory + LINE, self->memory + full * self->slot_bytes + LINE, left * LINE);
    self->first += full;
    return OC_ERR_OK;
}

/* ---- One run, however long -------------------------------------------------------------------*/

static oc_err_t write_long_run(order_window_t *self, const order_window_job_t *job,
                               const engine_order_run_t *run)
{
    engine_order_t orders[ENGINE_WALK_BATCH];
    uint64_t places[ENGINE_WALK_BATCH];
    engine_walk_t walk;
    engine_walk_init(&walk, job->engine, run, 1);
    size_t got;
    while ((got = engine_walk_next(&walk, orders, places)) > 0) {
        for (size_t i = 0; i < got; i++) {
            if (places[i] != self->filled || self->filled >= run_end(run))
                return bad_walk(run->first, run_end(run));
            if (self->filled == window_end(self)) {
                record_stores_done();
                const oc_err_t err = give_full_records(self, job);
                if (err != OC_ERR_OK)
                    return err;
            }
            uint8_t *line = line_of(self, self->filled);
            record_store_orders(&orders[i], &line, 1);
            self->filled++;
        }
    }
    record_stores_done();
    return self->filled == run_end(run) ? OC_ERR_OK : bad_walk(run->first, run_end(run));
}

/* Behind the runs from `begin` on that follow each other and fit; `begin` if the first does not. */
static size_t fitting_runs(const order_window_t *self, const order_window_job_t *job, size_t begin)
{
    uint64_t place = self->filled;
    size_t end = begin;
    while (end < job->run_count && job->runs[end].first == place &&
           run_end(&job->runs[end]) <= window_end(self))
        place = run_end(&job->runs[end++]);
    return end;
}

oc_err_t order_window_write(order_window_t *self, const order_window_job_t *job, uint64_t *records)
{
    self->first = 0;
    self->filled = 0;
    *records = 0;
    for (size_t begin = 0; begin < job->run_count;) {
        size_t end = fitting_runs(self, job, begin);
        oc_err_t err;
        if (end > begin) {
            err = encode_runs(self, job, begin, end);
        } else {
            err = write_long_run(self, job, &job->runs[begin]);
            end = begin + 1;
        }
        if (err == OC_ERR_OK)
            err = give_full_records(self, job);
        if (err != OC_ERR_OK)
            return err;
        begin = end;
    }
    const uint32_t left = (uint32_t)(self->filled % self->per_record);
    *records = self->first + (left > 0);
    return left > 0 ? give_record(self, job, 0, left) : OC_ERR_OK;
}
