/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_LEDGER_H
#define TESTS_FUZZ_LEDGER_H

/* What the targets share that read debug information: sums of a ledger agree, and it is no
 * different from itself. */
#include "binary/ledger/ledger.h"
#include "binary/ledger/diff.h"
#include "fuzz_image.h"

static inline void fuzz_check_ledger(struct arena *arena, const struct code_image *image)
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
		fuzz_check_text(arena, coverage->partial);
}

static inline void fuzz_check_same_ledger(struct arena *arena, const struct code_image *image)
{
	struct code_diff diff = { 0 };
	size_t i;

	ledger_compare(arena, image, image, &diff);
	for (i = 0; i < diff.inline_count; i++) {
		FUZZ_CHECK(diff.inlines[i].kind == CODE_SAME);
		FUZZ_CHECK(diff.inlines[i].delta_bytes == 0);
	}
}

/* The source is refused with a sentence, or has such a ledger. */
static inline void fuzz_ledger(struct arena *arena, const struct debug_source *source,
			       const struct debug_settings *settings)
{
	struct ledger *ledger = ledger_open(arena, settings);
	struct code_image image = { 0 };
	struct error err = { 0 };

	if (ledger_add(ledger, source, &err)) {
		ledger_finish(ledger, &image);
		fuzz_check_ledger(arena, &image);
		fuzz_check_same_ledger(arena, &image);
	} else {
		fuzz_check_text(arena, err.sentence);
	}
	ledger_close(ledger);
}

#endif
