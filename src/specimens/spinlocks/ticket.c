/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tickets, drawn and served in order; fast path inline. */
#include "specimens/spinlocks/ticket.h"

#include "specimens/spinlocks/spinlock.h"

SPECIMEN_OUT_OF_LINE void ticket_wait(struct ticket *lock, uint16_t mine)
{
	while (atomic_load_explicit(&lock->served, memory_order_acquire) != mine)
		SPECIMEN_PAUSE();
}

SPINLOCK_FUNCTIONS(ticket, struct ticket)

const struct spinlock spinlock_ticket = {
	.name = "ticket",
	.summary = "tickets, in order of arrival",
	.fair = true,
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(ticket, struct ticket),
};
