/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any command line: what splits, joins and splits into the same words; what does not has a
 * sentence that is fit to be printed; and any word survives quoting. */
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "fuzz.h"

static void check_sentence(struct arena *arena, const struct error *err)
{
	FUZZ_CHECK(err->kind == ERROR_USAGE);
	FUZZ_CHECK(err->sentence[0] != '\0' && strlen(err->sentence) < 600);
	FUZZ_CHECK(strcmp(text_clean(arena, err->sentence, strlen(err->sentence)), err->sentence) ==
		   0);
}

static void check_split(struct arena *arena, char *const *words, size_t count)
{
	char *joined = words_join(arena, words, count), **again;
	struct error err = { 0 };
	size_t again_count, i;

	FUZZ_CHECK(count > 0 && words[0][0] != '\0' && words[count] == NULL);
	FUZZ_CHECK(words_split(arena, joined, &again, &again_count, &err));
	FUZZ_CHECK(again_count == count);
	for (i = 0; i < count; i++)
		FUZZ_CHECK(strcmp(again[i], words[i]) == 0);
}

static void check_quote(struct arena *arena, const char *word)
{
	char *quoted = words_quote(arena, word), **words;
	char *second = arena_printf(arena, "a %s", quoted);
	size_t count;

	FUZZ_CHECK(words_split(arena, second, &words, &count, NULL));
	FUZZ_CHECK(count == 2 && strcmp(words[1], word) == 0);
	if (word[0] == '\0')
		return;
	FUZZ_CHECK(words_split(arena, quoted, &words, &count, NULL));
	FUZZ_CHECK(count == 1 && strcmp(words[0], word) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	char *command = arena_strndup(arena, (const char *)data, size), **words;
	struct error err = { 0 };
	size_t count;

	if (words_split(arena, command, &words, &count, &err))
		check_split(arena, words, count);
	else
		check_sentence(arena, &err);
	check_quote(arena, command);
	arena_close(arena);
	return 0;
}
