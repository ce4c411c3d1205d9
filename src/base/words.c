/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command lines to words and back, by the rules of the POSIX shell (XCU 2.2
 * Quoting, 2.3 Token Recognition). What a shell would do beyond splitting
 * (expand, redirect, run several commands) is refused, never guessed: a
 * command must mean the same with and without --shell, or say why it cannot.
 * A test compares every rule with the shell of this machine.
 */
#include "base/words.h"

#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* The splitter's place in a command. */
struct splitter {
	struct arena *arena;
	const char *command;
	const char *at;
	char **words;
	size_t count, capacity;
	struct text word;
	bool in_word; /* a word has begun, perhaps an empty one: '' */
	bool quoted;  /* a part of it was quoted */
};

/* The command as an error shows it: harmless, and not longer than a line. */
static const char *shown(const struct splitter *splitter)
{
	enum { COLUMNS = 60 };
	char *clean = text_clean(splitter->arena, splitter->command, strlen(splitter->command));

	return text_fit(splitter->arena, clean, COLUMNS);
}

static bool refuse_syntax(const struct splitter *splitter, const char *syntax, struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "%s at character %zu of the command '%s' is shell syntax, and no shell "
			 "runs it: quote it if it is meant literally, or add --shell",
			 syntax, (size_t)(splitter->at - splitter->command) + 1, shown(splitter));
}

static bool refuse_character(const struct splitter *splitter, char character, struct error *err)
{
	char name[4] = { '\'', character, '\'', '\0' };

	if (character == '\n')
		return refuse_syntax(splitter, "the newline", err);
	if (character == '\'')
		return refuse_syntax(splitter, "\"'\"", err);
	return refuse_syntax(splitter, name, err);
}

static bool refuse_open(const struct splitter *splitter, const char *what, const char *remedy,
			struct error *err)
{
	return error_set(err, ERROR_USAGE, "the command '%s' %s: %s", shown(splitter), what,
			 remedy);
}

static bool is_name_character(char character, bool first)
{
	return character == '_' || (character >= 'a' && character <= 'z') ||
	       (character >= 'A' && character <= 'Z') ||
	       (!first && character >= '0' && character <= '9');
}

/* Whether length bytes are a NAME, as in NAME=value. */
static bool is_name(const char *bytes, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!is_name_character(bytes[i], i == 0))
			return false;
	return length > 0;
}

/* The reserved words (XCU 2.4), which are special where a command begins. */
static bool is_reserved(const char *word)
{
	static const char *const reserved[] = { "!",	"{",	"}",	 "case", "do",	"done",
						"elif", "else", "esac",	 "fi",	 "for", "if",
						"in",	"then", "until", "while" };
	size_t i;

	for (i = 0; i < sizeof reserved / sizeof *reserved; i++)
		if (strcmp(word, reserved[i]) == 0)
			return true;
	return false;
}

static void begin_word(struct splitter *splitter)
{
	if (splitter->in_word)
		return;
	splitter->in_word = true;
	splitter->quoted = false;
	text_clear(&splitter->word);
}

static bool end_word(struct splitter *splitter, struct error *err)
{
	if (!splitter->in_word)
		return true;
	if (splitter->count == 0 && !splitter->quoted && is_reserved(text_string(&splitter->word)))
		return refuse_syntax(splitter, "the reserved word that ends", err);
	*array_push(splitter->arena, splitter->words, splitter->count, splitter->capacity) =
	    arena_strndup(splitter->arena, text_string(&splitter->word), splitter->word.length);
	splitter->in_word = false;
	return true;
}

static void add_quoted(struct splitter *splitter, char character)
{
	splitter->quoted = true;
	text_add_char(&splitter->word, character);
}

/* at is behind the opening quote; nothing is special up to the closing one. */
static bool single_quoted(struct splitter *splitter, struct error *err)
{
	const char *end = strchr(splitter->at, '\'');

	if (end == NULL)
		return refuse_open(splitter, "has an opening ' without a closing one",
				   "close it, or write \"'\" for the character itself", err);
	splitter->quoted = true;
	text_add_bytes(&splitter->word, splitter->at, (size_t)(end - splitter->at));
	splitter->at = end + 1;
	return true;
}

/* at is behind the opening quote. A backslash quotes only what is special here, and stands for
 * itself before all else; dollar and backtick would expand. */
