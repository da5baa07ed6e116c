/*
 * Words of a scenario line to a command. Called by scenario.c.
 *
 * Invariant: every word is understood or the line is refused; none is skipped. It must not check
 * whether a command makes sense: wrong ones are what scenarios are for.
 */
#include "lib/scenario_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Everything that some command can say; which of it is used depends on the command's type. */
typedef struct fields {
    oc_command_t command; /* what is outside of the union */
    uint64_t client_order_id;
    uint64_t session;
    int64_t price_ticks;
    int64_t quantity_lots;
    int64_t price_low_ticks;
    int64_t price_high_ticks;
    int64_t max_quantity_lots;
    uint32_t owner;
    uint32_t id;
    uint32_t roles;
    uint32_t rules_version;
    uint32_t step_bound;
    uint32_t restrict_set;
    uint32_t restrict_clear;
    uint8_t scope;
    uint8_t sides;
    uint8_t state;
    uint8_t modify_priority;
} fields_t;

typedef struct named_value {
    const char *name;
    uint32_t value;
} named_value_t;

/*
 * Cuts the first word, which ends at one of `ends`, off the text at *rest and returns it; NULL when
 * there is none.
 */
static char *cut_word(char **rest, const char *ends)
{
    char *word = *rest + strspn(*rest, ends);
    if (*word == '\0')
        return NULL;
    char *end = word + strcspn(word, ends);
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return word;
}

bool scenario_split(scenario_line_t *line, const char *source)
{
    const size_t length = strcspn(source, "#\r\n");
    if (length >= sizeof line->text)
        return false;
    memcpy(line->text, source, length);
    line->text[length] = '\0';
    line->count = 0;
    char *rest = line->text;
    for (char *word = cut_word(&rest, " \t"); word; word = cut_word(&rest, " \t")) {
        if (line->count == SCENARIO_WORDS_MAX)
            return false;
        line->words[line->count++] = word;
    }
    return true;
}

void scenario_join(const scenario_line_t *line, size_t first, scenario_text_t *text)
{
    for (size_t i = first; i < line->count; i++)
        scenario_append(text, i == first ? "%s" : " %s", line->words[i]);
}

static bool parse_unsigned(const char *word, uint64_t *value)
{
    if (strcmp(word, "max") == 0) {
        *value = UINT64_MAX;
        return true;
    }
    if (!isdigit((unsigned char)word[0]))
        return false;
    char *end = NULL;
    errno = 0;
    *value = strtoull(word, &end, 0);
    return errno == 0 && *end == '\0';
}

bool scenario_number(const char *word, int64_t *value)
{
    if (strcmp(word, "min") == 0 || strcmp(word, "max") == 0) {
        *value = word[1] == 'i' ? INT64_MIN : INT64_MAX;
        return true;
    }
    if (word[0] != '-' && !isdigit((unsigned char)word[0]))
        return false;
    char *end = NULL;
    errno = 0;
    *value = strtoll(word, &end, 0);
    return errno == 0 && *end == '\0';
}

bool scenario_id(const char *word, char letter, uint64_t *value)
{
    return word[0] == letter && parse_unsigned(word + 1, value);
}

static bool look_up(const named_value_t *table, size_t count, const char *word, uint32_t *value)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, word) == 0) {
            *value = table[i].value;
            return true;
        }
    return false;
}

/* "LEFTSEPARATORRIGHT", both numbers. */
static bool parse_pair(const char *word, const char *separator, int64_t *left, int64_t *right)
{
    const char *at = strstr(word, separator);
    char first[32];
    if (!at || (size_t)(at - word) >= sizeof first)
        return false;
    memcpy(first, word, (size_t)(at - word));
    first[at - word] = '\0';
    return scenario_number(first, left) && scenario_number(at + strlen(separator), right);
}

static bool parse_price(const char *word, fields_t *fields)
{
    if (word[0] == '@')
        return scenario_number(word + 1, &fields->price_ticks);
    const char *at = strchr(word, '@');
    if (at && strcmp(at, "@market") == 0) {
        int64_t nothing = 0;
        char limit[40];
        if ((size_t)(at - word) + sizeof "@0" > sizeof limit)
            return false;
        memcpy(limit, word, (size_t)(at - word));
        memcpy(limit + (at - word), "@0", sizeof "@0");
        fields->command.order_type = OC_ORDER_MARKET;
        return parse_pair(limit, "@", &fields->quantity_lots, &nothing);
    }
    return parse_pair(word, "@", &fields->quantity_lots, &fields->price_ticks);
}

