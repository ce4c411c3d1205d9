/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the time commands of shells and systems print, one dialect a row: each
 * takes a line, or the next part of a block of lines, and says what it found.
 * A run ends when wall, user and system time are all known, or where the next
 * one begins. Shown are wall (the result), user, sys, and what GNU time knows
 * besides. A decimal comma is taken as such, since no dialect groups thousands.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

enum quantity {
	WALL,
	USER,
	SYS,
	MAX_RSS,
	MAJOR_FAULTS,
	MINOR_FAULTS,
	VOLUNTARY,
	INVOLUNTARY,
	QUANTITIES
};

static const struct {
	const char *metric, *unit;
} quantity_table[QUANTITIES] = {
	[WALL] = { "wall", "s" },
	[USER] = { "user", "s" },
	[SYS] = { "sys", "s" },
	[MAX_RSS] = { "max rss", "B" },
	[MAJOR_FAULTS] = { "major faults", "" },
	[MINOR_FAULTS] = { "minor faults", "" },
	[VOLUNTARY] = { "voluntary switches", "" },
	[INVOLUNTARY] = { "involuntary switches", "" },
};

/* What was read of one run so far. */
struct run {
	bool has[QUANTITIES];
	struct number values[QUANTITIES];
	size_t line; /* of the first of them */
	int exit_status, signal;
	struct span command; /* where it is printed; a benchmark's name */
	bool verbose;	     /* GNU -v: goes on to "Exit status" */
	bool ended;
};

static void put(struct run *run, enum quantity quantity, struct number number, double factor)
{
	number.value *= factor;
	number.quantum *= factor;
	run->has[quantity] = true;
	run->values[quantity] = number;
}

/* A number with point or comma; the length it took. */
static size_t decimal(const char *text, struct number *number)
{
	size_t length = 0;

	while (isdigit((unsigned char)text[length]) || text[length] == '.' || text[length] == ',')
		length++;
	if (length == 0 || !number_parse_local(text, length, true, number))
		return 0;
	return length;
}

static const char *blanks(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

/* "0m2.014s", "1h02m3.4s", "0m 0.82s", "2.01", "0:02.40", "1:02:03", "12.5s": what follows it, NULL
 * if there is none. */
static const char *duration(const char *text, struct number *seconds)
{
	struct number part = { 0 };
	double total = 0;
	size_t length;

	for (;;) {
		text = blanks(text);
		length = decimal(text, &part);
		if (length == 0)
			return NULL;
		text += length;
		if (*text == ':') {
			total = (total + part.value) * 60;
		} else if (*text == 'h' && !isalpha((unsigned char)text[1])) {
			total += part.value * 3600;
		} else if (*text == 'm' && !isalpha((unsigned char)text[1])) {
			total += part.value * 60;
		} else {
			break;
		}
		text++;
	}
	*seconds = (struct number){ total + part.value, part.quantum };
	return *text == 's' && !isalpha((unsigned char)text[1]) ? text + 1 : text;
}

/* bash, ksh, busybox, -p: "real<TAB>0m2.014s". */
static bool take_named(const char *text, struct run *run)
{
	static const struct {
		const char *word;
		enum quantity quantity;
	} names[] = { { "real", WALL }, { "user", USER }, { "sys", SYS } };
	struct number seconds;
	const char *rest;
	size_t i;

	text = blanks(text);
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i].word);

		if (strncmp(text, names[i].word, length) != 0 ||
		    (text[length] != ' ' && text[length] != '\t'))
			continue;
		rest = duration(text + length, &seconds);
		if (rest == NULL || *blanks(rest) != '\0')
			return false;
		put(run, names[i].quantity, seconds, 1);
		return true;
	}
	return false;
}

