/*
 * Reader of secrets. Called by the gateway's authenticator, and by subcommands that log on.
 *
 * Invariants: no part of a secret is ever in a message; memory that held one is wiped before it is
 * given back.
 */
#define _GNU_SOURCE
#include "aeron/secret_file.h"

#include "base/error.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE_MAX_BYTES = 1024 };

/* Letters, digits and a few signs: names are printed, and written into files. */
bool secret_file_is_name(const char *text, size_t length)
{
    if (length == 0 || length >= OC_PRINCIPAL_SIZE)
        return false;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              (c != '\0' && strchr("._-@", c) != NULL)))
            return false;
    }
    return true;
}

const secret_file_secret_t *secret_file_of(const secret_file_t *self,
                                           const oc_principal_t *principal)
{
    for (size_t i = 0; i < self->count; i++)
        if (memcmp(&self->entries[i].principal, principal, sizeof *principal) == 0)
            return &self->entries[i];
    return NULL;
}

/* Cuts white space off both ends. */
static char *trim(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

static oc_err_t add_secret(secret_file_t *self, const secret_file_secret_t *secret)
{
    if (self->count == self->capacity) {
        const size_t capacity = self->capacity == 0 ? 16 : self->capacity * 2;
        secret_file_secret_t *larger = calloc(capacity, sizeof *larger);
        if (larger == NULL)
            return error_set(OC_ERR_NO_MEMORY, "secrets: %zu of them", capacity);
        if (self->count > 0) {
            memcpy(larger, self->entries, self->count * sizeof *larger);
            OPENSSL_cleanse(self->entries, self->count * sizeof *larger);
        }
        free(self->entries);
        self->entries = larger;
        self->capacity = capacity;
    }
    self->entries[self->count++] = *secret;
    return OC_ERR_OK;
}

/* One line of the file, which is cut up. */
static oc_err_t parse_line(secret_file_t *self, char *line, const char *path, unsigned number)
{
    char *text = trim(line);
    if (text[0] == '\0' || text[0] == '#')
        return OC_ERR_OK;
    char *equals = strchr(text, '=');
    if (equals == NULL)
        return error_set(OC_ERR_FORMAT, "%s, line %u: expected `name = secret`", path, number);
    *equals = '\0';
    const char *name = trim(text);
    const char *value = trim(equals + 1);
    secret_file_secret_t secret = {.length = strlen(value)};
    if (!secret_file_is_name(name, strlen(name)))
        return error_set(OC_ERR_FORMAT,
                         "%s, line %u: a name has 1 to %d letters, digits or . _ - @", path, number,
                         OC_PRINCIPAL_SIZE - 1);
    if (secret.length < SECRET_FILE_MIN || secret.length > SECRET_FILE_MAX)
        return error_set(OC_ERR_FORMAT,
                         "%s, line %u: the secret of %s has %zu characters, it must have %d to %d",
                         path, number, name, secret.length, SECRET_FILE_MIN, SECRET_FILE_MAX);
    memcpy(secret.principal.name, name, strlen(name));
    if (secret_file_of(self, &secret.principal) != NULL)
        return error_set(OC_ERR_FORMAT, "%s, line %u: %s has a secret already", path, number, name);
    memcpy(secret.bytes, value, secret.length);
    const oc_err_t err = add_secret(self, &secret);
    OPENSSL_cleanse(&secret, sizeof secret);
    return err;
}

static oc_err_t parse_file(secret_file_t *self, FILE *stream, const char *path)
{
    char line[LINE_MAX_BYTES];
    unsigned number = 0;
    oc_err_t err = OC_ERR_OK;
    while (err == OC_ERR_OK && fgets(line, sizeof line, stream) != NULL) {
        number++;
        if (strchr(line, '\n') == NULL && !feof(stream))
            err = error_set(OC_ERR_FORMAT, "%s, line %u: longer than %d bytes", path, number,
                            LINE_MAX_BYTES - 2);
        else
            err = parse_line(self, line, path, number);
    }
    OPENSSL_cleanse(line, sizeof line);
    if (err == OC_ERR_OK && ferror(stream))
        err = error_set(OC_ERR_READ, "%s: %s", path, strerror(errno));
    if (err == OC_ERR_OK && self->count == 0)
        err = error_set(OC_ERR_FORMAT, "%s: no line `name = secret` in it: nobody could log on",
                        path);
    return err;
}

/* Opened first, then looked at: the file that is checked is the file that is read. */
static oc_err_t read_checked(secret_file_t *self, FILE *stream, const char *path)
{
    struct stat info;
    if (fstat(fileno(stream), &info) != 0)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return error_set(OC_ERR_FORMAT, "%s: is not a file", path);
    if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return error_set(OC_ERR_FORMAT,
                         "%s: others than its owner can use it (mode %o): chmod 600 %s", path,
                         (unsigned)info.st_mode & 0777U, path);
    return parse_file(self, stream, path);
}

oc_err_t secret_file_load(secret_file_t *self, const char *path)
{
    memset(self, 0, sizeof *self);
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    const oc_err_t err = read_checked(self, stream, path);
    (void)fclose(stream);
    if (err != OC_ERR_OK)
        secret_file_fini(self);
    return err;
}

void secret_file_fini(secret_file_t *self)
{
    if (self->entries != NULL)
        OPENSSL_cleanse(self->entries, self->capacity * sizeof *self->entries);
    free(self->entries);
    memset(self, 0, sizeof *self);
}

oc_err_t secret_file_find(const char *path, const char *principal, secret_file_secret_t *secret)
{
    memset(secret, 0, sizeof *secret);
    secret_file_t file;
    const oc_err_t err = secret_file_load(&file, path);
    if (err != OC_ERR_OK)
        return err;
    oc_principal_t name = {0};
    if (secret_file_is_name(principal, strlen(principal)))
        memcpy(name.name, principal, strlen(principal));
    const secret_file_secret_t *found = secret_file_of(&file, &name);
    if (found != NULL)
        *secret = *found;
    secret_file_fini(&file);
    return found != NULL ? OC_ERR_OK
                         : error_set(OC_ERR_FORMAT, "%s: no line `%s = ...`", path, principal);
}
