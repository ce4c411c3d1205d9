/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splitting and quoting, held against the shell of this machine: what
 * words_split accepts, sh -c must split in the same way, and what words_quote
 * makes, sh must read back unchanged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "base/words.h"
#include "unit.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
enum { MOST_WORDS = 6 };

static void commands_are_split(void **state)
{
	static const struct {
		const char *command;
		const char *words[MOST_WORDS];
	} cases[] = {
		{ "a", { "a" } },
		{ "  a\t b  ", { "a", "b" } },
		{ "prog -i '/a b/c d.webm'", { "prog", "-i", "/a b/c d.webm" } },
		{ "a \"b c\" d", { "a", "b c", "d" } },
		{ "a b\\ c", { "a", "b c" } },
		{ "a ''", { "a", "" } },
		{ "a \"\" ''", { "a", "", "" } },
		{ "a b''c\"\"d", { "a", "bcd" } },
		{ "a 'it'\\''s'", { "a", "it's" } },
		{ "a \"it's\" 'say \"x\"'", { "a", "it's", "say \"x\"" } },
		{ "a '\\n' \"\\n\" \\n", { "a", "\\n", "\\n", "n" } },
		{ "a \"\\\\ \\\" \\$ \\` \\x\"", { "a", "\\ \" $ ` \\x" } },
		{ "a '$x `y` | & ; < > ( ) * ? [ ~ #'", { "a", "$x `y` | & ; < > ( ) * ? [ ~ #" } },
		{ "a \\$x \\| \\* \\~ \\#", { "a", "$x", "|", "*", "~", "#" } },
		{ "a \"| & ; < > ( ) * ? [\"", { "a", "| & ; < > ( ) * ? [" } },
		{ "a b\\\nc \"d\\\ne\"", { "a", "bc", "de" } },
		{ "a \\\n b", { "a", "b" } },
		{ "a 'b\nc'", { "a", "b\nc" } },
		{ "a \\  b", { "a", " ", "b" } },
		{ "dd if=x of=y~ a#b", { "dd", "if=x", "of=y~", "a#b" } },
		{ "a X=1 ] { } ! {n}", { "a", "X=1", "]", "{", "}", "!" } },
		{ "'X=1' a", { "X=1", "a" } },
		{ "X\\=1 a", { "X=1", "a" } },
		{ "'X'=1 a", { "X=1", "a" } },
		{ "1X=1 =x a", { "1X=1", "=x", "a" } },
		{ "./X=1 a", { "./X=1", "a" } },
		{ "'if' x", { "if", "x" } },
		{ "\\! x", { "!", "x" } },
		{ "ifs then {n}", { "ifs", "then", "{n}" } },
		{ "{prog} {n}", { "{prog}", "{n}" } },
		{ "'~' a", { "~", "a" } },
		{ "\xC3\xA4 \xFF\x80", { "\xC3\xA4", "\xFF\x80" } },
		{ "a\rb\vc", { "a\rb\vc" } },
	};
	struct arena *arena = arena_open();
	size_t i, j;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct error err = { 0 };
		char **words = NULL;
		size_t count = 0;

		if (!words_split(arena, cases[i].command, &words, &count, &err))
			fail_msg("%s", err.sentence);
		assert_null(words[count]);
		for (j = 0; j < MOST_WORDS && cases[i].words[j] != NULL; j++) {
			assert_true(j < count);
			assert_string_equal(words[j], cases[i].words[j]);
		}
		/* "{n}" behind six words is not compared, only counted. */
		assert_true(j == count || (j == MOST_WORDS && count > j));
	}
	arena_close(arena);
}

