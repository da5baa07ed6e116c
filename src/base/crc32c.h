/*
 * CRC-32C (Castagnoli): the checksum of everything this project writes to disk.
 *
 * Polynomial 0x1EDC6F41 reflected, initial value and final xor all ones, as in RFC 3720 (iSCSI);
 * the check value of the nine bytes "123456789" is 0xE3069283.
 */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/*
 * The checksum of `size` more bytes after those that gave `crc`; start with 0. So
 * crc32c(crc32c(0, a), b) is the checksum of a followed by b. Uses the processor's instruction
 * where there is one. `bytes` is borrowed for the call and may be NULL when size is 0. Any thread.
 */
uint32_t crc32c(uint32_t crc, const void *bytes, size_t size);

/* The same by tables alone, for machines without the instruction, and to check one by the other. */
uint32_t crc32c_portable(uint32_t crc, const void *bytes, size_t size);

#endif
