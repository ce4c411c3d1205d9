/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option tables: what parses, what is refused and how, the help page, and completion scripts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "unit.h"

struct settings {
	bool loud, save;
	const char *input;
	struct option_texts names;
	uint64_t rounds, seed;
	double confidence;
	int64_t budget_ns;
	double margin;
	int require;
};

static const char *const requirements[] = { "not-worse", "equivalent", "better", NULL };

#define FIELD(member) .offset = offsetof(struct settings, member)

static const struct option rows[] = {
	{ .kind = OPTION_GROUP, .help = "How it runs" },
	{ .kind = OPTION_FLAG, .name = "loud", .letter = 'l', .help = "say more", FIELD(loud) },
	{ .kind = OPTION_NO_FLAG,
	  .name = "no-save",
	  .letter = 'S',
	  .help = "it's gone",
	  FIELD(save) },
	{ .kind = OPTION_TEXT,
	  .name = "input",
	  .letter = 'i',
	  .value = "FILE",
	  .help = "read FILE [instead]: the whole of it",
	  FIELD(input),
	  .completes = COMPLETES_FILE },
	{ .kind = OPTION_TEXTS,
	  .name = "name",
	  .letter = 'n',
	  .value = "NAME",
	  .help = "what to call it; a longer text that does not fit into one line of the page and "
		  "has to be wrapped\nand a line of its own",
	  FIELD(names) },
	{ .kind = OPTION_GROUP, .help = "Numbers" },
	{ .kind = OPTION_COUNT,
	  .name = "rounds",
	  .value = "N",
	  .help = "how many",
	  FIELD(rounds),
	  .minimum = 1,
	  .maximum = 1000 },
	{ .kind = OPTION_COUNT, .name = "seed", .value = "N", .help = "any", FIELD(seed) },
	{ .kind = OPTION_NUMBER,
	  .name = "confidence",
	  .value = "C",
	  .help = "how sure",
	  FIELD(confidence),
	  .minimum = 0.5,
	  .maximum = 1 },
	{ .kind = OPTION_DURATION,
	  .name = "budget",
	  .value = "TIME",
	  .help = "how long",
	  FIELD(budget_ns),
	  .minimum = 1e9,
	  .maximum = 3600e9 },
	{ .kind = OPTION_PERCENT,
	  .name = "margin",
	  .letter = 'm',
	  .value = "X%",
	  .help = "how much",
	  FIELD(margin),
	  .maximum = 0.5 },
	{ .kind = OPTION_CHOICE,
	  .name = "require-with-a-long-name",
	  .value = "WHAT",
	  .help = "what must be shown before it is believed",
	  FIELD(require),
	  .choices = requirements },
	OPTION_TABLE_END,
};

static const char *const synopsis[] = {
	"[compare] [OPTION]... BASELINE CANDIDATE...",
	"[compare] [OPTION]... PROGRAM PROGRAM... -- ARGUMENT... AND MUCH MORE THAN FITS",
	NULL,
};

static const struct command compare = {
	.name = "compare",
	.summary = "run commands and judge",
	.synopsis = synopsis,
	.description = "A first paragraph of several sentences that is longer than a line of the "
		       "page is wide.\nIt goes on.\n\nA second one:\n\n    verbatim   text\n",
	.examples = "# the usual\n$ worth ./baseline ./candidate\n",
	.options = rows,
	.settings_size = sizeof(struct settings),
};

static const struct command bare = {
	.name = "bare",
	.summary = "has no options",
	.synopsis = (const char *const[]){ "bare", NULL },
};

/* One parse with everything it gives. */
struct attempt {
	struct arena *arena;
	struct settings settings;
	struct operands operands;
	bool help;
	bool parsed;
	struct error err;
	char *argv[32];
};

static struct attempt *attempt(const struct command *command, const char *const *words)
{
	struct arena *arena = arena_open();
	struct attempt *attempt = arena_alloc(arena, 1, sizeof *attempt);
	int argc = 1;

