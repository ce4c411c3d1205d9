/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A boot that only has to arrive: see canary.h. */
#include "boot/canary.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "boot/channel.h"
#include "boot/guest.h"
#include "measure/child.h"
#include "measure/exec_hooks.h"

#define CANARY_NS INT64_C(10000000000)

enum { TAIL_SHOWN_BYTES = 300 };

static void take(void *context, const char *bytes, size_t length)
{
	text_add_bytes(context, bytes, length);
}

/* What became of it, in its own words if it has some. */
static bool refuse(struct arena *arena, struct spawner *spawner,
		   const struct child_outcome *outcome, struct error *err)
{
	size_t length;
	const char *tail = child_stderr_tail(spawner, CHILD_MEASURED, &length);
	const char *words = exec_tail(arena, tail, length, TAIL_SHOWN_BYTES);

	return error_set(err, ERROR_COMMAND,
			 "--mode time needs KVM, and a trial boot under it %s%s%s%s: leave --mode "
			 "out to count instructions, which needs none",
			 outcome->timed_out ? "did not start a program within 10 s"
					    : "ended before a program was started",
			 *words == '\0' ? "" : " (\"", words, *words == '\0' ? "" : "\")");
}

static bool boot(struct arena *arena, struct spawner *spawner, int interrupt_fd,
		 const struct boot_settings *settings, struct text *files, struct text *results,
		 struct error *err)
{
	struct qemu qemu = { .program = settings->qemu,
			     .mode = BOOT_TIME,
			     .kernel_path = settings->kernels[0].path,
			     .memory_mib = settings->memory_mib,
			     .report_fd = CHILD_REPORT_FD,
			     .fixed_layout = true };
	struct boot_result result;
	struct child_outcome outcome;
	struct child_request request;
	bool ok;
	int fd;

	ok = guest_initramfs(arena, files, 0, &fd, &qemu.initramfs_path, err);
	if (ok) {
		request = child_request(qemu_argv(arena, &qemu));
		request.program = qemu.program;
		request.timeout_ns = CANARY_NS;
		request.report = (struct child_sink){ take, results };
		ok = child_run(spawner, &request, interrupt_fd, &outcome, err);
	}
	if (fd >= 0)
		close(fd);
	if (!ok)
		return false;
	channel_read(arena, text_string(results), results->length, false, 0, &result);
	boot_result_release(&result);
	return result.hello || refuse(arena, spawner, &outcome, err);
}

bool canary_boot(struct arena *arena, struct spawner *spawner, int interrupt_fd,
		 const struct boot_settings *settings, struct error *err)
{
	struct boot_settings bare = *settings;
	struct text files = { 0 }, results = { 0 };
	bool ok;

	bare.work_count = bare.added_count = 0;
	ok = guest_files(arena, &bare, &files, err) &&
	     boot(arena, spawner, interrupt_fd, settings, &files, &results, err);
	text_release(&files);
	text_release(&results);
	return ok;
}
