/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_BUDGET_H
#define COMMANDS_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/code.h"
#include "report/document.h"

/* A limit on code size, from --fail-if: "text > +1%", "section .rodata > 64k",
 * "symbol main > +0". */
struct budget;

/* Reads the words into budgets (count of them); errors say what the form is. */
bool budgets_parse(struct arena *arena, const char *const *words, size_t count,
		   struct budget **budgets, struct error *err);
/* Holds each against the diff; *exceeded is set if one does not hold. A section or symbol that is
 * on neither side, and a change where there is only one side, are errors: a budget that can never
 * be exceeded is a mistake. */
bool budgets_apply(struct arena *arena, struct budget *budgets, size_t count,
		   const struct code_diff *diff, bool *exceeded, struct error *err);
/* What came out, as a sentence each. */
void budgets_report(struct document *document, const struct budget *budgets, size_t count);

#endif
