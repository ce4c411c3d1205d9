/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CONFORMANCE_BROKEN_H
#define CONFORMANCE_BROKEN_H

#include <stdbool.h>

#include "harness.h"

/*
 * Variants with one defect each, of the classes that real locks had. The row of
 * a broken variant names the check that must catch it and the builds in which
 * it does: anywhere, or only where a sanitizer looks on.
 */
enum broken_build { BROKEN_ANYWHERE, BROKEN_THREAD_SANITIZER, BROKEN_ADDRESS_SANITIZER };

/* Whether this build is one in which it must be caught. */
static inline bool broken_is_here(enum broken_build where)
{
	return where == BROKEN_ANYWHERE ||
	       (where == BROKEN_THREAD_SANITIZER && conformance_is_thread_sanitized()) ||
	       (where == BROKEN_ADDRESS_SANITIZER && conformance_is_address_sanitized());
}

#endif
