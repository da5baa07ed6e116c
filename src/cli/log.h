/*
 * What `outcry log dump` prints of an entry's payload, for whoever knows what the payloads are.
 */
#ifndef CLI_LOG_H
#define CLI_LOG_H

#include "journal/journal.h"

#include <stdio.h>

/* Prints the payload on the entry's line, without a line end; false if it does not know it. */
typedef bool (*log_decoder_t)(FILE *out, const journal_entry_t *entry);

/* Instead of hexadecimal digits; NULL: these. Set before log_main() runs. */
void log_set_decoder(log_decoder_t decoder);

#endif
