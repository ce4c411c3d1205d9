#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the switch of the address space is worth: round trips between two
# processes and between two threads, on one CPU and on two.
set -eu
rounds=${1:-40}
worth=${WORTH:-worth}
for placement in one-cpu two-cpus; do
	"$worth" -q -r "$rounds" -n processes -n threads \
		"workload:pipe-latency --placement $placement --operations 20000" \
		"workload:pipe-latency --placement $placement --operations 20000 --threads"
done
