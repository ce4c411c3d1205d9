/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing strings, UTF-8 in all its malformed families, harmless copies, widths, near words. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "unit.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static void a_text_grows(void **state)
{
	struct text text = { 0 };
	int i;

	(void)state;
	assert_string_equal(text_string(&text), "");
	text_clear(&text);
	text_add(&text, "");
	assert_string_equal(text_string(&text), "");
	text_add(&text, "ab");
	text_add_char(&text, 'c');
	text_add_bytes(&text, "d\0e", 3);
	text_add_repeat(&text, '-', 3);
	text_add_repeat(&text, '-', 0);
	text_printf(&text, "%d%s", 12, "x");
	assert_int_equal(text.length, 12);
	assert_memory_equal(text_string(&text), "abcd\0e---12x", 13);
	text_clear(&text);
	assert_string_equal(text_string(&text), "");
	assert_int_equal(text.length, 0);
	for (i = 0; i < 10000; i++)
		text_printf(&text, "%04d", i);
	assert_int_equal(text.length, 40000);
	assert_memory_equal(text_string(&text) + 39996, "9999", 5);
	text_release(&text);
	assert_null(text.bytes);
	text_release(&text);
	text_release(NULL);
}

/* Encodes as RFC 3629 says, whatever the value; the oracle of the decoder. */
static size_t encode(uint32_t codepoint, char *bytes)
{
	if (codepoint < 0x80) {
		bytes[0] = (char)codepoint;
		return 1;
	}
	if (codepoint < 0x800) {
		bytes[0] = (char)(0xC0 | codepoint >> 6);
		bytes[1] = (char)(0x80 | (codepoint & 0x3F));
		return 2;
	}
	if (codepoint < 0x10000) {
		bytes[0] = (char)(0xE0 | codepoint >> 12);
		bytes[1] = (char)(0x80 | (codepoint >> 6 & 0x3F));
		bytes[2] = (char)(0x80 | (codepoint & 0x3F));
		return 3;
	}
	bytes[0] = (char)(0xF0 | codepoint >> 18);
	bytes[1] = (char)(0x80 | (codepoint >> 12 & 0x3F));
	bytes[2] = (char)(0x80 | (codepoint >> 6 & 0x3F));
	bytes[3] = (char)(0x80 | (codepoint & 0x3F));
	return 4;
}

static void every_codepoint_decodes_and_no_surrogate(void **state)
{
	uint32_t codepoint, decoded;
	char bytes[4];

	(void)state;
	for (codepoint = 0; codepoint < 0x120000; codepoint++) {
		bool good = codepoint < 0x110000 && !(codepoint >= 0xD800 && codepoint <= 0xDFFF);
		size_t length = encode(codepoint, bytes), cut;

		decoded = 0xFFFFFFFF;
		if (utf8_decode(bytes, length, &decoded) != (good ? length : 0))
			fail_msg("U+%04X", (unsigned)codepoint);
		if (good && decoded != codepoint)
			fail_msg("U+%04X reads as U+%04X", (unsigned)codepoint, (unsigned)decoded);
		for (cut = 0; cut < length; cut++)
			if (utf8_decode(bytes, cut, &decoded) != 0)
				fail_msg("U+%04X cut after %zu bytes", (unsigned)codepoint, cut);
	}
}

/* Every sequence of two bytes, and every one of three and four whose tail is plausible: only what
 * the encoder makes is accepted, so overlong forms are not. */
static void only_shortest_forms_decode(void **state)
{
	unsigned first, second;
	uint32_t codepoint;

	(void)state;
	for (first = 0x80; first < 0x100; first++)
		for (second = 0; second < 0x100; second++) {
			char bytes[4] = { (char)first, (char)second, (char)0xBF, (char)0x80 };
			char again[4];
			size_t length = utf8_decode(bytes, 4, &codepoint);

			if (length == 0)
				continue;
			assert_int_equal(encode(codepoint, again), length);
			assert_memory_equal(bytes, again, length);
		}
}

