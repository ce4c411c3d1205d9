/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any experiment file: what is read can be measured (every cell has a level for each factor, every
 * run a command), what is not has a sentence that names the file and is fit to be printed. */
#include <string.h>

#include "base/text.h"
#include "experiment/experiment.h"
#include "fuzz.h"

static void check_experiment(const struct experiment *experiment)
{
	size_t i, j;

	FUZZ_CHECK(experiment->variant_count > 0 && experiment->cell_count > 0);
	for (i = 0; i < experiment->cell_count; i++)
		for (j = 0; j < experiment->factor_count; j++)
			FUZZ_CHECK(experiment->cells[i].levels[j] != NULL);
	for (i = 0; i < experiment->workload_count; i++)
		FUZZ_CHECK(experiment->workloads[i].command != NULL);
	for (i = 0; experiment->workload_count == 0 && i < experiment->variant_count; i++)
		FUZZ_CHECK(experiment->variants[i].command != NULL);
}

static void check_sentence(struct arena *arena, const struct error *err)
{
	FUZZ_CHECK(err->kind == ERROR_USAGE && strncmp(err->sentence, "file", 4) == 0);
	FUZZ_CHECK(strcmp(text_clean(arena, err->sentence, strlen(err->sentence)), err->sentence) ==
		   0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	struct experiment experiment;
	struct error err = { 0 };

	if (experiment_parse(arena, "file", arena_strndup(arena, (const char *)data, size), size,
			     false, &experiment, &err))
		check_experiment(&experiment);
	else
		check_sentence(arena, &err);
	arena_close(arena);
	return 0;
}