/* zsh: "cmd  0,05s user 0,01s system 5% cpu 1,199 total"; the command may hold anything. */
static bool take_zsh(const char *text, struct run *run)
{
	const char *user = NULL, *at, *rest;
	struct number values[3], percent;

	for (at = strstr(text, "s user "); at != NULL; at = strstr(at + 1, "s user "))
		user = at;
	if (user == NULL)
		return false;
	while (user > text && (isdigit((unsigned char)user[-1]) || strchr(".,:", user[-1]) != NULL))
		user--;
	rest = duration(user, &values[0]);
	rest = rest == NULL ? NULL : scan(rest, " user ");
	rest = rest == NULL ? NULL : duration(rest, &values[1]);
	rest = rest == NULL ? NULL : scan(rest, " system %f%% cpu ", &percent);
	rest = rest == NULL ? NULL : duration(rest, &values[2]);
	if (rest == NULL || scan(rest, " total") == NULL)
		return false;
	put(run, USER, values[0], 1);
	put(run, SYS, values[1], 1);
	put(run, WALL, values[2], 1);
	while (user > text && (user[-1] == ' ' || user[-1] == '\t'))
		user--;
	run->command = (struct span){ text, (size_t)(user - text) };
	run->ended = true;
	return true;
}

/* csh: "0.096u 0.000s 0:01.94 4.6%  0+0k 0+0io 0pf+0w". */
static bool take_csh(const char *text, struct run *run)
{
	struct number user, sys, wall;
	const char *rest;
	size_t length;

	text = blanks(text);
	length = decimal(text, &user);
	if (length == 0 || text[length] != 'u' || text[length + 1] != ' ')
		return false;
	text = blanks(text + length + 1);
	length = decimal(text, &sys);
	if (length == 0 || text[length] != 's' || text[length + 1] != ' ')
		return false;
	rest = duration(text + length + 1, &wall);
	if (rest == NULL || strchr(rest, '%') == NULL)
		return false;
	put(run, USER, user, 1);
	put(run, SYS, sys, 1);
	put(run, WALL, wall, 1);
	run->ended = true;
	return true;
}

/* mksh and BSD: "0m00.87s real  0m00.07s user  0m00.00s system", "0.87 real 0.07 user 0.00 sys". */
static bool take_reversed(const char *text, struct run *run)
{
	struct number wall, user, sys;
	const char *rest = duration(text, &wall);

	rest = rest == NULL ? NULL : scan(rest, " real ");
	rest = rest == NULL ? NULL : duration(rest, &user);
	rest = rest == NULL ? NULL : scan(rest, " user ");
	rest = rest == NULL ? NULL : duration(rest, &sys);
	if (rest == NULL || scan(rest, " sys") == NULL)
		return false;
	put(run, WALL, wall, 1);
	put(run, USER, user, 1);
	put(run, SYS, sys, 1);
	run->ended = true;
	return true;
}

/* GNU: "0.09user 0.00system 0:01.65elapsed 5%CPU (0avgtext+0avgdata 3020maxresident)k". */
static bool take_gnu(const char *text, struct run *run)
{
	struct number user, sys, wall, resident, unused;
	const char *rest = duration(text, &user);

	rest = rest == NULL ? NULL : scan(rest, "user ");
	rest = rest == NULL ? NULL : duration(rest, &sys);
	rest = rest == NULL ? NULL : scan(rest, "system ");
	rest = rest == NULL ? NULL : duration(rest, &wall);
	rest = rest == NULL ? NULL : scan(rest, "elapsed");
	if (rest == NULL)
		return false;
	put(run, USER, user, 1);
	put(run, SYS, sys, 1);
	put(run, WALL, wall, 1);
	rest = scan(rest, " %f%%CPU (%favgtext+%favgdata %fmaxresident)k", &unused, &unused,
		    &unused, &resident);
	/* Old kernels reported 0 for what they did not measure. */
	if (rest != NULL && resident.value > 0)
		put(run, MAX_RSS, resident, 1024);
	return true;
}

/* GNU, second line: "0inputs+0outputs (0major+165minor)pagefaults 0swaps". */
static bool take_gnu_second(const char *text, struct run *run)
{
	struct number unused, major, minor;
	const char *rest = scan(text, " %finputs+%foutputs (%fmajor+%fminor)pagefaults", &unused,
				&unused, &major, &minor);

	if (rest == NULL)
		return false;
	put(run, MAJOR_FAULTS, major, 1);
	put(run, MINOR_FAULTS, minor, 1);
	run->ended = true;
	return true;
}

