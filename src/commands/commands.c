/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all commands say in the same way: see commands.h. */
#include "commands/commands.h"

#include <stdio.h>

int command_trouble(const struct error *err)
{
	fflush(stdout);
	fprintf(stderr, "worth: %s\n", err->sentence);
	return EXIT_TROUBLE;
}

int command_help(const struct command *command)
{
	struct text text = { 0 };

	options_help(command, &text);
	fputs(text_string(&text), stdout);
	text_release(&text);
	return 0;
}

bool command_begins(struct arena *arena, const struct command *command, int argc, char **argv,
		    void *settings, struct operands *operands, int *status)
{
	struct error err;
	bool wanted;

	*status = EXIT_NOT_WORSE;
	if (!options_parse(arena, command, argc, argv, settings, operands, &wanted, &err))
		*status = command_trouble(&err);
	else if (wanted)
		*status = command_help(command);
	return *status == EXIT_NOT_WORSE && !wanted;
}

bool command_takes_nothing(const struct operands *operands, const char *option, struct error *err)
{
	if (operands->count == 0 && operands->rest_count == 0)
		return true;
	return error_set(err, ERROR_USAGE, "%s takes no operand '%s'", option,
			 operands->count > 0 ? operands->items[0] : operands->rest[0]);
}
