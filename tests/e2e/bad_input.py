# SPDX-License-Identifier: GPL-2.0-or-later
"""Bad input gets one clear sentence and exit status 2, and costs nothing that was there.

    bad_input.py WORTH
"""
import contextlib
import os
import shutil
import sqlite3
import stat
import subprocess
import sys

from world import FEW, Tap, World, refused

tap = Tap()


def bad_commands(world):
    log = world.script('log', 'echo run >>"$LOG"')
    plain = world.write('plain', '#!/bin/sh\n')
    broken = world.write('broken', '#!/no/such/interpreter\n', 0o755)
    empty = world.write('nothing', '', 0o755)
    os.mkdir(world.path('directory'))
    for command, words, name in (
            ('nosuchprogram', 'nosuchprogram', 'a command that is not found'),
            ('./nosuchprogram', './nosuchprogram', 'a file that is not there'),
            (plain, 'chmod +x', 'a file that is not executable'),
            (world.path('directory'), 'directory', 'a directory'),
            ('', 'empty', 'an empty command'), ('  \t', 'empty', 'a blank command'),
            ("''", 'empty', 'an empty word'), ('echo "a', 'closing', 'an unbalanced quote'),
            ("echo 'a", 'closing', 'another'), ('echo a\\', 'backslash', 'a lone backslash'),
            ('echo a | wc', '--shell', 'a pipe'), ('echo a; true', '--shell', 'a semicolon'),
            ('echo a && true', '--shell', 'a conjunction'), ('echo >x', '--shell', 'redirection'),
            ('cat <x', '--shell', 'input'), ('echo $HOME', '--shell', 'a variable'),
            ('echo `id`', '--shell', 'a backtick'), ('echo *', '--shell', 'a pattern'),
            ('A=1 true', '--shell', 'an assignment'), ('~/prog', '--shell', 'a tilde'),
            ('echo "$HOME"', '--shell', 'a variable in double quotes'),
            ('true\nfalse', '--shell', 'a newline')):
        refused(tap, world.worth(*FEW, log, command), words, name)
    for path, words, name in ((broken, 'interpreter', 'an interpreter that is not there'),
                              (empty, '#!', 'an empty file')):
        run = world.worth(*FEW, path, 'true')
        tap.ok(run.status == 2 and words in run.err and path in run.err, name, run)
    world.logged()
    refused(tap, world.worth(*FEW, '--shell', ' '), 'empty', 'an empty shell command')
    refused(tap, world.worth(*FEW), 'no command', 'options without a command')
    refused(tap, world.worth(*FEW, '--', 'a'), 'no command', 'arguments without a command')
    tap.same(world.logged(), [], 'none of them ran anything')


def bad_values(world):
    before = len(world.sessions()) if os.path.exists(world.history) else 0
    for option, bad in (
            ('--rounds', ('0', '-1', 'nan', '1.5', '1e3', '99999999999999999999', '', '5x', '0x10')),
            ('--warmup', ('-1', '5000', 'x', '99999999999999999999')),
            ('--budget', ('-1s', 'nan', '5', '5 parsecs', '1e999s', 'inf', '', '99999999999h')),
            ('--timeout', ('-1s', 'nan', '5', '1e30s', 's', '5min5')),
            ('--seed', ('-1', 'x', '1.5', '18446744073709551616', '')),
            ('--cpu', ('-1', 'x', '99999', '')),
            ('--require', ('faster', '', 'Better')),
            ('--input', ('/no/such/file', '')),
            ('--output', ('/no/such/directory/x', 'discrad', '')),
            ('-L', ('x', '=1', 'x=', 'x=a,,b', '1x=a', 'a b=c')),
            ('--json', ('/no/such/directory/x.json', '')),
            ('-o', ('x.doc', 'x', '-', '/no/such/directory/x.json'))):
        for value in bad:
            word = option if option.startswith('--') else option[:2]
            words = (f'{option}={value}',) if option.startswith('--') else (option, value)
            refused(tap, world.worth(*FEW, *words, 'echo {x}'), word, f'{option} {value!r}')
    for range_ in ('1', '9..1', '1..9..0', '1..9..-1', '1..x', '1...9', 'a..b', '1.5..2',
                   '1..99999999999999999999', '0..9223372036854775807', '1..1000000', ''):
        refused(tap, world.worth(*FEW, '--parameter-scan', 'x', range_, 'echo {x}'), '',
                f'--parameter-scan x {range_!r}')
    refused(tap, world.worth(*FEW, '-L', 'size=1,2', 'echo {sise}'), 'sise',
            'a placeholder that is not defined')
    refused(tap, world.worth(*FEW, '-L', 'size=1,2', 'true'), "'size' is in no command",
            'a parameter that is not used')
    refused(tap, world.worth(*FEW, '-L', 'x=1', '-L', 'x=2', 'echo {x}'), 'twice',
            'a parameter given twice')
    many = ','.join(map(str, range(200)))
    refused(tap, world.worth(*FEW, '-L', f'x={many}', 'echo {x}'), '', 'too many cells')
    for word, nearest in (('--budgte', '--budget'), ('--round', '--rounds'), ('--timout', '--timeout'),
                          ('--marign=1%', '--margin')):
        refused(tap, world.worth(word, 'true'), nearest, f'{word}: the nearest option is named')
    refused(tap, world.worth('true', '--rounds'), '--rounds', 'an option without its value')
    refused(tap, world.worth('--dry-run=1', 'true'), '--dry-run', 'a flag with a value')
    refused(tap, world.worth('histroy'), 'worth history', 'a mistyped command')
    refused(tap, world.worth(*FEW, '--json', '-', '--csv', '-', 'true'), 'same place',
            'two formats on stdout')
    fifo = world.path('fifo')
    os.mkfifo(fifo)
    refused(tap, world.worth(*FEW, '--input', fifo, 'cat'), 'read only once', 'input from a fifo')
    refused(tap, world.worth(*FEW, '--input', world.directory, 'cat'), 'directory',
            'input from a directory')
    tap.same(len(world.sessions()) if os.path.exists(world.history) else 0, before,
             'none of these left a session behind')


