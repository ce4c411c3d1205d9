/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subjects of a plan by the cell that they are in: see lines.h. */
#include "judge/lines.h"

static struct arms all_of(struct judging *judging)
{
	size_t count = judging->recording->plan.subject_count, i;
	size_t *subjects = arena_alloc(judging->scratch, count, sizeof *subjects);

	for (i = 0; i < count; i++)
		subjects[i] = i;
	return (struct arms){ .subjects = subjects, .count = count, .cells = 1 };
}

/* The baseline and its candidates, which follow it. */
static struct arms group_of(struct judging *judging, size_t baseline)
{
	const struct plan *plan = &judging->recording->plan;
	size_t *subjects = arena_alloc(judging->scratch, plan->subject_count, sizeof *subjects);
	struct arms group = { .subjects = subjects, .cells = 1 };
	size_t i;

	for (i = 0; i < plan->subject_count; i++)
		if (plan->subjects[i].baseline == baseline)
			subjects[group.count++] = i;
	return group;
}

size_t lines_groups(struct judging *judging, struct arms **groups)
{
	const struct plan *plan = &judging->recording->plan;
	size_t count = 0, i;

	*groups = arena_alloc(judging->scratch, plan->subject_count + 1, sizeof **groups);
	if (plan_candidate_count(plan) == 0) {
		(*groups)[0] = all_of(judging);
		return 1;
	}
	for (i = 0; i < plan->subject_count; i++)
		if (plan->subjects[i].baseline == i)
			(*groups)[count++] = group_of(judging, i);
	return count;
}

bool lines_together(struct judging *judging, const struct arms *groups, size_t count,
		    struct arms *together)
{
	size_t arms = groups[0].count, i, j;
	size_t *subjects = arena_alloc(judging->scratch, arms * count, sizeof *subjects);

	for (i = 0; i < count; i++) {
		if (groups[i].count != arms || arms < 2)
			return false;
		for (j = 0; j < arms; j++) {
			size_t subject = groups[i].subjects[j];

			if (subject - groups[i].subjects[0] != j)
				return false;
			subjects[j * count + i] = subject;
		}
	}
	*together = (struct arms){ .subjects = subjects, .count = arms, .cells = count };
	return true;
}
