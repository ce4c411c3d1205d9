/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any words, a NUL or line feed between them: they are parsed into fields that keep to their
 * limits, or refused with a sentence that is fit to be printed. */
#include <string.h>

#include "base/options.h"
#include "base/text.h"
#include "fuzz.h"

struct settings {
	bool loud, save;
	const char *input;
	struct option_texts names;
	uint64_t rounds;
	double confidence, margin;
	int64_t budget_ns;
	int require;
};

static const char *const requirements[] = { "not-worse", "equivalent", "better", NULL };

#define AT(member) offsetof(struct settings, member)

static const struct option rows[] = {
	{ OPTION_FLAG, "loud", 'l', NULL, "say more", AT(loud) },
	{ OPTION_NO_FLAG, "no-save", 'S', NULL, "keep nothing", AT(save) },
	{ OPTION_TEXT, "input", 'i', "FILE", "what is read", AT(input) },
	{ OPTION_GROUP, .help = "Numbers" },
	{ OPTION_TEXTS, "name", 'n', "NAME", "what it is called", AT(names) },
	{ OPTION_COUNT, "rounds", 'r', "N", "how many", AT(rounds), 1, 1000 },
	{ OPTION_NUMBER, "confidence", 'c', "C", "how sure", AT(confidence), 0.5, 1 },
	{ OPTION_PERCENT, "margin", 'm', "X%", "how much", AT(margin), 0, 0.5 },
	{ OPTION_DURATION, "budget", 'b', "TIME", "how long", AT(budget_ns), 1e9, 3600e9 },
	{ OPTION_CHOICE, "require", 'R', "WHAT", "what must be shown", AT(require),
	  .choices = requirements },
	OPTION_TABLE_END,
};

static const struct command command = { .name = "compare",
					.options = rows,
					.settings_size = sizeof(struct settings) };

enum { MOST_WORDS = 64 };

/* The words of the input, argv[0] first; returns their number. */
static int split(struct arena *arena, const uint8_t *data, size_t size, char **argv)
{
	char *bytes = arena_strndup(arena, (const char *)data, size);
	int count = 0;
	size_t i;

	for (i = 0; i < size; i++)
		if (bytes[i] == '\n')
			bytes[i] = '\0';
	argv[count++] = arena_strdup(arena, command.name);
	for (i = 0; i < size && count < MOST_WORDS; i += strlen(bytes + i) + 1)
		argv[count++] = bytes + i;
	argv[count] = NULL;
	return count;
}

static void check_settings(const struct settings *settings)
{
	FUZZ_CHECK(settings->rounds >= 1 && settings->rounds <= 1000);
	FUZZ_CHECK(settings->confidence > 0.5 && settings->confidence < 1);
	FUZZ_CHECK(settings->margin >= 0 && settings->margin <= 0.5);
	FUZZ_CHECK(settings->budget_ns >= 1000000000 && settings->budget_ns <= 3600000000000);
	FUZZ_CHECK(settings->require >= 0 && settings->require <= 2);
	FUZZ_CHECK(settings->input == NULL || settings->input[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	struct settings settings = {
		.rounds = 80, .confidence = 0.95, .margin = 0.01, .budget_ns = 300000000000
	};
	char *argv[MOST_WORDS + 1];
	int argc = split(arena, data, size, argv);
	struct operands operands;
	struct error err = { 0 };
	bool help;

	if (options_parse(arena, &command, argc, argv, &settings, &operands, &help, &err)) {
		check_settings(&settings);
		FUZZ_CHECK(operands.count + operands.rest_count < (size_t)argc);
	} else {
		FUZZ_CHECK(err.kind == ERROR_USAGE && err.sentence[0] != '\0');
		FUZZ_CHECK(strcmp(text_clean(arena, err.sentence, strlen(err.sentence)),
				  err.sentence) == 0 ||
			   strlen(err.sentence) == ERROR_SENTENCE_BYTES - 1);
	}
	arena_close(arena);
	return 0;
}
