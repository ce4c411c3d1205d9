/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completion scripts from the option tables: what the shells' scripts share,
 * and which is which.
 */
#include <string.h>

#include "base/completion.h"

bool completion_takes_value(const struct option *option)
{
	return option->kind != OPTION_FLAG && option->kind != OPTION_NO_FLAG;
}

const char *completion_kind(enum option_completes completes)
{
	static const char *const kinds[COMPLETES_KINDS] = {
		[COMPLETES_SESSION] = "sessions",
		[COMPLETES_METRIC] = "metrics",
		[COMPLETES_WORKLOAD] = "workloads",
		[COMPLETES_FORMAT] = "formats",
		[COMPLETES_STUDY] = "studies",
	};

	return kinds[completes];
}

void completion_options(const struct command *command,
			void (*visit)(const struct command *command, const struct option *option,
				      struct text *text),
			struct text *text)
{
	const struct option *option;

	for (option = command->options; !options_end(option); option++)
		if (option->kind != OPTION_GROUP)
			visit(command, option, text);
	visit(command, &options_help_row, text);
}

void completion_add_names(const struct command *const *commands, struct text *text)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		text_printf(text, "%s%s", i > 0 ? " " : "", commands[i]->name);
}

void completion_add_words(const char *const *words, struct text *text)
{
	size_t i;

	for (i = 0; words[i] != NULL; i++)
		text_printf(text, "%s%s", i > 0 ? " " : "", words[i]);
}

void completion_add_summary(const char *help, const char *escaped, const char *quote,
			    struct text *text)
{
	for (; *help != '\0' && *help != '\n'; help++) {
		if (*help == '\'') {
			text_add(text, quote);
			continue;
		}
		if (strchr(escaped, *help) != NULL)
			text_add_char(text, '\\');
		text_add_char(text, *help);
	}
}

bool options_completion(const char *shell, const struct command *const *commands, struct text *text,
			struct error *err)
{
	if (strcmp(shell, "bash") == 0)
		completion_bash(commands, text);
	else if (strcmp(shell, "zsh") == 0)
		completion_zsh(commands, text);
	else if (strcmp(shell, "fish") == 0)
		completion_fish(commands, text);
	else
		return error_set(err, ERROR_USAGE,
				 "there is no completion for this shell, only for bash, zsh and "
				 "fish");
	return true;
}
