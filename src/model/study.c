/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the words of claims: see study.h. */
#include "model/study.h"

#include <string.h>

static const char *const directions[] = {
	[CLAIM_LOWER] = "lower", [CLAIM_HIGHER] = "higher", [CLAIM_SAME] = "same"
};

const char *claim_direction_name(enum claim_direction direction)
{
	return directions[direction];
}

bool claim_direction_parse(const char *word, enum claim_direction *direction)
{
	size_t i;

	for (i = 0; i < sizeof directions / sizeof *directions; i++)
		if (strcmp(directions[i], word) == 0) {
			*direction = (enum claim_direction)i;
			return true;
		}
	return false;
}

const char *claim_answer_name(enum claim_answer answer)
{
	static const char *const names[] = { [CLAIM_UNDECIDED] = "undecided",
					     [CLAIM_REPRODUCED] = "reproduced",
					     [CLAIM_REFUTED] = "refuted" };

	return names[answer];
}
