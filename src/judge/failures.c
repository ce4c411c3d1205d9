/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Failed runs: counted on each side, never averaged, and a reason to judge nothing. */
#include "judge/failures.h"

#include "stats/tests.h"

static const double failed_share_maximum = 0.1;
static const double failed_rates_level = 0.01;

struct failures failures_count(const struct recording *recording, size_t subject)
{
	struct failures failures = { .runs = recording_bulk_runs(recording, subject),
				     .exit_status = -1 };
	size_t i;

	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if ((sample->flags & SAMPLE_WARMUP) || sample->subject != subject)
			continue;
		failures.runs++;
		if (!(sample->flags & SAMPLE_FAILED))
			continue;
		if (failures.failed++ == 0) {
			failures.exit_status = sample->exit_status;
			failures.signal = sample->signal;
		}
		failures.timed_out += (sample->flags & SAMPLE_TIMED_OUT) != 0;
	}
	return failures;
}

static bool too_many(struct failures failures)
{
	return (double)failures.failed > failed_share_maximum * (double)failures.runs;
}

bool failures_invalidate(const struct recording *recording, size_t candidate)
{
	struct failures baseline =
	    failures_count(recording, recording_baseline(recording, candidate));
	struct failures other = failures_count(recording, candidate);

	if (baseline.failed + other.failed == 0)
		return false;
	if (!recording->plan.ignore_failure || too_many(baseline) || too_many(other))
		return true;
	return test_fisher_p(baseline.failed, baseline.runs - baseline.failed, other.failed,
			     other.runs - other.failed) < failed_rates_level;
}
