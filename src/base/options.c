/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parsing of a command's words by its option table: see options.h. The words
 * become tokens in one place, which both passes read: the first only looks for
 * --help, so that help can be had whatever else is wrong; the second stores.
 */
#include "base/options.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"

const struct option options_help_row = {
	.kind = OPTION_FLAG, .name = "help", .letter = 'h', .help = "show this page"
};

bool options_end(const struct option *option)
{
	return option == NULL || (option->name == NULL && option->help == NULL);
}

enum token_kind { TOKEN_END, TOKEN_OPERAND, TOKEN_REST, TOKEN_OPTION, TOKEN_UNKNOWN };

struct token {
	enum token_kind kind;
	const struct option *option;
	const char *spelled; /* "--margin" or "-n", for messages */
	char *value;	     /* the option's value, the operand, or the unknown word; NULL: none */
	bool attached;	     /* the value is part of the option's word */
};

/* Where in the words the tokenizer is. */
struct cursor {
	struct arena *arena;
	const struct command *command;
	char **argv;
	int argc;
	int next;
	char *letters; /* what remains of a word like -abc, NULL: nothing */
};

static bool takes_value(const struct option *option)
{
	return option->kind != OPTION_FLAG && option->kind != OPTION_NO_FLAG;
}

/* The row that a name (of that length) or else a letter belongs to; NULL if none. */
static const struct option *find_option(const struct command *command, const char *name,
					size_t length, char letter)
{
	const struct option *option = command->options;

	for (; !options_end(option); option++) {
		if (option->kind == OPTION_GROUP)
			continue;
		if (name != NULL && strncmp(option->name, name, length) == 0 &&
		    option->name[length] == '\0')
			return option;
		if (name == NULL && option->letter == letter)
			return option;
	}
	if (name != NULL ? length == 4 && memcmp(name, "help", 4) == 0 : letter == 'h')
		return &options_help_row;
	return NULL;
}

/* Fill in a value that stands in the next word. */
static void take_next_word(struct cursor *cursor, struct token *token)
{
	if (cursor->next < cursor->argc)
		token->value = cursor->argv[cursor->next++];
}

static struct token long_token(struct cursor *cursor, char *word)
{
	size_t length = strcspn(word + 2, "=");
	struct token token = { .kind = TOKEN_OPTION };

	token.option = find_option(cursor->command, word + 2, length, 0);
	token.spelled = arena_strndup(cursor->arena, word, length + 2);
	if (word[length + 2] == '=') {
		token.attached = true;
		token.value = word + length + 3;
	}
	if (token.option == NULL)
		token.kind = TOKEN_UNKNOWN;
	else if (!token.attached && takes_value(token.option))
		take_next_word(cursor, &token);
	return token;
}

/* cursor->letters points at the letter of the option. */
static struct token letter_token(struct cursor *cursor)
{
	char *letter = cursor->letters;
	struct token token = { .kind = TOKEN_OPTION };

	cursor->letters = NULL;
	token.option = find_option(cursor->command, NULL, 0, *letter);
	token.spelled = arena_printf(cursor->arena, "-%c", *letter);
	if (token.option == NULL) {
		token.kind = TOKEN_UNKNOWN;
		token.spelled = arena_printf(cursor->arena, "-%s", letter);
	} else if (!takes_value(token.option)) {
		if (letter[1] == '=') {
			token.attached = true;
			token.value = letter + 2;
		} else if (letter[1] != '\0') {
			cursor->letters = letter + 1;
		}
	} else if (letter[1] != '\0') {
		token.attached = true;
		token.value = letter + 1;
	} else {
		take_next_word(cursor, &token);
	}
	return token;
}

static struct token next_token(struct cursor *cursor)
{
	struct token token = { .kind = TOKEN_END };
	char *word;

	if (cursor->letters != NULL)
		return letter_token(cursor);
	if (cursor->next >= cursor->argc)
		return token;
	word = cursor->argv[cursor->next++];
	if (word[0] != '-' || word[1] == '\0') {
		token.kind = TOKEN_OPERAND;
		token.value = word;
		return token;
	}
	if (word[1] != '-') {
		cursor->letters = word + 1;
		return letter_token(cursor);
	}
	if (word[2] != '\0')
		return long_token(cursor, word);
	token.kind = TOKEN_REST;
	return token;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Also where it stands in the place of a forgotten value. */
static bool help_is_wanted(struct cursor cursor)
{
	struct token token;

	do {
		token = next_token(&cursor);
		if (token.kind == TOKEN_OPTION &&
		    (token.option == &options_help_row ||
		     (token.value != NULL && !token.attached && is_help(token.value))))
			return true;
	} while (token.kind != TOKEN_END && token.kind != TOKEN_REST);
	return false;
}

/* The known name that an unknown word may have meant, or NULL. */
static const char *nearest_name(const struct cursor *cursor, const char *word)
{
	const struct option *option = cursor->command->options;
	const char **names = NULL;
	size_t count = 0, capacity = 0;

	while (*word == '-')
		word++;
	for (; !options_end(option); option++)
		if (option->kind != OPTION_GROUP)
			*array_push(cursor->arena, names, count, capacity) = option->name;
	*array_push(cursor->arena, names, count, capacity) = options_help_row.name;
	return text_nearest(word, names, count);
}

static const char *clean(const struct cursor *cursor, const char *word)
{
	return text_clean(cursor->arena, word, strlen(word));
}

static bool unknown_option(const struct cursor *cursor, const struct token *token,
			   struct error *err)
{
	const char *nearest = NULL;

