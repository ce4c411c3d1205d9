/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds of every report, whatever was found: no line is too wide, nothing
 * in it is "nan" or "inf" or a control character, the words that mislead are
 * not used, programs can read what was written for them, and the same findings
 * give the same bytes. Held against findings drawn at random, some of which no
 * judge would make, and against random recordings that are judged.
 */
#include "../unit/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "build.h"
#include "judge/judge.h"
#include "report/sheet/sheet.h"
#include "report/writer.h"

enum { DRAWS = 400, JUDGED_DRAWS = 120 };

static const char *const labels[] = {
	"baseline",
	"candidate",
	"./sort.old",
	"a label that is longer than any column of a table can be",
	"\033[31mred\033[0m",
	"\342\200\256evil",
	"pipe | and `tick`",
	"\346\226\207\345\255\227\345\214\226\343\201\221",
	"line\nbreak",
	"",
	"=1+1",
	"\377\376",
};
static const char *const metric_names[] = {
	"wall",
	"cpu",
	"max rss",
	"L1-icache-load-misses",
	"text",
	"\350\250\210\346\270\254",
	"e|vil",
	"<b>",
	"involuntary switches",
	"@cell",
};
static const char *const units[] = { "s", "B", "", "MB/s", "requests", "Hz", "a unit with a name" };

static const char *pick(struct random *random, const char *const *items, size_t count)
{
	return items[random_below(random, count)];
}

#define PICK(random, items) pick(random, items, sizeof(items) / sizeof *(items))

static bool chance(struct random *random, double share)
{
	return random_unit(random) < share;
}

/* Any magnitude, now and then an edge. */
static double draw_value(struct random *random)
{
	static const double edges[] = {
		0, -1, 1, 1e300, -1e300, 1e-300, 5e-324, 1e15, 999.95, 0.01
	};

	if (chance(random, 0.1))
		return edges[random_below(random, sizeof edges / sizeof *edges)];
	return pow(10, -9 + 18 * random_unit(random)) * (0.5 + random_unit(random));
}

static double draw_change(struct random *random)
{
	static const double edges[] = {
		0, NAN, INFINITY, -INFINITY, -1, 1e300, 1e-12, 99, -0.99999
	};

	if (chance(random, 0.15))
		return edges[random_below(random, sizeof edges / sizeof *edges)];
	return (random_unit(random) - 0.5) * pow(10, -4 + 6 * random_unit(random));
}

static void draw_groups(struct random *random, struct summary *summary)
{
	summary->two_groups = chance(random, 0.1);
	summary->group_centres[0] = draw_value(random);
	summary->group_centres[1] = draw_value(random);
	summary->group_shares[0] = random_unit(random);
	summary->group_shares[1] = 1 - summary->group_shares[0];
}

static void draw_comparison(struct made *made, size_t metric, size_t candidate)
{
	struct random *random = &made->random;
	double one = draw_change(random), other = draw_change(random);
	struct comparison *comparison = made_compare(
	    made, metric, candidate, (enum verdict)random_below(random, VERDICT_INVALID + 1),
	    one < other ? one : other, one < other ? other : one);

	comparison->change = draw_change(random);
	comparison->mean_change = draw_change(random);
	comparison->exact = chance(random, 0.2);
	comparison->difference = chance(random, 0.1);
	comparison->beyond_margin = chance(random, 0.3);
	comparison->consistent = chance(random, 0.3);
	comparison->unstable = chance(random, 0.1);
	comparison->not_worse = chance(random, 0.3);
	comparison->not_better = chance(random, 0.3);
	comparison->reason = (enum undecided_reason)random_below(random, REASON_VALUES + 1);
	comparison->clock_step_ratio = chance(random, 0.5) ? 0 : random_unit(random);
	comparison->resolvable_ratio = draw_change(random);
	comparison->more_likely = random_below(random, 500);
	comparison->more_surely = random_below(random, 100000);
	comparison->margin_ratio = chance(random, 0.1) ? 0 : random_unit(random) / 10;
	comparison->p = chance(random, 0.2) ? NAN : random_unit(random);
	comparison->other.slow_runs = random_below(random, 3);
	draw_groups(random, &comparison->baseline);
	draw_groups(random, &comparison->other);
}

