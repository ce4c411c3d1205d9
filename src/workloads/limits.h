/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_LIMITS_H
#define WORKLOADS_LIMITS_H

#include <sys/types.h>

/*
 * At a hard limit of CPU time (ulimit -t; in a real-time class RLIMIT_RTTIME)
 * the kernel kills without a word. From here on this process ends shortly
 * before with a sentence and GIVE_UP_STATUS: by a soft limit just below the
 * hard one, or, where whole seconds leave no room below it, by a timer of CPU
 * time. A limit of 0 s kills before anything can be said.
 */
void limits_speak(void);

/*
 * The same for a child, whose time counts anew: it ends with LIMITS_STATUS and
 * without a word, for several may, and the parent has one with limits_say().
 */
enum { LIMITS_STATUS = 3 };
void limits_pass_on(void);

/* Ends the process with the sentence; for handlers of signals. */
_Noreturn void limits_say(void);

/* errno in words, with the limit that it may come from. */
const char *limits_reason(void);

/* Why a read or write that returned got was none of the whole; less than 0: errno. */
const char *limits_transfer_reason(ssize_t got);

#endif
