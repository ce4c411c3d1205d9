/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which command the words mean, and what must happen before any of them runs.
 * A first word equal to a command's name is that command; anything else is
 * compared. The spawner of a measuring command is started before main has used
 * memory, because a child's peak memory starts at that of its parent.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "commands/commands.h"
#include "measure/spawner.h"

#define ROW(name) &command_##name,
static const struct command *const all_commands[] = {
#include "commands/list.def"
	NULL
};
#undef ROW

static const struct command *find_command(const char *word)
{
	const struct command *const *command = all_commands;

	while (*command != NULL && strcmp((*command)->name, word) != 0)
		command++;
	return *command;
}

static void print_overview(FILE *stream)
{
	const struct command *const *command;

	fputs("worth - is the change worth it?\n\n"
	      "Usage: worth [compare] [OPTION]... BASELINE CANDIDATE...\n"
	      "       worth COMMAND [OPTION]... [ARGUMENT]...\n\n"
	      "Runs two or more commands interleaved, in random order, and says whether the\n"
	      "candidate is faster, slower or equivalent, how sure that is, and what it costs.\n\n"
	      "  $ worth './sort.old big.txt' './sort.new big.txt'\n\n"
	      "Commands:\n",
	      stream);
	for (command = all_commands; *command != NULL; command++)
		fprintf(stream, "  %-12s %s\n", (*command)->name, (*command)->summary);
	fputs("  help         show what a command does and its options\n\n"
	      "\"worth --version\" prints the version. A command that is itself named like one of\n"
	      "these is compared by \"worth compare\".\n",
	      stream);
}

/* "worth help [COMMAND]" */
static int run_help(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		print_overview(stdout);
		return 0;
	}
	command = find_command(argv[1]);
	if (command != NULL)
		return command_help(command);
	fprintf(stderr, "worth: there is no command of that name; \"worth help\" lists them\n");
	return EXIT_TROUBLE;
}

/* A lone word that is no program but nearly a command's name is a typing error. */
static bool looks_mistyped(int argc, char **argv, struct error *err)
{
	const char *names[sizeof all_commands / sizeof *all_commands] = { NULL };
	struct arena *arena;
	const char *nearest;
	char *path;
	size_t count;
	bool found;

	for (count = 0; all_commands[count] != NULL; count++)
		names[count] = all_commands[count]->name;
	nearest = argc > 2 || argv[1][0] == '-' ? NULL : text_nearest(argv[1], names, count);
	if (nearest == NULL)
		return false;
	arena = arena_open();
	found = file_find_program(arena, argv[1], NULL, &path, NULL);
	if (!found)
		error_set(err, ERROR_USAGE,
			  "%s is neither a command of worth nor a program; did you mean "
			  "\"worth %s\"?",
			  text_clean(arena, argv[1], strlen(argv[1])), nearest);
	arena_close(arena);
	return !found;
}

/* A closed descriptor 0, 1 or 2 would be taken by the next file opened, and written into. */
static void fill_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct program program = { .commands = all_commands };
	struct error err = { 0 };
	int status;

	if (command->measures) {
		program.spawner = spawner_start(&err);
		if (program.spawner == NULL)
			return command_trouble(&err);
	}
	status = command->run(&program, argc, argv);
	spawner_stop(program.spawner);
	return status;
}

/* argv[0] of the command is its name; compare without its name gets worth's argv[0] replaced. */
static int dispatch(int argc, char **argv)
{
	char compare_name[] = "compare";
	const struct command *command = find_command(argv[1]);
	struct error err = { 0 };

	if (command != NULL)
		return run_command(command, argc - 1, argv + 1);
	if (strcmp(argv[1], "help") == 0)
		return run_help(argc - 1, argv + 1);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_overview(stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		puts("worth " WORTH_VERSION);
		return 0;
	}
	if (looks_mistyped(argc, argv, &err))
		return command_trouble(&err);
	command = find_command(compare_name);
	if (command == NULL) {
		error_set(&err, ERROR_USAGE, "this build has no command compare");
		return command_trouble(&err);
	}
	argv[0] = compare_name;
	return run_command(command, argc, argv);
}

/* git bisect run takes 2 for "bad". Trouble must be 125 for it, also where it comes before the
 * option was read (a word that makes no sense) or after the command (a full disk behind stdout).
 * worth run --bisect is a search of its own, which nobody bisects with. */
static bool is_for_bisect(int argc, char **argv)
{
	int i;

	for (i = strcmp(argv[1], "run") == 0 ? argc : 1; i < argc && strcmp(argv[i], "--") != 0;
	     i++)
		if (strcmp(argv[i], "--bisect") == 0)
			return true;
	return false;
}

/*
 * A file that is read through memory, an ELF file or what SQLite shares of the
 * history (-shm), and that somebody truncates meanwhile, is no memory any more.
 * There is no way back from that, but a sentence and the exit status of trouble.
 */
static _Noreturn void end_cut_short(int status)
{
	static const char sentence[] =
	    "worth: another program cut a file short that worth had in use; rounds that were saved "
	    "before are in the history (worth history; worth compare --resume goes on)\n";

	if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0)
		_exit(status);
	_exit(status);
}

static void cut_short(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code == BUS_ADRERR)
		end_cut_short(EXIT_TROUBLE);
	signal(number, SIG_DFL); /* anything else is a fault of worth's own */
}

static void cut_short_in_bisection(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code == BUS_ADRERR)
		end_cut_short(EXIT_UNTESTABLE);
	signal(number, SIG_DFL);
}

static void expect_cut_files(bool for_bisect)
{
	struct sigaction action = { .sa_sigaction = for_bisect ? cut_short_in_bisection : cut_short,
				    .sa_flags = SA_SIGINFO };

	sigaction(SIGBUS, &action, NULL);
}

int main(int argc, char **argv)
{
	int status;

	fill_standard_descriptors();
	if (argc < 2) {
		print_overview(stderr);
		return EXIT_TROUBLE;
	}
	expect_cut_files(is_for_bisect(argc, argv));
	status = dispatch(argc, argv);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "worth: cannot write to standard output: %s\n", strerror(errno));
		status = EXIT_TROUBLE;
	}
	return status == EXIT_TROUBLE && is_for_bisect(argc, argv) ? EXIT_UNTESTABLE : status;
}
