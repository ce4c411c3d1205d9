/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth judge of what worth measured. A session alone is judged as worth report
 * does it: interleaved, at the look where it ended, so that file and session
 * have one verdict. Where something else is asked of it (other sides, a filter,
 * a second file) its looks and pairs no longer fit, and it is read like any
 * other results; its margin and confidence still hold, and the difference is
 * told.
 */
#include "commands/judge/own.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "commands/margins.h"

/* What the user asks that a plan does not answer; NULL: nothing. */
static const char *other_question(const struct judge_settings *settings, size_t count)
{
	return count > 1		    ? "it is compared with another file"
	       : settings->by != NULL	    ? "--by makes other sides"
	       : settings->baseline != NULL ? "--baseline makes another side the first"
	       : settings->filter != NULL   ? "--filter leaves results out"
	       : settings->primary != NULL  ? "--primary makes another metric decide"
	       : settings->better > 0	    ? "--better changes what is better"
					    : NULL;
}

static bool is_measured(const struct recording *recording)
{
	return recording != NULL && recording->sample_count > 0 &&
	       (recording->origin == NULL || strcmp(recording->origin, "measured") == 0);
}

static bool same_margins(const struct plan *one, const struct plan *other)
{
	size_t i;

	if (one->margin_ratio != other->margin_ratio || one->confidence != other->confidence ||
	    one->margin_count != other->margin_count)
		return false;
	for (i = 0; i < one->margin_count; i++)
		if (strcmp(one->margins[i].metric, other->margins[i].metric) != 0 ||
		    one->margins[i].ratio != other->margins[i].ratio)
			return false;
	return true;
}

/* The plan whose margins and confidence all files of worth have; NULL: none has, or they differ
 * (then *differ). Files of other tools have none and agree with any. */
static const struct plan *common_plan(const struct gather_file *files, size_t count, bool *differ)
{
	const struct plan *common = NULL;
	size_t i;

	*differ = false;
	for (i = 0; i < count; i++) {
		const struct recording *kept = results_kept(files[i].results);

		if (kept == NULL)
			continue;
		if (common != NULL && !same_margins(common, &kept->plan)) {
			*differ = true;
			return NULL;
		}
		common = &kept->plan;
	}
	return common;
}

/* The user's words before what the plan has. */
static bool apply(struct arena *arena, const struct judge_settings *settings, struct plan *plan,
		  struct error *err)
{
	if (settings->margins.count > 0) {
		plan->margins = NULL;
		plan->margin_count = 0;
		if (!margins_parse(arena, &settings->margins, plan, err))
			return false;
	}
	if (!isnan(settings->confidence))
		plan->confidence = settings->confidence;
	plan->ignore_failure = plan->ignore_failure || settings->ignore_failure;
	return true;
}

bool judge_own(struct arena *arena, const struct judge_settings *settings,
	       const struct gather_file *files, size_t count, struct recording *recording,
	       struct error *err)
{
	const struct recording *kept = count == 1 ? results_kept(files[0].results) : NULL;

	if (!is_measured(kept) || settings->convert || other_question(settings, count) != NULL)
		return false;
	*recording = *kept;
	return apply(arena, settings, &recording->plan, err);
}

bool judge_terms(struct arena *arena, const struct judge_settings *settings,
		 const struct gather_file *files, size_t count, struct plan *plan,
		 struct error *err)
{
	bool differ;
	const struct plan *common = common_plan(files, count, &differ);

	plan->primary = settings->primary;
	plan->margin_ratio = common == NULL ? 0.01 : common->margin_ratio;
	plan->margins = common == NULL ? NULL : common->margins;
	plan->margin_count = common == NULL ? 0 : common->margin_count;
	plan->confidence = common == NULL ? 0.95 : common->confidence;
	return apply(arena, settings, plan, err);
}

void judge_own_remarks(struct arena *arena, const struct judge_settings *settings,
		       const struct gather_file *files, size_t count, struct recording *recording)
{
	const char *question = other_question(settings, count);
	bool differ;
	const char *margin = units_percent(arena, recording->plan.margin_ratio);
	size_t i;

	common_plan(files, count, &differ);
	if (differ && settings->margins.count == 0)
		recording_remark(arena, recording,
				 "The files were measured for different margins or confidences; "
				 "%s and %g hold here. -m and --confidence set them.",
				 margin, recording->plan.confidence);
	for (i = 0; i < count; i++)
		if (is_measured(results_kept(files[i].results)) && question != NULL)
			break;
	if (i < count)
		recording_remark(arena, recording,
				 "%s is a session of worth, and %s: so it is judged anew, without "
				 "the looks and %s that were planned, and its verdict can differ "
				 "from the session's.",
				 files[i].name, question, settings->paired ? "order" : "pairs");
}
