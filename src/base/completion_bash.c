/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The completion script for bash: a function that fills COMPREPLY (bash(1), Programmable
 * Completion). */
#include "base/completion.h"

static void bash_word(const struct command *command, const struct option *option, struct text *text)
{
	(void)command;
	text_printf(text, " --%s", option->name);
	if (option->letter != 0)
		text_printf(text, " -%c", option->letter);
}

/* The line that offers a kind of word; the word itself stands in $word. */
static void bash_offer(enum option_completes completes, const char *indent, struct text *text)
{
	static const char *const generators[COMPLETES_KINDS] = {
		[COMPLETES_FILE] = "-f",
		[COMPLETES_COMMAND] = "-c -f",
		[COMPLETES_DIRECTORY] = "-d",
	};

	if (completion_kind(completes) != NULL)
		text_printf(
		    text, "%s_worth_lines \"$word\" < <(\"$1\" completion --list %s 2>/dev/null)\n",
		    indent, completion_kind(completes));
	else if (generators[completes] != NULL)
		text_printf(text,
			    "%scompopt -o filenames\n"
			    "%smapfile -t COMPREPLY < <(compgen %s -- \"$word\" | sort -u)\n",
			    indent, indent, generators[completes]);
}

/* One arm of the case over "command:previous word". */
static void bash_value(const struct command *command, const struct option *option,
		       struct text *text)
{
	if (!completion_takes_value(option))
		return;
	text_printf(text, "\t%s:--%s", command->name, option->name);
	if (option->letter != 0)
		text_printf(text, " | %s:-%c", command->name, option->letter);
	text_add(text, ")\n");
	if (option->choices != NULL) {
		text_add(text, "\t\tmapfile -t COMPREPLY < <(compgen -W '");
		completion_add_words(option->choices, text);
		text_add(text, "' -- \"$word\")\n");
	} else {
		bash_offer(option->completes, "\t\t", text);
	}
	text_add(text, "\t\treturn\n\t\t;;\n");
}

/* The arm of a command's operands: one of a few words first, then what it takes. */
static void bash_operands(const struct command *command, struct text *text)
{
	const char *const *word;

	text_printf(text, "\t%s)\n", command->name);
	if (command->words != NULL) {
		text_add(text, "\t\tcase \" ${COMP_WORDS[*]:2:COMP_CWORD-2} \" in\n\t\t");
		for (word = command->words; *word != NULL; word++)
			text_printf(text, "%s*' %s '*", word == command->words ? "" : " | ", *word);
		text_add(text, ") ;;\n\t\t*)\n\t\t\tmapfile -t COMPREPLY < <(compgen -W '");
		completion_add_words(command->words, text);
		text_add(text, "' -- \"$word\")\n\t\t\treturn\n\t\t\t;;\n\t\tesac\n");
	}
	/* Thousands of programs are no help before the first letter. */
	if (command->operands == COMPLETES_COMMAND)
		text_add(text, "\t\tgenerators=(-f)\n"
			       "\t\t[[ -n $word ]] && generators=(-c -f)\n"
			       "\t\tcompopt -o filenames\n"
			       "\t\tmapfile -t COMPREPLY < <(compgen \"${generators[@]}\" -- "
			       "\"$word\" | sort -u)\n");
	else
		bash_offer(command->operands, "\t\t", text);
	text_add(text, "\t\t;;\n");
}

/* Lines of names, with a tab and more behind them: those that begin with the word being typed,
 * which may be quoted, become choices. */
static const char lines_function[] =
    "_worth_lines()\n{\n"
    "\tlocal line plain=${1//\\\\/} quote=\n"
    "\tcase $plain in\n\t\\'* | \\\"*)\n\t\tquote=${plain:0:1}\n\t\tplain=${plain:1}\n\t\t;;\n"
    "\tesac\n"
    "\twhile IFS= read -r line; do\n"
    "\t\tline=${line%%$'\\t'*}\n"
    "\t\t[[ $line == \"$plain\"* ]] || continue\n"
    "\t\t[[ -n $quote ]] || printf -v line %q \"$line\"\n"
    "\t\tCOMPREPLY+=(\"$line\")\n"
    "\tdone\n"
    "}\n";