static void shell_syntax_is_refused(void **state)
{
	static const struct {
		const char *command, *named;
		int character;
	} cases[] = {
		{ "a | b", "'|'", 3 },
		{ "a|b", "'|'", 2 },
		{ "a & b", "'&'", 3 },
		{ "a;b", "';'", 2 },
		{ "a <b", "'<'", 3 },
		{ "a 2>b", "'>'", 4 },
		{ "(a)", "'('", 1 },
		{ "a )", "')'", 3 },
		{ "a $x", "'$'", 3 },
		{ "a \"$x\"", "'$'", 4 },
		{ "a `b`", "'`'", 3 },
		{ "a \"`b`\"", "'`'", 4 },
		{ "a *", "'*'", 3 },
		{ "a b?", "'?'", 4 },
		{ "a [x]", "'['", 3 },
		{ "a\nb", "the newline", 2 },
		{ "a\n", "the newline", 2 },
		{ "a ~/b", "'~'", 3 },
		{ "~/b", "'~'", 1 },
		{ "X=1 a", "the assignment NAME=", 2 },
		{ "_x9=", "the assignment NAME=", 4 },
		{ "a #b", "'#'", 3 },
		{ "if a", "the reserved word that ends", 3 },
		{ "! a", "the reserved word that ends", 2 },
		{ "{ a", "the reserved word that ends", 2 },
		{ "while", "the reserved word that ends", 6 },
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct error err = { 0 };
		char **words, expected[300];
		size_t count;

		if (words_split(arena, cases[i].command, &words, &count, &err))
			fail_msg("%s is split", cases[i].command);
		snprintf(expected, sizeof expected,
			 "%s at character %d of the command '%s' is shell syntax, and no shell "
			 "runs it: quote it if it is meant literally, or add --shell",
			 cases[i].named, cases[i].character,
			 text_clean(arena, cases[i].command, strlen(cases[i].command)));
		assert_string_equal(err.sentence, expected);
		assert_int_equal(err.kind, ERROR_USAGE);
	}
	arena_close(arena);
}

static void broken_commands_are_refused(void **state)
{
	static const struct {
		const char *command, *sentence;
	} cases[] = {
		{ "", "the command '' is empty: name a program to run" },
		{ "   \t", "the command '   \\t' is empty: name a program to run" },
		{ "''", "the command '''' is empty: name a program to run" },
		{ "\"\" a", "the command '\"\" a' is empty: name a program to run" },
		{ "\\\n", "the command '\\\\n' is empty: name a program to run" },
		{ "a 'b", "the command 'a 'b' has an opening ' without a closing one: close it, or "
			  "write \"'\" for the character itself" },
		{ "a \"b", "the command 'a \"b' has an opening \" without a closing one: close it, "
			   "or write '\"' for the character itself" },
		{ "a \"b\\\"", "the command 'a \"b\\\"' has an opening \" without a closing one: "
			       "close it, or write '\"' for the character itself" },
		{ "a \"b\\", "the command 'a \"b\\' has an opening \" without a closing one: close "
			     "it, or write '\"' for the character itself" },
		{ "a don't", "the command 'a don't' has an opening ' without a closing one: close "
			     "it, or write \"'\" for the character itself" },
		{ "a \\", "the command 'a \\' ends in a backslash that quotes nothing: write \\\\ "
			  "for the character itself" },
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct error err = { 0 };
		char **words = (char **)cases;
		size_t count = 77;

		assert_false(words_split(arena, cases[i].command, &words, &count, &err));
		assert_string_equal(err.sentence, cases[i].sentence);
		assert_true(count == 77 && words == (char **)cases);
		assert_false(words_split(arena, cases[i].command, &words, &count, NULL));
	}
	arena_close(arena);
}

static void a_hostile_command_is_shown_harmless_and_short(void **state)
{
	struct arena *arena = arena_open();
	struct error err = { 0 };
	char command[100001], **words;
	size_t count;

	(void)state;
	assert_false(words_split(arena, "a\x1B[2J\xE2\x80\xAE | b", &words, &count, &err));
	assert_null(strchr(err.sentence, '\x1B'));
	assert_non_null(strstr(err.sentence, "a\\x1B[2J\\u{202E} | b"));
	memset(command, 'x', sizeof command);
	command[sizeof command - 2] = '|';
	command[sizeof command - 1] = '\0';
	assert_false(words_split(arena, command, &words, &count, &err));
	assert_true(strlen(err.sentence) < 300);
	assert_non_null(strstr(err.sentence, "character 100000"));
	arena_close(arena);
}