	if (token->spelled[2] != '\0')
		nearest = nearest_name(cursor, token->spelled);
	if (nearest != NULL)
		return error_set(err, ERROR_USAGE,
				 "there is no option %s; did you mean --%s? (\"worth %s --help\" "
				 "lists them)",
				 clean(cursor, token->spelled), nearest, cursor->command->name);
	return error_set(err, ERROR_USAGE,
			 "there is no option %s; \"worth %s --help\" lists those that there are",
			 clean(cursor, token->spelled), cursor->command->name);
}

/* A value in a word of its own that is a known option is a forgotten value. */
static bool is_known_option(const struct cursor *cursor, const char *word)
{
	if (word[0] != '-' || word[1] == '\0')
		return false;
	if (word[1] == '-')
		return word[2] == '\0' ||
		       find_option(cursor->command, word + 2, strcspn(word + 2, "="), 0) != NULL;
	return word[2] == '\0' && find_option(cursor->command, NULL, 0, word[1]) != NULL;
}

static bool value_is_there(const struct cursor *cursor, const struct token *token,
			   struct error *err)
{
	const char *name = token->option->value;

	if (!takes_value(token->option)) {
		if (!token->attached)
			return true;
		return error_set(err, ERROR_USAGE, "%s takes no value, and \"%s\" was given to it",
				 token->spelled, clean(cursor, token->value));
	}
	if (token->value == NULL)
		return error_set(err, ERROR_USAGE, "%s needs a value: %s %s", token->spelled,
				 token->spelled, name);
	if (token->value[0] == '\0')
		return error_set(err, ERROR_USAGE,
				 "the value of %s is empty; write %s %s, or leave the option out",
				 token->spelled, token->spelled, name);
	if (!token->attached && is_known_option(cursor, token->value))
		return error_set(err, ERROR_USAGE,
				 "%s needs a value (%s), but the option %s follows; if that is the "
				 "value, write --%s=%s",
				 token->spelled, name, clean(cursor, token->value),
				 token->option->name, clean(cursor, token->value));
	return true;
}

static uint64_t count_limit(double maximum)
{
	return maximum <= 0 || maximum >= 0x1p64 ? UINT64_MAX : (uint64_t)maximum;
}

static bool set_count(const struct option *option, const char *value, void *field,
		      struct error *err)
{
	uint64_t count;

	if (!units_parse_count(value, (uint64_t)option->minimum, count_limit(option->maximum),
			       &count, err))
		return false;
	memcpy(field, &count, sizeof count);
	return true;
}

static bool set_number(const struct option *option, const char *value, void *field,
		       struct error *err)
{
	bool limited = option->minimum != 0 || option->maximum != 0;
	double number;

