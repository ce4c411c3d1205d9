/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_MUTEXES_PEER_NSYNC_H
#define SPECIMENS_MUTEXES_PEER_NSYNC_H

#include <nsync_mu.h>
#include <stdbool.h>

#include "specimens/step.h"
#include "specimens/threads.h"

SPECIMEN_INLINE void peer_nsync_init(nsync_mu *mutex)
{
	nsync_mu_init(mutex);
}

#define peer_nsync_destroy(mutex) ((void)(mutex))

SPECIMEN_INLINE void peer_nsync_lock(nsync_mu *mutex, struct lock_hold *hold)
{
	(void)hold;
	nsync_mu_lock(mutex);
}

SPECIMEN_INLINE bool peer_nsync_trylock(nsync_mu *mutex, struct lock_hold *hold)
{
	(void)hold;
	return nsync_mu_trylock(mutex) != 0;
}

SPECIMEN_INLINE void peer_nsync_unlock(nsync_mu *mutex, struct lock_hold *hold)
{
	(void)hold;
	nsync_mu_unlock(mutex);
}

#endif
