/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels out of Debian packages, by apt-get and dpkg-deb: apt tells the name
 * of the file that it would download, which has the version in it, so a package
 * that was unpacked before needs no network.
 */
#include "boot/debian.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "measure/child.h"
#include "measure/exec_hooks.h"

enum { TAIL_SHOWN_BYTES = 400 };

struct fetch {
	struct arena *arena;
	struct spawner *spawner;
	int interrupt_fd;
	struct text output; /* of the last program */
};

static void take(void *context, const char *bytes, size_t length)
{
	text_add_bytes(context, bytes, length);
}

/* Its stdout goes to output. False with its last words. */
static bool run(struct fetch *fetch, char *const *argv, const char *directory, int interrupt_fd,
		struct error *err)
{
	struct child_request request = child_request(argv);
	struct child_outcome outcome;
	const char *tail;
	size_t length;

	text_clear(&fetch->output);
	request.directory = directory;
	request.output = (struct child_sink){ take, &fetch->output };
	if (!child_run(fetch->spawner, &request, interrupt_fd, &outcome, err))
		return false;
	if (outcome.exec_error != 0)
		return error_set(err, ERROR_SYSTEM,
				 "%s is needed for Debian packages, and is not installed here",
				 argv[0]);
	if (WIFEXITED(outcome.wait_status) && WEXITSTATUS(outcome.wait_status) == 0)
		return true;
	tail = child_stderr_tail(fetch->spawner, CHILD_MEASURED, &length);
	return error_set(err, ERROR_COMMAND, "%s failed: %s", argv[0],
			 exec_tail(fetch->arena, tail, length, TAIL_SHOWN_BYTES));
}

/* The file of boot/ that begins with vmlinuz; NULL: there is none. */
static const char *find_image(struct arena *arena, const char *directory)
{
	const char *boot = arena_printf(arena, "%s/boot", directory), *found = NULL;
	DIR *entries = opendir(boot);
	struct dirent *entry;

	if (entries == NULL)
		return NULL;
	while ((entry = readdir(entries)) != NULL)
		if (strncmp(entry->d_name, "vmlinuz", 7) == 0)
			found = arena_printf(arena, "%s/%s", boot, entry->d_name);
	closedir(entries);
	return found;
}

/* apt-get download --print-uris: 'ADDRESS' FILE SIZE HASH */
static bool file_name(struct fetch *fetch, const char *package, char **name, struct error *err)
{
	char *argv[] = { (char *)"apt-get", (char *)"download", (char *)"--print-uris",
			 (char *)"--",	    (char *)package,	NULL };
	const char *line, *start;

	/* apt says nothing of a file that lies where it would put it. */
	if (!run(fetch, argv, "/", fetch->interrupt_fd, err))
		return false;
	line = text_string(&fetch->output);
	start = strstr(line, "' ");
	if (start == NULL || strcspn(start + 2, " \n/") == 0)
		return error_set(err, ERROR_COMMAND,
				 "apt-get does not say which file %s is in: run apt-get update "
				 "first",
				 package);
	*name = arena_strndup(fetch->arena, start + 2, strcspn(start + 2, " \n/"));
	return true;
}

static bool download(struct fetch *fetch, const char *package, const char *directory,
		     struct error *err)
{
	/* The unprivileged user of apt may not write here. */
	char *argv[] = { (char *)"apt-get",
			 (char *)"-qq",
			 (char *)"-oAPT::Sandbox::User=root",
			 (char *)"download",
			 (char *)"--",
			 (char *)package,
			 NULL };

	return run(fetch, argv, directory, fetch->interrupt_fd, err);
}

/* The only .deb in a directory. */
static const char *downloaded(struct arena *arena, const char *directory)
{
	const char *found = NULL;
	DIR *entries = opendir(directory);
	struct dirent *entry;

	while (entries != NULL && (entry = readdir(entries)) != NULL)
		if (strstr(entry->d_name, ".deb") != NULL)
			found = arena_printf(arena, "%s/%s", directory, entry->d_name);
	if (entries != NULL)
		closedir(entries);
	return found;
}

