/*
 * A client's session against the fake venue, in virtual time, with a handler that insists on
 * outputs in order and each once.
 */
#ifndef LIB_CLIENT_FIXTURE_H
#define LIB_CLIENT_FIXTURE_H

#include "client/client_session.h"
#include "lib/fake_venue.h"

typedef struct client_fixture {
    fake_venue_t venue;
    client_session_t session;
    oc_client_config_t config; /* to be changed before client_fixture_start() */
    int64_t now_ns;
    uint64_t outputs; /* seen */
    uint64_t accepted;
    uint64_t last_output;
    uint64_t last_accepted;
    uint32_t logons, gaps, replies, rejected, refused_sequence;
    uint64_t gap_outputs; /* told to be gone */
} client_fixture_t;

/* The one of the running test. */
extern client_fixture_t fixture;

/* For cmocka. */
int client_fixture_setup(void **state);
int client_fixture_teardown(void **state);

/* The session begins, under fixture.config. */
void client_fixture_start(void);

/* Lets time pass, a millisecond a poll. */
void run_ms(int64_t milliseconds);

/* How many milliseconds it took to be ready; fails after `limit`. */
int64_t ready_within(int64_t limit);

/* A new order; false when all slots wait. */
bool send_one(void);
void send_some(uint32_t count);

void assert_all_answered(uint64_t count);
/* The session is over because of `err`; the reason has `part` in it. */
void assert_ended(oc_err_t err, const char *part);

#define CLIENT_TEST(name)                                                                          \
    cmocka_unit_test_setup_teardown(name, client_fixture_setup, client_fixture_teardown)

#endif
