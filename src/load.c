/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth-load, the static program of the bundled workloads: it depends on the C
 * library and the kernel alone, so that it can also be the only program of a
 * guest. Figures and remarks go where workloads/report.h says, trouble is one
 * sentence on stderr with exit status 2.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "workloads/agent/agent.h"
#include "workloads/clock.h"
#include "workloads/nothing.h"
#include "workloads/sites.h"
#include "workloads/workload.h"

#define SITES_WORD "sites"

enum { LOAD_DONE = 0, LOAD_TROUBLE = 2 };

#define BATCH_NS INT64_C(10000000)
#define LIMIT_NS INT64_C(600000000000)

#define ROW(name) extern const struct workload workload_##name;
#include "workloads/list.def"
#undef ROW

#define ROW(name) &workload_##name,
static const struct workload *const all_workloads[] = {
#include "workloads/list.def"
	NULL
};
#undef ROW

static int trouble(struct arena *arena, const char *name, const struct error *err)
{
	fflush(stdout);
	fprintf(stderr, "worth-load: %s%s%s\n", name == NULL ? "" : name, name == NULL ? "" : ": ",
		text_clean(arena, err->sentence, strlen(err->sentence)));
	return LOAD_TROUBLE;
}

static const struct workload *find_workload(const char *name)
{
	const struct workload *const *workload = all_workloads;

	while (*workload != NULL && strcmp((*workload)->name, name) != 0)
		workload++;
	return *workload;
}

static int print_list(void)
{
	const struct workload *const *workload;

	for (workload = all_workloads; *workload != NULL; workload++)
		printf("  %-15s %s\n", (*workload)->name, (*workload)->summary);
	return LOAD_DONE;
}

static void print_overview(FILE *stream)
{
	fputs("worth-load - the workloads of worth\n\n"
	      "Usage: worth-load NAME [OPTION...]\n"
	      "       worth-load list\n"
	      "       worth-load sites [--lock NAME] [--count N] >FILE.c\n"
	      "       worth-load help [NAME]\n",
	      stream);
}

static int64_t usual_batch_ns(const struct workload *workload)
{
	return workload->batch_ns > 0 ? workload->batch_ns : BATCH_NS;
}

/* The same page, errors and habits as of worth's commands. */
static struct command as_command(struct arena *arena, const struct workload *workload)
{
	const char **synopsis = arena_alloc(arena, 2, sizeof *synopsis);
	struct command command = { .summary = workload->summary,
				   .examples = workload->examples,
				   .options = workload->options,
				   .settings_size = workload->settings_size };

	command.name = arena_printf(arena, "workload %s", workload->name);
	synopsis[0] = arena_printf(arena, "%s [OPTION...]", command.name);
	command.synopsis = synopsis;
	command.description = arena_printf(
	    arena,
	    "One operation is %s.\n\nIt exercises %s.\n\nResult: %s.\n%s%s%sUnless --operations "
	    "or --time says otherwise, %s operations are done, in batches of at least %g ms.\n",
	    workload->operation, workload->exercises, workload->verified,
	    workload->needs == NULL ? "\n" : "\nIt needs ",
	    workload->needs == NULL ? "" : workload->needs, workload->needs == NULL ? "" : ".\n\n",
	    workload->operations == 0
		? "about half a second's"
		: arena_printf(arena, "%llu", (unsigned long long)workload->operations),
	    (double)usual_batch_ns(workload) / 1e6);
	return command;
}

static int print_help(const struct workload *workload)
{
	struct arena *arena = arena_open();
	struct command command = as_command(arena, workload);
	struct text text = { 0 };

	options_help(&command, &text);
	fputs(text_string(&text), stdout);
	text_release(&text);
	arena_close(arena);
	return LOAD_DONE;
}

/* Phases each take --time, and what is made before and after takes some more. */
static int64_t usual_limit_ns(int64_t time_ns)
{
	return time_ns > LIMIT_NS / 10 ? 10 * time_ns : LIMIT_NS;
}

static bool check_settings(const struct workload *workload, struct work_settings *settings,
			   struct error *err)
{
	if (settings->operations > 0 && settings->time_ns > 0)
		return error_set(err, ERROR_USAGE,
				 "--operations and --time both say how long to run; give one");
	if (settings->limit_ns > 0 && settings->time_ns >= settings->limit_ns)
		return error_set(err, ERROR_USAGE,
				 "--time must be shorter than --limit, which would end it without "
				 "a figure; give a longer --limit or none");
	if (settings->batch_ns == 0)
		settings->batch_ns = usual_batch_ns(workload);
	if (settings->limit_ns == 0)
		settings->limit_ns = usual_limit_ns(settings->time_ns);
	return true;
}

