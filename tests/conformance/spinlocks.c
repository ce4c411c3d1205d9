/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conformance of the spinlocks: every variant must hold, every broken one must be caught. */
#include "specimens/spinlocks/spinlock.h"

#include <stdlib.h>
#include <string.h>

#include "broken/broken.h"
#include "lock_checks.h"

static struct lock_functions functions_of(const struct trial *trial)
{
	const struct spinlock *spinlock = trial->variant;

	return (struct lock_functions){ .init = spinlock->init,
					.lock = spinlock->lock,
					.trylock = spinlock->trylock,
					.unlock = spinlock->unlock,
					.no_seams = spinlock->opaque };
}

static bool exclusion(struct trial *trial)
{
	struct lock_functions functions = functions_of(trial);

	return lock_check_exclusion(trial, &functions);
}

static bool nesting(struct trial *trial)
{
	struct lock_functions functions = functions_of(trial);

	return lock_check_nesting(trial, &functions);
}

static bool trylock(struct trial *trial)
{
	struct lock_functions functions = functions_of(trial);

	return lock_check_trylock(trial, &functions);
}

static bool starvation(struct trial *trial)
{
	struct lock_functions functions = functions_of(trial);

	return lock_check_starvation(trial, &functions);
}

static const struct {
	const char *name;
	check_function function;
} checks[] = { { "exclusion", exclusion },
	       { "nesting", nesting },
	       { "trylock", trylock },
	       { "starvation", starvation } };

/* Why a check is not for a variant; NULL: it is. */
static const char *excused(const struct spinlock *spinlock, check_function function)
{
	if (spinlock->absent != NULL)
		return spinlock->absent;
	if (function == starvation && !spinlock->fair)
		return "it promises no bound";
	if (function == trylock && spinlock->trylock == NULL)
		return "it has no trylock";
	if (conformance_is_thread_sanitized() && spinlock->opaque)
		return "ThreadSanitizer cannot see its atomics";
	return NULL;
}

static void check_variant(struct conformance *conformance, const struct spinlock *spinlock)
{
	size_t i;

	if (!spinlock->excludes) {
		conformance_caught(conformance, spinlock->name, "exclusion", exclusion, spinlock);
		return;
	}
	for (i = 0; i < sizeof checks / sizeof *checks; i++) {
		const char *why = excused(spinlock, checks[i].function);

		if (why != NULL)
			conformance_skip(conformance, spinlock->name, checks[i].name, why);
		else
			conformance_holds(conformance, spinlock->name, checks[i].name,
					  checks[i].function, spinlock);
	}
}

#define BROKEN(name, check, where) extern const struct spinlock spinlock_##name;
#include "broken/spinlocks/list.def"
#undef BROKEN

static const struct {
	const struct spinlock *spinlock;
	const char *check;
	check_function function;
	enum broken_build where;
} broken[] = {
#define BROKEN(name, check, where) { &spinlock_##name, #check, check, where },
#include "broken/spinlocks/list.def"
#undef BROKEN
};

static void suite(struct conformance *conformance)
{
	const struct spinlock *const *spinlock;
	size_t i;

	for (spinlock = spinlocks; *spinlock != NULL; spinlock++)
		check_variant(conformance, *spinlock);
	for (i = 0; i < sizeof broken / sizeof *broken; i++)
		if (broken_is_here(broken[i].where))
			conformance_caught(conformance, broken[i].spinlock->name, broken[i].check,
					   broken[i].function, broken[i].spinlock);
}

int main(int argc, char **argv)
{
	return conformance_main(argc, argv, suite);
}
