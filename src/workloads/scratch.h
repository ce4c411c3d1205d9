/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_SCRATCH_H
#define WORKLOADS_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/workload.h"

/*
 * A directory for the files of one run, named worth-load.PID.NUMBER. The guard
 * deletes it. While its owner lives it is locked (flock), so that a directory
 * whose owner and guard were both killed is known for what it is, and the next
 * run that makes one beside it has it deleted.
 */

/*
 * Makes one in directory (NULL: $TMPDIR, else /tmp), and makes it the current directory. Refuses
 * if bytes or files would take more than four fifths of what is free there. A remark says where
 * it is, and on what file system.
 */
bool scratch_enter(struct work *work, const char *directory, uint64_t bytes, uint64_t files,
		   struct error *err);

/* The name of the file system of the current directory: "ext4", "tmpfs", "0x1234". */
void scratch_file_system(char *name, size_t size);

#define SCRATCH_OPTION(type, member)                                                               \
	{                                                                                          \
		.kind = OPTION_TEXT, .name = "directory", .value = "DIR",                          \
		.help = "where its files are made ($TMPDIR, else /tmp)",                           \
		.offset = offsetof(type, member), .completes = COMPLETES_DIRECTORY                 \
	}

#endif