static void draw_plan(struct made *made)
{
	struct random *random = &made->random;
	struct plan *plan = &made->recording.plan;
	size_t wanted = 1 + random_below(random, 5), i;

	while (plan->subject_count < wanted)
		made_subject(made, "more", "./more --and more");
	plan->subject_count = wanted;
	for (i = 0; i < wanted; i++) {
		plan->subjects[i].label = PICK(random, labels);
		if (chance(random, 0.3))
			plan->subjects[i].command =
			    chance(random, 0.5) ? NULL : PICK(random, labels);
	}
	plan->peek = chance(random, 0.8);
	plan->confidence = chance(random, 0.8) ? 0.95 : random_unit(random);
	made->recording.order_known = chance(random, 0.8);
	made->recording.end = (enum session_end)random_below(random, END_FAILED + 1);
	if (chance(random, 0.3))
		made->recording.id = "77";
}

/* Mild ones are like what is measured, the others like nothing at all. */
static void draw_metrics(struct made *made, bool mild)
{
	struct random *random = &made->random;
	size_t count = 1 + random_below(random, 8), metric, i, j;
	struct metric *added;

	for (i = 0; i < count; i++) {
		metric = made_metric(made, i == 0 ? "wall" : PICK(random, metric_names),
				     PICK(random, units),
				     (enum metric_source)random_below(random, SOURCE_DERIVED + 1));
		added = &made->recording.metrics[metric];
		added->better = (enum better)random_below(random, BETTER_NEITHER + 1);
		added->exact = chance(random, 0.1);
		added->hidden = chance(random, 0.1);
	}
	made_rounds(made, random_below(random, mild ? 40 : 12),
		    pow(10, -6 + 9 * random_unit(random)));
	for (i = 0; i < made->recording.metric_count; i++)
		for (j = 0; j < made->recording.plan.subject_count; j++)
			if (mild)
				made_values(made, i, j, 0.2 + 0.001 * (double)j,
					    0.01 * random_unit(random), 0.0005);
			else if (!chance(random, 0.05))
				made_values(made, i, j, draw_value(random),
					    chance(random, 0.3) ? 0 : draw_value(random), 0);
}

static void draw_flags(struct made *made)
{
	size_t i;

	for (i = 0; i < made->recording.sample_count; i++) {
		if (chance(&made->random, 0.1))
			made->recording.samples[i].flags =
			    (uint32_t)random_below(&made->random, 64);
		if (chance(&made->random, 0.05))
			made->recording.samples[i].started_ns = -1;
	}
}

static void draw_recording(struct made *made, uint64_t seed)
{
	made_init(made);
	made->random.state = seed;
	draw_plan(made);
	draw_metrics(made, seed % 2 == 0);
	draw_flags(made);
}

static void draw_findings(struct made *made)
{
	size_t candidates = made->recording.plan.subject_count, i, j;

	for (i = 0; i < made->recording.metric_count; i++)
		for (j = candidates > 1; j < candidates; j++)
			draw_comparison(made, i, j);
	made_warning(made, (enum warning_kind)random_below(&made->random, WARNING_REMARK + 1), 0,
		     "A sentence about ./path/to/something, that is long enough to be wrapped at "
		     "least once in eighty columns.");
	made_verdict(made, (enum verdict)random_below(&made->random, VERDICT_INVALID + 1));
	if (chance(&made->random, 0.2))
		made->findings.look.rounds = 0;
	made->findings.rounds_after_look = random_below(&made->random, 4);
	if (chance(&made->random, 0.3))
		made->findings.trade = "candidate buys 2% wall time for 10 bytes of text";
}

