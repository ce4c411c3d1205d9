#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What worth size costs beside its peers: CPU seconds (the least of a few runs, which others on the
machine disturb least), wall seconds of that run and peak memory.

usage: size_cost.py WORTH [BASELINE CANDIDATE]

Without files: the two newest of Debian's debug packages of the cloud kernel, fetched with apt-get
into the directory kernels (1.2 GB), two builds of sqlite made from Debian's source package if it was
unpacked as sqlite/sqlite3.c, and the largest stripped library of this machine. A peer that is not on
PATH is printed as absent; bloat-o-meter is in the kernel's scripts.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import time

RUNS = 5
WORTH = os.path.abspath(sys.argv[1])


def cost(words):
    """(status, CPU seconds, wall seconds, peak bytes) of the cheapest run."""
    best = None
    for _ in range(RUNS):
        begin = time.monotonic()
        child = os.posix_spawnp(words[0], words, os.environ, file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, '/dev/null', os.O_WRONLY, 0)])
        _, status, usage = os.wait4(child, 0)
        wall = time.monotonic() - begin
        seconds = usage.ru_utime + usage.ru_stime
        if best is None or seconds < best[1]:
            best = (os.waitstatus_to_exitcode(status), seconds, wall, usage.ru_maxrss * 1024)
        if seconds > 20:
            break
    return best


def show(name, words):
    if not shutil.which(words[0]):
        print(f'  {name:<34} absent')
        return
    status, seconds, wall, peak = cost(words)
    trouble = f'  status {status}' if status not in (0, 1) else ''
    print(f'  {name:<34} {seconds:8.3f} s CPU {wall:8.3f} s {peak / 1e6:6.0f} MB{trouble}', flush=True)


def compare(baseline, candidate):
    print(f'{baseline} {candidate} ({os.path.getsize(baseline) / 1e6:.0f} MB)')
    show('worth size', [WORTH, 'size', baseline, candidate])
    show('worth size --jobs 1', [WORTH, 'size', '--jobs', '1', baseline, candidate])
    show('worth size --inlines', [WORTH, 'size', '--inlines', baseline, candidate])
    show('worth size --inlines --jobs 1',
         [WORTH, 'size', '--inlines', '--jobs', '1', baseline, candidate])
    show('size', ['size', baseline, candidate])
    show('nm -S --size-sort (one)', ['nm', '-S', '--size-sort', candidate])
    show('bloat-o-meter', ['bloat-o-meter', baseline, candidate])
    show('bloaty -d symbols', ['bloaty', '-d', 'symbols', candidate, '--', baseline])
    show('bloaty -d inlines', ['bloaty', '-d', 'inlines', candidate, '--', baseline])
    show('codiff', ['codiff', baseline, candidate])


def alone(path):
    print(f'{path} ({os.path.getsize(path) / 1e6:.0f} MB, alone)')
    show('worth size', [WORTH, 'size', path])
    show('size', ['size', path])
    show('nm -D -S --size-sort', ['nm', '-D', '-S', '--size-sort', path])


def kernels():
    """Paths of two vmlinux with debug information, fetched once."""
    names = subprocess.run(['apt-cache', 'search', '--names-only',
                            '^linux-image-[0-9]+[.][0-9]+[.][0-9]+-[0-9]+-cloud-amd64-dbg$'],
                           capture_output=True, text=True, check=True).stdout
    packages = sorted((line.split()[0] for line in names.splitlines()),
                      key=lambda name: [int(part) for part in re.findall(r'\d+', name)])[-2:]
    os.makedirs('kernels', exist_ok=True)
    for package in packages:
        if glob.glob(f'kernels/{package}'):
            continue
        subprocess.run(['apt-get', 'download', package], cwd='kernels', check=True,
                       stdout=subprocess.DEVNULL)
        archive = glob.glob(f'kernels/{package}_*.deb')[0]
        subprocess.run(['dpkg-deb', '-x', archive, f'kernels/{package}'], check=True)
        os.remove(archive)
    return [glob.glob(f'kernels/{package}/usr/lib/debug/boot/vmlinux-*')[0]
            for package in packages]


def sqlite():
    """Two builds of sqlite and its shell, with noinline marks and without; None without source."""
    if not os.path.exists('sqlite/sqlite3.c'):
        print('sqlite/sqlite3.c absent: make it and shell.c from the source package sqlite3')
        return None
    with open('sqlite/sqlite3.c', encoding='latin-1') as stream:
        text = stream.read()
    for name, marked in (('baseline', text),
                         ('candidate', text.replace('__attribute__((noinline))', ''))):
        if os.path.exists(f'sqlite/{name}'):
            continue
        with open(f'sqlite/{name}.c', 'w', encoding='latin-1') as stream:
            stream.write(marked)
        subprocess.run(['gcc', '-g', '-O2', f'sqlite/{name}.c', 'sqlite/shell.c', '-o',
                        f'sqlite/{name}', '-lpthread', '-ldl', '-lm'], check=True,
                       stderr=subprocess.DEVNULL)
    return 'sqlite/baseline', 'sqlite/candidate'


def is_stripped(path):
    with open(path, 'rb') as stream:
        if stream.read(4) != b'\x7fELF':
            return False
    return '.symtab' not in subprocess.run(['readelf', '-SW', path], capture_output=True,
                                           text=True).stdout


def main():
    pair = None if sys.argv[2:] else sqlite()
    if pair:
        compare(*pair)
    files = sys.argv[2:] or kernels()
    if len(files) != 2:
        sys.exit(f'size_cost: two kernels are needed, there are {len(files)}; name two files')
    compare(*files)
    libraries = sorted((path for path in glob.glob('/usr/lib/*/lib*.so*')
                        if not os.path.islink(path)), key=os.path.getsize)
    while libraries and not is_stripped(libraries[-1]):
        libraries.pop()
    if libraries:
        alone(libraries[-1])


if __name__ == '__main__':
    main()
