/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing what the subjects print: see same_output.h. */
#include "measure/same_output.h"

/* 0 if there is none yet. */
static uint64_t first_hash(const struct recording *recording, size_t subject)
{
	size_t i;

	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if (sample->subject == subject && sample->output_hash != 0 &&
		    !(sample->flags & SAMPLE_FAILED))
			return sample->output_hash;
	}
	return 0;
}

void same_output_mark(struct recording *recording, size_t first)
{
	size_t i;

	for (i = first; i < recording->sample_count; i++) {
		struct sample *sample = &recording->samples[i];
		uint64_t wanted;

		if (sample->output_hash == 0 || sample->flags & SAMPLE_FAILED)
			continue;
		wanted = first_hash(recording, recording->plan.subjects[sample->subject].baseline);
		if (wanted == 0 || wanted == sample->output_hash)
			continue;
		sample->flags |= SAMPLE_OUTPUT_DIFFERS;
	}
}