/* Runs sh -c script and takes what it prints, which may hold NULs; returns its length. */
static size_t ask_shell(const char *script, char *output, size_t capacity, int *status)
{
	int ends[2];
	size_t length = 0;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		if (dup2(ends[1], STDOUT_FILENO) < 0 || freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		close(ends[0]);
		close(ends[1]);
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
		_exit(99);
	}
	close(ends[1]);
	while (length < capacity) {
		ssize_t got = read(ends[0], output + length, capacity - length);

		if (got <= 0)
			break;
		length += (size_t)got;
	}
	close(ends[0]);
	assert_int_equal(waitpid(child, status, 0), child);
	return length;
}

/* One shell answers for many commands, a line "show COMMAND" each: show prints its words, each
 * ended by NUL, and an end mark. */
#define SHOW "show() { test $# -gt 0 && printf '%s\\0' \"$@\"; printf 'end\\0'; }\n"

static void compare_words(const char *command, char *const *words, size_t count, const char **at,
			  const char *end)
{
	size_t i;

	for (i = 0; i <= count; i++) {
		const char *expected = i < count ? words[i] : "end";

		if (*at >= end)
			fail_msg("sh stopped before <%s>", command);
		if (strcmp(*at, expected) != 0)
			fail_msg("sh splits <%s> so that word %zu is <%s>, not <%s>", command, i,
				 *at, expected);
		*at += strlen(*at) + 1;
	}
}

enum { BATCH = 400, LONGEST = 14, OUTPUT = BATCH * LONGEST * 8 };

/* A command of a few characters, most of them such as matter to a shell. */
static void generate(struct random *random, char *command)
{
	static const char alphabet[] = "''''\"\"\"\"\\\\\\\\    \t\naab=X_{}!#~]$`*?[|&;<>()%-\xC3";
	size_t length = 1 + random_below(random, LONGEST - 1), i;

	for (i = 0; i < length; i++)
		command[i] = alphabet[random_below(random, sizeof alphabet - 1)];
	command[length] = '\0';
}

static void accepted_commands_mean_the_same_to_sh(void **state)
{
	struct arena *arena = arena_open();
	struct random random = { 20260101 };
	size_t accepted = 0, quoted = 0, batch;

	(void)state;
	for (batch = 0; batch < 10; batch++) {
		static char output[OUTPUT];
		struct text script = { 0 };
		char **words[BATCH], commands[BATCH][LONGEST + 1];
		size_t counts[BATCH], used = 0, length, i;
		const char *at = output;
		int status;

		text_add(&script, SHOW);
		while (used < BATCH) {
			generate(&random, commands[used]);
			if (!words_split(arena, commands[used], &words[used], &counts[used], NULL))
				continue;
			text_printf(&script, "show %s\n", commands[used]);
			quoted += strpbrk(commands[used], "'\"\\") != NULL;
			used++;
		}
		length = ask_shell(text_string(&script), output, sizeof output, &status);
		for (i = 0; i < used; i++)
			compare_words(commands[i], words[i], counts[i], &at, output + length);
		assert_true(at == output + length);
		assert_int_equal(status, 0);
		accepted += used;
		text_release(&script);
	}
	assert_int_equal(accepted, 10 * BATCH);
	assert_true(quoted > accepted / 4); /* the generator reaches what is tested */
	arena_close(arena);
}

