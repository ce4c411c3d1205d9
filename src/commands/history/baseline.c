/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worth history --baseline: sessions under a name, for worth compare --baseline NAME. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/history/words.h"
#include "commands/opened.h"
#include "commands/past.h"
#include "report/document.h"
#include "store/history/series.h"

/* A name is one word that a shell takes as it stands. */
static bool check_name(const char *name, struct error *err)
{
	const char *at;

	for (at = name;
	     isalnum((unsigned char)*at) || (*at != '\0' && strchr("._-+@/", *at) != NULL); at++)
		continue;
	return (*at == '\0' && at > name && *name != '-') ||
	       error_set(err, ERROR_USAGE,
			 "a baseline's name is letters, digits and . _ - + @ /, and does not begin "
			 "with -");
}

static bool save(struct arena *arena, struct history *history, const char *name, const char *word,
		 struct error *err)
{
	struct past_baseline baseline;
	const struct subject *subject;
	bool several;

	if (!check_name(name, err) || !past_baseline(history, arena, word, &baseline, err))
		return false;
	subject = &baseline.recording.plan.subjects[baseline.subject];
	several = baseline.recording.plan.subject_count > 1;
	if (!history_save_baseline(history, name, baseline.recording.id,
				   several ? subject->label : NULL, err))
		return false;
	printf("%s is %s%s%s\n", name, baseline.recording.id, several ? ":" : "",
	       several ? text_clean(arena, subject->label, strlen(subject->label)) : "");
	return true;
}

static bool list(struct arena *arena, struct history *history,
		 const struct history_settings *settings, struct error *err)
{
	static const struct column columns[] = {
		{ .key = "name", .title = "name" },
		{ .key = "id", .title = "id" },
		{ .key = "variant", .title = "variant", .shrinks = true },
		{ .key = "started_at", .title = "when" },
	};
	struct document *document = document_make(arena, "baselines", "Baselines");
	struct table *table = document_table(document, "baselines", columns, 4);
	struct history_baseline *baselines;
	size_t count, i;

	if (!history_baselines(history, arena, &baselines, &count, err))
		return false;
	document->csv_table = "baselines";
	for (i = 0; i < count; i++) {
		struct cell *cells = table_row(document, table)->cells;

		cells[0] = history_text(arena, baselines[i].name);
		cells[1] = cell_text(baselines[i].id);
		cells[2] = history_text(arena, baselines[i].label != NULL ? baselines[i].label
									  : baselines[i].title);
		cells[3] = history_when(arena, baselines[i].started_at_s);
	}
	if (count == 0)
		document_sentence(document, NULL,
				  "No baseline has been saved: worth history --baseline save NAME "
				  "ID.");
	return output_write(&settings->output, document, err);
}

static bool do_it(struct arena *arena, struct history *history,
		  const struct history_settings *settings, const struct operands *operands,
		  struct error *err)
{
	const char *name = operands->count > 0 ? operands->items[0] : NULL;

	if (settings->baseline == BASELINE_LIST)
		return list(arena, history, settings, err);
	if (settings->baseline == BASELINE_SAVE)
		return save(arena, history, name, operands->count > 1 ? operands->items[1] : "last",
			    err);
	if (!history_drop_baseline(history, name, err))
		return false;
	printf("dropped %s\n", text_clean(arena, name, strlen(name)));
	return true;
}

bool history_baseline_do(struct arena *arena, const struct history_settings *settings,
			 const struct operands *operands, struct error *err)
{
	static const size_t least[] = { 0, 1, 0, 1 }, most[] = { 0, 2, 0, 1 };
	static const char *const usages[] = { "", "save NAME [ID[:LABEL]]", "list", "drop NAME" };
	struct history *history;
	bool good;

	if (operands->count < least[settings->baseline] ||
	    operands->count > most[settings->baseline])
		return error_set(err, ERROR_USAGE, "it is worth history --baseline %s",
				 usages[settings->baseline]);
	history = opened_history(settings->store, false, err);
	good = history != NULL && do_it(arena, history, settings, operands, err);
	history_close(history);
	return good;
}