static void malformed_bytes_become_escapes(void **state)
{
	static const struct {
		const char *bytes, *clean;
	} cases[] = {
		{ "", "" },
		{ "plain \\ back", "plain \\ back" },
		{ "\x80", "\\x80" },				/* a tail alone */
		{ "a\xBF\xBF z", "a\\xBF\\xBF z" },		/* two */
		{ "\xC3", "\\xC3" },				/* cut off */
		{ "\xE2\x82", "\\xE2\\x82" },			/* cut off */
		{ "\xF0\x9F\x98", "\\xF0\\x9F\\x98" },		/* cut off */
		{ "\xC3(", "\\xC3(" },				/* wrong tail */
		{ "\xE2\x82(", "\\xE2\\x82(" },			/* wrong second tail */
		{ "\xC0\xAF", "\\xC0\\xAF" },			/* overlong '/' */
		{ "\xC1\xBF", "\\xC1\\xBF" },			/* overlong DEL */
		{ "\xE0\x80\xAF", "\\xE0\\x80\\xAF" },		/* overlong '/' */
		{ "\xE0\x9F\xBF", "\\xE0\\x9F\\xBF" },		/* overlong U+07FF */
		{ "\xF0\x80\x80\xAF", "\\xF0\\x80\\x80\\xAF" }, /* overlong '/' */
		{ "\xF0\x8F\xBF\xBF", "\\xF0\\x8F\\xBF\\xBF" }, /* overlong U+FFFF */
		{ "\xED\xA0\x80", "\\xED\\xA0\\x80" },		/* surrogate */
		{ "\xED\xBF\xBF", "\\xED\\xBF\\xBF" },		/* surrogate */
		{ "\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80" }, /* U+110000 */
		{ "\xF8\x88\x80\x80\x80", "\\xF8\\x88\\x80\\x80\\x80" },
		{ "\xFE\xFF", "\\xFE\\xFF" },
		{ "\xC3\xA4\xC3", "\xC3\xA4\\xC3" }, /* the good part stays */
		/* Controls. */
		{ "a\nb\tc\rd", "a\\nb\\tc\\x0Dd" },
		{ "\x1B[31mred\x07\x7F", "\\x1B[31mred\\x07\\x7F" },
		{ "\xC2\x85\xC2\x9B", "\\u{0085}\\u{009B}" }, /* C1: NEL and CSI */
		/* What reorders: U+202E, U+2066, U+200F, U+061C. */
		{ "\xE2\x80\xAE"
		  "cod",
		  "\\u{202E}cod" },
		{ "\xE2\x81\xA6\xE2\x80\x8F\xD8\x9C", "\\u{2066}\\u{200F}\\u{061C}" },
		/* What hides: U+200B, U+200D, U+FEFF, U+00AD, U+2060, U+3164, U+FE0F. */
		{ "a\xE2\x80\x8B\xE2\x80\x8D\xEF\xBB\xBF", "a\\u{200B}\\u{200D}\\u{FEFF}" },
		{ "\xC2\xAD\xE2\x81\xA0\xE3\x85\xA4\xEF\xB8\x8F",
		  "\\u{00AD}\\u{2060}\\u{3164}\\u{FE0F}" },
		{ "\xF3\xA0\x81\x81", "\\u{E0041}" }, /* a tag letter */
		/* Lines and paragraphs: U+2028, U+2029. No characters: U+FFFF, U+10FFFE, U+FDD0. */
		{ "\xE2\x80\xA8\xE2\x80\xA9", "\\u{2028}\\u{2029}" },
		{ "\xEF\xBF\xBF\xF4\x8F\xBF\xBE\xEF\xB7\x90", "\\u{FFFF}\\u{10FFFE}\\u{FDD0}" },
		/* Honest text stays: a-umlaut, kanji, an emoji, a combining accent, U+FFFD. */
		{ "\xC3\xA4 \xE6\xBC\xA2 \xF0\x9F\x98\x80 e\xCC\x81 \xEF\xBF\xBD",
		  "\xC3\xA4 \xE6\xBC\xA2 \xF0\x9F\x98\x80 e\xCC\x81 \xEF\xBF\xBD" },
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(text_clean(arena, cases[i].bytes, strlen(cases[i].bytes)),
				    cases[i].clean);
	assert_string_equal(text_clean(arena, "a\0b", 3), "a\\x00b");
	assert_string_equal(text_clean(arena, NULL, 0), "");
	/* The length counts, not a NUL: the third byte is not looked at. */
	assert_string_equal(text_clean(arena, "\xE2\x82\xAC", 2), "\\xE2\\x82");
	arena_close(arena);
}

/* Cleaning is done once: what is clean has no more to clean, and is valid whatever went in. */
static void clean_is_valid_and_stays(void **state)
{
	struct arena *arena = arena_open();
	unsigned seed = 1;
	int round;

	(void)state;
	for (round = 0; round < 5000; round++) {
		char bytes[24], *clean;
		size_t length, at;
		uint32_t codepoint;

		for (at = 0; at < sizeof bytes; at++) {
			seed = seed * 1103515245 + 12345;
			bytes[at] = (char)((seed >> 16 & 1) ? seed >> 24 : 0x80 | seed >> 26);
		}
		clean = text_clean(arena, bytes, sizeof bytes);
		length = strlen(clean);
		for (at = 0; at < length;) {
			size_t used = utf8_decode(clean + at, length - at, &codepoint);

			assert_true(used > 0 && codepoint >= 0x20);
			at += used;
		}
		assert_string_equal(text_clean(arena, clean, length), clean);
	}
	arena_close(arena);
}

static void widths(void)
{
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("\xC3\xA4"), 1);			 /* a-umlaut */
	assert_int_equal(text_width("a\xCC\x88"), 1);			 /* a, combining */
	assert_int_equal(text_width("\xE6\xBC\xA2\xE5\xAD\x97"), 4);	 /* two kanji */
	assert_int_equal(text_width("\xEF\xBC\xA1"), 2);		 /* fullwidth A */
	assert_int_equal(text_width("\xEF\xBD\xB1"), 1);		 /* halfwidth kana */
	assert_int_equal(text_width("\xED\x95\x9C"), 2);		 /* Hangul syllable */
	assert_int_equal(text_width("\xE1\x84\x92\xE1\x85\xA1"), 2);	 /* the same, in letters */
	assert_int_equal(text_width("\xF0\x9F\x98\x80"), 2);		 /* emoji */
	assert_int_equal(text_width("\xF0\xA0\x80\x80"), 2);		 /* U+20000 */
	assert_int_equal(text_width("\xE0\xB8\x81\xE0\xB8\xB4"), 1);	 /* Thai with a vowel */
	assert_int_equal(text_width("\xE2\x80\xA6\xC2\xB5\xC2\xB1"), 3); /* ellipsis, mu, +- */
	assert_int_equal(text_width("\xCD\xB8"), 1);			 /* unassigned */
	assert_int_equal(text_width("\xFF\xC3"), 2);			 /* malformed: one each */
}

