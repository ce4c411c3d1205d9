/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completion scripts from the option tables. Each shell gets what its own
 * manual asks for: bash a function that fills COMPREPLY (bash(1), Programmable
 * Completion), zsh specs for _arguments (zshcompsys(1)), fish one `complete`
 * line an option (complete(1)).
 */
#include "base/options.h"

#include <string.h>

static bool takes_value(const struct option *option)
{
	return option->kind != OPTION_FLAG && option->kind != OPTION_NO_FLAG;
}

/* Calls visit for the rows of a command that are options, --help last. */
static void each_option(const struct command *command,
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

static void add_names(const struct command *const *commands, struct text *text)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		text_printf(text, "%s%s", i > 0 ? " " : "", commands[i]->name);
}

static void add_choices(const struct option *option, struct text *text)
{
	size_t i;

	for (i = 0; option->choices[i] != NULL; i++)
		text_printf(text, "%s%s", i > 0 ? " " : "", option->choices[i]);
}

/* The first line of a help text, inside single quotes; each byte of escaped gets a backslash.
 * quote is what a single quote becomes there. */
static void add_summary(const char *help, const char *escaped, const char *quote, struct text *text)
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

static void bash_word(const struct command *command, const struct option *option, struct text *text)
{
	(void)command;
	text_printf(text, " --%s", option->name);
	if (option->letter != 0)
		text_printf(text, " -%c", option->letter);
}

/* One arm of the case over "command:previous word". */
static void bash_value(const struct command *command, const struct option *option,
		       struct text *text)
{
	static const char *const generators[] = {
		[COMPLETES_NOTHING] = NULL,
		[COMPLETES_FILE] = "-f",
		[COMPLETES_COMMAND] = "-c -f",
		[COMPLETES_DIRECTORY] = "-d",
	};

	if (!takes_value(option))
		return;
	text_printf(text, "\t%s:--%s", command->name, option->name);
	if (option->letter != 0)
		text_printf(text, " | %s:-%c", command->name, option->letter);
	text_add(text, ")\n\t\t");
	if (option->choices != NULL) {
		text_add(text, "mapfile -t COMPREPLY < <(compgen -W '");
		add_choices(option, text);
		text_add(text, "' -- \"$word\")\n\t\t");
	} else if (generators[option->completes] != NULL) {
		text_printf(text,
			    "compopt -o filenames\n\t\tmapfile -t COMPREPLY < <(compgen %s -- "
			    "\"$word\")\n\t\t",
			    generators[option->completes]);
	}
	text_add(text, "return\n\t\t;;\n");
}

static void bash_script(const struct command *const *commands, struct text *text)
{
	size_t i;

	text_add(text, "# bash completion for worth\n"
		       "_worth()\n{\n"
		       "\tlocal word=${COMP_WORDS[COMP_CWORD]}\n"
		       "\tlocal previous=${COMP_WORDS[COMP_CWORD-1]}\n"
		       "\tlocal command options=\n"
		       "\tCOMPREPLY=()\n"
		       "\t# readline splits --name=value at the equals sign\n"
		       "\tif [[ $word == = ]]; then\n"
		       "\t\tword=\n"
		       "\telif [[ $previous == = ]]; then\n"
		       "\t\tprevious=${COMP_WORDS[COMP_CWORD-2]}\n"
		       "\tfi\n");
	text_printf(
	    text, "\tcommand=%s\n\tif ((COMP_CWORD > 1)); then\n\t\tcase ${COMP_WORDS[1]} in\n\t\t",
	    commands[0]->name);
	for (i = 0; commands[i] != NULL; i++)
		text_printf(text, "%s | ", commands[i]->name);
	text_add(text, "help) command=${COMP_WORDS[1]} ;;\n\t\tesac\n\tfi\n"
		       "\tcase $command:$previous in\n");
	for (i = 0; commands[i] != NULL; i++)
		each_option(commands[i], bash_value, text);
	text_add(text, "\tesac\n\tcase $command in\n");
	for (i = 0; commands[i] != NULL; i++) {
		text_printf(text, "\t%s) options='", commands[i]->name);
		each_option(commands[i], bash_word, text);
		text_add(text, "' ;;\n");
	}
	text_add(text, "\tesac\n"
		       "\tif [[ $command == help ]]; then\n"
		       "\t\tmapfile -t COMPREPLY < <(compgen -W '");
	add_names(commands, text);
	text_add(text, "' -- \"$word\")\n"
		       "\telif [[ $command == completion && $word != -* ]]; then\n"
		       "\t\tmapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- \"$word\")\n"
		       "\telif [[ $word == -* ]]; then\n"
		       "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
		       "\telse\n"
		       "\t\tcompopt -o filenames\n"
		       "\t\tmapfile -t COMPREPLY < <(compgen -c -f -- \"$word\")\n"
		       "\t\tif ((COMP_CWORD == 1)); then\n"
		       "\t\t\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W 'help ");
	add_names(commands, text);
	text_add(text, "' -- \"$word\")\n"
		       "\t\tfi\n"
		       "\tfi\n"
		       "}\n"
		       "complete -F _worth worth\n");
}

