/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --require: proof is asked for, so an open question is not an answer. For
 * several candidates the claim must hold of each, and one refutation refutes.
 */
#include "judge/judge.h"

/* "Not worse" means not by more than the margin; undecided results may show that too. */
static enum requirement_answer not_worse(const struct comparison *comparison)
{
	switch (comparison->verdict) {
	case VERDICT_BETTER:
	case VERDICT_EQUIVALENT:
	case VERDICT_SAME:
		return REQUIREMENT_SHOWN;
	case VERDICT_WORSE:
		return REQUIREMENT_REFUTED;
	default:
		return comparison->not_worse ? REQUIREMENT_SHOWN : REQUIREMENT_UNDECIDED;
	}
}

/* A difference that is certain may still be smaller than the margin: then the question is open. */
static enum requirement_answer equivalent(const struct comparison *comparison)
{
	switch (comparison->verdict) {
	case VERDICT_EQUIVALENT:
	case VERDICT_SAME:
		return REQUIREMENT_SHOWN;
	case VERDICT_BETTER:
	case VERDICT_WORSE:
	case VERDICT_CHANGED:
		return comparison->exact || comparison->beyond_margin ? REQUIREMENT_REFUTED
								      : REQUIREMENT_UNDECIDED;
	default:
		return REQUIREMENT_UNDECIDED;
	}
}

static enum requirement_answer better(const struct comparison *comparison)
{
	switch (comparison->verdict) {
	case VERDICT_BETTER:
		return REQUIREMENT_SHOWN;
	case VERDICT_WORSE:
	case VERDICT_EQUIVALENT:
	case VERDICT_SAME:
		return REQUIREMENT_REFUTED;
	default:
		return REQUIREMENT_UNDECIDED;
	}
}

static enum requirement_answer answer(const struct comparison *comparison,
				      enum requirement requirement)
{
	switch (requirement) {
	case REQUIRE_NOT_WORSE:
		return not_worse(comparison);
	case REQUIRE_EQUIVALENT:
		return equivalent(comparison);
	case REQUIRE_BETTER:
		return better(comparison);
	case REQUIRE_NOTHING:
		break;
	}
	return REQUIREMENT_SHOWN;
}

enum requirement_answer judge_requirement(const struct findings *findings,
					  enum requirement requirement)
{
	enum requirement_answer whole = REQUIREMENT_UNDECIDED;
	size_t primaries = 0, shown = 0, i;

	if (requirement == REQUIRE_NOTHING)
		return REQUIREMENT_SHOWN;
	for (i = 0; i < findings->comparison_count; i++) {
		enum requirement_answer one;

		if (!findings->comparisons[i].primary)
			continue;
		primaries++;
		one = answer(&findings->comparisons[i], requirement);
		if (one == REQUIREMENT_REFUTED)
			return REQUIREMENT_REFUTED;
		shown += one == REQUIREMENT_SHOWN;
	}
	if (primaries > 0 && shown == primaries)
		whole = REQUIREMENT_SHOWN;
	return whole;
}