/* Names of bits with a `+` between them, or a number. */
static bool parse_bits(const named_value_t *table, size_t count, char *word, uint32_t *bits)
{
    uint64_t number = 0;
    *bits = 0;
    if (parse_unsigned(word, &number)) {
        *bits = (uint32_t)number;
        return true;
    }
    for (char *name = cut_word(&word, "+"); name; name = cut_word(&word, "+")) {
        uint32_t bit = 0;
        if (!look_up(table, count, name, &bit))
            return false;
        *bits |= bit;
    }
    return true;
}

static bool parse_roles(char *word, uint32_t *roles)
{
    static const named_value_t table[] = {
        {"none", 0},
        {"trade", OC_ROLE_TRADE},
        {"risk", OC_ROLE_RISK},
        {"mark", OC_ROLE_MARK},
        {"admin", OC_ROLE_ADMIN},
    };
    return parse_bits(table, sizeof table / sizeof table[0], word, roles);
}

static bool parse_restrictions(char *word, uint32_t *restrictions)
{
    static const named_value_t table[] = {
        {"none", 0},
        {"storage", OC_RESTRICT_STORAGE},
        {"recovery", OC_RESTRICT_RECOVERY},
    };
    return parse_bits(table, sizeof table / sizeof table[0], word, restrictions);
}

/* NAME=VALUE with a number. */
static bool parse_setting(const char *name, const char *value, fields_t *fields)
{
    uint64_t number = 0;
    if (strcmp(name, "max") == 0)
        return scenario_number(value, &fields->max_quantity_lots);
    if (!parse_unsigned(value, &number))
        return false;
    const struct {
        const char *name;
        void *target;
        size_t size;
    } settings[] = {
        {"seq", &fields->command.sequence, 8},
        {"flags", &fields->command.flags, 4},
        {"side", &fields->command.side, 1},
        {"order_type", &fields->command.order_type, 1},
        {"type", &fields->command.type, 1},
        {"tif", &fields->command.time_in_force, 1},
        {"session", &fields->session, 8},
        {"scope", &fields->scope, 1},
        {"sides", &fields->sides, 1},
        {"state", &fields->state, 1},
        {"rules", &fields->rules_version, 4},
        {"steps", &fields->step_bound, 4},
        {"priority", &fields->modify_priority, 1},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].name, name) == 0) {
            memcpy(settings[i].target, &number, settings[i].size); /* little-endian */
            return true;
        }
    return false;
}

static bool parse_assignment(char *word, fields_t *fields)
{
    uint64_t owner = 0;
    char *equals = strchr(word, '=');
    if (!equals)
        return false;
    *equals = '\0';
    const char *value = equals + 1;
    bool known = false;
    if (strcmp(word, "of") == 0 && scenario_id(value, 's', &owner)) {
        fields->owner = (uint32_t)owner;
        known = true;
    } else if (strcmp(word, "roles") == 0) {
        known = parse_roles(equals + 1, &fields->roles);
    } else if (strcmp(word, "set") == 0) {
        known = parse_restrictions(equals + 1, &fields->restrict_set);
    } else if (strcmp(word, "clear") == 0) {
        known = parse_restrictions(equals + 1, &fields->restrict_clear);
    } else if (strcmp(word, "priority") == 0 && !isdigit((unsigned char)value[0])) {
        fields->modify_priority = strcmp(value, "lose") == 0 ? OC_PRIORITY_LOSE : OC_PRIORITY_KEEP;
        known = strcmp(value, "lose") == 0 || strcmp(value, "keep") == 0;
    } else {
        known = parse_setting(word, value, fields);
    }
    *equals = '=';
    return known;
}

/* Words that stand for themselves. */
static bool parse_plain(const char *word, fields_t *fields)
{
    static const named_value_t tifs[] = {
        {"gtc", OC_TIF_GTC}, {"day", OC_TIF_DAY}, {"ioc", OC_TIF_IOC}, {"fok", OC_TIF_FOK}};
    static const named_value_t flags[] = {{"post", OC_FLAG_POST_ONLY},
                                          {"cod", OC_FLAG_CANCEL_ON_DISCONNECT},
                                          {"open", OC_FLAG_OPEN_QUANTITY}};
    static const named_value_t states[] = {{"closed", OC_STATE_CLOSED},
                                           {"pre_open", OC_STATE_PRE_OPEN},
                                           {"continuous", OC_STATE_CONTINUOUS},
                                           {"halted", OC_STATE_HALTED}};
    static const named_value_t scopes[] = {{"source", OC_SCOPE_SOURCE},
                                           {"session", OC_SCOPE_SESSION},
                                           {"instrument", OC_SCOPE_INSTRUMENT}};
    uint32_t value = 0;
    if (strcmp(word, "buy") == 0 || strcmp(word, "sell") == 0) {
        const bool buy = word[0] == 'b';
        fields->command.side = buy ? OC_SIDE_BUY : OC_SIDE_SELL;
        fields->sides = buy ? OC_SIDES_BUY : OC_SIDES_SELL;
    } else if (look_up(tifs, 4, word, &value)) {
        fields->command.time_in_force = (uint8_t)value;
    } else if (look_up(flags, 3, word, &value)) {
        fields->command.flags |= value;
    } else if (look_up(states, 4, word, &value)) {
        fields->state = (uint8_t)value;
    } else if (look_up(scopes, 3, word, &value)) {
        fields->scope = (uint8_t)value;
    } else {
        return false;
    }
    return true;
}

