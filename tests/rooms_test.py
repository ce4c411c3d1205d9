#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Shows every check of rooms.py a tree that breaks its rule, and one that does not."""
import json
import os
import subprocess
import sys
import tempfile

import rooms
from tap import Tap

C = '/* SPDX-License-Identifier: GPL-2.0-or-later */\n'
PY = '# SPDX-License-Identifier: GPL-2.0-or-later\n'

# A small tree without fault.
GOOD = {
    'src/meson.build': PY,
    'src/main.c': C + '#include "commands/run.h"\n#include <stdio.h>\n'
                      'int main(void) { return printf("%d", run()); }\n',
    'src/base/text.h': C + '#ifndef TEXT_H\n#define TEXT_H\n#include <stddef.h>\n'
                           'size_t text(void);\n#endif\n',
    'src/base/text.c': C + '#include "base/text.h"\n/* #include "model/plan.h" */\n'
                           'static const char *const names[] = { "a", "b" };\n'
                           'size_t text(void) { return sizeof names + (names[0] == names[1]); }\n',
    'src/model/plan.h': C + '#ifndef PLAN_H\n#define PLAN_H\n#include "base/text.h"\n'
                            'struct plan { size_t rounds; };\n#endif\n',
    'src/report/list.def': C + '/* One row a file: ROW(none) is not one. */\nROW(csv)\n',
    'src/report/csv.c': C + '#include "model/plan.h"\nint csv(void);\n'
                            'int csv(void) { return (int)sizeof(struct plan); }\n',
    'src/report/cells.c': C + 'int cells(void);\nint cells(void) { return 1; }\n',
    'src/report/meson.build': PY + "room_sources += files('cells.c')\n",
    'src/commands/run.h': C + '#ifndef RUN_H\n#define RUN_H\nint run(void);\n#endif\n',
    'src/commands/run.c': C + '#include "commands/run.h"\n#include <stdlib.h>\n'
                              'int run(void) { exit(1); }\n',
    'tools/go': '#!/bin/sh\n' + PY,
    'README.md': 'no licence line here\n',
}


def write(root, files):
    for path, content in files.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
        with open(os.path.join(root, path), 'w', encoding='utf-8') as stream:
            stream.write(content)


def compile_all(root, left_out=()):
    """As ninja would: objects and compile_commands.json in root/build."""
    build = os.path.join(root, 'build')
    os.makedirs(build)
    commands = []
    for path in rooms.Tree(root).files('.c'):
        if path in left_out:
            continue
        words = ['cc', '-I../src', '-fPIC', '-O1', '-Wall', '-Werror=missing-prototypes', '-MD',
                 '-MQ', 'x', '-o', path.replace('/', '_') + '.o', '-c', '../src/' + path]
        subprocess.run(words, cwd=build, check=True)
        commands.append({'directory': build, 'file': '../src/' + path,
                         'command': ' '.join(words), 'output': words[-3]})
    with open(os.path.join(build, 'compile_commands.json'), 'w', encoding='utf-8') as stream:
        json.dump(commands, stream)
    return build


def violations(check, changes, built=False, left_out=()):
    """What check finds in the good tree after the changes (path -> content, None: removed)."""
    with tempfile.TemporaryDirectory() as root:
        write(root, {path: content for path, content in {**GOOD, **changes}.items()
                     if content is not None})
        build = compile_all(root, left_out) if built else None
        return check(rooms.Tree(root, build))


def add(path, line):
    """The good file with a line more at its end."""
    return {path: GOOD[path] + line + '\n'}


