#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the order of the rooms (ARCHITECTURE.md) and the rules that a compiler does not know.

    tests/rooms.py BUILD_DIRECTORY

Every check is a function from a tree (the root of the sources and what the
build directory knows of them) to a list of violations, so that rooms_test.py
can show each of them a tree that breaks the rule.
"""
import json
import os
import re
import shlex
import subprocess
import sys

from tap import Tap

# What each room may include besides itself: all that lies to its right on its line.
BASE = {'base'}
MODEL = {'model'} | BASE
STATS = {'stats'} | BASE
LEAVES = {'experiment', 'measure', 'formats', 'store', 'binary', 'report'}
ORDER = {
    'base': set(),
    'model': BASE,
    'stats': BASE,
    **{room: MODEL for room in LEAVES},
    'boot': MODEL | {'measure'},
    'judge': MODEL | STATS,
    'commands': MODEL | STATS | LEAVES | {'boot', 'judge'},
    'main': MODEL | STATS | LEAVES | {'boot', 'judge', 'commands'},
    'specimens': BASE,
    'workloads': BASE | {'specimens'},
    'null': set(),
    'load': BASE | {'specimens', 'workloads'},
}

# Where the headers of an external library may be included.
LIBRARIES = [
    (r'jansson\.h|yajl/.*', {'base'}),
    (r'Rmath\.h', {'stats'}),
    (r'perfmon/.*|linux/perf_event\.h', {'measure'}),
    (r'libelf\.h|gelf\.h|dwarf\.h|elfutils/.*|zstd.*\.h|lzma\.h|capstone/.*|libiberty/.*|demangle\.h',
     {'binary'}),
    (r'sqlite3\.h|libpq.*|postgresql/.*', {'store'}),
    (r'ini\.h', {'experiment'}),
    (r'urcu.*|ck_.*\.h|nsync.*\.h|glib.*\.h|gmodule.*\.h', {'specimens'}),
    # Not external, but as confined: threads.
    (r'pthread\.h|threads\.h', {'workloads', 'specimens', 'binary'}),
]

# C17, POSIX and Linux: anyone's.
SYSTEM = re.compile(
    r'(sys|linux|asm|arpa|net|netinet)/.*|'
    r'(aio|alloca|ar|assert|byteswap|complex|cpio|ctype|dirent|dlfcn|elf|endian|err|errno|fcntl|'
    r'features|fenv|float|fnmatch|fts|ftw|getopt|glob|grp|iconv|immintrin|inttypes|iso646|'
    r'langinfo|libgen|limits|link|locale|malloc|math|monetary|mqueue|netdb|nl_types|poll|pwd|'
    r'regex|sched|search|semaphore|setjmp|signal|spawn|stdalign|stdarg|stdatomic|stdbool|stddef|'
    r'stdint|stdio|stdlib|stdnoreturn|string|strings|syslog|termios|tgmath|time|uchar|ucontext|'
    r'unistd|utime|wchar|wctype|wordexp|x86intrin|cpuid)\.h')

# Rooms that may print and exit; the others return errors.
SPEAKING = {'commands', 'main', 'workloads', 'load'}
SPEAKERS = {'printf', 'vprintf', 'puts', 'putchar', 'perror', 'stdout', 'stderr', 'exit',
            '__printf_chk', '__vprintf_chk'}

# What cannot be avoided: (path below src, symbol) -> the reason, in a sentence.
PLUGIN = 'boot/plugin/where.c'
GLOBALS = {  # mutable globals, such as what a signal handler writes to
    (PLUGIN, 'qemu_plugin_version'): 'QEMU looks for it by name',
    (PLUGIN, 'state'): 'QEMU calls back without a context',
}
SPEECH = {}  # uses of SPEAKERS in silent rooms

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
ROW = re.compile(r'^ROW\(\s*(\w+)', re.MULTILINE)
LICENCE = 'SPDX-License-Identifier: GPL-2.0-or-later'


def read(path):
    with open(path, encoding='utf-8', errors='replace') as stream:
        return stream.read()


def without_comments(text):
    """C text with comments blanked, line by line, so that no rule is found in one."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.DOTALL)

    def blank(match):
        found = match.group(0)
        return found if found[0] == '"' else re.sub(r'[^\n]', ' ', found)
    return pattern.sub(blank, text)


def usefulness(command):
    output = command.get('output', '')
    return (not output.startswith('tests' + os.sep),
            os.path.exists(os.path.join(command['directory'], output)))