	attempt->arena = arena;
	attempt->settings.save = true;
	attempt->argv[0] = arena_strdup(arena, command->name);
	for (; *words != NULL; words++)
		attempt->argv[argc++] = arena_strdup(arena, *words);
	attempt->parsed = options_parse(arena, command, argc, attempt->argv, &attempt->settings,
					&attempt->operands, &attempt->help, &attempt->err);
	return attempt;
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define PARSE(...) accept(attempt(&compare, WORDS(__VA_ARGS__)))

static struct attempt *accept(struct attempt *attempt)
{
	if (!attempt->parsed)
		fail_msg("%s", attempt->err.sentence);
	return attempt;
}

static void done(struct attempt *attempt)
{
	arena_close(attempt->arena);
}

/* The words are refused with exactly this beginning of a sentence. */
static void refuse(const char *sentence, const char *const *words)
{
	struct attempt *tried = attempt(&compare, words);

	assert_false(tried->parsed);
	assert_int_equal(tried->err.kind, ERROR_USAGE);
	if (strncmp(tried->err.sentence, sentence, strlen(sentence)) != 0)
		fail_msg("expected: %s\ngot: %s", sentence, tried->err.sentence);
	done(tried);
}

static void every_kind_is_stored_in_its_field(void **state)
{
	struct attempt *got =
	    PARSE("--loud", "--no-save", "--input", "a", "--name=b", "-nc", "-n", "d", "--rounds",
		  "12", "--seed=18446744073709551615", "--confidence", "0.9", "--budget=90s",
		  "--margin", "1.5%", "--require-with-a-long-name", "better");

	(void)state;
	assert_true(got->settings.loud);
	assert_false(got->settings.save);
	assert_string_equal(got->settings.input, "a");
	assert_int_equal(got->settings.names.count, 3);
	assert_string_equal(got->settings.names.items[0], "b");
	assert_string_equal(got->settings.names.items[1], "c");
	assert_string_equal(got->settings.names.items[2], "d");
	assert_int_equal(got->settings.rounds, 12);
	assert_true(got->settings.seed == UINT64_MAX);
	assert_true(got->settings.confidence == 0.9);
	assert_true(got->settings.budget_ns == 90000000000);
	assert_true(fabs(got->settings.margin - 0.015) < 1e-12);
	assert_int_equal(got->settings.require, 2);
	assert_int_equal(got->operands.count, 0);
	assert_false(got->operands.has_rest);
	done(got);
}

static void options_and_operands_mix_until_two_dashes(void **state)
{
	struct attempt *got = PARSE("x", "-l", "-", "", "y", "--", "--loud", "z");

	(void)state;
	assert_int_equal(got->operands.count, 4);
	assert_string_equal(got->operands.items[1], "-");
	assert_string_equal(got->operands.items[2], "");
	assert_string_equal(got->operands.items[3], "y");
	assert_true(got->operands.has_rest);
	assert_int_equal(got->operands.rest_count, 2);
	assert_string_equal(got->operands.rest[0], "--loud");
	done(got);
	got = PARSE("x", "--");
	assert_true(got->operands.has_rest);
	assert_int_equal(got->operands.rest_count, 0);
	done(got);
}

static void letters_may_stand_together(void **state)
{
	struct attempt *got = PARSE("-lSna b");

	(void)state;
	assert_true(got->settings.loud);
	assert_false(got->settings.save);
	assert_string_equal(got->settings.names.items[0], "a b");
	done(got);
}

static void the_last_of_a_repeated_option_counts(void **state)
{
	struct attempt *got = PARSE("--rounds", "5", "--rounds=7", "--input=a", "-ib", "-ll");

	(void)state;
	assert_int_equal(got->settings.rounds, 7);
	assert_string_equal(got->settings.input, "b");
	done(got);
}

static void a_value_may_look_like_an_option_if_attached(void **state)
{
	struct attempt *got = PARSE("--input=--loud", "-n--", "--name", "-x", "--name=a=b");

	(void)state;
	assert_string_equal(got->settings.input, "--loud");
	assert_string_equal(got->settings.names.items[0], "--");
	assert_string_equal(got->settings.names.items[1], "-x");
	assert_string_equal(got->settings.names.items[2], "a=b");
	assert_false(got->settings.loud);
	done(got);
}

static void unknown_options_suggest_the_nearest(void **state)
{
	(void)state;
	refuse("there is no option --bugdet; did you mean --budget?", WORDS("--bugdet", "5s"));
	refuse("there is no option --bugdet; did you mean --budget?", WORDS("--bugdet=5s"));
	refuse("there is no option -budget; did you mean --budget?", WORDS("-budget"));
	refuse("there is no option --round; did you mean --rounds?", WORDS("--round", "5"));
	refuse("there is no option --quux; \"worth compare --help\" lists", WORDS("--quux"));
	refuse("there is no option -x; ", WORDS("-x"));
	refuse("there is no option -x; ", WORDS("-lx"));
	refuse("there is no option --; ", WORDS("--=5"));
	refuse("there is no option -5%; ", WORDS("-5%"));
	refuse("there is no option --\\x1B[31m; ", WORDS("--\033[31m"));
	refuse("there is no option -\\xFF; ", WORDS("-\xff"));
}

static void a_missing_value_says_what_is_wanted(void **state)
{
	(void)state;
	refuse("--budget needs a value: --budget TIME", WORDS("--budget"));
	refuse("-n needs a value: -n NAME", WORDS("x", "-n"));
	refuse("--input needs a value (FILE), but the option --loud follows; if that is the value, "
	       "write --input=--loud",
	       WORDS("--input", "--loud"));
	refuse("--input needs a value (FILE), but the option --name=x follows",
	       WORDS("--input", "--name=x"));
	refuse("-i needs a value (FILE), but the option -l follows", WORDS("-i", "-l"));
	refuse("--input needs a value (FILE), but the option -- follows", WORDS("--input", "--"));
	refuse("the value of --input is empty", WORDS("--input="));
	refuse("the value of --input is empty", WORDS("--input", ""));
	refuse("the value of -n is empty", WORDS("-n", ""));
	refuse("the value of --rounds is empty", WORDS("--rounds="));
}

static void flags_take_no_value(void **state)
{
	(void)state;
	refuse("--loud takes no value, and \"yes\" was given to it", WORDS("--loud=yes"));
	refuse("--no-save takes no value, and \"\" was given to it", WORDS("--no-save="));
	refuse("-l takes no value, and \"1\" was given to it", WORDS("-l=1"));
}

static void values_out_of_range_or_form_are_refused(void **state)
{
	static const char *const wrong[] = {
		"--rounds=0",
		"--rounds=1001",
		"--rounds=-1",
		"--rounds=1.5",
		"--rounds=5x",
		"--rounds=18446744073709551616",
		"--rounds= ",
		"--rounds=0x10",
		"--seed=18446744073709551616",
		"--seed=-1",
		"--seed=+1",
		"--confidence=0.5",
		"--confidence=1",
		"--confidence=2",
		"--confidence=-0.9",
		"--confidence=nan",
		"--confidence=inf",
		"--confidence=1e999",
		"--confidence=0,9",
		"--budget=0",
		"--budget=10ms",
		"--budget=2h",
		"--budget=5",
		"--budget=nan s",
		"--budget=-5s",
		"--budget=1e300s",
		"--budget=5 parsecs",
		"--margin=1",
		"--margin=-1%",
		"--margin=51%",
		"--margin=nan%",
		"--margin=inf%",
		"--margin=1%%",
		"--require-with-a-long-name=worse",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct attempt *tried = attempt(&compare, WORDS(wrong[i]));
		size_t name = strcspn(wrong[i], "=");

		if (tried->parsed)
			fail_msg("%s was accepted", wrong[i]);
		assert_memory_equal(tried->err.sentence, wrong[i], name);
		assert_memory_equal(tried->err.sentence + name, ": ", 2);
		assert_int_equal(tried->err.kind, ERROR_USAGE);
		done(tried);
	}
	refuse("--confidence: 2 is not between 0.5 and 1 (both excluded)", WORDS("--confidence=2"));
	refuse("--budget: 2h is out of range: at least 1 s, at most 1 h", WORDS("--budget=2h"));
	refuse("--margin: 51% is out of range: at least 0%, at most 50%", WORDS("--margin=51%"));
	refuse(
	    "--require-with-a-long-name: \"beter\" is not one of: not-worse, equivalent, better; "
	    "did you mean better?",
	    WORDS("--require-with-a-long-name", "beter"));
}

static void help_is_found_whatever_else_is_wrong(void **state)
{
	const char *const *const asked[] = {
		WORDS("--help"),
		WORDS("-h"),
		WORDS("--bogus", "--help"),
		WORDS("x", "-h", "y"),
		WORDS("--rounds", "--help"),
		WORDS("-lh"),
		WORDS("--rounds=no", "-h"),
	};
	struct attempt *got;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof asked / sizeof *asked; i++) {
		got = accept(attempt(&compare, asked[i]));
		assert_true(got->help);
		done(got);
	}
	got = PARSE("x", "--", "--help");
	assert_false(got->help);
	done(got);
	got = PARSE("-n-h", "--input=--help");
	assert_false(got->help);
	done(got);
}

