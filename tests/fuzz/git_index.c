/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as an index of git: what is read has paths that could be those of
 * files and came from the bytes, what is refused has a sentence fit to be
 * printed; and the bytes are all that counts: read again they give the same.
 */
#include "workloads/git_index.h"

#include <string.h>

#include "base/text.h"
#include "fuzz.h"

enum { ENTRY_LEAST = 40 + 20 + 2 + 1 };

static void check_sentence(struct arena *arena, const struct error *err)
{
	FUZZ_CHECK(err->kind == ERROR_INPUT);
	FUZZ_CHECK(err->sentence[0] != '\0' && strlen(err->sentence) < 600);
	FUZZ_CHECK(strcmp(text_clean(arena, err->sentence, strlen(err->sentence)), err->sentence) ==
		   0);
}

static void check_paths(const char **paths, size_t count, size_t size)
{
	size_t i;

	FUZZ_CHECK(count > 0 && count <= size / ENTRY_LEAST);
	for (i = 0; i < count; i++)
		FUZZ_CHECK(paths[i][0] != '\0' && strlen(paths[i]) <= 1 << 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	struct error err = { 0 };
	const char **paths, **again;
	size_t count, again_count, i;

	if (!git_index_parse(arena, "index", data, size, &paths, &count, &err)) {
		check_sentence(arena, &err);
		arena_close(arena);
		return 0;
	}
	check_paths(paths, count, size);
	FUZZ_CHECK(git_index_parse(arena, "other", data, size, &again, &again_count, &err));
	FUZZ_CHECK(again_count == count);
	for (i = 0; i < count; i++)
		FUZZ_CHECK(strcmp(again[i], paths[i]) == 0);
	arena_close(arena);
	return 0;
}
