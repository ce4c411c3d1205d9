/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mutex of the specimens: how long it takes, alone and wanted by others. */
#include <string.h>

#include "base/text.h"
#include "specimens/mutexes/mutex.h"
#include "workloads/locking/locking.h"

/* What there is and what there is not, in a sentence. */
static bool refuse(struct work *work, const char *name, struct error *err)
{
	const struct mutex *const *mutex;
	struct text there = { 0 };

	for (mutex = mutexes; *mutex != NULL; mutex++)
		text_printf(&there, "%s%s%s", there.length == 0 ? "" : ", ", (*mutex)->name,
			    (*mutex)->absent == NULL ? "" : " (absent)");
	error_set(err, ERROR_USAGE, "there is no mutex \"%s\"; there are %s",
		  text_clean(work->arena, name, strlen(name)), text_string(&there));
	text_release(&there);
	return false;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct locking_settings *settings = pointer;
	const struct mutex *const *mutex = mutexes;
	struct locking locking;

	while (*mutex != NULL && strcmp((*mutex)->name, settings->lock) != 0)
		mutex++;
	if (*mutex == NULL)
		return refuse(work, settings->lock, err);
	if ((*mutex)->absent != NULL)
		return error_set(err, ERROR_SYSTEM, "%s is not in this build: %s", settings->lock,
				 (*mutex)->absent);

	locking = (struct locking){ .name = (*mutex)->name,
				    .bytes = (*mutex)->bytes,
				    .fair = (*mutex)->fair,
				    .excludes = true,
				    .init = (*mutex)->init,
				    .lock = (*mutex)->lock,
				    .unlock = (*mutex)->unlock,
				    .loops = (*mutex)->loops };
	return locking_run(work, &locking, settings, err);
}

static const struct locking_settings defaults = { .lock = "futex-inline", .tasks = 1 };

static const struct option options[] = {
	LOCKING_OPTIONS,
	WORK_OPTIONS(struct locking_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_mutex = {
	.name = "mutex",
	.summary = "a mutex, alone or contended",
	.operation = "lock, add 1 to a counter, unlock",
	.exercises = "the atomic operations and, when it is contended, futexes. Figures: lock (ns "
		     "an operation, of a team the wall time of all) and lock-cycles; with several "
		     "tasks hand-off (share of the operations before which another thread was the "
		     "holder) and fairness (least share of a thread over the greatest)",
	.verified = "the counter under the mutex has the number of additions",
	.needs = "x86-64 for the figures in cycles",
	.examples =
	    "# Beside the C library's, while a second thread is alive\n"
	    "$ worth 'workload:mutex --lock pthread' 'workload:mutex --lock futex-inline'\n",
	.options = options,
	.settings_size = sizeof(struct locking_settings),
	.defaults = &defaults,
	.run = run,
};
