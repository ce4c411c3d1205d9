#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Does a second walker help? lstat of every path of a tree by one thread and by
# two, then the real git diff without and with its threads. Takes minutes; an
# argument is the number of rounds. Needs two cores. The workloads' own figures
# decide, because making the tree is part of the wall time.
set -eu
rounds=${1:-40}
worth=${WORTH:-worth}
"$worth" -q -r "$rounds" -n serial -n parallel --primary lstat 'workload:lstat-storm' \
	'workload:lstat-storm --threads 2'
"$worth" -q -r "$rounds" -n serial -n parallel --primary git-diff 'workload:git-diff --preload off' \
	'workload:git-diff --preload on'
