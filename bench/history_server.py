#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What remembering costs on a PostgreSQL server of this machine, started for it: history_cost.

    bench/history_server.py HISTORY_COST [SESSIONS]
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tests', 'e2e'))
from server import Server, missing  # noqa: E402

reason = missing()
if reason is not None:
    print(f'history on a server: {reason}')
    sys.exit(0)
with Server() as server, tempfile.TemporaryDirectory() as home:
    print('on a PostgreSQL server')
    sys.stdout.flush()
    sys.exit(subprocess.run([sys.argv[1], server.address(), *sys.argv[2:]], check=False,
                            env=dict(os.environ, XDG_DATA_HOME=home)).returncode)
