/*
 * A fuzz target with a planted bug: it reads one byte past a heap block when the input starts with
 * a certain word. tools/fuzz fails unless the fuzzer finds it, so a fuzzing step that looks at
 * nothing (no instrumentation, no sanitizer, no time) cannot pass.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || data[0] != 'O' || data[1] != 'C') {
        return 0;
    }
    uint8_t *copy = malloc(size);
    if (copy == NULL) {
        return 0;
    }
    memcpy(copy, data, size);
    const volatile uint8_t *end = copy + size;
    const int past = *end;
    free(copy);
    return past - past;
}
