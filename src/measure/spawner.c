/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spawning program's bytes are part of worth; they are put into an
 * anonymous file and executed from there, so that there is nothing to install
 * beside worth and nothing to find at run time.
 */
#include "measure/spawner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "measure/spawn_image.h"
#include "measure/spawn_process.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* Linux 6.3 */
#endif

static int image_open(void)
{
	int fd = memfd_create("worth-spawn", MFD_CLOEXEC | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("worth-spawn", MFD_CLOEXEC);
	return fd;
}

static bool image_write(int fd, struct error *err)
{
	const char *next = spawn_image;

	while (next < spawn_image_end) {
		ssize_t written = write(fd, next, (size_t)(spawn_image_end - next));

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return error_set(err, ERROR_SYSTEM, "cannot unpack worth's helper: %s",
					 strerror(errno));
		next += written;
	}
	return true;
}

struct spawner *spawner_start(struct error *err)
{
	struct spawner *spawner = calloc(1, sizeof *spawner);

	if (spawner == NULL)
		arena_out_of_memory();
	spawner->image_fd = image_open();
	if (spawner->image_fd < 0)
		error_set(err, ERROR_SYSTEM, "cannot make an anonymous file: %s", strerror(errno));
	else if (image_write(spawner->image_fd, err) &&
		 spawn_process_start(&spawner->processes[CHILD_MEASURED], spawner->image_fd, err))
		return spawner;
	error_prefix(err, "starting the process that runs the commands");
	spawner_stop(spawner);
	return NULL;
}

void spawner_stop(struct spawner *spawner)
{
	size_t i;

	if (spawner == NULL)
		return;
	for (i = 0; i < CHILD_KINDS; i++)
		spawn_process_stop(&spawner->processes[i]);
	if (spawner->image_fd >= 0)
		close(spawner->image_fd);
	free(spawner);
}