	if (!units_parse_number(value, &number, err))
		return false;
	if (limited && !(number > option->minimum && number < option->maximum))
		return error_set(err, ERROR_USAGE, "%s is not between %g and %g (both excluded)",
				 value, option->minimum, option->maximum);
	memcpy(field, &number, sizeof number);
	return true;
}

/* Whether a quantity is inside a row's limits, which are included. */
static bool in_range(const struct option *option, double quantity)
{
	return quantity >= option->minimum && (option->maximum <= 0 || quantity <= option->maximum);
}

static bool set_duration(struct arena *arena, const struct option *option, const char *value,
			 void *field, struct error *err)
{
	int64_t ns;

	if (!units_parse_duration(value, &ns, err))
		return false;
	if (!in_range(option, (double)ns))
		return error_set(
		    err, ERROR_USAGE, "%s is out of range: at least %s%s%s", value,
		    units_duration(arena, (int64_t)option->minimum),
		    option->maximum > 0 ? ", at most " : "",
		    option->maximum > 0 ? units_duration(arena, (int64_t)option->maximum) : "");
	memcpy(field, &ns, sizeof ns);
	return true;
}

static bool set_percent(struct arena *arena, const struct option *option, const char *value,
			void *field, struct error *err)
{
	double ratio;

	if (!units_parse_percent(value, &ratio, err))
		return false;
	if (!in_range(option, ratio))
		return error_set(err, ERROR_USAGE, "%s is out of range: at least %s%s%s", value,
				 units_percent(arena, option->minimum),
				 option->maximum > 0 ? ", at most " : "",
				 option->maximum > 0 ? units_percent(arena, option->maximum) : "");
	memcpy(field, &ratio, sizeof ratio);
	return true;
}

static bool set_choice(const struct cursor *cursor, const struct option *option, const char *value,
		       void *field, struct error *err)
{
	struct text list = { 0 };
	const char *nearest;
	int i;

	for (i = 0; option->choices[i] != NULL; i++) {
		if (strcmp(option->choices[i], value) == 0) {
			memcpy(field, &i, sizeof i);
			text_release(&list);
			return true;
		}
		text_printf(&list, "%s%s", i > 0 ? ", " : "", option->choices[i]);
	}
	nearest = text_nearest(value, option->choices, (size_t)i);
	error_set(err, ERROR_USAGE, "\"%s\" is not one of: %s%s%s%s", clean(cursor, value),
		  text_string(&list), nearest ? "; did you mean " : "", nearest ? nearest : "",
		  nearest ? "?" : "");
	text_release(&list);
	return false;
}

static bool store_value(const struct cursor *cursor, const struct option *option, const char *value,
			void *field, struct error *err)
{
	struct option_texts *texts = field;
	bool flag = option->kind == OPTION_FLAG;

	switch (option->kind) {
	case OPTION_FLAG:
	case OPTION_NO_FLAG:
		memcpy(field, &flag, sizeof flag);
		return true;
	case OPTION_TEXT:
		memcpy(field, &value, sizeof value);
		return true;
	case OPTION_TEXTS:
	case OPTION_PAIRS:
		*array_push(cursor->arena, texts->items, texts->count, texts->capacity) = value;
		return true;
	case OPTION_COUNT:
		return set_count(option, value, field, err);
	case OPTION_NUMBER:
		return set_number(option, value, field, err);
	case OPTION_DURATION:
		return set_duration(cursor->arena, option, value, field, err);
	case OPTION_PERCENT:
		return set_percent(cursor->arena, option, value, field, err);
	case OPTION_CHOICE:
		return set_choice(cursor, option, value, field, err);
	case OPTION_GROUP:
		break;
	}
	assert(!"a heading is never found by name");
	return false;
}

static bool store_option(const struct cursor *cursor, const struct token *token, void *settings,
			 struct error *err)
{
	const struct option *option = token->option;

	if (!value_is_there(cursor, token, err))
		return false;
	assert(option->offset < cursor->command->settings_size);
	if (store_value(cursor, option, token->value, (char *)settings + option->offset, err))
		return true;
	if (err != NULL)
		err->kind = ERROR_USAGE;
	return error_prefix(err, "%s", token->spelled);
}

/* The second word of a pair stands alone, whether the first was attached or not. */
static bool store_second(struct cursor *cursor, const struct token *token, void *settings,
			 struct error *err)
{
	struct token second = *token;

	second.attached = false;
	second.value = cursor->next < cursor->argc ? cursor->argv[cursor->next++] : NULL;
	if (second.value == NULL)
		return error_set(err, ERROR_USAGE, "%s needs two words: %s %s", token->spelled,
				 token->spelled, token->option->value);
	return store_option(cursor, &second, settings, err);
}

bool options_parse(struct arena *arena, const struct command *command, int argc, char **argv,
		   void *settings, struct operands *operands, bool *help, struct error *err)
{
	struct cursor cursor = {
		.arena = arena, .command = command, .argc = argc, .argv = argv, .next = 1
	};
	size_t capacity = 0;
	struct token token;

	*operands = (struct operands){ 0 };
	*help = help_is_wanted(cursor);
	if (*help)
		return true;
	for (;;) {
		token = next_token(&cursor);
		switch (token.kind) {
		case TOKEN_END:
			return true;
		case TOKEN_REST:
			operands->has_rest = true;
			operands->rest = argv + cursor.next;
			operands->rest_count = (size_t)(argc - cursor.next);
			return true;
		case TOKEN_OPERAND:
			*array_push(arena, operands->items, operands->count, capacity) =
			    token.value;
			break;
		case TOKEN_UNKNOWN:
			return unknown_option(&cursor, &token, err);
		case TOKEN_OPTION:
			if (!store_option(&cursor, &token, settings, err))
				return false;
			if (token.option->kind == OPTION_PAIRS &&
			    !store_second(&cursor, &token, settings, err))
				return false;
			break;
		}
	}
}