/* Below temporary: the package (if it is not a file already) and what is in it; then in its place.
 */
static bool unpack(struct fetch *fetch, const char *word, bool is_file, const char *temporary,
		   const char *directory, struct error *err)
{
	const char *files = arena_printf(fetch->arena, "%s/files", temporary);
	char *argv[] = { (char *)"dpkg-deb", (char *)"-x", NULL, (char *)files, NULL };

	if (!is_file && !download(fetch, word, temporary, err))
		return false;
	argv[2] = (char *)(is_file ? word : downloaded(fetch->arena, temporary));
	if (argv[2] == NULL)
		return error_set(err, ERROR_COMMAND, "apt-get has downloaded nothing");
	if (!run(fetch, argv, NULL, fetch->interrupt_fd, err))
		return false;
	if (find_image(fetch->arena, files) == NULL)
		return error_set(err, ERROR_INPUT,
				 "there is no kernel in this package: if it only depends on one, "
				 "give that (apt-cache depends)");
	/* Somebody else may have been quicker. */
	if (rename(files, directory) != 0 && errno != ENOTEMPTY && errno != EEXIST)
		return error_set(err, ERROR_SYSTEM, "cannot keep it in %s: %s", directory,
				 strerror(errno));
	return true;
}

static bool make_temporary(struct arena *arena, const char *kernels, char **temporary,
			   struct error *err)
{
	*temporary = arena_printf(arena, "%s/tmp.XXXXXX", kernels);
	return (file_make_directory(kernels, 0755, err) && mkdtemp(*temporary) != NULL) ||
	       error_set(err, ERROR_SYSTEM, "cannot unpack into %s: %s", kernels, strerror(errno));
}

/* A file is known by its size and time, too. */
static bool key_of(struct fetch *fetch, const char *word, bool is_file, char **key,
		   struct error *err)
{
	const char *slash = strrchr(word, '/');
	struct stat status;

	if (!is_file)
		return file_name(fetch, word, key, err);
	if (stat(word, &status) != 0)
		return error_set(err, ERROR_USAGE, "cannot open it: %s", strerror(errno));
	*key =
	    arena_printf(fetch->arena, "%s.%llx.%llx", slash == NULL ? word : slash + 1,
			 (unsigned long long)status.st_size, (unsigned long long)status.st_mtime);
	return true;
}

static bool fetch_kernel(struct fetch *fetch, const char *word, struct debian_kernel *kernel,
			 struct error *err)
{
	size_t length = strlen(word);
	bool is_file =
	    strchr(word, '/') != NULL || (length > 4 && strcmp(word + length - 4, ".deb") == 0);
	char *cache, *key = NULL, *kernels, *temporary;
	bool ok;

	if (!file_cache_directory(fetch->arena, &cache, err) ||
	    !key_of(fetch, word, is_file, &key, err))
		return false;
	kernels = arena_printf(fetch->arena, "%s/kernels", cache);
	kernel->directory = arena_printf(fetch->arena, "%s/%s.d", kernels, key);
	kernel->image = find_image(fetch->arena, kernel->directory);
	if (kernel->image != NULL)
		return true;
	if (!make_temporary(fetch->arena, kernels, &temporary, err))
		return false;
	ok = unpack(fetch, word, is_file, temporary, kernel->directory, err);
	file_remove_tree(temporary);
	kernel->image = ok ? find_image(fetch->arena, kernel->directory) : NULL;
	return ok;
}

bool debian_kernel_fetch(struct arena *arena, struct spawner *spawner, int interrupt_fd,
			 const char *word, struct debian_kernel *kernel, struct error *err)
{
	struct fetch fetch = { arena, spawner, interrupt_fd, { 0 } };
	bool ok = *word != '\0' && fetch_kernel(&fetch, word, kernel, err);

	text_release(&fetch.output);
	if (*word == '\0')
		return error_set(err, ERROR_USAGE,
				 "deb: must be followed by a package or the path of a .deb file");
	if (ok || err == NULL || err->kind == ERROR_INTERRUPTED)
		return ok;
	return error_prefix(err, "deb:%s", word);
}