/* GNU and busybox -v, a line for each figure. */
static bool take_verbose(const char *text, struct run *run)
{
	static const struct {
		const char *words;
		enum quantity quantity;
		double factor;
	} names[] = {
		{ "User time (seconds):", USER, 1 },
		{ "System time (seconds):", SYS, 1 },
		{ "Elapsed (wall clock) time (h:mm:ss or m:ss):", WALL, 1 },
		{ "Maximum resident set size (kbytes):", MAX_RSS, 1024 },
		{ "Major (requiring I/O) page faults:", MAJOR_FAULTS, 1 },
		{ "Minor (reclaiming a frame) page faults:", MINOR_FAULTS, 1 },
		{ "Voluntary context switches:", VOLUNTARY, 1 },
		{ "Involuntary context switches:", INVOLUNTARY, 1 },
	};
	struct number number;
	size_t i;

	text = blanks(text);
	if (strncmp(text, "Command being timed:", 20) == 0) {
		text = blanks(text + 20);
		run->command = (struct span){ text, strlen(text) };
		run->verbose = true;
		return true;
	}
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i].words);

		if (strncmp(text, names[i].words, length) == 0 &&
		    duration(text + length, &number) != NULL) {
			put(run, names[i].quantity, number, names[i].factor);
			run->verbose = true;
			return true;
		}
	}
	if (!run->verbose || scan(text, "Exit status: %f", &number) == NULL)
		return run->verbose && strchr(text, ':') != NULL;
	run->exit_status = (int)fmin(fmax(number.value, 0), 255);
	run->ended = true;
	return true;
}

static bool fish_time(const char *text, struct number *number)
{
	static const struct {
		const char *word;
		double factor;
	} units[] = { { "secs", 1 },	 { "millis", 1e-3 }, { "micros", 1e-6 },
		      { "nanos", 1e-9 }, { "mins", 60 },     { "hours", 3600 } };
	struct span word;
	size_t length, i;

	text = blanks(text);
	length = decimal(text, number);
	if (length == 0 || scan(text + length, " %s", &word) == NULL)
		return false;
	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (span_is(word, units[i].word)) {
			number->value *= units[i].factor;
			number->quantum *= units[i].factor;
			return true;
		}
	return false;
}

/* fish: "Executed in  932.59 millis", "usr time   96.42 millis  ...", "sys time ...". */
static bool take_fish(const char *text, struct run *run)
{
	static const struct {
		const char *words;
		enum quantity quantity;
	} names[] = { { "Executed in", WALL }, { "usr time", USER }, { "sys time", SYS } };
	struct number number;
	size_t i;

	text = blanks(text);
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i].words);

		if (strncmp(text, names[i].words, length) == 0 &&
		    fish_time(text + length, &number)) {
			put(run, names[i].quantity, number, 1);
			return true;
		}
	}
	return false;
}

/* GNU, before the figures of a failed command. */
static bool take_failure(const char *text, struct run *run)
{
	struct number number;

	if (scan(text, " Command exited with non-zero status %f", &number) != NULL)
		run->exit_status = (int)fmin(fmax(number.value, 1), 255);
	else if (scan(text, " Command terminated by signal %f", &number) != NULL)
		run->signal = (int)fmin(fmax(number.value, 1), 64);
	else
		return false;
	return true;
}

typedef bool taker(const char *text, struct run *run);

/* Those that are a whole run, or begin one, come before those that are parts of one. */
static taker *const dialects[] = { take_failure,    take_verbose, take_gnu,
				   take_gnu_second, take_zsh,	  take_csh,
				   take_reversed,   take_fish,	  take_named };

static bool is_complete(const struct run *run)
{
	return run->has[WALL] && run->has[USER] && run->has[SYS];
}

static bool is_empty(const struct run *run)
{
	size_t i;

	for (i = 0; i < QUANTITIES; i++)
		if (run->has[i])
			return false;
	return true;
}

static bool take(const char *text, struct run *run)
{
	size_t i;

	for (i = 0; i < sizeof dialects / sizeof *dialects; i++)
		if (dialects[i](text, run))
			return true;
	return false;
}

