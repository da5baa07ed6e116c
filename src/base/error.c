/*
 * The error table's texts and the thread-local context line. Called from cold paths only.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#define CONTEXT_SIZE 512

static _Thread_local char context_line[CONTEXT_SIZE];

static const char *const error_texts[] = {
#define ERROR_TEXT(name, text) text,
    OC_ERROR_TABLE(ERROR_TEXT)
#undef ERROR_TEXT
};

const char *oc_err_text(oc_err_t err)
{
    const unsigned index = (unsigned)err;
    return index < sizeof error_texts / sizeof error_texts[0] ? error_texts[index]
                                                              : "unknown error";
}

const char *oc_err_context(void)
{
    return context_line;
}

oc_err_t error_set(oc_err_t err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context_line, sizeof context_line, format, arguments);
    va_end(arguments);
    return err;
}