/* Where the word stands alone in text, whatever its case, or NULL. */
static const char *find_word(const char *text, const char *word)
{
	size_t length = strlen(word);
	const char *found = text;

	while ((found = strcasestr(found, word)) != NULL) {
		bool starts = found == text || !isalnum((unsigned char)found[-1]);

		if (starts && !isalnum((unsigned char)found[length]))
			return found;
		found += length;
	}
	return NULL;
}

static void check_without(const char *text, const char *word)
{
	const char *found = find_word(text, word), *line = found;

	if (found == NULL)
		return;
	while (line > text && line[-1] != '\n')
		line--;
	fail_msg("\"%s\" in: %.200s", word, found - line > 100 ? found - 100 : line);
}

static void check_numbers(const char *text)
{
	check_without(text, "nan");
	check_without(text, "inf");
	check_without(text, "infinity");
}

static void check_words(const char *text)
{
	check_without(text, "p");
	check_without(text, "significant");
	check_without(text, "noise");
}

static void check_bytes(const char *text)
{
	size_t length = strlen(text), step;
	uint32_t codepoint;

	for (; length > 0; text += step, length -= step) {
		step = utf8_decode(text, length, &codepoint);
		assert_true(step > 0);
		assert_true(codepoint == '\n' || (codepoint >= 0x20 && codepoint != 0x7f));
	}
}

static void check_lines(struct arena *arena, const char *text, size_t width)
{
	const char *end;
	char *line;

	for (; *text != '\0'; text = end + 1) {
		end = strchr(text, '\n');
		assert_non_null(end);
		line = arena_strndup(arena, text, (size_t)(end - text));
		if (text_width(line) > width)
			fail_msg("%zu columns: %s", text_width(line), line);
		assert_false(end > text && end[-1] == ' ');
	}
}

/* Fields of a CSV record, quotes minded; *text moves behind it. */
static size_t count_fields(const char **text)
{
	size_t fields = 1;
	bool quoted = false;

	for (; **text != '\0' && (quoted || **text != '\n'); ++*text) {
		if (**text == '"')
			quoted = !quoted;
		fields += !quoted && **text == ',';
	}
	assert_false(quoted);
	assert_true(**text == '\n');
	++*text;
	return fields;
}

static void check_csv(const char *text, const struct recording *recording)
{
	size_t fields = count_fields(&text), records = 0;

	while (*text != '\0') {
		assert_int_equal(count_fields(&text), fields);
		records++;
	}
	assert_int_equal(records, recording->sample_count);
	assert_true(fields > recording->metric_count);
}

static void check_json(const struct text *text, const struct recording *recording)
{
	const struct json *tables;
	struct json *json = NULL;
	struct error err;

	if (!json_parse(text_string(text), text->length, &json, &err))
		fail_msg("%s", err.sentence);
	tables = json_get(json, "tables");
	assert_int_equal(json_count(json_get(tables, "runs")), recording->sample_count);
	assert_true(json_is_array(json_get(tables, "comparisons")));
	assert_true(json_is_object(json_get(json, "recording")));
	json_release(json);
}

/* Written into text, which is cleared first. */
static void write_as(const struct made *made, const char *format, unsigned width, bool redact,
		     struct text *text)
{
	struct look_settings look = { .width = width };
	struct sheet_settings settings = { .redact = redact };
	struct arena *arena = arena_open();
	struct document *document = sheet_make(arena, &made->recording, &made->findings, &settings);

	text_clear(text);
	writer_by_name(format)->write(document, &look, text);
	json_release(document->data);
	arena_close(arena);
}

static void check_same(const struct made *made, const char *format, bool redact,
		       const struct text *first)
{
	struct text again = { 0 };

	write_as(made, format, 80, redact, &again);
	assert_string_equal(text_string(first), text_string(&again));
	text_release(&again);
}