class Tree:
    """The sources at root, and the compiler's commands where there is a build directory."""

    def __init__(self, root, build=None):
        self.root = root
        self.source = os.path.join(root, 'src')
        self.build = build
        self.commands = []
        if build:
            with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as stream:
                self.commands = json.load(stream)

    def files(self, *endings):
        """Paths below src, relative to it, in order."""
        found = []
        for directory, _, names in os.walk(self.source):
            for name in names:
                if name.endswith(endings):
                    found.append(os.path.relpath(os.path.join(directory, name), self.source))
        return sorted(found)

    def text(self, path):
        return read(os.path.join(self.source, path))

    def compiled(self):
        """Path below src -> the command that compiles it: if several do, one for a program that was
        built (tests compile some anew, with sanitizers)."""
        found = {}
        for command in sorted(self.commands, key=usefulness):
            path = os.path.abspath(os.path.join(command['directory'], command['file']))
            if path.startswith(os.path.abspath(self.source) + os.sep):
                found[os.path.relpath(path, self.source)] = command
        return found


def room_of(path):
    """'stats/rank.c' -> 'stats', 'main.c' -> 'main'."""
    first = path.split(os.sep)[0]
    return os.path.splitext(first)[0]


def includes(tree, path):
    """(line, name, is_system) of every include."""
    text = without_comments(tree.text(path))
    for match in INCLUDE.finditer(text):
        line = text.count('\n', 0, match.start(match.lastindex)) + 1
        yield line, match.group(1) or match.group(2), match.group(1) is None


def check_rooms_are_known(tree):
    return [f'src/{room} is a room without a place in the order'
            for room in sorted({room_of(path) for path in tree.files('.c', '.h')})
            if room not in ORDER]


def check_order(tree):
    """Rooms include only what lies to their right."""
    bad = []
    for path in tree.files('.c', '.h', '.def'):
        room = room_of(path)
        for line, name, system in includes(tree, path):
            if system:
                continue
            where = f'src/{path}:{line}: includes "{name}"'
            if '/' not in name:
                bad.append(f'{where} without the room\'s name')
            elif not os.path.exists(os.path.join(tree.source, name)):
                bad.append(f'{where}, which does not exist under src')
            elif room_of(name) != room and room_of(name) not in ORDER.get(room, set()):
                bad.append(f'{where}: {room} may not include {room_of(name)}')
    return bad


def check_libraries(tree):
    """The header of an external library is included in its room only."""
    bad = []
    for path in tree.files('.c', '.h', '.def'):
        for line, name, system in includes(tree, path):
            if not system:
                continue
            rooms = next((rooms for pattern, rooms in LIBRARIES if re.fullmatch(pattern, name)),
                         None)
            if rooms is None and not SYSTEM.fullmatch(name):
                bad.append(f'src/{path}:{line}: <{name}> is of no library that tests/rooms.py '
                           'knows: name its room there')
            elif rooms is not None and room_of(path) not in rooms:
                bad.append(f'src/{path}:{line}: <{name}> belongs in {" or ".join(sorted(rooms))}')
    return bad


def helpers_of(tree, directory):
    """The files that the meson.build of a directory names itself."""
    path = os.path.join(directory, 'meson.build')
    if not os.path.exists(os.path.join(tree.source, path)):
        return []
    text = re.sub(r'#[^\n]*', '', tree.text(path))
    return re.findall(r"'([\w./-]+\.c)'", text)


def check_tables(tree):
    """In a directory with a list, each file has a row or is a helper, and each row has a file."""
    bad = []
    for listing in tree.files('list.def'):
        directory = os.path.dirname(listing)
        names = ROW.findall(tree.text(listing))
        rows = [name + '.c' for name in names]
        helpers = helpers_of(tree, directory)
        there = [os.path.basename(path) for path in tree.files('.c')
                 if os.path.dirname(path) == directory]
        for name in sorted(set(names)):
            if names.count(name) > 1:
                bad.append(f'src/{listing}: {name} has {names.count(name)} rows')
        bad += [f'src/{listing}: the row {row[:-2]} has no file {row}'
                for row in sorted(set(rows)) if row not in there]
        bad += [f'src/{directory}/{name} has neither a row in list.def nor a place in meson.build'
                for name in there if name not in rows and name not in helpers]
        bad += [f'src/{directory}/{name} is both a row of list.def and a helper in meson.build'
                for name in there if name in rows and name in helpers]
    return bad


def check_everything_is_built(tree):
    """No source lies about unused."""
    compiled = tree.compiled()
    return [f'src/{path} is in no meson.build' for path in tree.files('.c')
            if path not in compiled]


def flags_of(command):
    """The compiler and its options, without the file, the output and the dependencies."""
    words = command.get('arguments') or shlex.split(command['command'])
    kept, i = [], 0
    while i < len(words):
        if words[i] in ('-o', '-MF', '-MQ', '-MT', '-c'):
            i += 2
            continue
        if words[i] not in ('-MD', '-MMD'):
            kept.append(words[i])
        i += 1
    return kept