# name, check, changes, words of the one violation expected
SOURCE_CASES = [
    ('a room without a place', rooms.check_rooms_are_known, {'src/attic/a.c': C}, 'src/attic'),
    ('an include to the left', rooms.check_order,
     add('src/base/text.c', '#include "model/plan.h"'), 'base may not include model'),
    ('an include of a sibling', rooms.check_order,
     {**add('src/report/csv.c', '#include "store/x.h"'), 'src/store/x.h': C},
     'src/report/csv.c:5: includes "store/x.h": report may not include store'),
    ('an include of a sibling from a header', rooms.check_order,
     {'src/judge/j.h': C + '# include  "report/r.h"\n', 'src/report/r.h': C},
     'src/judge/j.h:2: includes "report/r.h": judge may not include report'),
    ('an include from a table', rooms.check_order,
     {**add('src/report/list.def', '#include "store/x.h"'), 'src/store/x.h': C},
     'report may not include store'),
    ('an include behind a comment', rooms.check_order,
     add('src/base/text.c', '/* a "quote */ int x;\n/* b */ #include "model/plan.h"'),
     'base may not include model'),
    ('stats and model, which are on different lines', rooms.check_order,
     {'src/stats/s.c': C + '#include "model/plan.h"\n'}, 'stats may not include model'),
    ('a program of workloads that reaches for model', rooms.check_order,
     {'src/load.c': C + '#include "model/plan.h"\n'}, 'load may not include model'),
    ('an include without its room', rooms.check_order,
     add('src/base/text.c', '#include "text.h"'), 'without the room\'s name'),
    ('an include of nothing', rooms.check_order,
     add('src/base/text.c', '#include "base/none.h"'), 'does not exist'),
    ('jansson outside base', rooms.check_libraries,
     add('src/report/csv.c', '#include <jansson.h>'), '<jansson.h> belongs in base'),
    ('libRmath outside stats', rooms.check_libraries,
     add('src/base/text.h', '#include <Rmath.h>'), '<Rmath.h> belongs in stats'),
    ('perf outside measure', rooms.check_libraries,
     add('src/main.c', '#include <linux/perf_event.h>'), 'belongs in measure'),
    ('sqlite outside store', rooms.check_libraries,
     add('src/commands/run.c', '#include <sqlite3.h>'), 'belongs in store'),
    ('elfutils outside binary', rooms.check_libraries,
     add('src/report/csv.c', '#include <elfutils/libdwfl.h>'), 'belongs in binary'),
    ('urcu outside specimens', rooms.check_libraries,
     {'src/workloads/w.c': C + '#include <urcu/urcu-memb.h>\n'}, 'belongs in specimens'),
    ('threads outside their rooms', rooms.check_libraries,
     add('src/base/text.c', '#include <pthread.h>'), 'belongs in binary or specimens'),
    ('a library that nobody has named', rooms.check_libraries,
     add('src/base/text.c', '#include <ncurses.h>'), 'of no library'),
    ('a row without a file', rooms.check_tables,
     add('src/report/list.def', 'ROW(html)'), 'the row html has no file html.c'),
    ('a file without a row', rooms.check_tables,
     {'src/report/html.c': C}, 'src/report/html.c has neither'),
    ('a file whose row is commented out', rooms.check_tables,
     {'src/report/html.c': C, **add('src/report/list.def', '/* ROW(html) */')}, 'has neither'),
    ('a file that is row and helper', rooms.check_tables,
     add('src/report/meson.build', "room_sources += files('csv.c')"), 'is both'),
    ('a helper only in a comment', rooms.check_tables,
     {'src/report/html.c': C, **add('src/report/meson.build', "# files('html.c')")},
     'has neither'),
    ('two rows of one name', rooms.check_tables,
     add('src/report/list.def', 'ROW(csv)'), 'csv has 2 rows'),
    ('a C file without licence', rooms.check_licences,
     {'src/base/text.c': '#include "base/text.h"\n' + C}, 'src/base/text.c: the first line'),
    ('another licence', rooms.check_licences,
     {'src/base/text.h': C.replace('2.0', '3.0')}, 'src/base/text.h: the first line'),
    ('a table without licence', rooms.check_licences,
     {'src/report/list.def': 'ROW(csv)\n'}, 'src/report/list.def'),
    ('a meson.build without licence', rooms.check_licences,
     {'src/meson.build': "files('x.c')\n"}, 'src/meson.build'),
    ('a script without licence', rooms.check_licences,
     {'tools/go': '#!/bin/sh\nset -e\n' + PY}, 'tools/go'),
    ('a python file without licence', rooms.check_licences,
     {'tests/a.py': 'import os\n'}, 'tests/a.py'),
]

