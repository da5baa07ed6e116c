/*
 * Who may open a session. Called by the gateway on connect requests and answers to challenges.
 *
 * Invariants: secrets are compared in constant time and wiped before their memory is given back;
 * an unknown name is challenged like a known one, so that the final verdict is all that shows. Must
 * not log or keep credentials.
 */
#define _GNU_SOURCE

#include "gateway/authenticator.h"

#include "aeron/challenge.h"
#include "base/assert.h"
#include "base/error.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#define CHALLENGE_BYTES 32
#define SECRET_MIN      16
#define SECRET_MAX      256
#define LINE_MAX_BYTES  1024

_Static_assert(CHALLENGE_BYTES <= AUTHENTICATOR_CHALLENGE_MAX, "it must fit");

typedef struct secret {
    oc_principal_t principal;
    size_t length;
    char bytes[SECRET_MAX];
} secret_t;

typedef struct secrets {
    secret_t *entries;
    size_t count;
    size_t capacity;
} secrets_t;

/* Letters, digits and a few signs: names are printed, and written into files. */
static bool is_name(const char *text, size_t length)
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

static bool take_name(oc_principal_t *principal, const void *credentials, size_t length)
{
    memset(principal, 0, sizeof *principal);
    if (!is_name(credentials, length))
        return false;
    memcpy(principal->name, credentials, length);
    return true;
}

static authenticator_answer_t believe(const authenticator_t *self, const void *credentials,
                                      size_t length, oc_principal_t *principal,
                                      authenticator_challenge_t *challenge)
{
    static const char anonymous[] = "anonymous";
    (void)self;
    (void)challenge;
    if (length == 0) {
        credentials = anonymous;
        length = sizeof anonymous - 1;
    }
    return take_name(principal, credentials, length) ? AUTHENTICATOR_ACCEPT : AUTHENTICATOR_REJECT;
}

static authenticator_answer_t refuse(const authenticator_t *self, const oc_principal_t *principal,
                                     const authenticator_challenge_t *challenge,
                                     const void *response, size_t length)
{
    (void)self;
    (void)principal;
    (void)challenge;
    (void)response;
    (void)length;
    return AUTHENTICATOR_REJECT; /* nobody was challenged */
}

const authenticator_t *authenticator_none(void)
{
    static const authenticator_t none = {.connect = believe, .respond = refuse};
    return &none;
}

static authenticator_answer_t challenge_name(const authenticator_t *self, const void *credentials,
                                             size_t length, oc_principal_t *principal,
                                             authenticator_challenge_t *challenge)
{
    (void)self;
    if (!take_name(principal, credentials, length))
        return AUTHENTICATOR_REJECT;
    memset(challenge, 0, sizeof *challenge);
    challenge->length = CHALLENGE_BYTES;
    /* As many bytes as this come whole, or not at all. */
    if (getrandom(challenge->bytes, CHALLENGE_BYTES, 0) != CHALLENGE_BYTES)
        return AUTHENTICATOR_REJECT;
    return AUTHENTICATOR_CHALLENGE;
}

static const secret_t *find(const secrets_t *secrets, const oc_principal_t *principal)
{
    for (size_t i = 0; i < secrets->count; i++) {
        if (memcmp(&secrets->entries[i].principal, principal, sizeof *principal) == 0)
            return &secrets->entries[i];
    }
    return NULL;
}