def check_headers_stand_alone(tree):
    """Every header compiles as the only one of a file, and twice in one."""
    compiled = tree.compiled()
    bad = []
    for path in tree.files('.h'):
        like = next((command for source, command in sorted(compiled.items())
                     if room_of(source) == room_of(path)), None)
        like = like or next(iter(compiled.values()))
        program = f'#include "{path}"\n#include "{path}"\nextern int rooms_unused;\n'
        result = subprocess.run(flags_of(like) + ['-fsyntax-only', '-x', 'c', '-'], input=program,
                                cwd=like['directory'], capture_output=True, text=True, check=False,
                                env={**os.environ, 'LC_ALL': 'C'})
        if result.returncode != 0:
            bad.append(f'src/{path} does not compile on its own:\n{result.stderr}')
    return bad


def check_licences(tree):
    """The first line of a C file and one of the first two of any other names the licence."""
    bad = []
    for directory, directories, names in os.walk(tree.root):
        directories[:] = [name for name in directories
                          if not name.startswith('build') and name not in ('.git', '__pycache__')]
        for name in names:
            path = os.path.join(directory, name)
            if os.path.islink(path):
                continue
            with open(path, 'rb') as stream:
                first = stream.readline(200).decode('utf-8', 'replace')
                second = stream.readline(200).decode('utf-8', 'replace')
            shown = os.path.relpath(path, tree.root)
            if name.endswith(('.c', '.h', '.def')):
                if first.strip() != f'/* {LICENCE} */':
                    bad.append(f'{shown}: the first line must be /* {LICENCE} */')
            elif name == 'meson.build' or name.endswith(('.py', '.sh', '.R')) or \
                    first.startswith('#!'):
                if f'# {LICENCE}' not in (first.strip(), second.strip()):
                    bad.append(f'{shown}: one of the first two lines must be # {LICENCE}')
    return bad


def symbols(tree):
    """(path below src, class, section, name) of every symbol in the objects of src."""
    for path, command in sorted(tree.compiled().items()):
        words = command.get('arguments') or shlex.split(command['command'])
        output = command.get('output') or words[words.index('-o') + 1]
        listing = subprocess.run(['nm', '--format=sysv', output], cwd=command['directory'],
                                 capture_output=True, text=True, check=False)
        if listing.returncode != 0:
            raise RuntimeError(f'nm {output}: {listing.stderr}')
        for line in listing.stdout.splitlines():
            cells = [cell.strip() for cell in line.split('|')]
            if len(cells) == 7:
                yield path, cells[2], cells[6], cells[0]


def check_no_mutable_globals(tree):
    """No writable data: .bss, .data, common. Tables with pointers are in .data.rel.ro."""
    bad = []
    for path, kind, section, name in symbols(tree):
        plain = re.sub(r'\.\d+$', '', name)  # of a static inside a function
        if kind and kind in 'bBdDcCsSgG' and not section.startswith('.data.rel.ro') and \
                (path, plain) not in GLOBALS:
            bad.append(f'src/{path}: {plain} is a mutable global ({section or "common"})')
    return bad


def check_rooms_are_silent(tree):
    """Rooms return errors; only commands and programs print and exit."""
    return [f'src/{path} uses {name}: only {", ".join(sorted(SPEAKING))} print and exit'
            for path, kind, _, name in symbols(tree)
            if kind == 'U' and name in SPEAKERS and room_of(path) not in SPEAKING and
            (path, name) not in SPEECH]


def is_instrumented(build):
    """Sanitizers and coverage add globals and calls of their own. What is asked is what the whole was
    configured with: some tests have objects of their own with sanitizers in every build."""
    with open(os.path.join(build, 'meson-info', 'intro-buildoptions.json'), encoding='utf-8') as file:
        options = {option['name']: option['value'] for option in json.load(file)}
    return options['b_sanitize'] != 'none' or options['b_coverage'] or options['b_lto']


SOURCE_CHECKS = [
    ('every room has a place in the order', check_rooms_are_known),
    ('rooms include only what lies to their right', check_order),
    ('external libraries are used in their rooms only', check_libraries),
    ('tables and their files agree', check_tables),
    ('every file names its licence', check_licences),
]
BUILD_CHECKS = [
    ('every source is built', check_everything_is_built),
    ('every header compiles on its own', check_headers_stand_alone),
]
OBJECT_CHECKS = [
    ('there are no mutable globals', check_no_mutable_globals),
    ('rooms do not print or exit', check_rooms_are_silent),
]


def report(tap, tree, checks):
    for name, check in checks:
        try:
            violations = check(tree)
        except (OSError, RuntimeError, ValueError) as trouble:
            violations = [f'could not look: {trouble}']
        tap.ok(not violations, name, '\n'.join(violations))


def main(arguments):
    if len(arguments) != 1:
        print('usage: rooms.py BUILD_DIRECTORY', file=sys.stderr)
        return 2
    tap = Tap()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    tree = Tree(root, arguments[0])
    report(tap, tree, SOURCE_CHECKS + BUILD_CHECKS)
    if is_instrumented(arguments[0]):
        for name, _ in OBJECT_CHECKS:
            tap.skip(name, 'sanitizers add globals and calls of their own')
    else:
        report(tap, tree, OBJECT_CHECKS)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
