/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that ask for an end, as a descriptor: see interrupt.h. */
#include "commands/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void fill(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGHUP);
}

bool interrupt_open(struct interrupt *interrupt, struct error *err)
{
	sigset_t signals;

	fill(&signals);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	interrupt->fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (interrupt->fd < 0)
		return error_set(err, ERROR_SYSTEM, "cannot watch for signals: %s",
				 strerror(errno));
	return true;
}

/* A blocked signal stays pending until it is read, so looking does not take it. */
int interrupt_taken(struct interrupt *interrupt)
{
	static const int asked[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t pending;
	size_t i;

	(void)interrupt;
	sigpending(&pending);
	for (i = 0; i < sizeof asked / sizeof *asked; i++)
		if (sigismember(&pending, asked[i]))
			return asked[i];
	return 0;
}

void interrupt_close(struct interrupt *interrupt)
{
	if (interrupt->fd >= 0)
		close(interrupt->fd);
	interrupt->fd = -1;
}
