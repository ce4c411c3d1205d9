# SPDX-License-Identifier: GPL-2.0-or-later
"""What size_cost.py and outlined_kernel.py measure with, fetched with apt-get once into the
directory where they are run: debug packages of Debian's cloud kernel in kernels/ (3.4 GB), the
kernel's source in linux/, sqlite in sqlite/.
"""
import glob
import os
import re
import shutil
import subprocess

KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'


def quietly(words, directory='.'):
    run = subprocess.run(words, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False)
    if run.returncode:
        raise SystemExit(f'{" ".join(words)} failed: {run.stdout[-800:]}')


def newest(pattern, count):
    """The packages of that name with the highest numbers in it, oldest first."""
    found = subprocess.run(['apt-cache', 'search', '--names-only', pattern],
                           capture_output=True, text=True, check=True).stdout
    names = sorted((line.split()[0] for line in found.splitlines()),
                   key=lambda name: [int(part) for part in re.findall(r'\d+', name)])
    if len(names) < count:
        raise SystemExit(f'apt knows {len(names)} packages like {pattern}; {count} are needed '
                         '(apt-get update, or no Debian?)')
    return names[-count:]


def unpack(package, directory):
    """The package's files below directory/package; nothing is installed."""
    place = f'{directory}/{package}'
    if not os.path.exists(place):
        os.makedirs(directory, exist_ok=True)
        quietly(['apt-get', 'download', package], directory)
        archive = glob.glob(f'{directory}/{package}_*.deb')[0]
        quietly(['dpkg-deb', '-x', archive, place + '.part'])
        os.remove(archive)
        os.rename(place + '.part', place)
    return place


def debug_kernels():
    """Two vmlinux of 590 MB with debug information: the newest two of Debian's cloud kernel."""
    packages = newest(r'^linux-image-[0-9]+[.][0-9]+[.][0-9]+-[0-9]+-cloud-amd64-dbg$', 2)
    return [glob.glob(f'{unpack(package, "kernels")}/usr/lib/debug/boot/vmlinux-*')[0]
            for package in packages]


def kernel_source(*members):
    """The directory of Debian 12's kernel source, with all of it or only those files."""
    package = 'linux-source-6.1'
    tree = f'linux/{package}'
    if not all(os.path.exists(f'{tree}/{member}') for member in members or ('Makefile',)):
        archive = glob.glob(f'{unpack(package, "linux/deb")}/usr/src/{package}.tar.xz')[0]
        quietly(['tar', '-xJf', archive, '-C', 'linux',
                 *(f'{package}/{member}' for member in members)])
    return tree


def sqlite_source():
    """sqlite/sqlite3.c and shell.c, each one file, made from Debian's source package."""
    if os.path.exists('sqlite/sqlite3.c') and os.path.exists('sqlite/shell.c'):
        return 'sqlite'
    os.makedirs('sqlite/lists/partial', exist_ok=True)
    places = subprocess.run(['apt-get', 'indextargets', '--format', '$(REPO_URI) $(SUITE)',
                             'Created-By: Packages', 'Origin: Debian', 'Component: main'],
                            capture_output=True, text=True, check=True).stdout
    signed = f'[signed-by={KEYRING}] ' if os.path.exists(KEYRING) else ''
    with open('sqlite/sources.list', 'w', encoding='utf-8') as stream:
        for place in sorted(set(places.splitlines())):
            stream.write(f'deb-src {signed}{place} main\n')
    here = os.path.abspath('sqlite')
    apt = ['apt-get', '-q', '-o', f'Dir::Etc::SourceList={here}/sources.list', '-o',
           'Dir::Etc::SourceParts=-', '-o', f'Dir::State::Lists={here}/lists']
    quietly([*apt, 'update'])
    quietly([*apt, '--download-only', 'source', 'sqlite3'], 'sqlite')
    archive = glob.glob('sqlite/sqlite3_*.orig.tar.*')[0]
    os.makedirs('sqlite/source', exist_ok=True)
    quietly(['tar', '-xf', archive, '-C', 'sqlite/source', '--strip-components=1'])
    quietly(['./configure', '--disable-tcl'], 'sqlite/source')
    quietly(['make', 'sqlite3.c', 'shell.c'], 'sqlite/source')
    for name in ('sqlite3.c', 'shell.c', 'sqlite3.h'):
        shutil.copy(f'sqlite/source/{name}', 'sqlite')
    return 'sqlite'


def sqlite_pair():
    """Two builds of sqlite with its shell: its noinline marks as they are, and taken out."""
    source = sqlite_source()
    with open(f'{source}/sqlite3.c', encoding='latin-1') as stream:
        text = stream.read()
    programs = [f'{source}/baseline', f'{source}/candidate']
    for program, marked in zip(programs, (text, text.replace('__attribute__((noinline))', ''))):
        if os.path.exists(program):
            continue
        with open(f'{program}.c', 'w', encoding='latin-1') as stream:
            stream.write(marked)
        quietly(['gcc', '-g', '-O2', f'{program}.c', f'{source}/shell.c', '-o', program,
                 '-lpthread', '-ldl', '-lm'])
    return programs


def is_stripped(path):
    with open(path, 'rb') as stream:
        if stream.read(4) != b'\x7fELF':
            return False
    headers = subprocess.run(['readelf', '-SW', path], capture_output=True, text=True, check=False)
    return '.symtab' not in headers.stdout


def stripped_library(wanted=100e6):
    """The stripped library of this machine whose size is nearest to that wanted."""
    libraries = [path for path in glob.glob('/usr/lib/*/lib*.so*') if not os.path.islink(path)]
    for path in sorted(libraries, key=lambda path: abs(os.path.getsize(path) - wanted)):
        if is_stripped(path):
            return path
    raise SystemExit('no stripped library below /usr/lib/*/')
