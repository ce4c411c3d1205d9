/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packed images, by the programs that everybody has for that: see unpack.h. */
#include "boot/unpack.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/child.h"

/* The programs that unpack, by how a file begins. */
static const struct packer {
	const char *magic;
	size_t length;
	const char *program;
} packers[] = {
	{ "\x1f\x8b", 2, "gzip" },
	{ "\xfd"
	  "7zXZ",
	  5, "xz" },
	{ "\x28\xb5\x2f\xfd", 4, "zstd" },
	{ "BZh", 3, "bzip2" },
	{ "\x04\x22\x4d\x18", 4, "lz4" },
	{ "\x02\x21\x4c\x18", 4, "lz4" },
};

const char *unpack_program(const char *bytes, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof packers / sizeof *packers; i++)
		if (length >= packers[i].length &&
		    memcmp(bytes, packers[i].magic, packers[i].length) == 0)
			return packers[i].program;
	return NULL;
}

bool unpack_file(struct spawner *spawner, const char *program, int fd, int interrupt_fd,
		 int *unpacked, struct error *err)
{
	char *argv[] = { (char *)program, (char *)"-dc", NULL };
	struct child_request request = child_request(argv);
	struct child_outcome outcome;

	*unpacked = memfd_create("worth-kernel", MFD_CLOEXEC);
	if (*unpacked < 0)
		return error_set(err, ERROR_SYSTEM, "cannot unpack it: %s", strerror(errno));
	lseek(fd, 0, SEEK_SET);
	request.stdin_fd = fd;
	request.stdout_fd = *unpacked;
	if (!child_run(spawner, &request, interrupt_fd, &outcome, err))
		return false;
	if (outcome.exec_error != 0)
		return error_set(err, ERROR_SYSTEM, "it is packed by %s, which is not installed",
				 program);
	if (!WIFEXITED(outcome.wait_status) || WEXITSTATUS(outcome.wait_status) != 0)
		return error_set(err, ERROR_INPUT,
				 "%s cannot unpack it: it is damaged, or "
				 "memory has run out",
				 program);
	return true;
}
