/*
 * Configuration files: what values mean, and that each error says where, what and what instead.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/config_file.h"
#include "lib/temp_file.h"

#include <string.h>

static const char *const colours[] = {"red", "green", NULL};

enum { KEYS = 9 };

typedef struct fixture {
    uint64_t size_bytes, wait_us, wait_ms, count, text_bytes_max;
    char name[NODE_TEXT_MAX], shade[NODE_TEXT_MAX];
    int colour, cpu;
    node_config_key_t keys[KEYS];
    temp_file_t file;
} fixture_t;

static void begin(fixture_t *f)
{
    memset(f, 0, sizeof *f);
    f->count = 5;
    f->cpu = -1;
    memcpy(f->shade, "red", 4);
    const node_config_key_t keys[KEYS] = {
        {.section = "one",
         .name = "size_bytes",
         .number = &f->size_bytes,
         .high = 1 << 30,
         .help = "a"},
        {.section = "one", .name = "wait_us", .number = &f->wait_us, .high = 5000000, .help = "b"},
        {.section = "one", .name = "wait_ms", .number = &f->wait_ms, .high = 5000, .help = "c"},
        {.section = "one", .name = "count", .number = &f->count, .low = 2, .high = 9, .help = "d"},
        {.section = "two", .name = "name", .text = f->name, .help = "e"},
        {.section = "two", .name = "colour", .choice = &f->colour, .choices = colours, .help = "f"},
        {.section = "two", .name = "cpu", .processor = &f->cpu, .high = 63, .help = "g"},
        {.section = "two",
         .name = "text_bytes_max",
         .number = &f->text_bytes_max,
         .high = 1 << 20,
         .help = "h"},
        {.section = "two", .name = "shade", .text = f->shade, .choices = colours, .help = "i"},
    };
    memcpy(f->keys, keys, sizeof keys);
    temp_file_make(&f->file);
}

static oc_err_t read_text(fixture_t *f, const char *text)
{
    temp_file_write(&f->file, text, strlen(text));
    return config_file_read(f->file.path, f->keys, KEYS);
}

static void end(fixture_t *f)
{
    temp_file_remove(&f->file);
}

/* The text is refused, with each of the words in the message. */
static void refused(const char *text, const char *const *words)
{
    fixture_t f;
    begin(&f);
    assert_int_equal(read_text(&f, text), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), f.file.path));
    for (; *words; words++)
        if (!strstr(oc_err_context(), *words))
            fail_msg("'%s' is not in: %s", *words, oc_err_context());
    end(&f);
}

#define REFUSED(text, ...) refused(text, (const char *const[]){__VA_ARGS__, NULL})

static void values(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    assert_int_equal(read_text(&f, "# comment\n; comment\n\n[one]\nsize_bytes = 3K\n"
                                   "wait_us = 7 ms\nwait_ms=2s ; why\n[two]\n"
                                   "name = some text\ncolour = green\ncpu = 3\n"
                                   "text_bytes_max = 64K"),
                     OC_ERR_OK);
    assert_int_equal(f.size_bytes, 3072);
    assert_int_equal(f.wait_us, 7000);
    assert_int_equal(f.wait_ms, 2000);
    assert_int_equal(f.count, 5); /* as it was */
    assert_string_equal(f.name, "some text");
    assert_int_equal(f.colour, 1);
    assert_int_equal(f.cpu, 3);
    assert_int_equal(f.text_bytes_max, 65536);
    assert_int_equal(read_text(&f, "[two]\ncpu = any\nname =\n[one]\nsize_bytes=1G\nwait_us=9us\n"),
                     OC_ERR_OK);
    assert_int_equal(f.cpu, -1);
    assert_string_equal(f.name, "");
    assert_int_equal(f.size_bytes, 1 << 30);
    assert_int_equal(f.wait_us, 9);
    assert_int_equal(read_text(&f, ""), OC_ERR_OK);
    assert_int_equal(read_text(&f, "\xEF\xBB\xBF[two]\n  name : a  \n\n"
                                   "shade = green\t;x\r\n"),
                     OC_ERR_OK);
    assert_string_equal(f.name, "a");
    assert_string_equal(f.shade, "green");
    end(&f);
}

static void errors(void **state)
{
    (void)state;
    REFUSED("[one]\n\ncount = 10\n", ":3:", "[one] count", "10", "from 2 to 9");
    REFUSED("[one]\ncount = 1\n", ":2:", "from 2 to 9");
    REFUSED("[one]\ncount = -3\n", "-3");
    REFUSED("[one]\ncount = 3x\n", "3x");
    REFUSED("[one]\ncount = 3K\n", "3K"); /* no unit in its name */
    REFUSED("[one]\nsize_bytes = 2s\n", "2s");
    REFUSED("[one]\nsize_bytes = 99999999999999999999\n", "9999");
    REFUSED("[one]\nsize_bytes = 18014398509481985K\n", "8014"); /* would wrap */
    REFUSED("[one]\ncount = \n", ":2:");
    REFUSED("[one]\ncuont = 3\n", ":2:", "cuont", "did you mean count in [one]");
    REFUSED("[one]\ncolour = red\n", "did you mean colour in [two]");
    REFUSED("[one]\nzzzzzzzzzzz = 3\n", "unknown key", "--print-config");
    REFUSED("[three]\ncount = 3\n", "unknown section", "count in [one]");
    REFUSED("count = 3\n", ":1:", "count in [one]");
    REFUSED("[two]\ncolour = blue\n", "blue", "one of red, green");
    REFUSED("[two]\ncpu = 64\n", "64", "any", "63");
    REFUSED("[one]\ncount = 3\ncount = 4\n", ":3:", "second time");
    REFUSED("[one]\ncount = 3\n 4\n", ":3:", "[one] count, which is no text");
    REFUSED("[one\n", ":1:", "[section]");
    REFUSED("[two]\nshade = grey\n", "grey", "one of red, green");
    REFUSED("[one]\nnonsense\n", ":2:", "key = value");
    /* The first of several is told. */
    REFUSED("[one]\ncount = 10\ncuont = 1\nnonsense\n", ":2:");
}

