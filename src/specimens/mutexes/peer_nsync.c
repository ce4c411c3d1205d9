/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer, where it is installed: nsync. It is a shared library only, so worth-load has it not. */
#include "specimens/mutexes/mutex.h"

#if defined(WORTH_PEERS)

#include "specimens/mutexes/peer_nsync.h"

MUTEX_FUNCTIONS(peer_nsync, nsync_mu)

const struct mutex mutex_peer_nsync = {
	.name = "nsync",
	.summary = "nsync's nsync_mu",
	.destroy_safe = true,
	.opaque = true,
	MUTEX_FUNCTIONS_OF(peer_nsync, nsync_mu),
};

#else

const struct mutex mutex_peer_nsync = {
	.name = "nsync",
	.summary = "nsync's nsync_mu",
	.absent = "it is a shared library (package libnsync-dev), which worth-load-peers has",
};

#endif
