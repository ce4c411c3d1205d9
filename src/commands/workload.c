/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worth workload: the bundled workloads, which worth-load runs in place of this program. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/load_program.h"
#include "commands/output.h"
#include "commands/profile.h"

struct workload_settings {
	const char *profile;
	struct output_settings output;
};

static const struct option options[] = {
	{ .kind = OPTION_TEXT,
	  .name = "profile",
	  .value = "COMMAND",
	  .help = "run COMMAND, and count its system calls and the paths in them",
	  .offset = offsetof(struct workload_settings, profile),
	  .completes = COMPLETES_COMMAND },
	OUTPUT_OPTIONS(struct workload_settings, output),
	OPTION_TABLE_END,
};

/* Becomes worth-load with these arguments; returns only in trouble. */
static int become_load(struct arena *arena, char **arguments, size_t count, struct error *err)
{
	char **argv = arena_alloc(arena, count + 2, sizeof *argv);

	if (!load_program_find(arena, &argv[0], err))
		return command_trouble(err);
	memcpy(argv + 1, arguments, count * sizeof *argv);
	fflush(stdout);
	execv(argv[0], argv);
	error_set(err, ERROR_SYSTEM, "cannot run %s: %s", argv[0], strerror(errno));
	return command_trouble(err);
}

static int list(struct arena *arena, struct error *err)
{
	char word[] = "list";
	char *arguments[] = { word };

	puts("Workloads (\"worth workload NAME --help\" tells more):\n");
	return become_load(arena, arguments, 1, err);
}

static int profile(struct arena *arena, const struct workload_settings *settings,
		   const struct operands *operands, struct error *err)
{
	if (operands->count > 0) {
		error_set(err, ERROR_USAGE,
			  "--profile takes the whole command as one word: --profile '%s %s'; or "
			  "give its arguments after --",
			  settings->profile, operands->items[0]);
		return command_trouble(err);
	}
	if (!output_check(&settings->output, err) ||
	    !profile_print(arena, settings->profile, operands->rest, operands->rest_count,
			   &settings->output, err))
		return command_trouble(err);
	return 0;
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct workload_settings settings = { 0 };
	struct operands operands;
	struct error err = { 0 };
	int status;

	(void)program;
	output_settings_init(&settings.output);
	/* All that follows a name is for the workload, --help too. */
	if (argc > 1 && argv[1][0] != '-')
		status = become_load(arena, argv + 1, (size_t)argc - 1, &err);
	else if (command_begins(arena, &command_workload, argc, argv, &settings, &operands,
				&status))
		status = settings.profile != NULL ? profile(arena, &settings, &operands, &err)
						  : list(arena, &err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = { "workload", "workload NAME [OPTION...]",
					"workload --profile COMMAND [OPTION...] [-- ARGUMENT...]",
					NULL };

const struct command command_workload = {
	.name = "workload",
	.summary = "list or run a bundled workload",
	.synopsis = synopsis,
	.description =
	    "Without a name: what workloads there are. With one, that workload runs once and "
	    "prints "
	    "its figures, each as a line of the form NAME VALUE UNIT lower|higher, and remarks "
	    "about "
	    "how they came about. What follows the name is for the workload; its own --help lists "
	    "its options.\n"
	    "\n"
	    "In a compared command workload:NAME is the short form. A workload does a fixed amount "
	    "of work, so that wall and CPU time of the whole process can be judged; the figures "
	    "that "
	    "it reports about itself stand beside them.\n"
	    "\n"
	    "--profile says what any command asks of the kernel: which system calls it makes, how "
	    "often, how many of them fail, and which paths it names, with all its threads and "
	    "descendants. So one sees what a benchmark really measures. Tracing makes calls slow; "
	    "nothing is timed.",
	.examples = "# What there is\n"
		    "$ worth workload\n"
		    "# One run, on two CPUs\n"
		    "$ worth workload pipe-latency --placement two-cpus\n"
		    "# Is a switch between threads cheaper than one between processes?\n"
		    "$ worth workload:pipe-latency 'workload:pipe-latency --threads'\n"
		    "# What does this benchmark do all day?\n"
		    "$ worth workload --profile 'tbench 2'\n",
	.operands = COMPLETES_WORKLOAD,
	.options = options,
	.settings_size = sizeof(struct workload_settings),
	.run = run,
};
