/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the completion script of a shell; `ninja install` puts the same scripts in place. */
#include <stdio.h>

#include "commands/commands.h"

static int print_script(const struct program *program, const struct operands *operands)
{
	struct error err = { 0 };
	struct text text = { 0 };

	if (operands->count != 1 || operands->has_rest) {
		error_set(&err, ERROR_USAGE,
			  "name one shell, \"worth completion bash\", \"zsh\" or \"fish\"");
		return command_trouble(&err);
	}
	if (!options_completion(operands->items[0], program->commands, &text, &err)) {
		text_release(&text);
		return command_trouble(&err);
	}
	fputs(text_string(&text), stdout);
	text_release(&text);
	return 0;
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct operands operands;
	struct error err = { 0 };
	bool help;
	int status;

	if (!options_parse(arena, &command_completion, argc, argv, NULL, &operands, &help, &err))
		status = command_trouble(&err);
	else if (help)
		status = command_help(&command_completion);
	else
		status = print_script(program, &operands);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = { "completion bash|zsh|fish", NULL };

const struct command command_completion = {
	.name = "completion",
	.summary = "print a completion script for a shell",
	.synopsis = synopsis,
	.description = "Prints a script that lets the shell complete commands, options and their "
		       "values. An installed worth has it in place already.",
	.examples = "# for this shell alone\n$ source <(worth completion bash)\n",
	.run = run,
};
