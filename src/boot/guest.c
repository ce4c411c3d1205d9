/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest finds when it starts: the agent as /init, its jobs, and the user's files. */
#include "boot/guest.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "boot/initramfs.h"

enum { LOAD_BYTES = 1 << 26 };

static void add_jobs(struct text *archive, const struct boot_settings *settings)
{
	struct text jobs = { 0 };
	size_t i, j;

	for (i = 0; i < settings->work_count; i++) {
		const struct boot_work *work = &settings->works[i];

		text_add(&jobs, work->name);
		for (j = 0; work->argv[j] != NULL; j++)
			text_printf(&jobs, "\t%s", work->argv[j]);
		text_add_char(&jobs, '\n');
	}
	initramfs_directory(archive, "worth");
	initramfs_file(archive, "worth/jobs", 0644, text_string(&jobs), jobs.length);
	text_release(&jobs);
}

static bool add_files(struct arena *arena, const struct boot_settings *settings,
		      struct text *archive, struct error *err)
{
	size_t i;

	for (i = 0; i < settings->added_count; i++) {
		char *path = arena_strdup(arena, settings->added[i]), *name;
		size_t length = strlen(path);

		while (length > 1 && path[length - 1] == '/')
			path[--length] = '\0';
		name = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
		if (!initramfs_add(arena, archive, path, name, err))
			return false;
	}
	return true;
}

bool guest_files(struct arena *arena, const struct boot_settings *settings, struct text *archive,
		 struct error *err)
{
	static const char *const directories[] = { "dev", "proc", "sys", "tmp" };
	char *bytes;
	size_t length, i;

	if (!file_read(arena, settings->load_program, LOAD_BYTES, &bytes, &length, err))
		return false;
	for (i = 0; i < sizeof directories / sizeof *directories; i++)
		initramfs_directory(archive, directories[i]);
	initramfs_program(archive, &GUEST_LOAD[1], bytes, length);
	add_jobs(archive, settings);
	return add_files(arena, settings, archive, err);
}

static bool write_all(int fd, const char *bytes, size_t length, struct error *err)
{
	while (length > 0) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno != EINTR)
			return error_set(err, ERROR_SYSTEM, "cannot make the guest's files: %s",
					 strerror(errno));
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return true;
}

bool guest_initramfs(struct arena *arena, const struct text *files, size_t padding_bytes, int *fd,
		     const char **path, struct error *err)
{
	struct text end = { 0 };
	char *padding = arena_alloc(arena, padding_bytes, 1);
	bool ok;

	/* The archive goes on at a multiple of 4, as every entry ends at one. */
	if (padding_bytes > 0)
		initramfs_file(&end, "worth/padding", 0644, padding, padding_bytes);
	initramfs_end(&end);
	*fd = memfd_create("worth-initramfs", MFD_CLOEXEC);
	if (*fd < 0) {
		text_release(&end);
		return error_set(err, ERROR_SYSTEM, "cannot make the guest's files: %s",
				 strerror(errno));
	}
	*path = arena_printf(arena, "/proc/%ld/fd/%d", (long)getpid(), *fd);
	ok = write_all(*fd, text_string(files), files->length, err) &&
	     write_all(*fd, text_string(&end), end.length, err);
	text_release(&end);
	return ok;
}
