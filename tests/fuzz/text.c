/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes: what is clean is valid UTF-8 without controls, stays as it is, and fits where it is
 * made to fit. */
#include <string.h>

#include "base/text.h"
#include "fuzz.h"

/* Valid, printable, and with nothing left to clean. */
static void check_clean(struct arena *arena, const char *clean)
{
	size_t length = strlen(clean), at = 0;

	while (at < length) {
		uint32_t codepoint = 0;
		size_t used = utf8_decode(clean + at, length - at, &codepoint);

		FUZZ_CHECK(used >= 1 && used <= 4);
		FUZZ_CHECK(codepoint >= 0x20 && codepoint != 0x7F && codepoint <= 0x10FFFF);
		FUZZ_CHECK(codepoint < 0xD800 || codepoint > 0xDFFF);
		/* The shortest form: the length follows from the value. */
		FUZZ_CHECK(used == (codepoint < 0x80	  ? 1U
				    : codepoint < 0x800	  ? 2U
				    : codepoint < 0x10000 ? 3U
							  : 4U));
		at += used;
	}
	FUZZ_CHECK(strcmp(text_clean(arena, clean, length), clean) == 0);
}

static void check_fit(struct arena *arena, const char *clean, size_t columns)
{
	char *fit = text_fit(arena, clean, columns);
	size_t width = text_width(fit);

	FUZZ_CHECK(width <= columns);
	if (text_width(clean) <= columns) {
		FUZZ_CHECK(strcmp(fit, clean) == 0);
		return;
	}
	/* A wide character may leave one column free. */
	FUZZ_CHECK(columns == 0 || width + 1 >= columns);
	FUZZ_CHECK(columns == 0 || strncmp(fit, clean, strlen(fit) - strlen("\xE2\x80\xA6")) == 0);
	check_clean(arena, fit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const words[] = { "rounds", "budget", "margin", "no-save", "" };
	struct arena *arena = arena_open();
	char *clean = text_clean(arena, (const char *)data, size), *raw;
	size_t width = text_width(clean), columns;

	check_clean(arena, clean);
	FUZZ_CHECK(width <= strlen(clean));
	for (columns = 0; columns < 12; columns++)
		check_fit(arena, clean, columns);
	check_fit(arena, clean, width == 0 ? 0 : width - 1);
	/* What is not clean has some width as well, and no more than its bytes. */
	raw = arena_strndup(arena, (const char *)data, size);
	FUZZ_CHECK(text_width(raw) <= strlen(raw));
	text_nearest(raw, words, sizeof words / sizeof *words);
	arena_close(arena);
	return 0;
}
