/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Used while building: fills a manual page's template (scdoc, on stdin) with
 * what the program knows about itself, so that page and --help cannot drift
 * apart. Lines of the template that are replaced:
 *
 *	@NAME@      "worth-compare - its summary"
 *	@SYNOPSIS@  the lines of its synopsis
 *	@OPTIONS@   its options, groups as subsections
 *	@EXAMPLES@  its examples
 *	@COMMANDS@  all commands with their summaries
 *
 * Usage: fill COMMAND <template >page; COMMAND is "worth" for worth(1).
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"

static const struct command *const all_commands[] = {
#define ROW(name) &command_##name,
#include "commands/list.def"
#undef ROW
	NULL
};

/* Text without meaning to scdoc: everything that is not a letter, digit or blank is escaped where
 * it could mean something. */
static void put_plain(const char *string, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (strchr("\\*_#|[]<>~+-.`'", string[i]) != NULL)
			putchar('\\');
		putchar(string[i]);
	}
}

static void put_words(const char *mark, const char *string)
{
	fputs(mark, stdout);
	put_plain(string, strlen(string));
	fputs(mark, stdout);
}

/* Words in capitals are to be replaced by the user and underlined, all others stand for themselves.
 */
static void put_synopsis_line(const char *line)
{
	while (*line != '\0') {
		size_t upper = 0, length;

		while (isupper((unsigned char)line[upper]))
			upper++;
		if (upper > 1) {
			putchar('_');
			put_plain(line, upper);
			putchar('_');
			line += upper;
			continue;
		}
		length = upper > 0 ? upper : 1;
		put_plain(line, length);
		line += length;
	}
}

static void put_synopsis(const struct command *command)
{
	size_t i;

	for (i = 0; command->synopsis[i] != NULL; i++) {
		if (i > 0)
			puts("++");
		fputs("*worth* ", stdout);
		put_synopsis_line(command->synopsis[i]);
		if (command->synopsis[i + 1] == NULL)
			putchar('\n');
	}
}

/* A help text as the indented paragraph of a definition; its lines stay lines. */
static void put_help(const struct option *option)
{
	const char *line = option->help;
	size_t i;

	for (;;) {
		size_t length = strcspn(line, "\n");

		putchar('\t');
		put_plain(line, length);
		if (line[length] == '\0' || line[length + 1] == '\0')
			break;
		puts("++");
		line += length + 1;
	}
	for (i = 0; option->choices != NULL && option->choices[i] != NULL; i++) {
		fputs(i == 0 ? " (" : ", ", stdout);
		put_words("*", option->choices[i]);
	}
	puts(i > 0 ? ")\n" : "\n");
}

static void put_option(const struct option *option)
{
	if (option->letter != 0)
		printf("*\\-%c*, ", option->letter);
	fputs("*\\-\\-", stdout);
	put_plain(option->name, strlen(option->name));
	putchar('*');
	if (option->value != NULL) {
		putchar(' ');
		put_words("_", option->value);
	}
	putchar('\n');
	put_help(option);
}

static void put_options(const struct command *command)
{
	const struct option *option;

	for (option = command->options; !options_end(option); option++) {
		if (option->kind == OPTION_GROUP)
			printf("## %s\n\n", option->help);
		else
			put_option(option);
	}
	put_option(&options_help_row);
}

static void put_examples(const struct command *command)
{
	const char *example = command->examples;

	puts("```");
	if (example != NULL)
		fputs(example, stdout);
	puts("```");
}

static void put_commands(void)
{
	size_t i;

	for (i = 0; all_commands[i] != NULL; i++) {
		printf("*worth-%s*(1)\n\t", all_commands[i]->name);
		put_plain(all_commands[i]->summary, strlen(all_commands[i]->summary));
		puts("\n");
	}
}

static bool put_section(const char *line, const struct command *command)
{
	if (strcmp(line, "@COMMANDS@\n") == 0) {
		put_commands();
	} else if (command == NULL) {
		return false;
	} else if (strcmp(line, "@NAME@\n") == 0) {
		printf("worth-%s - %s\n", command->name, command->summary);
	} else if (strcmp(line, "@SYNOPSIS@\n") == 0) {
		put_synopsis(command);
	} else if (strcmp(line, "@OPTIONS@\n") == 0) {
		put_options(command);
	} else if (strcmp(line, "@EXAMPLES@\n") == 0) {
		put_examples(command);
	} else {
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	const struct command *command = NULL;
	char line[1024];
	size_t i;

	for (i = 0; argc == 2 && all_commands[i] != NULL; i++)
		if (strcmp(all_commands[i]->name, argv[1]) == 0)
			command = all_commands[i];
	if (argc != 2 || (command == NULL && strcmp(argv[1], "worth") != 0)) {
		fprintf(stderr, "fill: name one command of list.def\n");
		return 1;
	}
	while (fgets(line, sizeof line, stdin) != NULL)
		if (!put_section(line, command))
			fputs(line, stdout);
	return ferror(stdin) || fflush(stdout) != 0;
}
