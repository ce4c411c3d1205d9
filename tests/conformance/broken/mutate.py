#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes a broken variant from a sound one by one change.

    mutate.py SOURCES KIND MUTATION OUTPUT

MUTATION is a file NAME.mutation: comments that say what is broken, a line "of
VARIANT", where it is needed a line "with NAME..." (files of the kind that are
shared, and of which this variant gets its own), a line "-----", the text to replace, a line "+++++", the text instead.
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
    """(variant, shared files, old, new) of a mutation file."""
    head, _, rest = read(path).partition('\n-----\n')
    old, _, new = rest.partition('\n+++++\n')
    variant = re.search(r'^of (\w+)$', head, re.MULTILINE)
    shared = re.search(r'^with (.+)$', head, re.MULTILINE)
    if not variant or not old.strip():
        sys.exit(f'{path}: needs "of VARIANT", "-----" and "+++++"')
    return variant.group(1), shared.group(1).split() if shared else [], old, new.rstrip('\n')


def flat(text):
    """Blanks do not count: the code is formatted by a program."""
    return r'\s*'.join(re.escape(word) for word in re.findall(r'\w+|[^\w\s]', text))


def join(sources, kind, variant, shared):
    """The source, behind those of the shared files, with their headers in place of the includes."""
    directory = os.path.join(sources, 'specimens', kind)
    there = {name: os.path.join(directory, name) for name in [variant, *shared]}
    text = ''.join(read(path + '.c') for name, path in there.items()
                   if name != variant and os.path.exists(path + '.c'))
    text += read(there[variant] + '.c')
    for name, path in there.items():
        include = f'#include "specimens/{kind}/{name}.h"\n'
        if not os.path.exists(path + '.h'):
            continue
        if include not in text:
            sys.exit(f'{variant}.c, or what it shares, does not include {name}.h')
        text = text.replace(include, read(path + '.h'), 1).replace(include, '')
    return text


def rename(text, variant, name):
    text = re.sub(rf'\b{variant}_(?=\w)', name + '_', text)
    text = re.sub(rf'(?<!struct )(?<!/)\b{variant}\b(?=,)', name, text)
    text = re.sub(rf'(_LOOKUPS|_FUNCTIONS_OF)\({variant}\)', rf'\1({name})', text)
    text = re.sub(rf'\b(\w+)_{variant} =', rf'\1_{name} =', text)
    return re.sub(r'\.name = "[^"]*"', f'.name = "broken: {name.replace("_", "-")}"', text)


def main(arguments):
    sources, kind, mutation, output = arguments
    variant, shared, old, new = parse(mutation)
    name = os.path.splitext(os.path.basename(mutation))[0]
    text = join(sources, kind, variant, shared)
    pattern = flat(old)
    found = len(re.findall(pattern, text))
    if found != 1:
        sys.exit(f'{mutation}: its text is {found} times in {variant}, not once')
    text = re.sub(pattern, lambda _: new, text)
    for prefix in shared:
        text = re.sub(rf'\b{prefix}_(?=\w)', f'{name}_{prefix}_', text)
    with open(output, 'w', encoding='utf-8') as stream:
        stream.write(rename(text, variant, name))


if __name__ == '__main__':
    main(sys.argv[1:])