static bool double_quoted(struct splitter *splitter, struct error *err)
{
	splitter->quoted = true;
	while (*splitter->at != '\0' && *splitter->at != '"') {
		char character = *splitter->at;

		if (character == '$' || character == '`')
			return refuse_character(splitter, character, err);
		if (character == '\\' && splitter->at[1] != '\0' &&
		    strchr("$`\"\\\n", splitter->at[1]) != NULL) {
			character = *++splitter->at;
			if (character == '\n') { /* the line goes on */
				splitter->at++;
				continue;
			}
		}
		add_quoted(splitter, character);
		splitter->at++;
	}
	if (*splitter->at == '\0')
		return refuse_open(splitter, "has an opening \" without a closing one",
				   "close it, or write '\"' for the character itself", err);
	splitter->at++;
	return true;
}

/* at is behind the backslash. */
static bool escaped(struct splitter *splitter, struct error *err)
{
	if (*splitter->at == '\0')
		return refuse_open(splitter, "ends in a backslash that quotes nothing",
				   "write \\\\ for the character itself", err);
	if (*splitter->at == '\n') { /* the line goes on, and the word may too */
		splitter->at++;
		return true;
	}
	begin_word(splitter);
	add_quoted(splitter, *splitter->at++);
	return true;
}

/* Whether character, unquoted where the splitter stands, is more than a character to a shell. */
static bool is_syntax(const struct splitter *splitter, char character)
{
	if (strchr("|&;<>()$`*?[\n", character) != NULL)
		return true;
	if (splitter->in_word)
		return character == '=' && splitter->count == 0 && !splitter->quoted &&
		       is_name(splitter->word.bytes, splitter->word.length);
	/* A comment; a home directory. */
	return character == '#' || character == '~';
}

static bool plain(struct splitter *splitter, struct error *err)
{
	char character = *splitter->at;

	if (is_syntax(splitter, character)) {
		if (character == '=')
			return refuse_syntax(splitter, "the assignment NAME=", err);
		return refuse_character(splitter, character, err);
	}
	begin_word(splitter);
	text_add_char(&splitter->word, character);
	splitter->at++;
	return true;
}

static bool split_step(struct splitter *splitter, struct error *err)
{
	switch (*splitter->at) {
	case ' ':
	case '\t':
		if (!end_word(splitter, err))
			return false;
		splitter->at++;
		return true;
	case '\'':
		begin_word(splitter);
		splitter->at++;
		return single_quoted(splitter, err);
	case '"':
		begin_word(splitter);
		splitter->at++;
		return double_quoted(splitter, err);
	case '\\':
		splitter->at++;
		return escaped(splitter, err);
	default:
		return plain(splitter, err);
	}
}

bool words_split(struct arena *arena, const char *command, char ***words, size_t *count,
		 struct error *err)
{
	struct splitter splitter = { .arena = arena, .command = command, .at = command };
	bool done = true;

	while (done && *splitter.at != '\0')
		done = split_step(&splitter, err);
	done = done && end_word(&splitter, err);
	if (done && (splitter.count == 0 || splitter.words[0][0] == '\0'))
		done =
		    error_set(err, ERROR_USAGE, "the command '%s' is empty: name a program to run",
			      shown(&splitter));
	text_release(&splitter.word);
	if (!done)
		return false;
	*array_push(arena, splitter.words, splitter.count, splitter.capacity) = NULL;
	*words = splitter.words;
	*count = splitter.count - 1;
	return true;
}

/* No shell gives these a meaning. Bytes above 127 are quoted: some locales count some as blanks. */
static bool is_bare(char character)
{
	return is_name_character(character, false) ||
	       (character != '\0' && strchr("@%+=:,./-", character) != NULL);
}

static bool needs_quotes(const char *word, bool first)
{
	const char *at = word, *equals = strchr(word, '=');

	while (is_bare(*at))
		at++;
	if (at == word || *at != '\0')
		return true;
	if (!first)
		return false;
	return is_reserved(word) || (equals != NULL && is_name(word, (size_t)(equals - word)));
}

static void add_word(struct text *text, const char *word, bool first)
{
	if (!needs_quotes(word, first)) {
		text_add(text, word);
		return;
	}
	text_add_char(text, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			text_add(text, "'\\''");
		else
			text_add_char(text, *word);
	}
	text_add_char(text, '\'');
}

static char *take(struct arena *arena, struct text *text)
{
	char *copy = arena_strndup(arena, text_string(text), text->length);

	text_release(text);
	return copy;
}

char *words_quote(struct arena *arena, const char *word)
{
	struct text text = { 0 };

	add_word(&text, word, true);
	return take(arena, &text);
}

char *words_join(struct arena *arena, char *const *words, size_t count)
{
	struct text text = { 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		if (i > 0)
			text_add_char(&text, ' ');
		add_word(&text, words[i], i == 0);
	}
	return take(arena, &text);
}
