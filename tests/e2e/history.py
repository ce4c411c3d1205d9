# SPDX-License-Identifier: GPL-2.0-or-later
"""worth history and worth report, as a user sees them.

    history.py WORTH FILL_HISTORY
"""
import csv
import io
import json
import os
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import Tap  # noqa: E402
from world import World  # noqa: E402

WORTH, FILL = sys.argv[1], sys.argv[2]
tap = Tap()


class Home:
    """A user's data directory, and worth run in it."""

    def __init__(self, directory):
        self.directory = directory
        self.path = os.path.join(directory, 'worth', 'history.db')
        self.environment = {'PATH': os.environ['PATH'], 'XDG_DATA_HOME': directory, 'TZ': 'UTC',
                            'HOME': directory}
        # Under on_server.py it is a database.
        self.is_server = 'WORTH_TEST_SERVER' in os.environ
        if self.is_server:
            self.path = World.make_database(os.environ['WORTH_TEST_SERVER'])
            self.environment['WORTH_STORE'] = self.path
        for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS'):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def worth(self, *words, **more):
        environment = dict(self.environment, **more)
        return subprocess.run([WORTH, *words], env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60, check=False)

    def fill(self, ending, *title):
        if not self.is_server:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        done = subprocess.run([FILL, self.path, ending, *title], env=self.environment,
                              capture_output=True, text=True, timeout=60, check=True)
        return done.stdout.strip()

    def file(self, name):
        return os.path.join(self.directory, name)


def refused(result, words, name):
    tap.ok(result.returncode == 2 and words in result.stderr and result.stdout == '' and
           result.stderr.count('\n') == 1, name,
           f'status {result.returncode}\n{result.stderr}{result.stdout}')


def nothing_yet(home):
    if home.is_server:
        done = home.worth('history')
        tap.ok(done.returncode == 0 and 'Nothing has been measured' in done.stdout, 'an empty history is said',
               done.stdout + done.stderr)
        return
    refused(home.worth('history'), 'there is no history yet', 'no history is said')
    refused(home.worth('report', 'last'), 'there is no history yet', 'nor is there a report')
    tap.ok(not os.path.exists(home.path), 'looking makes no history')


def the_list(home):
    first = home.fill('complete')
    second = home.fill('killed', '\x1b[31m=red')
    text = home.worth('history')
    lines = text.stdout.splitlines()
    tap.ok(text.returncode == 0 and len(lines) == 3, 'two sessions are two lines', text.stdout)
    tap.ok(lines[1].startswith(second) and lines[2].startswith(first), 'newest first', text.stdout)
    tap.ok('2023-11-14 22:13' in lines[2] and 'slower' in lines[2] and '+10.00%' in lines[2] and
           ' 20 ' in lines[2], 'a line has date, rounds, verdict and change', lines[2])
    tap.ok('broken off' in lines[1] and ' 5 ' in lines[1],
           'a killed session shows its complete rounds', lines[1])
    tap.ok('\x1b' not in text.stdout, 'a title cannot steer the terminal')
    tap.ok(all(len(line) <= 80 for line in lines), 'it fits 80 columns')
    narrow = home.worth('history', COLUMNS='60').stdout.splitlines()
    tap.ok(all(len(line) <= 60 for line in narrow), 'and a narrower terminal', '\n'.join(narrow))
    home.fill('complete', 'word ' * 99)
    long = home.worth('history').stdout.splitlines()
    tap.ok(len(long) == 5 and all(len(line) <= 80 for line in long),
           'a long command line takes one line more', '\n'.join(long))
    home.worth('history', 'delete', 'last')
    one = home.worth('history', '--limit', '1')
    tap.ok(second in one.stdout and first not in one.stdout and '--limit 0' in one.stdout,
           '--limit lists the newest and says that there are more', one.stdout)
    rows = json.loads(home.worth('history', '--json', '-').stdout)['tables']['sessions']
    tap.ok([row['id'] for row in rows] == [second, first] and rows[1]['rounds'] == 20 and
           rows[1]['started_at'] == '2023-11-14T22:13:20Z' and rows[0]['verdict'] is None and
           rows[0]['ending'] == 'broken off', 'JSON has the same list', rows)
    table = list(csv.DictReader(io.StringIO(home.worth('history', '--csv', '-').stdout)))
    tap.ok([row['id'] for row in table] == [second, first] and table[1]['host'] == 'testhost',
           'CSV has the same list', table)
    redacted = home.worth('history', '--redact', '--json', '-').stdout
    tap.ok('testhost' not in redacted and 'sort' not in redacted,
           '--redact leaves out host and command', redacted)
    return first, second


