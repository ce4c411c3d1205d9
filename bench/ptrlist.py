#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The C front end whose lists the study ptrlist-nr imitates, itself: with nodes of 13 pointers and others.

    bench/ptrlist.py WORTH WORTH_LOAD [ROUNDS] [SOURCES]

The sources of sparse come from Debian's archive, by apt with lists of its own, into
a directory that is removed afterwards; SOURCES is a tree of sparse that is there
already. It is built once for each size of node (LIST_NODE_NR of ptrlist.h), with
nothing else changed, and checks one of its own files. Bytes of lists and page faults
are exact; times are those of worth, in interleaved rounds. Beside it stands the
specimen on the lengths of the same lists. Target: nodes of 13 take at least 40%
fewer bytes than nodes of 29.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

NODES = [29, 13, 3, 5, 8, 61]
CHECKED = 'parse.c'
WANTED = 0.40
PUBLISHED = ('published: list memory -43 to -48% (commit 338b94b8cd14); a checked kernel build: real '
             '-2.1%, system -5.1% (linux-sparse, July 2017)')
KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'


class Absent(Exception):
    """What keeps the sources away, as a sentence."""


def said(command, **more):
    run = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if run.returncode != 0:
        words = (run.stderr or run.stdout).strip().splitlines()
        raise Absent(f'{command[0]} failed: {words[-1] if words else "it said nothing"}')
    return run.stdout


def fetch(place):
    """The source package, without a line in the machine's own list of sources."""
    lists = os.path.join(place, 'apt')
    for folder in ('lists/partial', 'cache/archives/partial'):
        os.makedirs(os.path.join(lists, folder))
    suite = said(['sh', '-c', '. /etc/os-release && echo $VERSION_CODENAME']).strip()
    # From where this machine has its packages.
    sites = [line.split() for line in
             said(['apt-get', 'indextargets', '--format', '$(SITE) $(CODENAME)']).splitlines()]
    site = next((words[0] for words in sites if words[1:] == [suite]), None)
    if site is None:
        raise Absent(f'apt knows no archive of {suite}: run apt-get update')
    with open(os.path.join(lists, 'sources.list'), 'w', encoding='utf-8') as stream:
        stream.write(f'deb-src [signed-by={KEYRING}] {site} {suite} main\n')
    apt = ['apt-get', '-q', '-o', f'Dir::Etc::SourceList={lists}/sources.list',
           '-o', 'Dir::Etc::SourceParts=/dev/null', '-o', f'Dir::State::Lists={lists}/lists',
           '-o', f'Dir::Cache={lists}/cache', '-o', 'APT::Sandbox::User=root']
    said([*apt, 'update'])
    said([*apt, 'source', '--download-only', 'sparse'], cwd=place)
    original = [name for name in os.listdir(place) if name.endswith('.orig.tar.gz')]
    said(['tar', 'xf', original[0]], cwd=place)
    return os.path.join(place, original[0].replace('_', '-').replace('.orig.tar.gz', ''))


def build(sources, place, nodes):
    tree = os.path.join(place, f'nr{nodes}')
    shutil.copytree(sources, tree)
    header = os.path.join(tree, 'ptrlist.h')
    with open(header, encoding='utf-8') as stream:
        text, changes = re.subn(r'(?m)^(#define LIST_NODE_NR) .*$', rf'\1 ({nodes})', stream.read())
    if changes != 1:
        raise Absent(f'{header} does not define LIST_NODE_NR as it used to')
    with open(header, 'w', encoding='utf-8') as stream:
        stream.write(text)
    said(['make', '-j2', 'HAVE_LLVM=no', 'HAVE_SQLITE=no', 'HAVE_GTK=no', 'HAVE_LIBXML=no', 'sparse'],
         cwd=tree)
    return os.path.join(tree, 'sparse')


def count(program, sources):
    """Nodes, bytes of lists, bytes in all, and page faults of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    run = subprocess.run([program, '-fmem-report', CHECKED], cwd=sources, capture_output=True,
                         text=True, check=False)
    faults = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before
    rows = {name: re.search(rf'(?m)^ *{name}: *(\d+), *(\d+)', run.stderr) for name in ('ptr list', 'total')}
    if None in rows.values():
        raise Absent(f'{program} -fmem-report does not tell its lists')
    return [int(rows['ptr list'].group(1)), int(rows['ptr list'].group(2)), int(rows['total'].group(2)),
            faults]


def compare(worth, programs, sources, rounds, place):
    """Changes of CPU time against the first, by worth."""
    result = os.path.join(place, 'times.json')
    run = subprocess.run([worth, 'compare', '-q', '--rounds', str(rounds), '--no-peek', '--no-save',
                          '--primary', 'cpu', '--ignore-failure', '--json', result,
                          *(f'{program} {CHECKED}' for program in programs)],
                         cwd=sources, capture_output=True, text=True, check=False)
    if not os.path.exists(result):
        raise Absent(f'worth measured nothing: {run.stderr.strip()}')
    with open(result, encoding='utf-8') as stream:
        rows = json.load(stream)['tables']['comparisons']
    return [row for row in rows if row['metric'] in ('cpu', 'wall')]


def specimen_bytes(load, nodes):
    out = said([load, 'ptrlist', '--nr', str(nodes), '--operations', '700000'])
    return float(re.search(r'(?m)^list-bytes (\S+)', out).group(1))


def percent(change):
    return '-' if change is None else f'{100 * change:+.1f}%'


def tell_counts(counts):
    print(f'sparse over its own {CHECKED}, changes against nodes of {NODES[0]}')
    print(f'{"NR":>4} {"nodes":>8} {"list bytes":>12} {"":>8} {"all bytes":>12} {"":>8} {"faults":>8}')
    for nodes in NODES:
        own, first = counts[nodes], counts[NODES[0]]
        change = [percent(a / b - 1) for a, b in zip(own, first)]
        print(f'{nodes:4} {own[0]:8,} {own[1]:12,} {change[1]:>8} {own[2]:12,} {change[2]:>8} '
              f'{own[3]:8,} {change[3]:>8}')


def run(worth, load, rounds, sources, place):
    sources = sources or fetch(place)
    programs = {nodes: build(sources, place, nodes) for nodes in NODES}
    counts = {nodes: count(programs[nodes], sources) for nodes in NODES}
    tell_counts(counts)
    for row in compare(worth, programs.values(), sources, rounds, place):
        nodes = NODES[int(row['candidate'].split()[-1])]
        print(f'  {row["metric"]:4} time, NR {nodes:2} against {NODES[0]}: {percent(row["change"])} '
              f'[{percent(row["change_low"])}, {percent(row["change_high"])}]')
    saved = 1 - counts[13][1] / counts[29][1]
    ours = 1 - specimen_bytes(load, 13) / specimen_bytes(load, 29)
    print(f'  nodes of 13 take {100 * saved:.1f}% fewer list bytes than nodes of 29, the specimen on the '
          f'same lengths {100 * ours:.1f}%; target {100 * WANTED:.0f}%: '
          f'{"reached" if min(saved, ours) >= WANTED else "MISSED"}')
    print('  ' + PUBLISHED)


def main(arguments):
    worth, load = (os.path.abspath(program) for program in arguments[:2])
    rounds = int(arguments[2]) if len(arguments) > 2 else 120
    sources = os.path.abspath(arguments[3]) if len(arguments) > 3 else None
    with tempfile.TemporaryDirectory() as place:
        try:
            run(worth, load, rounds, sources, place)
        except Absent as reason:
            print(f'sparse is absent: {reason}')
            print('  ' + PUBLISHED)


if __name__ == '__main__':
    main(sys.argv[1:])