/* What zsh calls for a value: ":MESSAGE:ACTION". */
static void zsh_action(const struct option *option, struct text *text)
{
	static const char *const actions[] = {
		[COMPLETES_NOTHING] = "",
		[COMPLETES_FILE] = "_files",
		[COMPLETES_COMMAND] = "_command_names -e",
		[COMPLETES_DIRECTORY] = "_files -/",
	};

	if (!takes_value(option))
		return;
	text_add_char(text, ':');
	add_summary(option->value, ":[]\\", "'\\''", text);
	text_add_char(text, ':');
	if (option->choices != NULL) {
		text_add_char(text, '(');
		add_choices(option, text);
		text_add_char(text, ')');
	} else {
		text_add(text, actions[option->completes]);
	}
}

static void zsh_spec(const struct option *option, const char *spelled, struct text *text)
{
	text_printf(text, "\t\t\t'*%s[", spelled);
	add_summary(option->help, ":[]\\", "'\\''", text);
	text_add_char(text, ']');
	zsh_action(option, text);
	text_add(text, "' \\\n");
}

static void zsh_option(const struct command *command, const struct option *option,
		       struct text *text)
{
	struct text spelled = { 0 };

	(void)command;
	if (option->letter != 0) {
		text_printf(&spelled, "-%c%s", option->letter, takes_value(option) ? "+" : "");
		zsh_spec(option, spelled.bytes, text);
		text_clear(&spelled);
	}
	text_printf(&spelled, "--%s%s", option->name, takes_value(option) ? "=" : "");
	zsh_spec(option, spelled.bytes, text);
	text_release(&spelled);
}

/* What follows a command's options. */
static const char *zsh_operands(const char *command)
{
	return strcmp(command, "completion") == 0 ? "1:shell:(bash zsh fish)"
						  : "*:command or file:_worth_operand";
}

/* commands is a parameter of zsh itself, which completing programs' names reads: not to be hidden.
 */