def the_report(home, first, second):
    shown = home.worth('history', 'show', first)
    again = home.worth('report', first[:5])
    tap.ok(shown.returncode == 0 and 'slower' in shown.stdout, 'a session is shown again',
           shown.stdout + shown.stderr)
    tap.same(again.stdout, shown.stdout, 'report and show say the same')
    last = home.worth('report', 'last')
    tap.ok(last.returncode == 0 and second in last.stdout, 'last is the newest', last.stdout)
    everything = [home.file(name) for name in ('a.md', 'b.json', 'c.csv', 'd.txt')]
    words = [word for path in everything for word in ('-o', path)]
    done = home.worth('report', first, *words)
    tap.ok(done.returncode == 0 and all(os.path.getsize(path) > 0 for path in everything),
           '-o writes every format by its ending', done.stderr)
    with open(everything[3], encoding='utf-8') as text:
        tap.same(text.read(), shown.stdout, 'the text file is what was shown')
    with open(everything[1], encoding='utf-8') as text:
        recording = json.load(text)['recording']
    tap.ok(len(recording['samples']) == 40, 'JSON holds every run', list(recording))
    only = home.worth('report', first, '--json', '-')
    tap.ok(json.loads(only.stdout)['recording']['samples'] == recording['samples'],
           '- is stdout, without the text')


def bad_words(home, first):
    before = home.worth('history').stdout
    refused(home.worth('report', 'nosuchid'), "no session 'nosuchid'", 'an unknown id')
    refused(home.worth('report'), 'takes a session', 'report without an id')
    refused(home.worth('report', first, first), 'is given twice', 'report of one session twice')
    refused(home.worth('history', 'shwo', first), 'did you mean show', 'a mistyped word')
    refused(home.worth('history', first), f'worth history show {first}', 'an id alone')
    refused(home.worth('history', 'delete'), 'one or more sessions', 'delete without an id')
    refused(home.worth('history', '--limit', '-1'), '--limit', 'a negative limit')
    refused(home.worth('history', '--josn', '-'), '--json', 'a mistyped option')
    refused(home.worth('report', first, '-o', home.file('x.doc')), '.md', 'an unknown ending')
    refused(home.worth('report', first, '-o', '-'), '--json -', '-o to stdout')
    refused(home.worth('report', first, '--json', '-', '--csv', '-'), 'same place',
            'two formats on stdout')
    refused(home.worth('report', first, '--json', home.file('no/x.json')), 'no/x.json',
            'a directory that is not there')
    tap.same(home.worth('history').stdout, before, 'none of that changed the history')


def a_failed_report_keeps_the_old(home, first):
    path = home.file('kept.json')
    with open(path, 'w', encoding='utf-8') as text:
        text.write('precious')
    home.worth('report', 'nosuchid', '--json', path)
    with open(path, encoding='utf-8') as text:
        tap.same(text.read(), 'precious', 'a failed report leaves an older file')
    with open('/dev/full', 'w', encoding='utf-8') as full:
        done = subprocess.run([WORTH, 'report', first], env=home.environment, stdout=full,
                              stderr=subprocess.PIPE, text=True, check=False)
    tap.ok(done.returncode == 2 and 'standard output' in done.stderr,
           'a full disk behind stdout is said', done.stderr)


def deleting(home, first, second):
    with subprocess.Popen([FILL, home.path, 'held'], env=home.environment, text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as held:
        live = held.stdout.readline().strip()
        tap.ok('running' in home.worth('history', '--limit', '1').stdout, 'a session that runs')
        refused(home.worth('history', 'delete', live), f'being measured by another process '
                f'({held.pid})', 'it cannot be deleted')
        held.stdin.close()
        held.wait()
    done = home.worth('history', 'delete', live, second)
    tap.same(done.stdout, f'deleted {live}\ndeleted {second}\n', 'delete says what it deleted')
    left = json.loads(home.worth('history', '--json', '-').stdout)['tables']['sessions']
    tap.same([row['id'] for row in left], [first], 'the other one is left')


def modes(home):
    os.chmod(home.path, 0o644)
    os.chmod(os.path.dirname(home.path), 0o755)
    done = home.worth('history')
    tap.ok(done.returncode == 0 and 'is private now' in done.stderr, 'wide modes are mentioned',
           done.stderr)
    tap.ok(stat.S_IMODE(os.stat(home.path).st_mode) == 0o600 and
           stat.S_IMODE(os.stat(os.path.dirname(home.path)).st_mode) == 0o700,
           'and taken back')


def damaged(home):
    with open(home.path, 'wb') as database:
        database.write(b'not a database at all, but long enough to look at' * 100)
    refused(home.worth('history'), 'is no SQLite file', 'a file that is no history')


with tempfile.TemporaryDirectory(prefix='worth-history-') as temporary:
    user = Home(temporary)
    nothing_yet(user)
    one, two = the_list(user)
    tap.run('report', the_report, user, one, two)
    tap.run('bad words', bad_words, user, one)
    tap.run('failures', a_failed_report_keeps_the_old, user, one)
    tap.run('deleting', deleting, user, one, two)
    if not user.is_server:
        tap.run('modes', modes, user)
        tap.run('damage', damaged, user)
sys.exit(tap.finish())
