/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The completion script for zsh: specs for _arguments (zshcompsys(1)). */
#include "base/completion.h"

/* Actions of _arguments. Kinds that the program tells are asked of it by a function of the script.
 */
static void zsh_completes(enum option_completes completes, struct text *text)
{
	static const char *const actions[COMPLETES_KINDS] = {
		[COMPLETES_FILE] = "_files",
		[COMPLETES_COMMAND] = "_worth_operand",
		[COMPLETES_DIRECTORY] = "_files -/",
	};

	if (completion_kind(completes) != NULL)
		text_printf(text, " _worth_list %s", completion_kind(completes));
	else if (actions[completes] != NULL)
		text_add(text, actions[completes]);
}

/* What zsh calls for a value: ":MESSAGE:ACTION". */
static void zsh_action(const struct option *option, struct text *text)
{
	if (!completion_takes_value(option))
		return;
	text_add_char(text, ':');
	completion_add_summary(option->value, ":[]\\", "'\\''", text);
	text_add_char(text, ':');
	if (option->choices != NULL) {
		text_add_char(text, '(');
		completion_add_words(option->choices, text);
		text_add_char(text, ')');
	} else {
		zsh_completes(option->completes, text);
	}
}

static void zsh_spec(const struct option *option, const char *spelled, struct text *text)
{
	text_printf(text, "\t\t\t'*%s[", spelled);
	completion_add_summary(option->help, ":[]\\", "'\\''", text);
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
		text_printf(&spelled, "-%c%s", option->letter,
			    completion_takes_value(option) ? "+" : "");
		zsh_spec(option, spelled.bytes, text);
		text_clear(&spelled);
	}
	text_printf(&spelled, "--%s%s", option->name, completion_takes_value(option) ? "=" : "");
	zsh_spec(option, spelled.bytes, text);
	text_release(&spelled);
}

/* What follows a command's options. */
static void zsh_operands(const struct command *command, struct text *text)
{
	if (command->words != NULL) {
		text_add(text, "\t\t\t'1:word:(");
		completion_add_words(command->words, text);
		text_add(text, command->operands == COMPLETES_NOTHING ? ")'" : ")' \\\n");
	}
	if (command->operands != COMPLETES_NOTHING || command->words == NULL) {
		text_add(text, "\t\t\t'*:operand:");
		zsh_completes(command->operands, text);
		text_add_char(text, '\'');
	}
	text_add(text, "\n\t\t;;\n");
}

/* commands is a parameter of zsh itself, which completing programs' names reads: not to be hidden.
 */
void completion_zsh(const struct command *const *commands, struct text *text)
{
	size_t i;

	text_add(text, "#compdef worth\n"
		       "# zsh completion for worth\n"
		       "_worth_operand()\n{\n\t_alternative 'files:file:_files' "
		       "'commands:command: _command_names -e'\n}\n"
		       "# Names that worth tells, each with a tab and what it is behind it\n"
		       "_worth_list()\n{\n"
		       "\tlocal -a lines\n"
		       "\tlines=(${(f)\"$(_call_program $1 worth completion --list $1 "
		       "2>/dev/null)\"})\n"
		       "\tlines=(\"${lines[@]//:/\\\\:}\")\n"
		       "\tlines=(\"${lines[@]/$'\\t'/:}\")\n"
		       "\t_describe -t $1 ${1%s} lines\n}\n"
		       "_worth()\n{\n"
		       "\tlocal -a worth_commands\n"
		       "\tworth_commands=(\n");
	for (i = 0; commands[i] != NULL; i++) {
		text_printf(text, "\t\t'%s:", commands[i]->name);
		completion_add_summary(commands[i]->summary, "\\", "'\\''", text);
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
		completion_options(commands[i], zsh_option, text);
		zsh_operands(commands[i], text);
	}
	text_add(text, "\tesac\n}\n"
		       "if [[ $funcstack[1] == _worth ]]; then\n\t_worth \"$@\"\nelse\n"
		       "\tcompdef _worth worth\nfi\n");
}
