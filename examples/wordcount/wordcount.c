/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small real program to try worth on: counts the words of a file and prints
 * the most frequent ones. tools/demo builds it twice, at -O1 and at -O2.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_SIZE = 1 << 16, SHOWN = 10 };

struct word {
	struct word *next;
	unsigned long count;
	size_t length;
	char letters[];
};

static struct word *table[TABLE_SIZE];
static size_t word_count;

static void *need(void *memory)
{
	if (memory == NULL) {
		fputs("wordcount: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static unsigned hash(const char *letters, size_t length)
{
	unsigned value = 2166136261u;
	size_t i;

	for (i = 0; i < length; i++)
		value = (value ^ (unsigned char)letters[i]) * 16777619u;
	return value % TABLE_SIZE;
}

static void count_word(const char *letters, size_t length)
{
	struct word **place = &table[hash(letters, length)];
	struct word *word;

	for (word = *place; word != NULL; word = word->next)
		if (word->length == length && memcmp(word->letters, letters, length) == 0) {
			word->count++;
			return;
		}
	word = need(malloc(sizeof *word + length));
	word->next = *place;
	word->count = 1;
	word->length = length;
	memcpy(word->letters, letters, length);
	*place = word;
	word_count++;
}

static void count_text(const char *text, size_t length)
{
	size_t start = 0, i;

	for (i = 0; i <= length; i++)
		if (i == length || !isalnum((unsigned char)text[i])) {
			if (i > start)
				count_word(text + start, i - start);
			start = i + 1;
		}
}

static int more_frequent(const void *left, const void *right)
{
	const struct word *a = *(const struct word *const *)left;
	const struct word *b = *(const struct word *const *)right;
	size_t shorter = a->length < b->length ? a->length : b->length;
	int order;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	order = memcmp(a->letters, b->letters, shorter);
	return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static char *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	size_t capacity = 1 << 16, got;
	char *text = need(malloc(capacity));

	if (file == NULL) {
		perror(path);
		exit(1);
	}
	*length = 0;
	while ((got = fread(text + *length, 1, capacity - *length, file)) > 0) {
		*length += got;
		if (*length == capacity)
			text = need(realloc(text, capacity *= 2));
	}
	fclose(file);
	return text;
}

int main(int argc, char **argv)
{
	struct word **words, *word;
	size_t length, i, found = 0;
	char *text;

	if (argc != 2) {
		fputs("usage: wordcount FILE\n", stderr);
		return 1;
	}
	text = read_file(argv[1], &length);
	count_text(text, length);
	words = need(malloc((word_count + 1) * sizeof *words));
	for (i = 0; i < TABLE_SIZE; i++)
		for (word = table[i]; word != NULL; word = word->next)
			words[found++] = word;
	qsort(words, found, sizeof *words, more_frequent);
	for (i = 0; i < found && i < SHOWN; i++)
		printf("%8lu %.*s\n", words[i]->count, (int)words[i]->length, words[i]->letters);
	return 0;
}
