/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences that are longer than their room. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "unit.h"

static bool is_whole(const char *text)
{
	size_t length = strlen(text), used;
	uint32_t codepoint;

	for (; length > 0; text += used, length -= used) {
		used = utf8_decode(text, length, &codepoint);
		if (used == 0 || codepoint == 0xfffd)
			return false;
	}
	return true;
}

/* Wherever the cut falls: whole characters, and three dots. */
static void a_long_sentence_ends_between_characters(void **state)
{
	static const char *const characters[] = { "a", "\u00e9", "\u20ac", "\U0001f40c" };
	char words[2 * ERROR_SENTENCE_BYTES];
	size_t kind, shift, i;

	(void)state;
	for (kind = 0; kind < 4; kind++)
		for (shift = 0; shift < 4; shift++) {
			size_t width = strlen(characters[kind]);
			struct error err = { 0 };

			memset(words, 'x', shift);
			for (i = shift; i + width < sizeof words; i += width)
				memcpy(words + i, characters[kind], width);
			words[i] = '\0';
			error_set(&err, ERROR_USAGE, "%s", words);
			assert_true(is_whole(err.sentence));
			assert_string_equal(err.sentence + strlen(err.sentence) - 3, "...");
			error_prefix(&err, "%.*s", (int)(shift + 7 * width), words);
			assert_true(is_whole(err.sentence));
			assert_string_equal(err.sentence + strlen(err.sentence) - 3, "...");
		}
}

static void a_short_sentence_stays(void **state)
{
	struct error err = { 0 };

	(void)state;
	error_set(&err, ERROR_USAGE, "no \u20ac");
	error_prefix(&err, "b");
	assert_string_equal(err.sentence, "b: no \u20ac");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_sentence_ends_between_characters),
		cmocka_unit_test(a_short_sentence_stays),
	};

	return cmocka_run_group_tests_name("base_error", tests, NULL, NULL);
}
