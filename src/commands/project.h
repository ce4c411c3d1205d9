/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_PROJECT_H
#define COMMANDS_PROJECT_H

#include "base/arena.h"

/* By which name sessions of here are found again: WORTH_PROJECT, or else the folder's name, that of
 * the work tree's top where one of git is. Clean UTF-8; NULL at the root of the file system. */
const char *project_name(struct arena *arena);

#endif
