/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two lists of instructions aligned: the shortest edit script by the greedy
 * algorithm of E. W. Myers, "An O(ND) Difference Algorithm and Its
 * Variations", Algorithmica 1 (1986). It keeps one row for each difference, so
 * functions with very many are not aligned in their differing middle.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "binary/disassembly.h"

enum { MOST_DIFFERENCES = 3000 };

struct alignment {
	struct arena *arena;
	const struct instruction *baseline, *candidate;
	size_t baseline_count, candidate_count;
	struct code_listing *listing;
	size_t capacity;
};

static void add_line(struct alignment *alignment, char mark, const struct instruction *instruction)
{
	*array_push(alignment->arena, alignment->listing->lines, alignment->listing->line_count,
		    alignment->capacity) =
	    (struct code_line){ mark, instruction->offset, instruction->text };
}

static bool same(const struct alignment *alignment, long i, long j)
{
	return strcmp(alignment->baseline[i].key, alignment->candidate[j].key) == 0;
}

/* Marks by Myers' algorithm: removed[i] and added[j]. False: too many differences. */
static bool find_edits(const struct alignment *alignment, bool *removed, bool *added)
{
	long n = (long)alignment->baseline_count, m = (long)alignment->candidate_count;
	long most = n + m < MOST_DIFFERENCES ? n + m : MOST_DIFFERENCES, d, k, x = 0, y = 0;
	long **rows = calloc((size_t)most + 1, sizeof *rows);
	bool found = false;

	if (rows == NULL)
		arena_out_of_memory();
	/* rows[d][k + d] is the furthest x on diagonal k after d differences. */
	for (d = 0; d <= most && !found; d++) {
		rows[d] = calloc((size_t)(2 * d + 1), sizeof **rows);
		if (rows[d] == NULL)
			arena_out_of_memory();
		for (k = -d; k <= d && !found; k += 2) {
			const long *before = d == 0 ? NULL : rows[d - 1];

			if (d == 0)
				x = 0;
			else if (k == -d ||
				 (k != d && before[k - 1 + d - 1] < before[k + 1 + d - 1]))
				x = before[k + 1 + d - 1];
			else
				x = before[k - 1 + d - 1] + 1;
			y = x - k;
			while (x < n && y < m && y >= 0 && same(alignment, x, y))
				x++, y++;
			rows[d][k + d] = x;
			found = x >= n && y >= m;
		}
	}
	for (d--; found && d > 0; d--) {
		const long *before = rows[d - 1];
		bool down;

		k = x - y;
		down = k == -d || (k != d && before[k - 1 + d - 1] < before[k + 1 + d - 1]);
		k += down ? 1 : -1;
		x = before[k + d - 1];
		y = x - k;
		if (down)
			added[y] = true;
		else
			removed[x] = true;
	}
	for (d = 0; d <= most; d++)
		free(rows[d]);
	free(rows);
	return found;
}

static void align(struct alignment *alignment)
{
	size_t n = alignment->baseline_count, m = alignment->candidate_count, i = 0, j = 0;
	bool *removed = calloc(n + 1, sizeof *removed), *added = calloc(m + 1, sizeof *added);

	if (removed == NULL || added == NULL)
		arena_out_of_memory();
	if (!find_edits(alignment, removed, added)) {
		memset(removed, true, n);
		memset(added, true, m);
		alignment->listing->stated = "the two have too little in common to be aligned";
	}
	while (i < n || j < m) {
		if (i < n && removed[i])
			add_line(alignment, '-', &alignment->baseline[i++]);
		else if (j < m && added[j])
			add_line(alignment, '+', &alignment->candidate[j++]);
		else {
			add_line(alignment, ' ', &alignment->candidate[j++]);
			i++;
		}
	}
	free(removed);
	free(added);
}

void listing_make(struct arena *arena, const char *function, const struct disassembly *baseline,
		  const struct disassembly *candidate, struct code_listing *listing)
{
	struct alignment alignment = { .arena = arena, .listing = listing };
	size_t i;

	*listing = (struct code_listing){
		.function = function,
		.baseline_count = baseline->count,
		.baseline_bytes = baseline->bytes,
		.pair = candidate != NULL,
		.stated = baseline->stated,
	};
	if (candidate == NULL) {
		for (i = 0; i < baseline->count; i++)
			add_line(&alignment, ' ', &baseline->items[i]);
		return;
	}
	listing->candidate_count = candidate->count;
	listing->candidate_bytes = candidate->bytes;
	if (candidate->stated != NULL)
		listing->stated = candidate->stated;
	alignment.baseline = baseline->items;
	alignment.baseline_count = baseline->count;
	alignment.candidate = candidate->items;
	alignment.candidate_count = candidate->count;
	align(&alignment);
}
