/*
 * Files of `key = value` lines in [sections], read and written by a table of keys.
 *
 * A name that ends in _bytes takes K, M or G behind its number (powers of 1024), one that ends in
 * _us or _ms takes a time with us, ms or s. What is printed has no suffix and reads back the same.
 * Lines are as inih takes them: remarks begin with # or ;, and are shorter than 200 characters; a
 * text goes on in indented lines, which are put behind it with a space, or without one where it
 * ends in a comma.
 */
#ifndef HOST_CONFIG_FILE_H
#define HOST_CONFIG_FILE_H

#include "host/node_config.h"

/*
 * Stores what the file says into the targets of the keys; others keep their value. OC_ERR_OPEN,
 * OC_ERR_READ; OC_ERR_INVALID_CONFIG: oc_err_context() names file, line, key, value and what is
 * allowed; targets of lines before it are changed then.
 */
OC_MUST_CHECK oc_err_t config_file_read(const char *file, const node_config_key_t *keys,
                                        size_t count);

/* The same, passing over sections that no key belongs to: for tools, which know the host's keys and
 * not those of every service. */
OC_MUST_CHECK oc_err_t config_file_read_part(const char *file, const node_config_key_t *keys,
                                             size_t count);

/* Whether a file has a section, also an empty one; false also when it cannot be read. */
bool config_file_has_section(const char *file, const char *section);

/* Writes all keys, with a line of help each, section by section, but for those `without` names: a
 * list of "section" or "section.key" that ends with NULL; NULL: none. */
void config_file_print(const node_config_key_t *keys, size_t count, const char *const *without,
                       FILE *file);

/* Whether the present value of a key is allowed; OC_ERR_INVALID_CONFIG names it and its range. */
OC_MUST_CHECK oc_err_t config_key_check(const node_config_key_t *key);

#endif
