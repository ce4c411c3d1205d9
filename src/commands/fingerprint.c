/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which build was measured: see fingerprint.h. */
#include "commands/fingerprint.h"

#include <string.h>

#include "base/file.h"
#include "base/random.h"

enum { FINGERPRINT_BYTES_MAXIMUM = 256 << 20 };

const char *fingerprint_make(struct arena *arena, const char *path)
{
	struct arena *scratch = arena_open();
	char *bytes;
	size_t length;
	const char *result = NULL;

	if (file_read(scratch, path, FINGERPRINT_BYTES_MAXIMUM, &bytes, &length, NULL))
		result = arena_printf(arena, "fnv:%016llx",
				      (unsigned long long)random_hash(bytes, length));
	arena_close(scratch);
	return result;
}

static bool still_the_same(const struct subject *subject)
{
	struct arena *scratch = arena_open();
	const char *now = fingerprint_make(scratch, subject->binary_path);
	bool same = now != NULL && strcmp(now, subject->build_id) == 0;

	arena_close(scratch);
	return same;
}

bool fingerprint_check(const struct plan *plan, struct error *err)
{
	size_t i;

	for (i = 0; i < plan->subject_count; i++) {
		const struct subject *subject = &plan->subjects[i];

		if (subject->binary_path == NULL || subject->build_id == NULL ||
		    strncmp(subject->build_id, "fnv:", 4) != 0)
			continue;
		if (!still_the_same(subject))
			return error_set(err, ERROR_INPUT,
					 "%s is not the build that was measured: it changed since; "
					 "start a new comparison",
					 subject->binary_path);
	}
	return true;
}
