/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any rate and any pair of metrics: they are read or refused with a sentence that is fit to be
 * printed, and a recording that has none of their metrics refuses what was read. */
#include <string.h>

#include "base/text.h"
#include "fuzz.h"
#include "judge/judge.h"

static void check_sentence(struct arena *arena, const struct error *err)
{
	FUZZ_CHECK(err->kind == ERROR_USAGE);
	FUZZ_CHECK(err->sentence[0] != '\0' && strlen(err->sentence) < sizeof err->sentence);
	FUZZ_CHECK(strcmp(text_clean(arena, err->sentence, strlen(err->sentence)), err->sentence) ==
		   0);
}

static void ask(struct arena *arena, const struct judge_questions *questions)
{
	struct recording recording = { .order_known = true };
	struct subject subjects[2] = { { .label = "one" }, { .label = "other", .baseline = 0 } };
	struct findings findings = { 0 };
	struct error err = { 0 };

	if (!judge_questions_check(questions, &err)) {
		check_sentence(arena, &err);
		return;
	}
	recording.plan = (struct plan){ .subjects = subjects,
					.subject_count = 2,
					.rounds = 10,
					.confidence = 0.95,
					.margin_ratio = 0.01,
					.primary = "wall" };
	FUZZ_CHECK(!judge_answer(arena, &recording, questions, &findings, &err));
	check_sentence(arena, &err);
	FUZZ_CHECK(findings.exchanged_count == 0 && findings.front_count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	const char *words = arena_strndup(arena, (const char *)data, size);

	ask(arena, &(struct judge_questions){ .worth = words });
	ask(arena, &(struct judge_questions){ .pareto = words });
	arena_close(arena);
	return 0;
}
