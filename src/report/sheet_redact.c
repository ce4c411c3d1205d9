/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --redact leaves out: the host's name, the environment, and directories
 * (of a path its last part stays, for a reader must know which program ran).
 * It makes a copy, so that nothing later on can forget to ask.
 */
#include <string.h>

#include "base/text.h"
#include "report/sheet_parts.h"

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

/* In prose only what begins like a path is one: "MB/s" is not. */
static bool is_path(const char *word, size_t length, bool prose)
{
	if (memchr(word, '/', length) == NULL)
		return false;
	return !prose || word[0] == '/' || (length > 2 && strncmp(word, "./", 2) == 0) ||
	       (length > 3 && strncmp(word, "../", 3) == 0) ||
	       (length > 2 && strncmp(word, "~/", 2) == 0);
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

static const char *redact(struct arena *arena, const char *string, const char *host, bool prose)
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
		if (is_path(string, length, prose))
			add_last_part(&text, string, length);
		else
			add_without_host(&text, string, length, host);
		string += length;
	}
	result = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return result;
}

const char *redact_sentence(struct arena *arena, const char *sentence, const char *host)
{
	return redact(arena, sentence, host, true);
}

static char **redact_words(struct arena *arena, char **words, size_t count, const char *host)
{
	char **copy = arena_alloc(arena, count + 1, sizeof *copy);
	size_t i;

	for (i = 0; words != NULL && i < count; i++)
		copy[i] = (char *)redact(arena, words[i], host, false);
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
static void redact_subject(struct arena *arena, struct subject *subjects, size_t index,
			   const char *host)
{
	struct subject *subject = &subjects[index];

	subject->label = redact(arena, subject->label, host, false);
	while (label_is_taken(subjects, index, subject->label))
		subject->label = arena_printf(arena, "%s (%zu)", subject->label, index + 1);
	subject->command = redact(arena, subject->command, host, false);
	subject->argv = redact_words(arena, subject->argv, subject->argc, host);
	subject->directory = NULL;
	subject->environment = NULL;
	subject->binary_path = redact(arena, subject->binary_path, host, false);
	subject->prepare = redact(arena, subject->prepare, host, false);
	subject->conclude = redact(arena, subject->conclude, host, false);
}

static void redact_plan(struct arena *arena, struct plan *plan, const char *host)
{
	size_t i;

	plan->subjects =
	    arena_copy(arena, plan->subjects, plan->subject_count * sizeof *plan->subjects);
	for (i = 0; i < plan->subject_count; i++)
		redact_subject(arena, plan->subjects, i, host);
	plan->shell = redact(arena, plan->shell, host, false);
	plan->setup = redact(arena, plan->setup, host, false);
	plan->cleanup = redact(arena, plan->cleanup, host, false);
	plan->input_path = redact(arena, plan->input_path, host, false);
	plan->output_path = redact(arena, plan->output_path, host, false);
}

static bool is_private(const char *key)
{
	return strcmp(key, "host") == 0 || strcmp(key, "cgroup") == 0 ||
	       strncmp(key, "env ", 4) == 0;
}

static void redact_environment(struct arena *arena, struct environment *environment,
			       const char *host)
{
	struct fact *kept = arena_alloc(arena, environment->fact_count, sizeof *kept);
	size_t count = 0, i;

	for (i = 0; i < environment->fact_count; i++) {
		if (is_private(environment->facts[i].key))
			continue;
		kept[count] = environment->facts[i];
		kept[count].value = redact(arena, kept[count].value, host, true);
		count++;
	}
	environment->facts = kept;
	environment->fact_count = count;
}

const struct recording *redact_recording(struct arena *arena, const struct recording *recording)
{
	struct recording *copy = arena_copy(arena, recording, sizeof *recording);
	const char *host = environment_fact(&recording->before, "host");
	size_t i;

	redact_plan(arena, &copy->plan, host);
	redact_environment(arena, &copy->before, host);
	redact_environment(arena, &copy->after, host);
	copy->remarks = arena_alloc(arena, copy->remark_count, sizeof *copy->remarks);
	for (i = 0; i < copy->remark_count; i++)
		copy->remarks[i] = redact(arena, recording->remarks[i], host, true);
	return copy;
}
