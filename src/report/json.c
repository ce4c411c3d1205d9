/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for programs; docs/report.md describes the layout. Rows are
 * written one by one, each on a line, so that a million runs need no tree and
 * a reader can still use grep.
 */
#include "base/arena.h"
#include "base/json.h"
#include "report/writer.h"

/* Rises when a reader of the old layout would misread the new one. */
enum { REPORT_FORMAT = 1, EXPANDED_DEPTH = 3 };

static void add_value(struct text *text, struct json *value)
{
	json_print(value, false, text);
	json_release(value);
}

static void add_string(struct text *text, const char *string)
{
	add_value(text, json_string(string));
}

static void add_key(struct text *text, const char *key)
{
	add_string(text, key);
	text_add(text, ": ");
}

static struct json *cell_json(const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NUMBER:
		return json_number(cell->number);
	case CELL_TEXT:
		return json_string(cell->word != NULL ? cell->word : cell->text);
	case CELL_BOOLEAN:
		return json_boolean(cell->truth);
	case CELL_EMPTY:
		break;
	}
	return json_string(NULL);
}

static void add_row(struct text *text, const struct table *table, const struct cell *cells)
{
	struct json *object = json_object();
	size_t j;

	for (j = 0; j < table->column_count; j++)
		if (table->columns[j].audience != AUDIENCE_PEOPLE)
			json_set(object, table->columns[j].key, cell_json(&cells[j]));
	add_value(text, object);
}

static void add_table(struct text *text, const struct table *table)
{
	struct arena *arena = arena_open();
	struct cell *scratch = arena_alloc(arena, table->column_count, sizeof *scratch);
	const struct cell *cells;
	bool first = true;
	size_t i;

	text_add(text, "[");
	for (i = 0; i < table->row_count; i++) {
		cells = table_cells(table, i, scratch);
		if (cells == NULL)
			continue;
		text_add(text, first ? "\n      " : ",\n      ");
		add_row(text, table, cells);
		first = false;
	}
	text_add(text, first ? "]" : "\n    ]");
	arena_close(arena);
}

static void add_tables(struct text *text, const struct document *document)
{
	const struct table *table;
	bool first = true;
	size_t i;

	text_add(text, "  \"tables\": {");
	for (i = 0; i < document->block_count; i++) {
		table = document->blocks[i].table;
		if (document->blocks[i].kind != BLOCK_TABLE || table->audience == AUDIENCE_PEOPLE)
			continue;
		text_add(text, first ? "\n    " : ",\n    ");
		add_key(text, table->id);
		add_table(text, table);
		first = false;
	}
	text_add(text, first ? "}" : "\n  }");
}

static void add_sentence(struct text *text, const struct block *block)
{
	struct json *object = json_object();

	json_set(object, "id", json_string(block->id));
	json_set(object, "label", json_string(block->label));
	json_set(object, "text", json_string(block->text));
	add_value(text, object);
}

static void add_sentences(struct text *text, const struct document *document)
{
	const struct block *block;
	bool first = true;
	size_t i;

	text_add(text, "  \"sentences\": [");
	for (i = 0; i < document->block_count; i++) {
		block = &document->blocks[i];
		if ((block->kind != BLOCK_SENTENCE && block->kind != BLOCK_NOTE) ||
		    block->audience == AUDIENCE_PEOPLE)
			continue;
		text_add(text, first ? "\n    " : ",\n    ");
		add_sentence(text, block);
		first = false;
	}
	text_add(text, first ? "]" : "\n  ]");
}

/* Trees of the document's maker: opened up to a depth, below it one line a value. */
struct member {
	struct text *text;
	int depth;
	bool first;
};

static void add_tree(struct text *text, const struct json *json, int depth);

static void add_separator(struct member *member)
{
	text_add(member->text, member->first ? "\n" : ",\n");
	text_add_repeat(member->text, ' ', (size_t)member->depth * 2);
	member->first = false;
}

static void add_member(void *context, const char *key, struct json *value)
{
	struct member *member = context;

	add_separator(member);
	add_key(member->text, key);
	add_tree(member->text, value, member->depth);
}

static bool is_structured(const struct json *json)
{
	return json_is_object(json) || json_is_array(json);
}

static void add_array(struct text *text, const struct json *json, int depth)
{
	struct member member = { .text = text, .depth = depth + 1, .first = true };
	size_t count = json_count(json), i;

	text_add_char(text, '[');
	for (i = 0; i < count; i++) {
		add_separator(&member);
		json_print(json_item(json, i), false, text);
	}
	text_add_char(text, '\n');
	text_add_repeat(text, ' ', (size_t)depth * 2);
	text_add_char(text, ']');
}

static void add_tree(struct text *text, const struct json *json, int depth)
{
	struct member member = { .text = text, .depth = depth + 1, .first = true };

	if (depth < EXPANDED_DEPTH && json_is_object(json)) {
		text_add_char(text, '{');
		json_each(json, add_member, &member);
		text_add_char(text, '\n');
		text_add_repeat(text, ' ', (size_t)depth * 2);
		text_add_char(text, '}');
	} else if (json_is_array(json) && json_count(json) > 0 &&
		   is_structured(json_item(json, 0))) {
		add_array(text, json, depth);
	} else {
		json_print(json, false, text);
	}
}

static void add_data_member(void *context, const char *key, struct json *value)
{
	struct text *text = context;

	text_add(text, "  ");
	add_key(text, key);
	add_tree(text, value, 1);
	text_add(text, ",\n");
}

static void add_large(const struct document *document, struct text *text)
{
	struct json *json;

	if (document->large_make == NULL)
		return;
	json = document->large_make(document->large_context);
	add_data_member(text, document->large_key, json);
	json_release(json);
}

static void write_json(const struct document *document, const struct look_settings *look,
		       struct text *text)
{
	(void)look;
	text_add(text, "{\n  \"worth\": ");
	add_string(text, WORTH_VERSION);
	text_printf(text, ",\n  \"format\": %d,\n  \"kind\": ", REPORT_FORMAT);
	add_string(text, document->kind);
	text_add(text, ",\n");
	if (document->data != NULL)
		json_each(document->data, add_data_member, text);
	add_large(document, text);
	add_sentences(text, document);
	text_add(text, ",\n");
	add_tables(text, document);
	text_add(text, "\n}\n");
}

static const char *const json_endings[] = { ".json", NULL };

const struct writer writer_json = {
	.name = "json",
	.endings = json_endings,
	.write = write_json,
};