/* With the guard beside it, which is ended on every way out. */
static bool run_guarded(struct arena *arena, const struct workload *workload, const void *settings,
			struct error *err)
{
	struct work work = { .arena = arena, .settings = settings };
	struct guard guard;
	bool ok;

	work.report = report_open(arena, err);
	if (work.report == NULL ||
	    !guard_start(&guard, workload->name, work.settings->limit_ns, err))
		return false;
	work.guard = &guard;
	work.is_default = work.settings->operations == 0 && work.settings->time_ns == 0;
	work.operations = work.is_default	       ? workload->operations
			  : work.settings->time_ns > 0 ? (uint64_t)INT64_MAX
						       : work.settings->operations;
	work.started_ns = clock_ns();
	ok = workload->run(&work, settings, err);
	ok = guard_end(&guard, ok ? err : NULL) && ok;
	return ok && report_write(work.report, work.settings->every_batch, err);
}

static bool run_workload(struct arena *arena, const struct workload *workload, int argc,
			 char **argv, bool *help, struct error *err)
{
	struct command command = as_command(arena, workload);
	void *settings = arena_copy(arena, workload->defaults, workload->settings_size);
	struct operands operands;

	if (!options_parse(arena, &command, argc, argv, settings, &operands, help, err))
		return false;
	if (*help)
		return true;
	if (operands.count > 0 || operands.has_rest)
		return error_set(err, ERROR_USAGE, "it takes options only, and \"%s\" is none",
				 operands.count > 0 ? text_clean(arena, operands.items[0],
								 strlen(operands.items[0]))
						    : "--");
	return check_settings(workload, settings, err) &&
	       run_guarded(arena, workload, settings, err);
}

static int run_named(int argc, char **argv)
{
	const struct workload *workload = find_workload(argv[0]);
	struct arena *arena = arena_open();
	struct error err = { 0 };
	bool help = false;
	int status = LOAD_DONE;

	if (workload == NULL) {
		error_set(&err, ERROR_USAGE,
			  "there is no workload \"%s\"; \"worth workload\" lists those that there "
			  "are",
			  text_clean(arena, argv[0], strlen(argv[0])));
		status = trouble(arena, NULL, &err);
	} else if (!run_workload(arena, workload, argc, argv, &help, &err)) {
		status = trouble(arena, workload->name, &err);
	} else if (help) {
		status = print_help(workload);
	}
	arena_close(arena);
	return status;
}

static int print_sites(int argc, char **argv)
{
	struct sites_settings settings = sites_defaults;
	struct arena *arena = arena_open();
	struct text text = { 0 };
	struct operands operands;
	struct error err = { 0 };
	bool help = false, ok;

	ok = options_parse(arena, &sites_command, argc, argv, &settings, &operands, &help, &err);
	if (ok && help)
		options_help(&sites_command, &text);
	else
		ok = ok && sites_write(arena, &settings, &text, &err);
	if (ok)
		fputs(text_string(&text), stdout);
	text_release(&text);
	if (!ok)
		trouble(arena, "sites", &err);
	arena_close(arena);
	return ok ? LOAD_DONE : LOAD_TROUBLE;
}

static int dispatch(int argc, char **argv)
{
	if (strcmp(argv[1], SITES_WORD) == 0)
		return print_sites(argc - 1, argv + 1);
	if (strcmp(argv[1], AGENT_WORD) == 0)
		return agent_run(argc - 1, argv + 1);
	if (strcmp(argv[1], "list") == 0)
		return print_list();
	if (strcmp(argv[1], "--version") == 0) {
		puts("worth-load " WORTH_VERSION);
		return LOAD_DONE;
	}
	if (strcmp(argv[1], "help") != 0 && strcmp(argv[1], "--help") != 0 &&
	    strcmp(argv[1], "-h") != 0)
		return run_named(argc - 1, argv + 1);
	if (argc > 2 && find_workload(argv[2]) != NULL)
		return print_help(find_workload(argv[2]));
	print_overview(stdout);
	puts("\nWorkloads:");
	return print_list();
}

/*
 * A closed descriptor 0, 1 or 2 would be taken by the next one that is made, and closed or written
 * into by who means the standard one. This needs no /dev, and reading and writing fail as before.
 */
static void fill_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/", O_PATH);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int main(int argc, char **argv)
{
	int status;

	if (agent_is_init())
		agent_init();
	fill_standard_descriptors();
	if (argc < 2) {
		print_overview(stderr);
		return LOAD_TROUBLE;
	}
	if (strcmp(argv[1], NOTHING_WORD) == 0)
		_exit(NOTHING_STATUS);
	status = dispatch(argc, argv);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "worth-load: cannot write to standard output\n");
		status = LOAD_TROUBLE;
	}
	return status;
}
