/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

/* cmocka and what it wants included before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
