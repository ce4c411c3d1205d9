/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_RUN_BLOCKS_H
#define COMMANDS_RUN_BLOCKS_H

#include "commands/judged.h"
#include "experiment/experiment.h"

/*
 * An experiment whose sessions are blocks ([blocks] sessions, reboots, hosts),
 * to its report and exit status. Sessions are measured one after the other
 * here. Of boots and hosts one call measures the one that there is now; the
 * others are in the history, from earlier calls or brought there by worth
 * history import. The report is over all that there are. recording
 * has the plan.
 *
 * Of each boot and host the newest session counts, never two. Refused: boots
 * and hosts without a history.
 */
int run_blocks(struct measuring *measuring, const struct experiment *experiment,
	       const struct judged_settings *judged, struct recording *recording,
	       struct error *err);

#endif
