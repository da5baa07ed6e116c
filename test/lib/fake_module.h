/*
 * A consensus module in memory for the container: it holds a log, says what a real one would, and
 * keeps what it was told. It counts acks and timers as Aeron's does, and fails the test on what
 * that would not take. Everything that can go wrong is a field.
 */
#ifndef LIB_FAKE_MODULE_H
#define LIB_FAKE_MODULE_H

#include "cluster/module_link.h"
#include "lib/log_maker.h"
#include "lib/message_tape.h"

enum {
    FAKE_MODULE_CONTROLS = 64,
    FAKE_MODULE_REQUESTS = 8192,
    FAKE_MODULE_TIMERS = 4,
    FAKE_MODULE_CONTROL_BYTES = 2048,
    FAKE_MODULE_CLIENT = 4242,
    FAKE_MODULE_SNAPSHOT = 1000, /* recording of the first snapshot */
};

typedef struct fake_control {
    uint8_t bytes[FAKE_MODULE_CONTROL_BYTES];
    size_t length;
} fake_control_t;

typedef struct fake_module {
    log_maker_t *log; /* borrowed */
    uint64_t commit;  /* entries that end at or before it can be polled */
    uint32_t read;    /* entries that the module itself has read: those committed */

    bool there;
    bool of_another_cluster;
    bool gone;
    module_recovery_t recovery;

    /* What it says. */
    fake_control_t controls[FAKE_MODULE_CONTROLS];
    uint32_t control_count;
    uint32_t control_next;

    /* What it was told, in order. */
    cluster_request_t requests[FAKE_MODULE_REQUESTS];
    uint32_t request_count;
    int64_t acks;
    cluster_ack_t last_ack;
    uint32_t send_refusals; /* so many sends find no room */

    /* Its one timer, as Aeron's module counts. */
    bool timer_set;
    int64_t timer_deadline;
    uint32_t timer_expired; /* events in the log that nobody had asked for yet */

    /* The log that is joined. */
    module_log_state_t state;
    uint32_t join_delay; /* so many looks until it is there; UINT32_MAX: never */
    bool join_fails;
    uint64_t join_at; /* UINT64_MAX: where it was asked for */
    int32_t join_session;
    int32_t join_stream;
    char join_channel[64];
    uint64_t joined;
    uint64_t polled;
    uint32_t next;    /* entry to be polled */
    uint64_t log_end; /* UINT64_MAX: it goes on; else it ended there */
    bool poll_fails;
    uint32_t joins;
    uint32_t leaves;

    /* The archive. */
    bool recorded_known;
    int64_t recording;
    uint64_t recorded;
    message_tape_t tape; /* the last snapshot */
    bool snapshot_open;
    uint32_t snapshot_fails; /* the so manieth of its calls fails; 0: none */
    uint32_t snapshot_calls;
    int64_t snapshots;
    uint32_t abandoned;

    int64_t toggled; /* 0: nothing */
    bool toggle_refused;
    _Atomic(uint32_t) works;
} fake_module_t;

void fake_module_init(fake_module_t *self, log_maker_t *log);
void fake_module_fini(fake_module_t *self);
module_link_t fake_module_link(fake_module_t *self);

/* It is found: at the beginning of a log, or with a snapshot. */
void fake_module_start(fake_module_t *self);
void fake_module_start_at(fake_module_t *self, int64_t term, uint64_t position, int64_t timestamp,
                          int64_t snapshot);

/* All that the log has is committed, and read by the module. */
void fake_module_commit(fake_module_t *self);
void fake_module_commit_to(fake_module_t *self, uint64_t position);

/* Says it. */
void fake_module_join(fake_module_t *self, uint64_t position, uint64_t max_position, bool startup,
                      bool leader);
void fake_module_terminate(fake_module_t *self, uint64_t position, bool acknowledge);
void fake_module_request_ack(fake_module_t *self, uint64_t position);
void fake_module_say(fake_module_t *self, const void *bytes, size_t length);

/* How many of a type it was told from `from` on. */
uint32_t fake_module_told(const fake_module_t *self, cluster_request_type_t type, uint32_t from);

#endif
