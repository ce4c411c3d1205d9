/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The completion script for fish: a line of complete(1) an option. */
#include "base/completion.h"

/* The flags of complete that offer a kind of word, nothing but that. */
static void fish_completes(enum option_completes completes, struct text *text)
{
	static const char *const flags[COMPLETES_KINDS] = {
		[COMPLETES_NOTHING] = " -f",
		[COMPLETES_FILE] = " -F",
		[COMPLETES_COMMAND] = " -F",
		[COMPLETES_DIRECTORY] = " -f -a '(__fish_complete_directories)'",
	};

	if (completion_kind(completes) != NULL)
		text_printf(text, " -f -a '(worth completion --list %s 2>/dev/null)'",
			    completion_kind(completes));
	else
		text_add(text, flags[completes]);
}

static void fish_option(const struct command *command, const struct option *option,
			struct text *text)
{
	text_printf(text, "complete -c worth -n '__worth_runs %s' -l %s", command->name,
		    option->name);
	if (option->letter != 0)
		text_printf(text, " -s %c", option->letter);
	if (completion_takes_value(option) && option->choices != NULL) {
		text_add(text, " -x -a '");
		completion_add_words(option->choices, text);
		text_add_char(text, '\'');
	} else if (completion_takes_value(option)) {
		text_add(text, " -r");
		fish_completes(option->completes, text);
	}
	text_add(text, " -d '");
	completion_add_summary(option->help, "\\", "\\'", text);
	text_add(text, "'\n");
}

/* What follows a command's options: one of a few words first, then what it takes. */
static void fish_operands(const struct command *command, struct text *text)
{
	if (command->words != NULL) {
		text_printf(text,
			    "complete -c worth -n '__worth_runs %s; and not "
			    "__fish_seen_subcommand_from ",
			    command->name);
		completion_add_words(command->words, text);
		text_add(text, "' -f -a '");
		completion_add_words(command->words, text);
		text_add(text, "'\n");
	}
	text_printf(text, "complete -c worth -n '__worth_runs %s", command->name);
	if (command->words != NULL) {
		text_add(text, "; and __fish_seen_subcommand_from ");
		completion_add_words(command->words, text);
	}
	text_add_char(text, '\'');
	fish_completes(command->operands, text);
	text_add_char(text, '\n');
}

void completion_fish(const struct command *const *commands, struct text *text)
{
	size_t i;

	text_add(text, "# fish completion for worth\n"
		       "function __worth_runs\n"
		       "    set -l words (commandline -opc)\n"
		       "    set -l command ");
	text_add(text, commands[0]->name);
	text_add(text, "\n    if set -q words[2]; and contains -- $words[2] help ");
	completion_add_names(commands, text);
	text_add(text, "\n        set command $words[2]\n    end\n"
		       "    test $command = $argv[1]\nend\n"
		       "function __worth_starts\n"
		       "    test (count (commandline -opc)) -eq 1\nend\n");
	for (i = 0; commands[i] != NULL; i++) {
		text_printf(text, "complete -c worth -n __worth_starts -a %s -d '",
			    commands[i]->name);
		completion_add_summary(commands[i]->summary, "\\", "\\'", text);
		text_add(text, "'\n");
	}
	text_add(text, "complete -c worth -n __worth_starts -a help -d 'show what a command does'\n"
		       "complete -c worth -n '__worth_runs help' -x -a '");
	completion_add_names(commands, text);
	text_add(text, "'\n");
	for (i = 0; commands[i] != NULL; i++) {
		fish_operands(commands[i], text);
		completion_options(commands[i], fish_option, text);
	}
}
