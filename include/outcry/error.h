/*
 * Operating errors: what a caller must handle, from one table.
 *
 * Three kinds of trouble are never mixed. A business reject is an event (model.h), an operating
 * error is an oc_err_t, and a bug is an assertion that stops the process.
 */
#ifndef OUTCRY_ERROR_H
#define OUTCRY_ERROR_H

#if defined(__GNUC__)
#define OC_EXPORT     __attribute__((visibility("default")))
#define OC_MUST_CHECK __attribute__((warn_unused_result))
#else
#define OC_EXPORT
#define OC_MUST_CHECK
#endif

/* name, text. The order is part of the ABI: append only. */
#define OC_ERROR_TABLE(X)                                                                          \
    X(OK, "success")                                                                               \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(INVALID_CONFIG, "a configuration value is out of range")                                     \
    X(RULES_VERSION, "the log asks for a rules version that this build does not know")             \
    X(OPEN, "cannot open the file")                                                                \
    X(READ, "cannot read the file")                                                                \
    X(WRITE, "cannot write the file")                                                              \
    X(FORMAT, "the file is not in the expected format")                                            \
    X(TRUNCATED, "the file ends in the middle of a record")                                        \
    X(LOCKED, "another process uses the directory")                                                \
    X(DAMAGED, "the data is damaged")                                                              \
    X(NO_SPACE, "no space left on the device")                                                     \
    X(SYNC, "the device could not confirm a write")                                                \
    X(TIMEOUT, "it took too long")                                                                 \
    X(NOT_CONNECTED, "there is no connection")                                                     \
    X(REFUSED, "the other side refused")                                                           \
    X(BACK_PRESSURE, "it cannot be taken now, try again")                                          \
    X(CLOSED, "it is closed")                                                                      \
    X(TOO_LONG, "it is too long")                                                                  \
    X(INVALID_ARGUMENT, "an argument is out of range")                                             \
    X(TRANSPORT, "the transport failed")                                                           \
    X(INTERRUPTED, "a signal ended it before it was done")

typedef enum oc_err {
#define OC_ERROR_ENUM(name, text) OC_ERR_##name,
    OC_ERROR_TABLE(OC_ERROR_ENUM)
#undef OC_ERROR_ENUM
} oc_err_t;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The text of an error; never NULL. The string is static. Any thread.
 */
OC_EXPORT const char *oc_err_text(oc_err_t err);

/*
 * What the last failing call of this thread knew: what, which file, which value, and what to do.
 * Never NULL, "" before the first failure. The string belongs to the thread and is valid until its
 * next failing call.
 */
OC_EXPORT const char *oc_err_context(void);

#ifdef __cplusplus
}
#endif

#endif
