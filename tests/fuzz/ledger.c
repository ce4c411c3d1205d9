/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an object with debug information: what is refused has a sentence that is fit to be
 * printed, and what is not has a ledger whose sums agree, and is no different from itself. */
#include <string.h>

#include "base/text.h"
#include "binary/ledger.h"
#include "binary/ledger_diff.h"
#include "fuzz.h"

static void check_text(struct arena *arena, const char *text)
{
	FUZZ_CHECK(text[0] != '\0' && strchr(text, '\n') == NULL);
	FUZZ_CHECK(strcmp(text_clean(arena, text, strlen(text)), text) == 0);
}

static void check_ledger(struct arena *arena, const struct code_image *image)
{
	const struct code_coverage *coverage = &image->coverage;
	uint64_t exclusive = 0, copies = 0;
	size_t i, j;

	for (i = 0; i < image->inline_count; i++) {
		const struct code_inlined *one = &image->inlines[i];
		uint64_t callers = 0;

		exclusive += one->exclusive_bytes;
		copies += one->copies;
		FUZZ_CHECK(one->inclusive_bytes >= one->exclusive_bytes);
		FUZZ_CHECK(one->copies >= one->copies_with_code);
		FUZZ_CHECK(one->cold_bytes <= one->exclusive_bytes);
		for (j = 0; j < one->caller_count; j++)
			callers += one->callers[j].copies;
		FUZZ_CHECK(callers == one->copies);
	}
	FUZZ_CHECK(exclusive == coverage->exclusive_bytes);
	FUZZ_CHECK(exclusive == coverage->outermost_bytes);
	FUZZ_CHECK(copies == coverage->instances);
	FUZZ_CHECK(coverage->described_bytes <= coverage->function_bytes);
	if (coverage->partial != NULL)
		check_text(arena, coverage->partial);
}

static void check_same(struct arena *arena, const struct code_image *image)
{
	struct code_diff diff = { 0 };
	size_t i;

	ledger_compare(arena, image, image, &diff);
	for (i = 0; i < diff.inline_count; i++) {
		FUZZ_CHECK(diff.inlines[i].kind == CODE_SAME);
		FUZZ_CHECK(diff.inlines[i].delta_bytes == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct debug_settings settings = { 0 };
	struct arena *arena = arena_open();
	struct ledger *ledger = ledger_open(arena, &settings);
	struct debug_source source = {
		.path = "/nonexistent/input", .name = "fuzz", .bytes = data, .length = size
	};
	struct code_image image = { 0 };
	struct error err = { 0 };

	if (ledger_add(ledger, &source, &err)) {
		ledger_finish(ledger, &image);
		check_ledger(arena, &image);
		check_same(arena, &image);
	} else {
		check_text(arena, err.sentence);
	}
	ledger_close(ledger);
	arena_close(arena);
	return 0;
}
