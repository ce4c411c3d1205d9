/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --redact leaves out: the host's name, the environment, and directories
 * (of a path its last part stays, for a reader must know which program ran).
 * It makes a copy, so that nothing later on can forget to ask.
 */
#include <string.h>

#include "base/text.h"
#include "report/sheet/parts.h"

static const char separators[] = " \t\n'\"=:,;()<>|&`";

/* The last part of a path of the given length; "/" where there is none. */
static void add_last_part(struct text *text, const char *path, size_t length)
{
	size_t end = length, start;

	while (end > 0 && path[end - 1] == '/')
		end--;
	if (end == 0) {
		text_add_char(text, '/');
		return;
	}
	start = end;
	while (start > 0 && path[start - 1] != '/')
		start--;
	text_add_bytes(text, path + start, end - start);
}

/* What is to be kept out, and where. */
struct hiding {
	struct arena *arena;
	const char *host;	 /* NULL: not known */
	const struct plan *plan; /* of prose: whose commands it may quote; NULL: not prose */
};

static bool quotes(const char *command, const char *word, size_t length)
{
	return command != NULL && memmem(command, strlen(command), word, length) != NULL;
}

/* In prose "MB/s" is no path: one begins like a path, or stands in a command or a label. */
static bool is_path(const struct hiding *hiding, const char *word, size_t length)
{
	const struct plan *plan = hiding->plan;
	size_t i;

	if (memchr(word, '/', length) == NULL)
		return false;
	if (plan == NULL || word[0] == '/' || word[0] == '~' || word[0] == '.')
		return true;
	for (i = 0; i < plan->subject_count; i++)
		if (quotes(plan->subjects[i].command, word, length) ||
		    quotes(plan->subjects[i].label, word, length))
			return true;
	return false;
}

static void add_without_host(struct text *text, const char *bytes, size_t length, const char *host)
{
	size_t host_length = host == NULL ? 0 : strlen(host);
	const char *found;

	while (host_length > 0 && (found = memmem(bytes, length, host, host_length)) != NULL) {
		text_add_bytes(text, bytes, (size_t)(found - bytes));
		text_add(text, "(host)");
		length -= (size_t)(found - bytes) + host_length;
		bytes = found + host_length;
	}
	text_add_bytes(text, bytes, length);
}

static const char *redact(const struct hiding *hiding, const char *string)
{
	struct text text = { 0 };
	const char *result;
	size_t length;

	if (string == NULL)
		return NULL;
	while (*string != '\0') {
		length = strspn(string, separators);
		text_add_bytes(&text, string, length);
		string += length;
		length = strcspn(string, separators);
		if (is_path(hiding, string, length))
			add_last_part(&text, string, length);
		else
			add_without_host(&text, string, length, hiding->host);
		string += length;
	}
	result = arena_strdup(hiding->arena, text_string(&text));
	text_release(&text);
	return result;
}

const char *sheet_sentence(const struct sheet *sheet, const char *sentence)
{
	struct hiding hiding;

	if (sheet->hidden == NULL)
		return sentence;
	hiding = (struct hiding){ sheet->arena, environment_fact(&sheet->hidden->before, "host"),
				  &sheet->hidden->plan };
	return redact(&hiding, sentence);
}

static char **redact_words(const struct hiding *hiding, char **words, size_t count)
{
	char **copy = arena_alloc(hiding->arena, count + 1, sizeof *copy);
	size_t i;

	for (i = 0; words != NULL && i < count; i++)
		copy[i] = (char *)redact(hiding, words[i]);
	return words == NULL ? NULL : copy;
}

static bool label_is_taken(const struct subject *subjects, size_t before, const char *label)
{
	size_t i;

	for (i = 0; i < before; i++)
		if (strcmp(subjects[i].label, label) == 0)
			return true;
	return false;
}

/* Two builds may differ in nothing but their directory; labels stay distinct. */
static void redact_subject(const struct hiding *hiding, struct subject *subjects, size_t index)
{
	struct subject *subject = &subjects[index];

	subject->label = redact(hiding, subject->label);
	while (label_is_taken(subjects, index, subject->label))
		subject->label = arena_printf(hiding->arena, "%s (%zu)", subject->label, index + 1);
	subject->command = redact(hiding, subject->command);
	subject->argv = redact_words(hiding, subject->argv, subject->argc);
	subject->directory = NULL;
	subject->environment = NULL;
	subject->binary_path = redact(hiding, subject->binary_path);
	subject->prepare = redact(hiding, subject->prepare);
	subject->conclude = redact(hiding, subject->conclude);
}

static void redact_plan(const struct hiding *hiding, struct plan *plan)
{
	size_t i;

	plan->subjects =
	    arena_copy(hiding->arena, plan->subjects, plan->subject_count * sizeof *plan->subjects);
	for (i = 0; i < plan->subject_count; i++)
		redact_subject(hiding, plan->subjects, i);
	plan->shell = redact(hiding, plan->shell);
	plan->setup = redact(hiding, plan->setup);
	plan->cleanup = redact(hiding, plan->cleanup);
	plan->input_path = redact(hiding, plan->input_path);
	plan->output_path = redact(hiding, plan->output_path);
}

static bool is_private(const char *key)
{
	return strcmp(key, "host") == 0 || strcmp(key, "boot") == 0 || strcmp(key, "cgroup") == 0 ||
	       strncmp(key, "env ", 4) == 0;
}

static void redact_environment(const struct hiding *hiding, struct environment *environment)
{
	struct fact *kept = arena_alloc(hiding->arena, environment->fact_count, sizeof *kept);
	size_t count = 0, i;

	for (i = 0; i < environment->fact_count; i++) {
		if (is_private(environment->facts[i].key))
			continue;
		kept[count] = environment->facts[i];
		kept[count].value = redact(hiding, kept[count].value);
		count++;
	}
	environment->facts = kept;
	environment->fact_count = count;
}

const struct recording *redact_recording(struct arena *arena, const struct recording *recording)
{
	const char *host = environment_fact(&recording->before, "host");
	struct hiding words = { arena, host, NULL }, prose = { arena, host, &recording->plan };
	struct recording *copy = arena_copy(arena, recording, sizeof *recording);
	size_t i;

	redact_plan(&words, &copy->plan);
	redact_environment(&prose, &copy->before);
	redact_environment(&prose, &copy->after);
	copy->remarks = arena_alloc(arena, copy->remark_count, sizeof *copy->remarks);
	for (i = 0; i < copy->remark_count; i++)
		copy->remarks[i] = redact(&prose, recording->remarks[i]);
	return copy;
}
