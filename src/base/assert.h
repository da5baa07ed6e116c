/*
 * Assertions that stay on in release: a false one is a bug, and a bug must not trade.
 */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

/* Prints what failed and where to stderr and aborts. */
_Noreturn void assert_failed(const char *condition, const char *file, int line);

/* For the few leaves of the matching path whose call would cost more than their work. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* One condition each, so that the message says which one. */
#define OC_ASSERT(condition)                                                                       \
    (LIKELY(condition) ? (void)0 : assert_failed(#condition, __FILE__, __LINE__))

#endif