def outputs(world):
    good = world.write('good.json', 'precious')
    run = world.worth(*FEW, '-o', good, 'true', 'false')
    tap.ok(run.status == 2 and world.read('good.json') == 'precious',
           'an older file survives a failed run', run)
    world.worth(*FEW, '-o', good, 'true', 'nosuchprogram')
    world.worth(*FEW, '-o', good, '--nonsense')
    tap.same(world.read('good.json'), 'precious', 'and bad input')
    count = world.script('count', 'echo >>"$LOG"')
    refused(tap, world.worth(*FEW, '-o', '/proc/x.json', count), '/proc/x.json',
            'an unwritable output')
    refused(tap, world.worth(*FEW, '-o', world.directory + '/', count), '-o', 'a directory')
    fifo = world.path('unread')
    os.mkfifo(fifo)
    refused(tap, world.worth(*FEW, '--no-save', '--output', fifo, count), 'reader', 'a FIFO that nobody reads')
    os.unlink(fifo)
    tap.same(world.logged(), [], 'is known before the first run')
    names = [world.path(name) for name in ('a.json', 'b.csv', 'c.md', 'd.txt')]
    world.worth(*FEW, *(word for name in names for word in ('-o', name)), 'true', 'true')
    tap.ok(all(os.path.getsize(name) > 0 for name in names), 'all formats by their ending')
    tap.ok(not any(name.startswith('.') or 'tmp' in name for name in os.listdir(world.directory)
                   if name not in ('home', '.log')), 'no temporary file is left', os.listdir(world.directory))
    os.symlink('target.json', world.path('link.json'))
    world.worth(*FEW, '-o', world.path('link.json'), 'true')
    tap.ok(os.path.islink(world.path('link.json')) and
           os.path.getsize(world.path('target.json')) > 0, 'a symbolic link stays one')


def histories(world):
    os.makedirs(os.path.dirname(world.history), mode=0o700, exist_ok=True)
    count = world.script('count', 'echo >>"$LOG"')
    for content, words, name in ((b'no database at all ' * 300, 'SQLite', 'a foreign file'),
                                 (None, '', 'another program\'s database'),
                                 (4711, 'newer', 'a newer history')):
        if os.path.exists(world.history):
            os.unlink(world.history)
        if isinstance(content, bytes):
            with open(world.history, 'wb') as stream:
                stream.write(content)
        elif content is None:
            with contextlib.closing(sqlite3.connect(world.history)) as database:
                database.execute('create table recipes (name text)')
        else:
            world.worth(*FEW, 'true')
            with contextlib.closing(sqlite3.connect(world.history)) as database:
                database.execute(f'pragma user_version = {content}')
                database.commit()
        before = open(world.history, 'rb').read()
        refused(tap, world.worth(*FEW, count), words, name)
        refused(tap, world.worth('history'), words, f'{name}, looked at')
        tap.ok(open(world.history, 'rb').read() == before and world.logged() == [],
               f'{name} costs nothing, runs nothing', (before == open(world.history, 'rb').read()))
        tap.same(world.worth(*FEW, '--no-save', 'true').status, 0, '--no-save does without it')
    os.unlink(world.history)
    os.mkdir(world.history)
    refused(tap, world.worth(*FEW, count), 'history', 'a directory in its place')
    os.rmdir(world.history)
    with open(world.path('file'), 'w', encoding='utf-8'):
        pass
    refused(tap, world.worth(*FEW, count, environment={'XDG_DATA_HOME': world.path('file')}),
            'file', 'a data directory that is none')
    if os.geteuid() != 0:
        os.chmod(os.path.dirname(world.history), stat.S_IRUSR | stat.S_IXUSR)
        refused(tap, world.worth(*FEW, count), 'history', 'an unwritable directory')
        os.chmod(os.path.dirname(world.history), 0o700)
    refused(tap, world.worth(*FEW, count, environment={'XDG_DATA_HOME': '/proc'}), '/proc',
            'a place where none can be made')
    tap.same(world.logged(), [], 'nothing was run for that')


