#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same files compiled one, two and four at a time: wall time, and in the
# rows below it what system time that costs.
set -eu
rounds=${1:-20}
worth=${WORTH:-worth}
"$worth" -q -r "$rounds" -n j1 -n j2 -n j4 'workload:build -j1' 'workload:build -j2' \
	'workload:build -j4'
