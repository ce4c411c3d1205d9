/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SPAWN_IMAGE_H
#define MEASURE_SPAWN_IMAGE_H

/* The bytes of the program worth-spawn, up to spawn_image_end. tools/embed makes their source when
 * that program was built. */
extern const char spawn_image[], spawn_image_end[];

#endif