def history_gone(world):
    """What is not saved is not said to be."""
    for name, harm in (('deleted', 'rm -f'), ('another in its place', 'cp -f /dev/null')):
        once = world.path('once')
        harmed = f'{harm} {world.history}' if harm == 'rm -f' else \
            f'rm -f {world.history}; {harm} {world.history}'
        run = world.worth('-q', '-w', '0', '-r', '4', '--prepare',
                          f'test -e {once} || {{ echo >{once}; {harmed}; }}', 'true', 'true')
        tap.ok(run.status == 0 and 'while it was in use' in run.err and 'measuring goes on' in run.err
               and 'saved as' not in run.told and '--extend' not in run.told,
               f'the history is {name} in the middle', run)
        os.unlink(once)
        if os.path.exists(world.history):
            os.unlink(world.history)


def together(world):
    """Several processes write the history at once, and one reads it."""
    before = len(world.sessions()) if os.path.exists(world.history) else 0
    children = [world.start('-q', '-w', '0', '-r', '15', '--no-peek', '-n', f'side{i}', 'true')
                for i in range(5)]
    looks = []
    while any(child.poll() is None for child in children):
        if os.path.exists(world.history):
            looks.append(world.worth('history'))
    for child in children:
        out, err = child.communicate()
        tap.ok(child.returncode == 0 and err == b'', 'one of five at once', (out, err))
    tap.ok(all(run.status == 0 for run in looks), 'it can be read meanwhile',
           next((str(run) for run in looks if run.status != 0), ''))
    rows = world.sessions()
    tap.ok(len(rows) == before + 5 and all(row['rounds'] == 15 for row in rows[:5]),
           'all sessions are whole', rows)


def full_disk(world):
    if os.geteuid() != 0 or not shutil.which('mount'):
        tap.skip('a full disk', 'needs root for a small tmpfs')
        return
    disk = world.path('disk')
    os.mkdir(disk)
    mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=600k', 'none', disk], check=False,
                             capture_output=True)
    if mounted.returncode != 0:
        tap.skip('a full disk', 'no tmpfs can be mounted here')
        return
    try:
        old = os.path.join(disk, 'old.json')
        with open(old, 'w', encoding='utf-8') as stream:
            stream.write('precious')
        # The command itself fills the disk after a few rounds.
        fill = world.script('fill', 'echo >>"$LOG"; [ $(wc -l <"$LOG") != 6 ] || '
                            f'dd if=/dev/zero of={disk}/rest bs=4k 2>/dev/null; exit 0')
        run = world.worth('-q', '-w', '0', '-r', '12', '--no-peek', '-o', old, fill, 'true',
                          environment={'XDG_DATA_HOME': disk})
        tap.ok(run.status == 2 and '12 rounds' in run.told and 'measuring goes on' in run.err and
               run.err.count('measuring goes on') == 1,
               'the disk is full in the middle: measuring goes on', run)
        tap.ok('old.json' in run.err, 'and the unwritten report is named', run)
        with open(old, encoding='utf-8') as stream:
            tap.same(stream.read(), 'precious', 'the older report survives')
        os.unlink(os.path.join(disk, 'rest'))
        rows = world.worth('history', '--json', '-', environment={'XDG_DATA_HOME': disk})
        tap.ok(rows.status == 0 and 3 <= rows.data['tables']['sessions'][0]['rounds'] < 12,
               'what was saved before can be read', rows)
        run = world.worth('-q', '--resume', 'last', environment={'XDG_DATA_HOME': disk})
        tap.ok(run.status == 0 and '12 rounds' in run.told, 'and be resumed', run)
        world.logged()
    finally:
        subprocess.run(['umount', '-l', disk], check=False)


with World() as one:
    for test in (bad_commands, bad_values, outputs, histories, history_gone, together, full_disk):
        tap.run(test.__name__, test, one)
        one.logged()
sys.exit(tap.finish())