static void a_command_without_a_table_has_help_alone(void **state)
{
	struct attempt *got = accept(attempt(&bare, WORDS("--help")));

	(void)state;
	assert_true(got->help);
	done(got);
	got = attempt(&bare, WORDS("--loud"));
	assert_false(got->parsed);
	done(got);
}

static void the_help_page_fits_and_has_everything(void **state)
{
	static const char *const wanted[] = {
		"worth compare - run commands and judge\n",
		"Usage: worth [compare] [OPTION]... BASELINE CANDIDATE...\n",
		"       worth [compare]",
		"\n             MORE THAN FITS\n",
		"\n    verbatim   text\n",
		"\nHow it runs:\n",
		"\n  -l, --loud              say more\n",
		"\n      --rounds N          how many\n",
		"\n                          and a line of its own\n",
		"\n      --require-with-a-long-name WHAT\n                          what must",
		"(not-worse,\n                          equivalent, better)\n",
		"\n  -h, --help              show this page\n",
		"\nExamples:\n  # the usual\n  $ worth ./baseline ./candidate\n",
	};
	struct text text = { 0 };
	const char *line;
	size_t i;

	(void)state;
	options_help(&compare, &text);
	for (i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (strstr(text.bytes, wanted[i]) == NULL)
			fail_msg("no \"%s\" in:\n%s", wanted[i], text.bytes);
	for (line = text.bytes; *line != '\0'; line += strcspn(line, "\n") + 1) {
		assert_true(strcspn(line, "\n") <= 80);
		assert_false(strcspn(line, "\n") > 0 && line[strcspn(line, "\n") - 1] == ' ');
	}
	text_release(&text);
}

/* The script, in a file that the shell reads as it would one of its own. */
static void shell_reads(const char *shell, const char *check)
{
	static const struct command *const commands[] = { &compare, &bare, NULL };
	char path[] = "/tmp/worth-completion-XXXXXX";
	struct text text = { 0 };
	struct text command = { 0 };
	int fd;

	text_printf(&command, "command -v %s >/dev/null", shell);
	if (system(command.bytes) != 0) {
		text_release(&command);
		skip();
	}
	assert_true(options_completion(shell, commands, &text, NULL));
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text.bytes, text.length), (ssize_t)text.length);
	close(fd);
	text_clear(&command);
	text_printf(&command, check, path);
	if (system(command.bytes) != 0)
		fail_msg("%s, which says:\n%s", command.bytes, text.bytes);
	unlink(path);
	text_release(&command);
	text_release(&text);
}

