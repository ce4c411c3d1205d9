/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Session locks: see owner.h. Open file description locks (fcntl(2),
 * F_OFD_SETLK, Linux 3.15) rather than classic ones: those would be dropped
 * when any descriptor of the file is closed, and would not hold between two
 * handles of one process. A forked child shares the description and would keep
 * the lock alive; ours is closed on exec, and the process that spawns measured
 * commands is forked before a history is opened.
 *
 * A process id in the database instead would need its start time and the boot
 * beside it to be safe from reuse, and would say nothing across containers
 * that share the file.
 */
#include "store/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text.h"

struct owner owner_none(void)
{
	return (struct owner){ .fd = -1 };
}

static bool open_file(struct owner *owner, const char *history_path, int flags)
{
	struct text path = { 0 };

	if (owner->fd >= 0)
		return true;
	text_printf(&path, "%s-owners", history_path);
	owner->fd = open(text_string(&path), flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
	text_release(&path);
	return owner->fd >= 0;
}

static struct flock byte_of(int64_t session, short type)
{
	return (
	    struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = session, .l_len = 1 };
}

enum owner_answer owner_take(struct owner *owner, const char *history_path, int64_t session)
{
	struct flock lock = byte_of(session, F_WRLCK);

	if (!open_file(owner, history_path, O_CREAT))
		return OWNER_UNAVAILABLE;
	if (fcntl(owner->fd, F_OFD_SETLK, &lock) == 0)
		return OWNER_TAKEN;
	if (errno == EAGAIN || errno == EACCES)
		return OWNER_OTHER;
	return errno == ENOLCK || errno == EINVAL || errno == EOPNOTSUPP ? OWNER_TAKEN
									 : OWNER_UNAVAILABLE;
}

bool owner_is_live(struct owner *owner, const char *history_path, int64_t session)
{
	struct flock lock = byte_of(session, F_WRLCK);

	return open_file(owner, history_path, 0) && fcntl(owner->fd, F_OFD_GETLK, &lock) == 0 &&
	       lock.l_type != F_UNLCK;
}

void owner_drop(struct owner *owner, int64_t session)
{
	struct flock lock = byte_of(session, F_UNLCK);

	if (owner->fd >= 0)
		fcntl(owner->fd, F_OFD_SETLK, &lock);
}

void owner_release(struct owner *owner)
{
	if (owner->fd >= 0)
		close(owner->fd);
	owner->fd = -1;
}
