/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_STEP_H
#define SPECIMENS_STEP_H

/*
 * The seams of the specimens. SPECIMEN_STEP() stands between every two atomic
 * steps of an algorithm and SPECIMEN_PAUSE() in every loop that waits. In the
 * programs one is nothing and the other the processor's hint that somebody
 * waits. The conformance suites compile the same sources once more with
 * SPECIMEN_STEPS defined; then both call the suite, which delays a thread there
 * at random (tests/conformance/steps.h), so that orders of events come about
 * that would otherwise take years.
 *
 *	locked = atomic_exchange(&lock->word, 1);
 *	SPECIMEN_STEP();
 *	while (atomic_load(&lock->word) != 0)
 *		SPECIMEN_PAUSE();
 */
#ifdef SPECIMEN_STEPS

void specimen_step(void);
void specimen_pause(void);
#define SPECIMEN_STEP() specimen_step()
#define SPECIMEN_PAUSE() specimen_pause()

#else

#define SPECIMEN_STEP() ((void)0)
#if defined(__x86_64__) || defined(__i386__)
#define SPECIMEN_PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define SPECIMEN_PAUSE() __asm__ volatile("yield" ::: "memory")
#else
#define SPECIMEN_PAUSE() __asm__ volatile("" ::: "memory")
#endif

#endif

/*
 * Where code lies decides what the studies measure. INLINE code is in its user,
 * whatever the compiler thinks of it; OUT_OF_LINE code never is, and lies
 * together in a section of its own.
 */
#define SPECIMEN_INLINE static inline __attribute__((always_inline, unused))
#define SPECIMEN_OUT_OF_LINE __attribute__((noinline, section(".text.specimens")))

/* A line of cache, and the one that is fetched with it. */
#define SPECIMEN_APART 128

#endif