static authenticator_answer_t check_response(const authenticator_t *self,
                                             const oc_principal_t *principal,
                                             const authenticator_challenge_t *challenge,
                                             const void *response, size_t length)
{
    /* For a name that is not known the work is the same, and the answer never right. */
    static const secret_t nobody = {.length = SECRET_MIN};
    const secret_t *known = find(self->context, principal);
    const secret_t *secret = known != NULL ? known : &nobody;
    uint8_t expected[CHALLENGE_ANSWER_BYTES];
    challenge_answer(secret->bytes, secret->length, challenge->bytes, challenge->length, expected);
    const bool right = challenge_equal(expected, response, length);
    OPENSSL_cleanse(expected, sizeof expected);
    return right && known != NULL ? AUTHENTICATOR_ACCEPT : AUTHENTICATOR_REJECT;
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

static oc_err_t add_secret(secrets_t *secrets, const secret_t *secret)
{
    if (secrets->count == secrets->capacity) {
        const size_t capacity = secrets->capacity == 0 ? 16 : secrets->capacity * 2;
        secret_t *larger = calloc(capacity, sizeof *larger);
        if (larger == NULL)
            return error_set(OC_ERR_NO_MEMORY, "secrets: %zu of them", capacity);
        if (secrets->count > 0)
            memcpy(larger, secrets->entries, secrets->count * sizeof *larger);
        OPENSSL_cleanse(secrets->entries, secrets->count * sizeof *larger);
        free(secrets->entries);
        secrets->entries = larger;
        secrets->capacity = capacity;
    }
    secrets->entries[secrets->count++] = *secret;
    return OC_ERR_OK;
}

/* One line of the file, which is cut up; no part of a secret gets into the message. */
static oc_err_t parse_line(secrets_t *secrets, char *line, const char *file, unsigned number)
{
    char *text = trim(line);
    if (text[0] == '\0' || text[0] == '#')
        return OC_ERR_OK;
    char *equals = strchr(text, '=');
    if (equals == NULL)
        return error_set(OC_ERR_FORMAT, "%s, line %u: expected `name = secret`", file, number);
    *equals = '\0';
    const char *name = trim(text);
    const char *value = trim(equals + 1);
    secret_t secret = {.length = strlen(value)};
    if (!take_name(&secret.principal, name, strlen(name)))
        return error_set(OC_ERR_FORMAT,
                         "%s, line %u: a name has 1 to %d letters, digits or . _ - @", file, number,
                         OC_PRINCIPAL_SIZE - 1);
    if (secret.length < SECRET_MIN || secret.length > SECRET_MAX)
        return error_set(OC_ERR_FORMAT,
                         "%s, line %u: the secret of %s has %zu characters, it must have %d to %d",
                         file, number, name, secret.length, SECRET_MIN, SECRET_MAX);
    if (find(secrets, &secret.principal) != NULL)
        return error_set(OC_ERR_FORMAT, "%s, line %u: %s has a secret already", file, number, name);
    memcpy(secret.bytes, value, secret.length);
    const oc_err_t err = add_secret(secrets, &secret);
    OPENSSL_cleanse(&secret, sizeof secret);
    return err;
}

static oc_err_t parse_file(secrets_t *secrets, FILE *stream, const char *file)
{
    char line[LINE_MAX_BYTES];
    unsigned number = 0;
    oc_err_t err = OC_ERR_OK;
    while (err == OC_ERR_OK && fgets(line, sizeof line, stream) != NULL) {
        number++;
        if (strchr(line, '\n') == NULL && !feof(stream))
            err = error_set(OC_ERR_FORMAT, "%s, line %u: longer than %d bytes", file, number,
                            LINE_MAX_BYTES - 2);
        else
            err = parse_line(secrets, line, file, number);
    }
    OPENSSL_cleanse(line, sizeof line);
    if (err == OC_ERR_OK && ferror(stream))
        err = error_set(OC_ERR_READ, "%s: %s", file, strerror(errno));
    if (err == OC_ERR_OK && secrets->count == 0)
        err = error_set(OC_ERR_FORMAT, "%s: no line `name = secret` in it: nobody could log on",
                        file);
    return err;
}

/* Opened first, then looked at: the file that is checked is the file that is read. */
static oc_err_t read_file(secrets_t *secrets, const char *file)
{
    struct stat info;
    FILE *stream = fopen(file, "re");
    if (stream == NULL)
        return error_set(OC_ERR_OPEN, "%s: %s", file, strerror(errno));
    oc_err_t err = OC_ERR_OK;
    if (fstat(fileno(stream), &info) != 0)
        err = error_set(OC_ERR_OPEN, "%s: %s", file, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        err = error_set(OC_ERR_FORMAT, "%s: is not a file", file);
    else if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        err =
            error_set(OC_ERR_FORMAT, "%s: others than its owner can use it (mode %o): chmod 600 %s",
                      file, (unsigned)info.st_mode & 0777U, file);
    else
        err = parse_file(secrets, stream, file);
    fclose(stream);
    return err;
}

oc_err_t authenticator_secrets_create(authenticator_t **authenticator, const char *file)
{
    *authenticator = NULL;
    authenticator_t *self = calloc(1, sizeof *self);
    secrets_t *secrets = calloc(1, sizeof *secrets);
    if (self == NULL || secrets == NULL) {
        free(self);
        free(secrets);
        return error_set(OC_ERR_NO_MEMORY, "secrets: %s", file);
    }
    *self =
        (authenticator_t){.connect = challenge_name, .respond = check_response, .context = secrets};
    const oc_err_t err = read_file(secrets, file);
    if (err != OC_ERR_OK) {
        authenticator_secrets_destroy(self);
        return err;
    }
    *authenticator = self;
    return OC_ERR_OK;
}

void authenticator_secrets_destroy(authenticator_t *self)
{
    if (self == NULL)
        return;
    secrets_t *secrets = self->context;
    if (secrets->entries != NULL)
        OPENSSL_cleanse(secrets->entries, secrets->capacity * sizeof *secrets->entries);
    free(secrets->entries);
    free(secrets);
    free(self);
}