static void check_report(const struct made *made, bool redact)
{
	static const unsigned widths[] = { 20, 40, 79, 80, 132 };
	struct text text = { 0 };
	size_t i;

	for (i = 0; i < sizeof widths / sizeof *widths; i++) {
		write_as(made, "text", widths[i], redact, &text);
		check_lines(made->arena, text_string(&text), widths[i]);
	}
	write_as(made, "text", 80, redact, &text);
	check_numbers(text_string(&text));
	check_words(text_string(&text));
	check_bytes(text_string(&text));
	check_same(made, "text", redact, &text);
	write_as(made, "markdown", 80, redact, &text);
	check_numbers(text_string(&text));
	check_words(text_string(&text));
	check_bytes(text_string(&text));
	check_same(made, "markdown", redact, &text);
	write_as(made, "csv", 80, redact, &text);
	check_numbers(text_string(&text));
	check_bytes(text_string(&text));
	check_csv(text_string(&text), &made->recording);
	write_as(made, "json", 80, redact, &text);
	check_numbers(text_string(&text));
	check_bytes(text_string(&text));
	check_json(&text, &made->recording);
	check_same(made, "json", redact, &text);
	text_release(&text);
}

static void any_findings_make_a_sound_report(void **state)
{
	struct made made;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= DRAWS; seed++) {
		draw_recording(&made, seed);
		draw_findings(&made);
		check_report(&made, seed % 5 == 0);
		made_release(&made);
	}
}

static void any_recording_judged_makes_a_sound_report(void **state)
{
	struct made made;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= JUDGED_DRAWS; seed++) {
		draw_recording(&made, seed);
		judge_recording(made.arena, &made.recording, &made.findings);
		check_report(&made, seed % 5 == 0);
		made_release(&made);
	}
}

static void a_redacted_report_names_no_host_and_no_path(void **state)
{
	static const char *const secrets[] = {
		"tern", "/home", "/srv", "ann/", "secret", "build/a"
	};
	const struct writer *const *writer;
	struct text text = { 0 };
	struct made made;
	size_t i;

	(void)state;
	made_init(&made);
	made.recording.plan.subjects[0].label = "build/a/sort";
	made.recording.plan.subjects[0].command = "build/a/sort --in=/srv/secret/big.txt";
	made.recording.plan.subjects[0].binary_path = "/home/ann/build/a/sort";
	made.recording.plan.subjects[1].directory = "/home/ann";
	made.recording.plan.setup = "cd /home/ann && make";
	made.recording.plan.input_path = "/srv/secret/in";
	made_metric(&made, "wall", "s", SOURCE_CLOCK);
	made_rounds(&made, 20, 1);
	made_values(&made, 0, 0, 1, 0.01, 0);
	made_values(&made, 0, 1, 1, 0.01, 0);
	recording_remark(made.arena, &made.recording, "build/a/sort left /home/ann/x on tern.");
	judge_recording(made.arena, &made.recording, &made.findings);
	made_warning(&made, WARNING_OUTPUT, METRIC_NONE, "3 runs of build/a/sort at 12 MB/s.");
	for (writer = writers(); *writer != NULL; writer++) {
		write_as(&made, (*writer)->name, 80, false, &text);
		assert_non_null(strstr(text_string(&text), "build/a"));
		write_as(&made, (*writer)->name, 80, true, &text);
		for (i = 0; i < sizeof secrets / sizeof *secrets; i++)
			assert_null(strstr(text_string(&text), secrets[i]));
		assert_non_null(strstr(text_string(&text), "sort"));
	}
	write_as(&made, "text", 80, true, &text);
	assert_non_null(strstr(text_string(&text), "12 MB/s"));
	text_release(&text);
	made_release(&made);
}

static void the_checks_themselves_find_faults(void **state)
{
	(void)state;
	assert_non_null(find_word("it is -nan%", "nan"));
	assert_non_null(find_word("(NaN)", "nan"));
	assert_non_null(find_word("p = 0.03", "p"));
	assert_null(find_word("information", "inf"));
	assert_null(find_word("up", "p"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_checks_themselves_find_faults),
		cmocka_unit_test(a_redacted_report_names_no_host_and_no_path),
		cmocka_unit_test(any_findings_make_a_sound_report),
		cmocka_unit_test(any_recording_judged_makes_a_sound_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