static void long_line(void **state)
{
    (void)state;
    char text[1200];
    memset(text, 'x', sizeof text);
    memcpy(text, "[two]\nname = ", 13);
    memcpy(text + sizeof text - 2, "\n", 2);
    REFUSED(text, ":2:", "too long");
}

/* What is too long for a line goes on in the next ones, and is printed so. */
static void continued_text(void **state)
{
    (void)state;
    fixture_t f;
    char text[4096] = "";
    char name[NODE_TEXT_MAX];
    begin(&f);
    assert_int_equal(read_text(&f, "[two]\nname =\n  a:1,\n\ta:2,  ; two\n\n# none\n  b c\n  d\n"
                                   "cpu = 3\n"),
                     OC_ERR_OK);
    assert_string_equal(f.name, "a:1,a:2,b c d");
    for (size_t i = 0; i + 1 < sizeof f.name; i++)
        f.name[i] = "abcdefgh,ijklmn opq, rs  tuvwxyz"[i % 32];
    memcpy(name, f.name, sizeof name);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    config_file_print(f.keys, KEYS, NULL, out);
    assert_int_equal(fclose(out), 0);
    f.name[0] = '\0';
    f.count = 5;
    assert_int_equal(read_text(&f, text), OC_ERR_OK);
    assert_string_equal(f.name, name);
    end(&f);
    REFUSED("[two]\nname = x\n  y\nname = z\n", ":4:", "second time");
    REFUSED("[two]\nname = x\n  cpu = 3\n", ":3:", "a key must begin its line");
    REFUSED("[two]\nname = x\n  cpu=3\n", ":3:", "continue [two] name");
    REFUSED("[two]\ncpu = 3\n  name = x\n", ":3:", "a key must begin its line");
    begin(&f);
    assert_int_equal(read_text(&f, "[two]\nname =\n  -Da=b\n  cpus = 3\n"), OC_ERR_OK);
    assert_string_equal(f.name, "-Da=b cpus = 3");
    end(&f);
    memset(name, 'y', 100);
    name[100] = '\0';
    (void)snprintf(text, sizeof text, "[two]\nname = %s\n  %s\n  %s\n", name, name, name);
    REFUSED(text, ":4:", "at most 255 characters");
}

static void no_file(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    end(&f);
    assert_int_equal(config_file_read(f.file.path, f.keys, KEYS), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), f.file.path));
}

static void printed(void **state)
{
    (void)state;
    fixture_t f;
    char text[2048] = "";
    begin(&f);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    config_file_print(f.keys, KEYS, NULL, out);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "[one]\n# a (a whole number from 0 to 1073741824)\n"
                                 "size_bytes = 0\n"));
    assert_non_null(strstr(text, "\n\n[two]\n# e"));
    assert_non_null(strstr(text, "cpu = any\n"));
    assert_int_equal(read_text(&f, text), OC_ERR_OK);
    end(&f);
}

static void printed_in_part(void **state)
{
    (void)state;
    static const char *const without[] = {"one", "two.cpu", "two.none", NULL};
    fixture_t f;
    char text[2048] = "";
    begin(&f);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    config_file_print(f.keys, KEYS, without, out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strncmp(text, "[two]\n# e", 9), 0);
    assert_null(strstr(text, "cpu"));
    assert_null(strstr(text, "size_bytes"));
    assert_non_null(strstr(text, "colour = red\n"));
    end(&f);
}

static void sections(void **state)
{
    (void)state;
    static const char text[] = "# [no]\n [one] ; x\n[two\n[three]";
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    assert_true(config_file_has_section(file.path, "one"));
    assert_true(config_file_has_section(file.path, "three"));
    assert_false(config_file_has_section(file.path, "no"));
    assert_false(config_file_has_section(file.path, "on"));
    assert_false(config_file_has_section(file.path, "one]"));
    temp_file_remove(&file);
    assert_false(config_file_has_section(file.path, "one"));
}

static void checks(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(config_key_check(&f.keys[i]), OC_ERR_OK);
    f.count = 1;
    f.colour = 2;
    f.cpu = -2;
    memcpy(f.shade, "grey", 5);
    assert_int_equal(config_key_check(&f.keys[3]), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "[one] count = 1"));
    assert_int_equal(config_key_check(&f.keys[5]), OC_ERR_INVALID_CONFIG);
    assert_int_equal(config_key_check(&f.keys[6]), OC_ERR_INVALID_CONFIG);
    assert_int_equal(config_key_check(&f.keys[8]), OC_ERR_INVALID_CONFIG);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),          cmocka_unit_test(errors),
        cmocka_unit_test(long_line),       cmocka_unit_test(no_file),
        cmocka_unit_test(printed),         cmocka_unit_test(checks),
        cmocka_unit_test(printed_in_part), cmocka_unit_test(continued_text),
        cmocka_unit_test(sections),
    };
    return cmocka_run_group_tests_name("config_file", tests, NULL, NULL);
}