/* workload:NAME in place of a command; readline may have split it at the colon. */
static const char workload_short_form[] =
    "\tif [[ $word == : && $previous == workload ]]; then\n\t\tword= previous=:\n\tfi\n"
    "\tif [[ $previous == : && ${COMP_LINE-} == *workload:* ]]; then\n"
    "\t\t_worth_lines \"$word\" < <(\"$1\" completion --list workloads 2>/dev/null)\n"
    "\t\treturn\n\tfi\n";

static void bash_begin(const struct command *const *commands, struct text *text)
{
	size_t i;

	text_add(text, "# bash completion for worth\n");
	text_add(text, lines_function);
	text_add(text, "_worth()\n{\n"
		       "\tlocal word=${COMP_WORDS[COMP_CWORD]}\n"
		       "\tlocal previous=${COMP_WORDS[COMP_CWORD-1]}\n"
		       "\tlocal command options= generators\n"
		       "\tCOMPREPLY=()\n"
		       "\t# readline splits --name=value at the equals sign\n"
		       "\tif [[ $word == = ]]; then\n"
		       "\t\tword=\n"
		       "\telif [[ $previous == = ]]; then\n"
		       "\t\tprevious=${COMP_WORDS[COMP_CWORD-2]}\n"
		       "\tfi\n");
	text_add(text, workload_short_form);
	text_printf(
	    text, "\tcommand=%s\n\tif ((COMP_CWORD > 1)); then\n\t\tcase ${COMP_WORDS[1]} in\n\t\t",
	    commands[0]->name);
	for (i = 0; commands[i] != NULL; i++)
		text_printf(text, "%s | ", commands[i]->name);
	text_add(text, "help) command=${COMP_WORDS[1]} ;;\n\t\tesac\n\tfi\n");
}

/* The first word names a command of worth or is a command to be measured. */
static void bash_first_word(const struct command *const *commands, struct text *text)
{
	text_add(text, "\tif ((COMP_CWORD == 1)); then\n"
		       "\t\tcompopt -o filenames\n"
		       "\t\tmapfile -t COMPREPLY < <(\n"
		       "\t\t\t{\n"
		       "\t\t\t\tcompgen -W 'help ");
	completion_add_names(commands, text);
	text_add(text, "' -- \"$word\"\n"
		       "\t\t\t\t[[ -z $word ]] || compgen -c -f -- \"$word\"\n"
		       "\t\t\t} | sort -u)\n"
		       "\t\treturn\n"
		       "\tfi\n");
}

void completion_bash(const struct command *const *commands, struct text *text)
{
	size_t i;

	bash_begin(commands, text);
	text_add(text, "\tcase $command:$previous in\n");
	for (i = 0; commands[i] != NULL; i++)
		completion_options(commands[i], bash_value, text);
	text_add(text, "\tesac\n\tcase $command in\n");
	for (i = 0; commands[i] != NULL; i++) {
		text_printf(text, "\t%s) options='", commands[i]->name);
		completion_options(commands[i], bash_word, text);
		text_add(text, "' ;;\n");
	}
	text_add(text, "\tesac\n"
		       "\tif [[ $word == -* ]]; then\n"
		       "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
		       "\t\treturn\n"
		       "\tfi\n");
	bash_first_word(commands, text);
	text_add(text, "\tcase $command in\n"
		       "\thelp)\n\t\tmapfile -t COMPREPLY < <(compgen -W '");
	completion_add_names(commands, text);
	text_add(text, "' -- \"$word\")\n\t\t;;\n");
	for (i = 0; commands[i] != NULL; i++)
		bash_operands(commands[i], text);
	text_add(text, "\tesac\n}\ncomplete -F _worth worth\n");
}