BUILD_CASES = [
    ('a header that needs another before it', rooms.check_headers_stand_alone,
     {'src/model/bad.h': C + 'size_t bad(void);\n'}, 'src/model/bad.h does not compile'),
    ('a header without a guard', rooms.check_headers_stand_alone,
     {'src/model/bad.h': C + 'struct bad { int a; };\n'}, 'src/model/bad.h does not compile'),
    ('a header against the project\'s warnings', rooms.check_headers_stand_alone,
     {'src/model/bad.h': C + 'inline int bad_of(void) { return 1; }\n'
                             'int bad_other(void) { return 1; }\n'}, 'src/model/bad.h'),
    ('a static variable', rooms.check_no_mutable_globals,
     add('src/base/text.c', 'static int hits;\nint *text_hits(void);\n'
                            'int *text_hits(void) { return &hits; }'),
     'src/base/text.c: hits is a mutable global (.bss)'),
    ('a static variable inside a function', rooms.check_no_mutable_globals,
     add('src/base/text.c', 'int text_count(void);\n'
                            'int text_count(void) { static int count = 7; return count++; }'),
     'src/base/text.c: count is a mutable global (.data)'),
    ('a global variable', rooms.check_no_mutable_globals,
     add('src/base/text.c', 'int text_level = 3;'), 'text_level is a mutable global'),
    ('a table of pointers that may be changed', rooms.check_no_mutable_globals,
     add('src/base/text.c', 'const char *text_names[] = { "a" };'),
     'text_names is a mutable global'),
    ('a variable of each thread', rooms.check_no_mutable_globals,
     add('src/base/text.c', '_Thread_local int text_mine;'), 'text_mine is a mutable global'),
    ('a room that prints', rooms.check_rooms_are_silent,
     add('src/base/text.c', '#include <stdio.h>\nvoid say(void);\n'
                            'void say(void) { fputs("x", stderr); }'),
     'src/base/text.c uses stderr'),
    ('a room that exits', rooms.check_rooms_are_silent,
     add('src/report/csv.c', '#include <stdlib.h>\nvoid end(void);\nvoid end(void) { exit(1); }'),
     'src/report/csv.c uses exit'),
]


def expect_caught(tap, name, found, words):
    tap.ok(len(found) == 1 and words in found[0], f'{name} is caught',
           f'expected one violation with: {words}\ngot: {found}')


def main():
    tap = Tap()
    for name, check in rooms.SOURCE_CHECKS:
        tap.same(violations(check, {}), [], f'nothing is found in a good tree: {name}')
    for name, check in rooms.BUILD_CHECKS + rooms.OBJECT_CHECKS:
        tap.same(violations(check, {}, built=True), [],
                 f'nothing is found in a good build: {name}')
    for name, check, changes, words in SOURCE_CASES:
        expect_caught(tap, name, violations(check, changes), words)
    for name, check, changes, words in BUILD_CASES:
        expect_caught(tap, name, violations(check, changes, built=True), words)
    expect_caught(tap, 'a source that nothing builds',
                  violations(rooms.check_everything_is_built, {}, built=True,
                             left_out=('report/cells.c',)), 'src/report/cells.c')
    # Includes of the system and of the room itself are nobody's business.
    tap.same(violations(rooms.check_libraries, add('src/base/text.c',
                                                   '#include <sys/stat.h>\n#include <math.h>')),
             [], 'headers of the system are free')
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
