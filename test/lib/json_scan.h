/*
 * Just enough JSON for test cases of a known shape: walk to a key, then through its array.
 *
 * Every function moves *at on, and fails the running test when the text is not what was asked for.
 * Strings must be free of escapes.
 */
#ifndef LIB_JSON_SCAN_H
#define LIB_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Moves to the value of the next member named `key`, at any depth; false if there is none. */
bool json_scan_find(const char **at, const char *key);

/* Steps into an array. */
void json_scan_enter(const char **at);

/* True, at its beginning, if the array has another item; false past its end. */
bool json_scan_next(const char **at);

/* Takes a string, without its quotes. */
void json_scan_string(const char **at, char *out, size_t size);

/* Takes a whole number, or null: false then, *value is 0. */
bool json_scan_integer(const char **at, int64_t *value);

#endif