static void bash_reads_its_script(void **state)
{
	(void)state;
	shell_reads("bash", "bash -n %s");
}

/* What bash offers for words, the last of which is being typed. */
static void bash_offers(void **state)
{
	(void)state;
	shell_reads(
	    "bash",
	    "bash -c '"
	    "compopt() { :; };"
	    "offers() { COMP_WORDS=(\"${@:2}\"); COMP_CWORD=$(($# - 2)); _worth;"
	    " [[ \" ${COMPREPLY[*]} \" == *\" $1 \"* ]] || { echo \"${COMPREPLY[@]}\"; exit 1; }; "
	    "};"
	    "source \"$0\";"
	    "offers compare worth com;"
	    "offers --loud worth --lo;"
	    "offers --loud worth compare --lo;"
	    "offers better worth --require-with-a-long-name be;"
	    "offers better worth x --require-with-a-long-name = be;"
	    "offers equivalent worth compare --require-with-a-long-name =;"
	    "offers bare worth help ba;"
	    "offers /etc/passwd worth --input /etc/passw;"
	    "offers --help worth bare --h;"
	    "COMP_WORDS=(worth bare --lo); COMP_CWORD=2; _worth; [[ ${#COMPREPLY[@]} == 0 ]]"
	    "' %s");
}

static void zsh_reads_its_script(void **state)
{
	(void)state;
	shell_reads("zsh", "zsh -n %s");
	/* zsh's own parameter commands, the programs on PATH, must not be hidden. */
	shell_reads("zsh", "! grep -E 'local.* commands|^\\s*commands=' %s");
}

