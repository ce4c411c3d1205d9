/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conformance of the mutexes: every variant must hold, every broken one must be caught. */
#include "specimens/mutexes/mutex.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

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

/*
 * Two threads share an object with a count in it; who counts it down to none
 * makes its memory unreachable at once, while the other may still be on its way
 * out of its unlock (POSIX requires that this works, and glibc bug 13690 was
 * that it did not).
 */
enum { OBJECTS = 800, OBJECTS_SANITIZED = 200 };

struct field {
	const struct mutex *mutex;
	unsigned char *pages; /* one each object: the mutex, then the count */
	size_t page_bytes;
	uint64_t objects;
	struct lock_thread threads[2];
	pthread_barrier_t meeting;
};

static void use_up(struct crewman *crewman)
{
	struct field *field = crewman->context;
	struct lock_hold hold = { .thread = &field->threads[crewman->index] };
	uint64_t i;

	for (i = 0; i < field->objects; i++) {
		unsigned char *object = field->pages + i * field->page_bytes;
		volatile int *count = (volatile int *)(object + MUTEX_BYTES);
		bool last;

		pthread_barrier_wait(&field->meeting);
		field->mutex->lock(object, &hold);
		*count = *count - 1;
		last = *count == 0;
		field->mutex->unlock(object, &hold);
		if (last)
			mprotect(object, field->page_bytes, PROT_NONE);
		crew_progress(crewman);
	}
}

static bool destruction(struct trial *trial)
{
	static struct field field;
	bool sanitized = conformance_is_thread_sanitized() || conformance_is_address_sanitized();
	uint64_t i;

	field.mutex = trial->variant;
	field.page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	field.objects = trial->size * (sanitized ? OBJECTS_SANITIZED : OBJECTS);
	field.pages = mmap(NULL, field.objects * field.page_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (field.pages == MAP_FAILED)
		return false;
	lock_threads_init(field.threads, 2);
	pthread_barrier_init(&field.meeting, NULL, 2);
	for (i = 0; i < field.objects; i++) {
		field.mutex->init(field.pages + i * field.page_bytes);
		*(int *)(field.pages + i * field.page_bytes + MUTEX_BYTES) = 2;
	}
	return crew_run(trial, 2, use_up, &field);
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
	       { "destruction after unlock", destruction },
	       { "starvation", starvation } };

/* Why a check is not for a variant; NULL: it is. */
static const char *excused(const struct mutex *mutex, check_function function)
{
	if (mutex->absent != NULL)
		return mutex->absent;
	if (function == starvation && !mutex->fair)
		return "it promises no bound";
	if (function == destruction && !mutex->destroy_safe)
		return "it does not promise that";
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
