/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From findings to an exit status. */
#include "commands/gate.h"

#include <stddef.h>

#include "commands/commands.h"
#include "judge/claims.h"

const char *const gate_requirements[] = { "nothing", "not-worse", "equivalent", "better", NULL };

int gate_status(const struct findings *findings, enum requirement requirement, bool bisect)
{
	static const int answers[] = {
		[REQUIREMENT_SHOWN] = EXIT_NOT_WORSE,
		[REQUIREMENT_REFUTED] = EXIT_WORSE,
		[REQUIREMENT_UNDECIDED] = EXIT_UNDECIDED,
	};

	static const int claims[] = {
		[CLAIM_REPRODUCED] = EXIT_NOT_WORSE,
		[CLAIM_REFUTED] = EXIT_WORSE,
		[CLAIM_UNDECIDED] = EXIT_UNDECIDED,
	};

	if (findings->verdict == VERDICT_INVALID)
		return EXIT_TROUBLE;
	if (requirement == REQUIRE_NOTHING && findings->claim_count > 0)
		return claims[claims_answer(findings->claims, findings->claim_count)];
	if (requirement != REQUIRE_NOTHING)
		return answers[judge_requirement(findings, requirement)];
	if (findings->verdict == VERDICT_WORSE)
		return EXIT_WORSE;
	if (bisect && findings->verdict == VERDICT_UNDECIDED &&
	    judge_requirement(findings, REQUIRE_NOT_WORSE) != REQUIREMENT_SHOWN)
		return EXIT_UNTESTABLE;
	return EXIT_NOT_WORSE;
}