static int score(const struct head *head)
{
	size_t i;
	struct run run = { 0 };

	for (i = 0; i < head->page->count; i++) {
		take(head->page->lines[i].text, &run);
		if (is_complete(&run))
			return SCORE_CERTAIN - 20;
		if (run.has[WALL] && run.verbose)
			return SCORE_CERTAIN;
	}
	return SCORE_NO;
}

static size_t runs_before(struct parse *parse, size_t side, const char *benchmark)
{
	struct measure measure = { .benchmark = benchmark,
				   .metric = quantity_table[WALL].metric,
				   .unit = quantity_table[WALL].unit,
				   .better = BETTER_LOWER };
	const struct results_column *column =
	    results_column(parse->results, side, results_measure(parse->results, &measure));

	return column == NULL ? 0 : column->count;
}

/* Everything that the run has; columns that others of its side had stay in step. */
static void add_run(struct parse *parse, const struct run *run, size_t side)
{
	const char *benchmark =
	    run->command.text == NULL
		? ""
		: arena_strndup(parse->arena, run->command.text, run->command.length);
	size_t index = runs_before(parse, side, benchmark), i;

	for (i = 0; i < QUANTITIES; i++) {
		struct measure measure = { .benchmark = benchmark,
					   .metric = quantity_table[i].metric,
					   .unit = quantity_table[i].unit,
					   .better = BETTER_LOWER,
					   .secondary = i != WALL };
		struct reading reading = { .value = run->values[i].value,
					   .quantum = run->values[i].quantum,
					   .line = run->line };
		size_t column;

		if (!run->has[i])
			continue;
		column = results_measure(parse->results, &measure);
		results_pad(parse->results, side, column, index);
		results_add(parse->results, side, column, &reading);
	}
	if (run->exit_status != 0 || run->signal != 0)
		results_fail_run(parse->results, side, index, run->exit_status, run->signal,
				 run->line);
}

static void end_run(struct parse *parse, struct run *run)
{
	const struct page_line line = { .text = "", .number = run->line };
	size_t side;

	if (run->has[WALL]) {
		side = parse->sides.pending != NULL ? sides_begin(&parse->sides, &line)
						    : sides_current(&parse->sides, &line);
		add_run(parse, run, side);
	}
	*run = (struct run){ 0 };
}

/* What a line says that the run has already: the next run begins. */
static bool repeats(const struct run *run, const struct run *more)
{
	size_t i;

	for (i = 0; i < QUANTITIES; i++)
		if (run->has[i] && more->has[i])
			return true;
	return (more->exit_status != 0 || more->signal != 0) && !is_empty(run);
}

static bool begins_verbose(const char *text)
{
	return strncmp(blanks(text), "Command being timed:", 20) == 0;
}

static void merge(struct run *run, const struct run *more, size_t line)
{
	size_t i;

	if (is_empty(run))
		run->line = line;
	for (i = 0; i < QUANTITIES; i++)
		if (more->has[i]) {
			run->has[i] = true;
			run->values[i] = more->values[i];
		}
	if (more->exit_status != 0)
		run->exit_status = more->exit_status;
	if (more->signal != 0)
		run->signal = more->signal;
	if (more->command.text != NULL)
		run->command = more->command;
	run->verbose = run->verbose || more->verbose;
	run->ended = more->ended;
}

static bool read_page(struct parse *parse)
{
	struct run run = { 0 };
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];
		struct run more = { .verbose = run.verbose };

		if (line->length == 0)
			continue;
		if (!take(line->text, &more)) {
			if (is_complete(&run))
				end_run(parse, &run);
			sides_other_line(&parse->sides, line);
			continue;
		}
		if (repeats(&run, &more) || begins_verbose(line->text))
			end_run(parse, &run);
		merge(&run, &more, line->number);
		if (run.ended)
			end_run(parse, &run);
	}
	end_run(parse, &run);
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_time = {
	.name = "time",
	.summary = "time of bash, sh -p, zsh, csh, ksh, mksh, fish, busybox, GNU (-p, -v), BSD",
	.expects = "what time prints: \"real 0m2.014s\", \"0.09user 0.00system 0:01.65elapsed\"",
	.score = score,
	.read = read,
};
