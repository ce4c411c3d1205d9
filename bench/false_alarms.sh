#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# False alarms and coverage on real run times: builds bench/false_alarms.c and
# runs it on $WORTH_CASES/noise (default ../shared/cases/noise).
#
#   bench/false_alarms.sh [DRAWS [SEED]]
set -e
cd "$(dirname "$0")/.."
[ -d build-bench ] || meson setup build-bench -Dbench=true >/dev/null
ninja -C build-bench bench/false_alarms >/dev/null
exec build-bench/bench/false_alarms "$@"
