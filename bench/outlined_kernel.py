#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A row of outlining.def from a kernel that was really rebuilt, and the pair that size_cost.py reads.

usage: bench/outlined_kernel.py WORTH [FUNCTION...]      (all; --list shows them)

Unpacks Debian's kernel source below linux/, configures a small kernel with networking, ext4 and
DWARF 5, and builds linux/baseline. Then, one function after another: its definition in a header
becomes a declaration, the definition goes into a .c file of the same library, the kernel is built
again to linux/FUNCTION, and what worth size --candidates said of the baseline is printed beside
what was saved. Only sources that name the function are compiled again; copies that are left are
told. The first build takes a quarter of an hour of two processors, others two minutes. What is ready
is not built again.
"""
import json
import os
import re
import shutil
import subprocess
import sys

import size_inputs

# function: (header, source file that gets the definition)
FUNCTIONS = {
    'nla_put_u32': ('include/net/netlink.h', 'lib/nlattr.c'),
}

# Everything else is off.
OPTIONS = '''64BIT SMP PRINTK BLOCK EXT4_FS NET INET UNIX NETFILTER NET_SCHED PROC_FS SYSFS TTY
BINFMT_ELF FUTEX EPOLL MULTIUSER CC_OPTIMIZE_FOR_PERFORMANCE DEBUG_KERNEL DEBUG_INFO_DWARF5'''


def make(tree, *targets, **environment):
    os.makedirs('linux/build', exist_ok=True)
    with open('linux/build.log', 'a', encoding='utf-8') as log:
        run = subprocess.run(['make', '-C', tree, f'O={os.path.abspath("linux/build")}',
                              f'-j{os.cpu_count()}', *targets], stdout=log, stderr=log,
                             env={**os.environ, **environment}, check=False)
    if run.returncode:
        sys.exit(f'make {" ".join(targets)} failed; the end of linux/build.log says why')


def configure(tree):
    if os.path.exists('linux/build/.config'):
        return
    with open('linux/options', 'w', encoding='utf-8') as stream:
        stream.writelines(f'CONFIG_{name}=y\n' for name in OPTIONS.split())
    make(tree, 'allnoconfig', KCONFIG_ALLCONFIG=os.path.abspath('linux/options'))


def build(tree, name):
    if not os.path.exists(f'linux/{name}'):
        make(tree, 'vmlinux')
        shutil.copy('linux/build/vmlinux', f'linux/{name}')
    return f'linux/{name}'


def out_of_line(header, source, function):
    """The texts of both files with the definition moved from the first into the second."""
    found = re.search(r'^static inline ([^;{}()]*\b' + function + r'\([^;{}]*\))\n\{\n.*?^\}\n',
                      header, re.DOTALL | re.MULTILINE)
    if not found:
        sys.exit(f'{function}: no definition in the header that FUNCTIONS names')
    definition = found.group(0).removeprefix('static inline ')
    return (header.replace(found.group(0), found.group(1) + ';\n'),
            f'{source}\n{definition}EXPORT_SYMBOL({function});\n')


def rewrite(path, text):
    """New text with the old time, so that make takes what includes it for up to date."""
    status = os.stat(path)
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(text)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def remove_objects(tree, function):
    """The objects of all sources that name the function: they are compiled again."""
    for directory, _, names in os.walk('linux/build'):
        for name in names:
            source = os.path.join(tree, os.path.relpath(directory, 'linux/build'), name[:-2] + '.c')
            if not name.endswith('.o') or not os.path.exists(source):
                continue
            with open(source, encoding='utf-8', errors='replace') as stream:
                if re.search(rf'\b{function}\b', stream.read()):
                    os.remove(os.path.join(directory, name))


def build_outlined(tree, function):
    """Builds with the function out of line, and leaves source and objects as they were before."""
    if os.path.exists(f'linux/{function}'):
        return
    paths = [f'{tree}/{path}' for path in FUNCTIONS[function]]
    texts = []
    for path in paths:
        with open(path, encoding='utf-8') as stream:
            texts.append(stream.read())
    try:
        for path, text in zip(paths, out_of_line(*texts, function)):
            rewrite(path, text)
        remove_objects(tree, function)
        build(tree, function)
    finally:
        remove_objects(tree, function)
        for path, text in zip(paths, texts):
            rewrite(path, text)


def tables(worth, *words):
    run = subprocess.run([worth, 'size', '--all', '--top', '0', '--json', '-', *words], check=True,
                         stdout=subprocess.PIPE)
    return json.loads(run.stdout)['tables']


def report(worth, function):
    """What was said of the baseline beside what the pair shows, and the row."""
    pair = ['linux/baseline', f'linux/{function}']
    said = next((row for row in tables(worth, '--candidates', pair[0])['candidates']
                 if row['function'] == function), None)
    found = tables(worth, '--inlines', *pair)
    row = next(row for row in found['inlines'] if row['raw'] == function)
    saved = -next(row for row in found['totals'] if row['total'] == 'functions')['delta_bytes']
    text = -next(row for row in found['totals'] if row['total'] == 'text')['delta_bytes']
    body = row['candidate_body_bytes'] if row['baseline_bodies'] == 0 else 0
    if said:
        print(f'{function}: estimated {said["saved_bytes"]:.0f} ({said["saved_low_bytes"]:.0f} to '
              f'{said["saved_high_bytes"]:.0f}), saved {saved} bytes of functions; text of size(1) '
              f'{-text:+d}')
    if row['candidate_copies'] > 0:
        print(f'{function}: {row["candidate_copies"]} copies are left in sources that do not name it')
    print(f'ROW({function}, {row["baseline_copies_with_code"]}, {row["baseline_bytes"]}, {body}, '
          f'{saved})', flush=True)


def main():
    if '--list' in sys.argv:
        print('\n'.join(FUNCTIONS))
        return
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    worth = os.path.abspath(sys.argv[1])
    for function in sys.argv[2:]:
        if function not in FUNCTIONS:
            sys.exit(f'there is no {function}: --list shows them; a row of FUNCTIONS adds one')
    tree = size_inputs.kernel_source()
    configure(tree)
    build(tree, 'baseline')
    for function in sys.argv[2:] or FUNCTIONS:
        build_outlined(tree, function)
        report(worth, function)


if __name__ == '__main__':
    main()