static bool parse_word(char *word, fields_t *fields)
{
    uint64_t id = 0;
    if (parse_plain(word, fields))
        return true;
    if (scenario_id(word, 'i', &id)) {
        fields->command.instrument.value = (uint32_t)id;
        return true;
    }
    if (scenario_id(word, 's', &id)) {
        fields->id = (uint32_t)id;
        return true;
    }
    if (scenario_id(word, 'c', &id)) {
        fields->client_order_id = id;
        return true;
    }
    return parse_assignment(word, fields) || parse_price(word, fields) ||
           parse_pair(word, "..", &fields->price_low_ticks, &fields->price_high_ticks);
}

/* Puts the fields that the command's type uses where that type has them. */
static void fill_union(const fields_t *f, oc_command_t *c)
{
    switch (c->type) {
    case OC_COMMAND_NEW:
    case OC_COMMAND_CANCEL:
    case OC_COMMAND_MODIFY:
        c->u.order.client_order_id.value = f->client_order_id;
        c->u.order.price_ticks = f->price_ticks;
        c->u.order.quantity_lots = f->quantity_lots;
        c->u.order.owner.value = f->owner;
        break;
    case OC_COMMAND_MASS_CANCEL:
        c->u.mass_cancel.session.value = f->session;
        c->u.mass_cancel.owner.value = f->owner;
        c->u.mass_cancel.scope = f->scope;
        c->u.mass_cancel.sides = f->sides;
        break;
    case OC_COMMAND_MARK_PRICE:
        c->u.mark.price_ticks = f->price_ticks;
        break;
    case OC_COMMAND_INSTRUMENT_ADD:
    case OC_COMMAND_INSTRUMENT_STATE:
    case OC_COMMAND_INSTRUMENT_BANDS:
        c->u.instrument.price_low_ticks = f->price_low_ticks;
        c->u.instrument.price_high_ticks = f->price_high_ticks;
        c->u.instrument.max_quantity_lots = f->max_quantity_lots;
        c->u.instrument.state = f->state;
        break;
    case OC_COMMAND_SOURCE_ADD:
    case OC_COMMAND_SOURCE_RETIRE:
        c->u.source.id.value = f->id;
        c->u.source.roles = f->roles;
        break;
    case OC_COMMAND_SESSION_UP:
    case OC_COMMAND_SESSION_DOWN:
        c->u.session.id.value = f->session;
        c->u.session.source.value = f->id;
        break;
    case OC_COMMAND_CONFIGURE:
        c->u.configure.rules_version = f->rules_version;
        c->u.configure.step_bound = f->step_bound;
        c->u.configure.modify_priority = f->modify_priority;
        break;
    case OC_COMMAND_RESTRICTION:
        c->u.restriction.set = f->restrict_set;
        c->u.restriction.clear = f->restrict_clear;
        break;
    default:
        break;
    }
}

static bool parse_type(const char *word, uint8_t *type)
{
    for (uint8_t i = OC_COMMAND_NEW; i <= OC_COMMAND_LAST; i++)
        if (strcmp(oc_command_type_name((oc_command_type_t)i), word) == 0) {
            *type = i;
            return true;
        }
    return strcmp(word, "raw") == 0;
}

const char *scenario_command(const scenario_line_t *line, size_t first, oc_command_t *command)
{
    fields_t fields;
    memset(&fields, 0, sizeof fields);
    if (line->count < first + 2)
        return "a command has a sender and a name";
    uint64_t sender = 0;
    if (strcmp(line->words[first], "host") != 0 && !scenario_id(line->words[first], 's', &sender))
        return line->words[first];
    if (!parse_type(line->words[first + 1], &fields.command.type))
        return line->words[first + 1];
    for (size_t i = first + 2; i < line->count; i++)
        if (!parse_word(line->words[i], &fields))
            return line->words[i];
    memset(command, 0, sizeof *command);
    *command = fields.command;
    command->source.value = (uint32_t)sender;
    if (command->type != OC_COMMAND_NEW)
        command->side = 0;
    fill_union(&fields, command);
    return NULL;
}
