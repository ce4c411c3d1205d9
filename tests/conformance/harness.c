/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks in processes of their own, and their TAP lines: see harness.h. */
#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness_parts.h"

/* Exit statuses of a check's process; the sanitizers' is 66. */
enum { HELD = 0, FAILED = 40, HUNG = 41, SANITIZED = 66 };

/* How often a broken variant is tried before it counts as not caught. */
enum { TRIES = 100, BROKEN_SIZE = 3, BROKEN_SECONDS = 20 };

/* Without progress; a broken variant is allowed less, for that it hangs is the expectation. */
#define PATIENCE_NS UINT64_C(20000000000)
#define PATIENCE_BROKEN_NS UINT64_C(1500000000)

struct conformance {
	uint64_t size;
	uint64_t seed;
	const char *only;
	unsigned count, failures;
	struct trial *trial; /* shared with the check's process */
};

#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZED 1
#endif
#endif

bool conformance_is_thread_sanitized(void)
{
#ifdef THREAD_SANITIZED
	return true;
#else
	return false;
#endif
}

bool conformance_is_address_sanitized(void)
{
#ifdef ADDRESS_SANITIZED
	return true;
#else
	return false;
#endif
}

static uint64_t patience_ns = PATIENCE_NS; /* of this process, which does one check */

uint64_t harness_patience_ns(void)
{
	return patience_ns;
}

_Noreturn void harness_hang(const struct trial *trial, double seconds)
{
	char *why = (char *)trial->why; /* the others are stuck: nobody else writes it */

	snprintf(why, sizeof trial->why, "no thread made progress for %.0f s", seconds);
	_exit(HUNG);
}

/* The child: its stderr is kept out of the way when a sanitizer is expected to speak. */
static _Noreturn void run_check(struct conformance *conformance, check_function function,
				bool broken)
{
	if (broken) {
		patience_ns = PATIENCE_BROKEN_NS;
		/* A sanitizer's own handler of a crash may hang, and the watchdog with it. */
		alarm(BROKEN_SECONDS);
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(FAILED);
	}
	exit(function(conformance->trial) ? HELD : FAILED);
}

/* How it ended, in words; empty: it held. */
static void outcome(const struct conformance *conformance, int status, char *words, size_t size)
{
	const char *why = conformance->trial->why;

	words[0] = 0;
	if (WIFSIGNALED(status))
		snprintf(words, size, "signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == SANITIZED)
		snprintf(words, size, "reported by the sanitizer");
	else if (WEXITSTATUS(status) != HELD)
		snprintf(words, size, "%s", why[0] == 0 ? "it failed and gave no reason" : why);
}

static bool left_out(const struct conformance *conformance, const char *variant)
{
	return conformance->only != NULL && strstr(variant, conformance->only) == NULL;
}

static void tap(struct conformance *conformance, bool ok, const char *variant, const char *check,
		const char *more)
{
	conformance->failures += !ok;
	printf("%sok %u - %s: %s%s%s\n", ok ? "" : "not ", ++conformance->count, variant, check,
	       more == NULL ? "" : ": ", more == NULL ? "" : more);
	fflush(stdout);
}

/* One process for one check; false: it could not be started. */
static bool try_check(struct conformance *conformance, uint64_t seed, check_function function,
		      const void *descriptor, bool broken, int *status)
{
	pid_t pid;

	*conformance->trial = (struct trial){ .variant = descriptor,
					      .size = broken ? BROKEN_SIZE : conformance->size,
					      .seed = random_mix(seed) };
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		run_check(conformance, function, broken);
	return pid > 0 && waitpid(pid, status, 0) == pid;
}

static void check(struct conformance *conformance, const char *variant, const char *name,
		  check_function function, const void *descriptor)
{
	uint64_t seed = conformance->seed ^ random_hash(variant, strlen(variant));
	char words[512];
	int status;

	if (left_out(conformance, variant))
		return;
	if (!try_check(conformance, seed, function, descriptor, false, &status)) {
		tap(conformance, false, variant, name, "cannot start a process");
		return;
	}
	outcome(conformance, status, words, sizeof words);
	tap(conformance, words[0] == 0, variant, name, words[0] == 0 ? NULL : words);
}

/* A defect shows when threads meet in the wrong moment: not in every try. */
static void hunt(struct conformance *conformance, const char *variant, const char *name,
		 check_function function, const void *descriptor)
{
	uint64_t seed = conformance->seed ^ random_hash(variant, strlen(variant));
	char words[512] = "", line[640];
	int status, tries = 0;

	if (left_out(conformance, variant))
		return;
	while (words[0] == 0 && tries++ < TRIES) {
		if (!try_check(conformance, seed++, function, descriptor, true, &status)) {
			tap(conformance, false, variant, name, "cannot start a process");
			return;
		}
		outcome(conformance, status, words, sizeof words);
	}
	if (words[0] == 0)
		snprintf(line, sizeof line, "is NOT caught in %d tries", TRIES);
	else
		snprintf(line, sizeof line, "is caught: %s (try %d)", words, tries);
	tap(conformance, words[0] != 0, variant, name, line);
}

void conformance_holds(struct conformance *conformance, const char *variant, const char *name,
		       check_function function, const void *descriptor)
{
	check(conformance, variant, name, function, descriptor);
}

void conformance_caught(struct conformance *conformance, const char *variant, const char *name,
			check_function function, const void *descriptor)
{
	hunt(conformance, variant, name, function, descriptor);
}

void conformance_skip(struct conformance *conformance, const char *variant, const char *name,
		      const char *why)
{
	if (!left_out(conformance, variant))
		printf("ok %u - %s: %s # SKIP %s\n", ++conformance->count, variant, name, why);
}

static bool parse_number(const char *text, uint64_t minimum, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 0);
	return *text != 0 && *end == 0 && *number >= minimum;
}

/*
 * --size N, --seed S, --only WORD; WORTH_CONFORMANCE_SIZE for those who run it through meson. The
 * seed is the same each time, so that what is checked before a change lands is not left to luck;
 * who hunts gives others.
 */
static bool parse(struct conformance *conformance, int argc, char **argv)
{
	const char *size = getenv("WORTH_CONFORMANCE_SIZE");
	int i;

	if (size != NULL && !parse_number(size, 1, &conformance->size))
		return false;
	for (i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--size") == 0 &&
		    parse_number(argv[i + 1], 1, &conformance->size))
			continue;
		if (strcmp(argv[i], "--seed") == 0 &&
		    parse_number(argv[i + 1], 0, &conformance->seed))
			continue;
		if (strcmp(argv[i], "--only") != 0)
			return false;
		conformance->only = argv[i + 1];
	}
	return i == argc;
}

int conformance_main(int argc, char **argv, void (*suite)(struct conformance *conformance))
{
	struct conformance conformance = { .size = 1, .seed = 4711 };

	if (!parse(&conformance, argc, argv)) {
		fprintf(stderr, "usage: %s [--size N] [--seed S] [--only WORD]\n", argv[0]);
		return 2;
	}
	conformance.trial = mmap(NULL, sizeof *conformance.trial, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (conformance.trial == MAP_FAILED)
		return 2;
	printf("# --seed %llu --size %llu\n", (unsigned long long)conformance.seed,
	       (unsigned long long)conformance.size);
	suite(&conformance);
	printf("1..%u\n", conformance.count);
	return conformance.failures > 0;
}