/* What is refused as unbalanced, sh refuses as well: it says so by status 2. */
static void unbalanced_commands_are_so_to_sh(void **state)
{
	struct random random = { 7 };
	struct arena *arena = arena_open();
	size_t found = 0;

	(void)state;
	while (found < 40) {
		char command[LONGEST + 1], script[LONGEST + 400], output[4000], **words;
		struct error err = { 0 };
		size_t count;
		int status;

		generate(&random, command);
		if (words_split(arena, command, &words, &count, &err) ||
		    strstr(err.sentence, "without a closing one") == NULL)
			continue;
		snprintf(script, sizeof script, "show %s", command);
		ask_shell(script, output, sizeof output, &status);
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 2)
			fail_msg("sh accepts <%s>", command);
		found++;
	}
	arena_close(arena);
}

static void quoted_words_are_read_back(void **state)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
		{ "", "''" },
		{ "a", "a" },
		{ "./a-b_c.d/e:f@g%h+i,j", "./a-b_c.d/e:f@g%h+i,j" },
		{ "a b", "'a b'" },
		{ "it's", "'it'\\''s'" },
		{ "'", "''\\'''" },
		{ "~", "'~'" },
		{ "a=b", "'a=b'" }, /* it may come to stand first */
		{ "--margin=1%", "--margin=1%" },
		{ "if", "'if'" },
		{ "!", "'!'" },
		{ "#", "'#'" },
		{ "a\nb", "'a\nb'" },
		{ "\xC2\xA0", "'\xC2\xA0'" }, /* a blank in some locales */
		{ "$(rm -r x)", "'$(rm -r x)'" },
	};
	struct arena *arena = arena_open();
	char **words;
	size_t count, i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(words_quote(arena, cases[i].word), cases[i].quoted);
	words_split(arena, "dd 'if=a b' of=c if", &words, &count, NULL);
	assert_string_equal(words_join(arena, words, count), "dd 'if=a b' of=c if");
	words_split(arena, "'a=b' a=b", &words, &count, NULL);
	assert_string_equal(words_join(arena, words, count), "'a=b' a=b");
	assert_string_equal(words_join(arena, NULL, 0), "");
	arena_close(arena);
}

/* Every byte but NUL, alone and among others: joined, split again, and split by sh. */
static void joined_words_survive_splitting_and_sh(void **state)
{
	struct arena *arena = arena_open();
	struct random random = { 3 };
	struct text script = { 0 };
	char *words[BATCH][4], output[BATCH * 40];
	const char *at = output;
	size_t length, i, j, k;
	int status;

	(void)state;
	text_add(&script, SHOW);
	for (i = 0; i < BATCH; i++) {
		char **again, *joined;
		size_t count;

		for (j = 0; j < 4; j++) {
			size_t bytes = random_below(&random, 6);

			words[i][j] = arena_alloc(arena, bytes + 1, 1);
			for (k = 0; k < bytes; k++)
				words[i][j][k] = (char)(1 + random_below(&random, 255));
		}
		/* The first is no empty word, and every byte has its turn. */
		words[i][0] = arena_printf(arena, "%c%s", (int)(1 + i % 255), words[i][0]);
		joined = words_join(arena, words[i], 4);
		assert_true(words_split(arena, joined, &again, &count, NULL));
		assert_int_equal(count, 4);
		for (j = 0; j < 4; j++)
			assert_string_equal(again[j], words[i][j]);
		text_printf(&script, "show %s\n", joined);
	}
	length = ask_shell(text_string(&script), output, sizeof output, &status);
	for (i = 0; i < BATCH; i++)
		compare_words("joined", words[i], 4, &at, output + length);
	assert_true(at == output + length);
	text_release(&script);
	arena_close(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_are_split),
		cmocka_unit_test(shell_syntax_is_refused),
		cmocka_unit_test(broken_commands_are_refused),
		cmocka_unit_test(a_hostile_command_is_shown_harmless_and_short),
		cmocka_unit_test(accepted_commands_mean_the_same_to_sh),
		cmocka_unit_test(unbalanced_commands_are_so_to_sh),
		cmocka_unit_test(quoted_words_are_read_back),
		cmocka_unit_test(joined_words_survive_splitting_and_sh),
	};

	return cmocka_run_group_tests_name("base_words", tests, NULL, NULL);
}
