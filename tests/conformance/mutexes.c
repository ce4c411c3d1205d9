/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conformance of the mutexes: every variant must hold, every broken one must be caught. */
#include "specimens/mutexes/mutex.h"

#include <stdlib.h>
#include <string.h>

#include "broken/broken.h"
#include "lock_checks.h"

static struct lock_functions functions_of(const struct trial *trial)
{
	const struct mutex *mutex = trial->variant;

	return (struct lock_functions){ .init = mutex->init,
					.lock = mutex->lock,
					.trylock = mutex->trylock,
					.unlock = mutex->unlock };
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

static bool lost_wake(struct trial *trial)
{
	struct lock_functions functions = functions_of(trial);

	return lock_check_lost_wake(trial, &functions);
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
	       { "lost wake-up", lost_wake },
	       { "starvation", starvation } };

/* Why a check is not for a variant; NULL: it is. */
static const char *excused(const struct mutex *mutex, check_function function)
{
	if (mutex->absent != NULL)
		return mutex->absent;
	if (function == starvation && !mutex->fair)
		return "it promises no bound";
	if (conformance_is_thread_sanitized() && mutex->opaque)
		return "ThreadSanitizer cannot see its atomics";
	return NULL;
}

static void check_variant(struct conformance *conformance, const struct mutex *mutex)
{
	size_t i;

	for (i = 0; i < sizeof checks / sizeof *checks; i++) {
		const char *why = excused(mutex, checks[i].function);

		if (why != NULL)
			conformance_skip(conformance, mutex->name, checks[i].name, why);
		else
			conformance_holds(conformance, mutex->name, checks[i].name,
					  checks[i].function, mutex);
	}
}

#define BROKEN(name, check, where) extern const struct mutex mutex_##name;
#include "broken/mutexes/list.def"
#undef BROKEN

static const struct {
	const struct mutex *mutex;
	const char *check;
	check_function function;
	enum broken_build where;
} broken[] = {
#define BROKEN(name, check, where) { &mutex_##name, #check, check, where },
#include "broken/mutexes/list.def"
#undef BROKEN
};

static void suite(struct conformance *conformance)
{
	const struct mutex *const *mutex;
	size_t i;

	for (mutex = mutexes; *mutex != NULL; mutex++)
		check_variant(conformance, *mutex);
	for (i = 0; i < sizeof broken / sizeof *broken; i++)
		if (broken_is_here(broken[i].where))
			conformance_caught(conformance, broken[i].mutex->name, broken[i].check,
					   broken[i].function, broken[i].mutex);
}

int main(int argc, char **argv)
{
	return conformance_main(argc, argv, suite);
}