static void fish_reads_its_script(void **state)
{
	(void)state;
	shell_reads("fish", "fish --no-execute %s");
}

static void fish_offers(void **state)
{
	(void)state;
	shell_reads("fish", "fish --no-config -c 'source $argv[1];"
			    "complete -C \"worth --lou\" | grep -q -e \"^--loud\" &&"
			    "complete -C \"worth compare --require-with-a-long-name be\" |"
			    " grep -q \"^better\" &&"
			    "complete -C \"worth help b\" | grep -q \"^bare\" &&"
			    "not complete -C \"worth bare --lou\" | grep -q -e \"^--loud\"' %s");
}

static void an_unknown_shell_is_named(void **state)
{
	static const struct command *const commands[] = { &compare, NULL };
	struct text text = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_false(options_completion("tcsh", commands, &text, &err));
	assert_non_null(strstr(err.sentence, "bash, zsh and fish"));
	assert_int_equal(text.length, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_stored_in_its_field),
		cmocka_unit_test(options_and_operands_mix_until_two_dashes),
		cmocka_unit_test(letters_may_stand_together),
		cmocka_unit_test(the_last_of_a_repeated_option_counts),
		cmocka_unit_test(a_value_may_look_like_an_option_if_attached),
		cmocka_unit_test(unknown_options_suggest_the_nearest),
		cmocka_unit_test(a_missing_value_says_what_is_wanted),
		cmocka_unit_test(flags_take_no_value),
		cmocka_unit_test(values_out_of_range_or_form_are_refused),
		cmocka_unit_test(help_is_found_whatever_else_is_wrong),
		cmocka_unit_test(a_command_without_a_table_has_help_alone),
		cmocka_unit_test(the_help_page_fits_and_has_everything),
		cmocka_unit_test(bash_reads_its_script),
		cmocka_unit_test(bash_offers),
		cmocka_unit_test(zsh_reads_its_script),
		cmocka_unit_test(fish_reads_its_script),
		cmocka_unit_test(fish_offers),
		cmocka_unit_test(an_unknown_shell_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