static void width_is_known_in_every_locale(void **state)
{
	static const char *const locales[] = { "C", "C.UTF-8", "POSIX", "ja_JP.UTF-8",
					       "de_DE.ISO-8859-1" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(locales); i++) {
		setlocale(LC_ALL, locales[i]); /* one that is not installed changes nothing */
		widths();
	}
	setlocale(LC_ALL, "C");
}

static void cut_strings_fit(void **state)
{
	struct arena *arena = arena_open();

	(void)state;
	assert_string_equal(text_fit(arena, "abc", 3), "abc");
	assert_string_equal(text_fit(arena, "abcd", 3), "ab\xE2\x80\xA6");
	assert_string_equal(text_fit(arena, "abcd", 1), "\xE2\x80\xA6");
	assert_string_equal(text_fit(arena, "abcd", 0), "");
	assert_string_equal(text_fit(arena, "", 0), "");
	assert_string_equal(text_fit_ends(arena, "abcdef", 6), "abcdef");
	assert_string_equal(text_fit_ends(arena, "abcdef", 5), "ab\xE2\x80\xA6"
							       "ef");
	assert_string_equal(text_fit_ends(arena, "abcdef", 4), "a\xE2\x80\xA6"
							       "ef");
	assert_string_equal(text_fit_ends(arena, "abcdef", 2), "a\xE2\x80\xA6");
	assert_string_equal(text_fit_ends(arena, "abcdef", 0), "");
	/* Nothing wide is cut in half, no mark is left without its letter. */
	assert_string_equal(text_fit_ends(arena, "\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2", 5),
			    "\xE6\xBC\xA2\xE2\x80\xA6\xE6\xBC\xA2");
	assert_string_equal(text_fit_ends(arena,
					  "abcde\xCC\x81"
					  "f",
					  3),
			    "a\xE2\x80\xA6"
			    "f");
	/* A wide character that would be cut in half is left out. */
	assert_string_equal(text_fit(arena, "\xE6\xBC\xA2\xE5\xAD\x97", 4),
			    "\xE6\xBC\xA2\xE5\xAD\x97");
	assert_string_equal(text_fit(arena, "\xE6\xBC\xA2\xE5\xAD\x97", 3),
			    "\xE6\xBC\xA2\xE2\x80\xA6");
	assert_string_equal(text_fit(arena, "\xE6\xBC\xA2\xE5\xAD\x97", 2), "\xE2\x80\xA6");
	/* An accent stays with its letter, and one without room goes with it. */
	assert_string_equal(text_fit(arena,
				     "e\xCC\x81"
				     "bc",
				     2),
			    "e\xCC\x81\xE2\x80\xA6");
	assert_string_equal(text_fit(arena,
				     "ab\xCC\x81"
				     "c",
				     2),
			    "a\xE2\x80\xA6");
	arena_close(arena);
}