static void zsh_script(const struct command *const *commands, struct text *text)
{
	size_t i;

	text_add(text, "#compdef worth\n"
		       "# zsh completion for worth\n"
		       "_worth_operand()\n{\n\t_alternative 'files:file:_files' "
		       "'commands:command:_command_names -e'\n}\n"
		       "_worth()\n{\n"
		       "\tlocal -a worth_commands\n"
		       "\tworth_commands=(\n");
	for (i = 0; commands[i] != NULL; i++) {
		text_printf(text, "\t\t'%s:", commands[i]->name);
		add_summary(commands[i]->summary, "\\", "'\\''", text);
		text_add(text, "'\n");
	}
	text_printf(text,
		    "\t\t'help:show what a command does'\n\t)\n"
		    "\tlocal command=%s\n"
		    "\tif ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
		    "\t\t_describe -t commands 'worth command' worth_commands\n"
		    "\t\t_worth_operand\n"
		    "\t\treturn\n"
		    "\tfi\n"
		    "\tif ((CURRENT > 2)) && [[ -n ${worth_commands[(r)$words[2]:*]} ]]; then\n"
		    "\t\tcommand=$words[2]\n"
		    "\t\tshift words\n"
		    "\t\t((CURRENT--))\n"
		    "\tfi\n"
		    "\tcase $command in\n"
		    "\thelp)\n"
		    "\t\t_describe -t commands 'worth command' worth_commands\n"
		    "\t\t;;\n",
		    commands[0]->name);
	for (i = 0; commands[i] != NULL; i++) {
		text_printf(text, "\t%s)\n\t\t_arguments -s \\\n", commands[i]->name);
		each_option(commands[i], zsh_option, text);
		text_printf(text, "\t\t\t'%s'\n\t\t;;\n", zsh_operands(commands[i]->name));
	}
	text_add(text, "\tesac\n}\n"
		       "if [[ $funcstack[1] == _worth ]]; then\n\t_worth \"$@\"\nelse\n"
		       "\tcompdef _worth worth\nfi\n");
}

static void fish_option(const struct command *command, const struct option *option,
			struct text *text)
{
	static const char *const values[] = {
		[COMPLETES_NOTHING] = " -x",
		[COMPLETES_FILE] = " -r -F",
		[COMPLETES_COMMAND] = " -r -F",
		[COMPLETES_DIRECTORY] = " -x -a '(__fish_complete_directories)'",
	};

	text_printf(text, "complete -c worth -n '__worth_runs %s' -l %s", command->name,
		    option->name);
	if (option->letter != 0)
		text_printf(text, " -s %c", option->letter);
	if (takes_value(option) && option->choices != NULL) {
		text_add(text, " -x -a '");
		add_choices(option, text);
		text_add_char(text, '\'');
	} else if (takes_value(option)) {
		text_add(text, values[option->completes]);
	}
	text_add(text, " -d '");
	add_summary(option->help, "\\", "\\'", text);
	text_add(text, "'\n");
}

static void fish_script(const struct command *const *commands, struct text *text)
{
	size_t i;

	text_add(text, "# fish completion for worth\n"
		       "function __worth_runs\n"
		       "    set -l words (commandline -opc)\n"
		       "    set -l command ");
	text_add(text, commands[0]->name);
	text_add(text, "\n    if set -q words[2]; and contains -- $words[2] help ");
	add_names(commands, text);
	text_add(text, "\n        set command $words[2]\n    end\n"
		       "    test $command = $argv[1]\nend\n"
		       "function __worth_starts\n"
		       "    test (count (commandline -opc)) -eq 1\nend\n");
	for (i = 0; commands[i] != NULL; i++) {
		text_printf(text, "complete -c worth -n __worth_starts -a %s -d '",
			    commands[i]->name);
		add_summary(commands[i]->summary, "\\", "\\'", text);
		text_add(text, "'\n");
	}
	text_add(text, "complete -c worth -n __worth_starts -a help -d 'show what a command does'\n"
		       "complete -c worth -n '__worth_runs help' -x -a '");
	add_names(commands, text);
	text_add(text, "'\n"
		       "complete -c worth -n '__worth_runs completion' -x -a 'bash zsh fish'\n");
	for (i = 0; commands[i] != NULL; i++)
		each_option(commands[i], fish_option, text);
}

bool options_completion(const char *shell, const struct command *const *commands, struct text *text,
			struct error *err)
{
	if (strcmp(shell, "bash") == 0)
		bash_script(commands, text);
	else if (strcmp(shell, "zsh") == 0)
		zsh_script(commands, text);
	else if (strcmp(shell, "fish") == 0)
		fish_script(commands, text);
	else
		return error_set(err, ERROR_USAGE,
				 "there is no completion for this shell, only for bash, zsh and "
				 "fish");
	return true;
}
