#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes a broken variant from a sound one by one change.

    mutate.py SOURCES KIND MUTATION OUTPUT

MUTATION is a file NAME.mutation: comments that say what is broken, a line "of
VARIANT", a line "-----", the text to replace, a line "+++++", the text instead.
The variant's header and source become one file in which its functions and its
descriptor have the mutation's name. Text that is not there exactly once is an
error, so that a mutation cannot quietly become none when the variant changes.
"""
import os
import re
import sys


def read(path):
    with open(path, encoding='utf-8') as stream:
        return stream.read()


def parse(path):
    """(variant, old, new) of a mutation file."""
    head, _, rest = read(path).partition('\n-----\n')
    old, _, new = rest.partition('\n+++++\n')
    variant = re.search(r'^of (\w+)$', head, re.MULTILINE)
    if not variant or not old.strip():
        sys.exit(f'{path}: needs "of VARIANT", "-----" and "+++++"')
    return variant.group(1), old, new.rstrip('\n')


def flat(text):
    """Blanks do not count: the code is formatted by a program."""
    return r'\s*'.join(re.escape(word) for word in re.findall(r'\w+|[^\w\s]', text))


def join(sources, kind, variant):
    """The source with its own header in place of the include."""
    header = read(os.path.join(sources, 'specimens', kind, variant + '.h'))
    source = read(os.path.join(sources, 'specimens', kind, variant + '.c'))
    include = f'#include "specimens/{kind}/{variant}.h"'
    if include not in source:
        sys.exit(f'{variant}.c does not include its header')
    return source.replace(include, header)


def rename(text, variant, name):
    text = re.sub(rf'\b{variant}_(?=\w)', name + '_', text)
    text = re.sub(rf'(?<!struct )(?<!/)\b{variant}\b(?=,)', name, text)
    text = re.sub(rf'\b(\w+)_{variant} =', rf'\1_{name} =', text)
    return re.sub(r'\.name = "[^"]*"', f'.name = "broken: {name.replace("_", "-")}"', text)


def main(arguments):
    sources, kind, mutation, output = arguments
    variant, old, new = parse(mutation)
    name = os.path.splitext(os.path.basename(mutation))[0]
    text = join(sources, kind, variant)
    pattern = flat(old)
    found = len(re.findall(pattern, text))
    if found != 1:
        sys.exit(f'{mutation}: its text is {found} times in {variant}, not once')
    text = re.sub(pattern, lambda _: new, text)
    with open(output, 'w', encoding='utf-8') as stream:
        stream.write(rename(text, variant, name))


if __name__ == '__main__':
    main(sys.argv[1:])