static void near_words_are_suggested(void **state)
{
	static const char *const words[] = { "rounds", "budget", "margin", "no-save",
					     "save",   "seed",	 "cpu",	   "confidence" };
	static const struct {
		const char *word, *nearest;
	} cases[] = {
		{ "rounds", "rounds" },
		{ "round", "rounds" }, /* one missing */
		{ "roundss", "rounds" },
		{ "ronuds", "rounds" }, /* doubled; swapped */
		{ "rouns", "rounds" },
		{ "ruonsd", "rounds" }, /* two swaps in six */
		{ "margn", "margin" },
		{ "Margin", "margin" }, /* case */
		{ "confidance", "confidence" },
		{ "konfidense", "confidence" },
		{ "konfidanse", "confidence" }, /* three in ten */
		{ "konfidants", NULL },		/* more than three */
		{ "sed", "seed" },
		{ "cup", "cpu" }, /* one in three */
		{ "sav", "save" },
		{ "cp", NULL }, /* one in two is too much */
		{ "x", NULL },
		{ "", NULL },
		{ "budegt", "budget" },
		{ "unrelated", NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		const char *nearest = text_nearest(cases[i].word, words, COUNT_OF(words));

		if (cases[i].nearest == NULL)
			assert_null(nearest);
		else if (nearest == NULL)
			fail_msg("nothing near '%s'", cases[i].word);
		else
			assert_string_equal(nearest, cases[i].nearest);
	}
	assert_null(text_nearest("rounds", words, 0));
	/* Of two that are as near, the first. */
	assert_string_equal(text_nearest("bat", (const char *const[]){ "cat", "rat", "x" }, 3),
			    "cat");
	assert_string_equal(text_nearest("bat", (const char *const[]){ "cat", "bat", "x" }, 3),
			    "bat");
}

static void a_very_long_word_costs_little(void **state)
{
	char *word = malloc(1 << 20);

	(void)state;
	memset(word, 'a', 1 << 20);
	word[(1 << 20) - 1] = '\0';
	assert_null(text_nearest(word, (const char *const[]){ "rounds", "" }, 2));
	free(word);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_grows),
		cmocka_unit_test(every_codepoint_decodes_and_no_surrogate),
		cmocka_unit_test(only_shortest_forms_decode),
		cmocka_unit_test(malformed_bytes_become_escapes),
		cmocka_unit_test(clean_is_valid_and_stays),
		cmocka_unit_test(width_is_known_in_every_locale),
		cmocka_unit_test(cut_strings_fit),
		cmocka_unit_test(near_words_are_suggested),
		cmocka_unit_test(a_very_long_word_costs_little),
	};

	return cmocka_run_group_tests_name("base_text", tests, NULL, NULL);
}
