#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The first inputs of the targets package and separate: objects with what belongs to them.

    tests/fuzz/make_pairs.py DIRECTORY      (tests/fuzz/corpus, say)

Needs gcc, clang, binutils with dwp, llvm-dwp and dwz. Two inputs of one kind differ only in what a
reader cares about: versions, classes, byte order, which names the debug file has.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = """
static volatile int sink;
static inline __attribute__((always_inline)) int inner(int x) { sink = x * 7; return x + sink; }
static inline __attribute__((always_inline)) int outer(int x) { return inner(x) + inner(x + 1); }
int %s(int x) { if (x > 3) { int y = x * 2; return outer(y); } return inner(x); }
"""
SHARED = ['-O2', '-fPIC', '-shared', '-nostdlib', '-Wl,-z,norelro', '-Wl,-z,noseparate-code']


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def write(path, first, second):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(first, 'rb') as one, open(second, 'rb') as two:
        head, tail = one.read(), two.read()
    with open(path, 'wb') as stream:
        stream.write(struct.pack('<I', len(head)) + head + tail)


def sources(*names):
    for name in names:
        with open(f'{name}.c', 'w', encoding='ascii') as stream:
            stream.write(SOURCE % name)
    return [f'{name}.c' for name in names]


def packages(target):
    for name, compiler, version, pack in (
            ('gcc-5', 'gcc', '-gdwarf-5', ['dwp', '-e', 'object', '-o', 'object.dwp']),
            ('gcc-4', 'gcc', '-gdwarf-4', ['dwp', '-e', 'object', '-o', 'object.dwp']),
            ('clang-5', 'clang', '-gdwarf-5', ['llvm-dwp', '-e', 'object', '-o', 'object.dwp']),
            ('clang-4', 'clang', '-gdwarf-4', ['llvm-dwp', '-e', 'object', '-o', 'object.dwp'])):
        if not shutil.which(pack[0]):
            print(f'{pack[0]} is absent: no {name}')
            continue
        objects = []
        for source in sources('first', 'second'):
            objects.append(source[:-2] + '.o')
            run(compiler, '-c', '-O2', '-fPIC', version, '-gsplit-dwarf', '-fdebug-prefix-map='
                + os.getcwd() + '=.', source, '-o', objects[-1])
        run(compiler, *SHARED, *objects, '-o', 'object')
        try:
            run(*pack)
        except subprocess.CalledProcessError:
            print(f'{pack[0]} cannot pack what {compiler} {version} makes: no {name}')
            continue
        write(f'{target}/package/{name}', 'object', 'object.dwp')
    long_strings(target)


def long_strings(target):
    """A package whose offsets all lead into one string: written out one by one it has 10 GB."""
    run('objcopy', '-O', 'binary', '--only-section=.debug_cu_index', '--set-section-flags',
        '.debug_cu_index=alloc', 'object.dwp', 'index')
    with open('index', 'rb') as stream:
        index = bytearray(stream.read())
    _, columns, units, slots = struct.unpack_from('<4I', index)
    cells = 16 + slots * 12
    column = struct.unpack_from(f'<{columns}I', index, cells).index(6)
    for row in range(1, units + 1):
        struct.pack_into('<I', index, cells + 4 * (columns * row + column), 0)
        struct.pack_into('<I', index, cells + 4 * (columns * (units + row) + column), 200000)
    for name, content in (('index', index), ('strings', b'a' * 199999 + b'\0'),
                          ('offsets', struct.pack('<50000I', *range(50000)))):
        with open(name, 'wb') as stream:
            stream.write(content)
    run('objcopy', '--update-section', '.debug_cu_index=index', '--update-section',
        '.debug_str.dwo=strings', '--update-section', '.debug_str_offsets.dwo=offsets',
        'object.dwp')
    write(f'{target}/package/long-strings', 'object', 'object.dwp')


def separates(target):
    for name, words, strip in (
            ('build-id', ['-Wl,--build-id=0x1234'], ['--strip-all']),
            ('checksum', ['-Wl,--build-id=none'], ['--strip-all']),
            ('symbols-kept', ['-Wl,--build-id=0x1234'], ['--strip-debug']),
            ('zlib', ['-Wl,--build-id=0x1234', '-gz=zlib'], ['--strip-all']),
            ('dwarf-4', ['-Wl,--build-id=0x1234', '-gdwarf-4'], ['--strip-all']),
            ('32', ['-Wl,--build-id=0x1234', '-m32'], ['--strip-all'])):
        try:
            run('gcc', *SHARED, '-g', *words, *sources('first', 'second'), '-o', 'object')
        except subprocess.CalledProcessError:
            print(f'gcc cannot make it: no {name}')
            continue
        run('objcopy', '--only-keep-debug', 'object', 'object.debug')
        run('objcopy', *strip, 'object')
        run('objcopy', '--add-gnu-debuglink=object.debug', 'object')
        write(f'{target}/separate/{name}', 'object', 'object.debug')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        packages(target)
        separates(target)


if __name__ == '__main__':
    main()
