/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorted lists of two images, side by side: see merge.h. */
#include "binary/merge.h"

bool merge_next(struct merge *merge, const void **before, const void **after)
{
	int order;

	*before = merge->i < merge->baseline_count
		      ? (const char *)merge->baseline + merge->i * merge->size
		      : NULL;
	*after = merge->j < merge->candidate_count
		     ? (const char *)merge->candidate + merge->j * merge->size
		     : NULL;
	if (*before == NULL && *after == NULL)
		return false;
	order = *before == NULL ? 1 : *after == NULL ? -1 : merge->order(*before, *after);
	if (order > 0)
		*before = NULL;
	if (order < 0)
		*after = NULL;
	merge->i += *before != NULL;
	merge->j += *after != NULL;
	return true;
}
