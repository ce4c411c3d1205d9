/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an object with debug information: what is refused has a sentence that is fit to be
 * printed, and what is not has a ledger whose sums agree, and is no different from itself. */
#include "fuzz_ledger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct debug_settings settings = { 0 };
	struct arena *arena = arena_open();
	struct debug_source source = {
		.path = "/nonexistent/input", .name = "fuzz", .bytes = data, .length = size
	};

	fuzz_ledger(arena, &source, &settings);
	arena_close(arena);
	return 0;
}
