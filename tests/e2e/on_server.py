# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a test with a PostgreSQL server to keep histories on: WORTH_TEST_SERVER is the socket's
directory, by which the test makes databases of its own (world.py, tests/unit/store_fixture.h).

    on_server.py TEST.py ARGUMENT...
"""
import os
import subprocess
import sys

from server import Server, missing

reason = missing()
if reason is not None:
    print(f'1..0 # SKIP {reason}')
    sys.exit(0)
with Server() as server:
    home = os.path.join(server.directory, 'home')
    os.mkdir(home)
    environment = dict(os.environ, WORTH_TEST_SERVER=server.directory, XDG_DATA_HOME=home)
    for name in ('PGPASSWORD', 'PGSERVICE', 'PGHOST', 'PGUSER', 'PGDATABASE'):
        environment.pop(name, None)
    STATUS = subprocess.run([sys.executable, *sys.argv[1:]], env=environment, check=False).returncode
sys.exit(STATUS if STATUS >= 0 else 128 - STATUS)
