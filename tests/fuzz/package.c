/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an object with skeleton units and the package beside it: what its units say is a
 * ledger whose sums agree, and no copy of them is left behind. */
#include "fuzz_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct debug_settings settings = { 0 };
	struct arena *arena = arena_open();
	char *directory = fuzz_pair_write(arena, data, size, "object.dwp");
	struct debug_source source = { .path = arena_printf(arena, "%s/object", directory) };

	fuzz_ledger(arena, &source, &settings);
	fuzz_pair_remove(arena, directory, "object.dwp");
	arena_close(arena);
	return 0;
}
