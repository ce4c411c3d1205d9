#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""worth size against size(1), nm(1) and what small sources must give.

usage: size.py WORTH

Sources are compiled here; compilers, linkers and machines that are absent are
skipped. Figures that a compiler decides are taken from nm, never written down.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import Tap

tap = Tap()
WORTH = os.path.abspath(sys.argv[1])
GCC, CLANG = shutil.which('gcc') or shutil.which('cc'), shutil.which('clang')

NESTED = '''
volatile int sink;
extern void slow(int) __attribute__((cold));
static inline __attribute__((always_inline)) int inner(int x)
{ sink = x * 7; sink = x + 3; return x * x + sink; }
static inline __attribute__((always_inline)) int outer(int x)
{ int r = inner(x); if (__builtin_expect(r == 42, 0)) { slow(r); slow(r + 1); } sink = r; return r; }
int a1(int x) { return outer(x) + 1; }
int a2(int x, int y) { return outer(x) + outer(y); }
'''
SPLIT = '''
extern void cold(int) __attribute__((cold));
extern int g(int);
static %s int helper(int x) { return g(x) * 3; }
int f(int x, int *s) { if (x < 0) { cold(x); cold(x + 1); %s } *s = x; return helper(x) + g(x); }
int k(int x) { return helper(x) + helper(x + 1); }
'''
SPLIT_OLD = SPLIT % ('', '')
SPLIT_NEW = SPLIT % ('__attribute__((noinline))', 'cold(x + 2); cold(x + 3);')
DUP_X = '''
struct P { int a, b, c; };
extern int g(int, ...);
static __attribute__((noinline)) int dup(struct P *p) { return g(p->a)%s; }
int x(struct P *p) { return dup(p) + 1; }
int x2(struct P *p) { return dup(p) + 2; }
'''
DUP_Y = '''
extern int g(int, ...);
static __attribute__((noinline)) int dup(int k, int n)
{ int s = 0; for (int i = 0; i < n; i++) s += g(i, k, n, s)%s; return s; }
int y(int q) { return dup(5, q) + 1; }
int y2(int q) { return dup(5, q + 2) + 2; }
%s
'''
ALIASES = r'''
int real_fn(int x) { return x * x + 7; }
int alias_fn(int) __attribute__((alias("real_fn")));
int weak_fn(int) __attribute__((weak, alias("real_fn")));
static int impl_a(int x) { return x + 1; }
static int impl_b(int x) { return x + 2; }
static int (*resolve(void))(int)
{ return __builtin_cpu_supports("avx2") ? impl_a : impl_b; }
int ifn(int) __attribute__((ifunc("resolve")));
__thread int tls_init[16] = { 1 };
__thread int tls_bss[16];
int com[100];
__asm__(".text\n.globl nosize\n.type nosize,@function\nnosize: ret\n nop\n nop\n"
        ".globl lbl2\nlbl2: ret\n");
'''
STATICS = '''
int one(int x) { static int cnt; static char buf[16]; buf[x]++; return cnt += x; }
%s
int two(int x) { static int cnt; static char buf[32]; buf[x]++; return cnt -= x; }
'''
SECTIONS = '''
volatile int s;
static inline int hot(int x) { s = x; s = x + 1; s = x * 3; return s; }
int used(int x) { return hot(x); }
int dead1(int x) { return hot(x) + hot(x + 1); }
int main(void) { return used(3) * 0; }
'''
FOLDED = '''
volatile int s;
static inline int h(int x) { s = x; s = x * 7; return s + x; }
__attribute__((noinline)) int f1(int x) { return h(x) + 1; }
__attribute__((noinline)) int f2(int x) { return h(x) + 1; }
__attribute__((noinline)) int f3(int x) { return h(x) + 1; }
int main(int c, char **v) { (void)v; return f1(c) + f2(c) * 2 + f3(c) * 3; }
'''


def run(*words):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)


def worth(*words):
    return run(WORTH, 'size', *words)


def sheet(*words):
    done = worth('--json', '-', *words)
    if done.returncode not in (0, 1):
        raise AssertionError(f'worth size {words}: {done.returncode} {done.stderr}')
    return json.loads(done.stdout)['tables']


def totals(tables, key='bytes'):
    return {row['total']: row[key] for row in tables['totals']}


def rows(tables):
    return {(row['raw'], row['unit']): row for row in tables['symbols']}


def build(name, source, *flags, compiler=GCC):
    """Compiles into name; None where that does not work here."""
    path = os.path.splitext(name)[0] + '.c'
    os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
    with open(path, 'w') as stream:
        stream.write(source)
    done = run(compiler, '-w', *flags, os.path.basename(path), '-o', os.path.basename(name)) \
        if '/' not in name else subprocess.run(
            [compiler, '-w', *flags, os.path.basename(path), '-o', os.path.basename(name)],
            cwd=os.path.dirname(name), capture_output=True)
    return name if done.returncode == 0 else None


def nm_functions(path):
    """Bytes of sized symbols in code, each place once: for objects of one code section each."""
    places = {}
    for line in run('nm', '-S', path).stdout.splitlines():
        match = re.match(r'([0-9a-f]+) ([0-9a-f]+) ([tTwWi]) (\S+)', line)
        if match:
            places[(match[1], match[2], match[4].split('.')[-1] == 'cold')] = int(match[2], 16)
    return sum(places.values())


def check_totals(path):
    """Against size and size -G, and the map against the file."""
    tables = sheet('--by', 'total', path)
    mine = totals(tables)
    for words, prefix in (((), ''), (('-G',), 'gnu ')):
        theirs = [0, 0, 0]
        for line in run('size', *words, path).stdout.splitlines()[1:]:
            theirs = [a + int(b) for a, b in zip(theirs, line.split()[:3])]
        if theirs != [mine[prefix + key] for key in ('text', 'data', 'bss')]:
            return f'{path}: size {words} says {theirs}, worth {mine}'
    if sum(row['bytes'] for row in tables['file_map']) != mine['file']:
        return f'{path}: the map of the file does not add up'
    if not os.path.getsize(path) == mine['file']:
        return f'{path}: {mine["file"]} is not its size'
    if sum(row['bytes'] for row in tables['map']) != mine['memory']:
        return f'{path}: the map of memory does not add up'
    return None


def same_with_itself(path):
    tables = sheet(path, path)
    return not tables['symbols'] and not tables['sections'] and \
        all(row['delta_bytes'] == 0 for row in tables['totals'])


def system_files(limit):
    """Some of the machine's own files, spread over their directories."""
    found = []
    for pattern in ('/usr/bin/*', '/usr/lib/*/*.so*', '/usr/lib/*/*.o', '/usr/lib/*/lib*.a',
                    '/usr/lib/modules/*/kernel/lib/*.ko'):
        names = [name for name in sorted(glob.glob(pattern))
                 if os.path.isfile(name) and not os.path.islink(name) and
                 8 < os.path.getsize(name) <
                 (1 << 40 if os.environ.get('WORTH_EVERY_FILE') else 4000000)]
        elf = []
        for name in names:
            with open(name, 'rb') as stream:
                magic = stream.read(8)
            if magic[:4] == b'\x7fELF' or magic == b'!<arch>\n':
                elf.append(name)
        step = max(1, len(elf) // limit)
        found += elf[::step][:limit]
    return found


def test_totals():
    wrong = []
    # WORTH_EVERY_FILE=1: all of this machine's, some minutes.
    files = system_files(100000 if os.environ.get('WORTH_EVERY_FILE') else 12)
    for path in files:
        try:
            trouble = check_totals(path)
        except AssertionError as error:
            trouble = None if 'LTO' in str(error) or 'no ELF object' in str(error) else str(error)
        if trouble:
            wrong.append(trouble)
    tap.ok(len(files) > 5, 'there are system files to look at')
    tap.ok(not wrong, f'totals and maps of {len(files)} system files', '\n'.join(wrong))
    tap.ok(all(same_with_itself(path) for path in files[::6]), 'files are no different from '
           'themselves')


def test_symbols():
    for compiler in filter(None, (GCC, CLANG)):
        for flags in (('-O2',), ('-O0', '-g'), ('-O2', '-ffunction-sections'), ('-Os', '-g1')):
            name = build('nested.o', NESTED, *flags, '-c', compiler=compiler)
            if not name:
                tap.skip('functions of nested.c', f'{compiler} {flags} does not work here')
                continue
            what = f'{os.path.basename(compiler)} {" ".join(flags)}'
            tables = sheet(name)
            mine = {part: row['bytes'] for (part, _), row in rows(tables).items()
                    if row['kind'] == 'function'}
            theirs = {}
            for line in run('nm', '-S', name).stdout.splitlines():
                match = re.match(r'\S+ (\S+) [tTwW] (\S+)', line)
                if match:
                    base = match[2].split('.')[0]
                    theirs[base] = theirs.get(base, 0) + int(match[1], 16)
            tap.same(mine, theirs, f'functions as nm -S has them: {what}')
            tap.same(totals(tables)['functions'], sum(theirs.values()), f'their sum: {what}')


def test_split():
    old, new = (build(f'{side}/split.o', source, '-g', '-O2', '-c')
                for side, source in (('old', SPLIT_OLD), ('new', SPLIT_NEW)))
    tables = sheet(old, new)
    delta = totals(tables, 'delta_bytes')
    tap.same(delta['functions'], nm_functions(new) - nm_functions(old),
             'a split function that grows')
    tap.same(rows(tables)[('helper', 'split.c')]['kind_of_change'], 'added',
             'a function that is no longer inlined is added')
    note = rows(tables)[('f', None)]['note']
    tap.ok('f.cold' in note, 'the parts of a split function are named', note)
    back = sheet(new, old)
    mirrored = {(row['raw'], row['unit']): -row['delta_bytes'] for row in back['symbols']}
    tap.same(mirrored, {key: row['delta_bytes'] for key, row in rows(tables).items()},
             'swapping the sides mirrors every delta')


def test_homonyms():
    for side, x, y, more in (('old', '+g(p->a+1)', '', ''),
                             ('new', '', '+g(k)', 'int y3(int q) { return dup(6, q); }')):
        build(f'{side}/x.o', DUP_X % x, '-O2', '-c')
        build(f'{side}/y.o', DUP_Y % (y, more), '-O2', '-c')
        subprocess.run(['ar', 'rc', 'xy.a', 'x.o', 'y.o'], cwd=side, check=True)
        subprocess.run(['ar', 'rcT', 'thin.a', 'x.o', 'y.o'], cwd=side, check=True)
        subprocess.run(['ld', '-r', '-o', 'xy.o', 'x.o', 'y.o'], cwd=side, check=True)
    for kind in ('xy.o', 'xy.a', 'thin.a'):
        table = rows(sheet(f'old/{kind}', f'new/{kind}'))
        signs = {unit: table[('dup', unit)]['delta_bytes'] > 0 for unit in ('x.c', 'y.c')}
        tap.same(signs, {'x.c': False, 'y.c': True},
                 f'static functions of one name keep apart in {kind}')
    os.rename('new/y.o', 'new/why.o')
    subprocess.run(['ar', 'rc', 'renamed.a', 'x.o', 'why.o'], cwd='new', check=True)
    table = rows(sheet('old/xy.a', 'new/renamed.a'))
    tap.ok(all(row['kind_of_change'] in ('grown', 'shrunk') or row['raw'] == 'y3'
               for row in table.values()), 'a renamed member keeps its functions', table)


def test_aliases():
    path = build('aliases.o', ALIASES, '-O2', '-fcommon', '-c')
    if not path or not run('nm', path).stdout.count(' i '):
        return tap.skip('aliases, ifuncs and common symbols', 'this machine has none')
    tables = sheet(path)
    table = {row['raw']: row for row in tables['symbols']}
    names = [name for name in ('alias_fn', 'real_fn', 'weak_fn') if name in table]
    tap.same(len(names), 1, 'a function with three names is one row')
    tap.ok('+2 aliases' in table[names[0]]['note'], 'which counts its other names')
    tap.same(table['ifn']['kind'], 'ifunc', 'an indirect function is its resolver')
    tap.same((table['com']['kind'], table['com']['bytes']), ('common', 400), 'a common symbol')
    tap.same(totals(tables)['common'], 400, 'which is a total of its own')
    tap.same((table['tls_init']['kind'], table['tls_bss']['bytes']), ('tls', 64),
             'thread-local ones')
    tap.same((table['nosize']['bytes'], table['lbl2']['bytes']), (3, 1),
             'assembler symbols reach to the next one')
    tap.ok('inferred' in table['nosize']['note'], 'and their size is said to be inferred')


def test_statics():
    old = build('old/statics.o', STATICS % '', '-O1', '-c')
    new = build('new/statics.o', STATICS % 'int mid(int x) { static int cnt; static char buf[64]; '
                'buf[x]++; return cnt ^= x; }', '-O1', '-c')
    changed = sorted((row['raw'], row['kind_of_change'], row['delta_bytes'])
                     for row in sheet(old, new)['symbols'] if row['kind'] == 'object')
    tap.same(changed, [('buf', 'added', 64), ('cnt', 'added', 4)],
             'one more function-local static is one more, whatever its number')


def test_linkers():
    for linker in ('bfd', 'gold', 'lld'):
        path = build(f'sections-{linker}', SECTIONS, '-g', '-O2', '-ffunction-sections',
                     '-Wl,--gc-sections', f'-fuse-ld={linker}')
        if not path:
            tap.skip(f'gc-sections with {linker}', 'that linker is absent')
            continue
        names = {row['raw'] for row in sheet(path)['symbols']}
        tap.ok('main' in names and 'dead1' not in names, f'removed functions are gone: {linker}')
        tap.same(check_totals(path), None, f'its totals: {linker}')
    path = build('folded', FOLDED, '-O2', '-fno-ipa-icf', '-fno-ipa-cp', '-ffunction-sections',
                 '-fuse-ld=lld', '-Wl,--icf=all')
    if not path:
        return tap.skip('identical code folding', 'lld is absent')
    table = {row['raw']: row for row in sheet(path)['symbols']}
    names = [name for name in ('f1', 'f2', 'f3') if name in table]
    tap.same(len(names), 1, 'folded functions count once')


def inlined(path, *more):
    """Copies with code and exclusive bytes of each inlined function."""
    return {row['raw']: (row['copies_with_code'], row['bytes'])
            for row in sheet('--by', 'inline', path, *more)['inlines']}


def test_linked_ledgers():
    """What a linker drops or folds is in no ledger, though its debug information stays."""
    for linker in ('bfd', 'gold', 'lld'):
        path = build(f'ledger-{linker}', SECTIONS, '-g', '-O2', '-ffunction-sections',
                     '-Wl,--gc-sections', f'-fuse-ld={linker}')
        if not path:
            tap.skip(f'a ledger of {linker}', 'that linker is absent')
            continue
        names = {row['raw'] for row in sheet(path)['symbols']}
        tap.same(inlined(path)['hot'][0], len(names & {'used', 'main'}),
                 f'copies in functions that were kept: {linker}')
    for linker in ('gold', 'lld'):
        path = build(f'icf-{linker}', FOLDED, '-g', '-O2', '-fno-ipa-icf', '-fno-ipa-cp',
                     '-ffunction-sections', f'-fuse-ld={linker}', '-Wl,--icf=all')
        if not path:
            tap.skip(f'folded copies with {linker}', 'that linker is absent')
            continue
        tap.same(inlined(path)['h'][0], 1, f'a copy in three folded functions is one: {linker}')
        done = sheet('--by', 'inline', path)
        folded = [row for row in done['duplicates'] if row['kind'] == 'folded']
        tap.same(len(folded), 2, f'and the folded functions are listed: {linker}')
    return None


def test_statistics():
    """The ledger's sum against llvm-dwarfdump's, in which nothing has a name."""
    tool = shutil.which('llvm-dwarfdump') or shutil.which('llvm-dwarfdump-14')
    if not tool:
        return tap.skip('sums of llvm-dwarfdump', 'it is absent')
    for compiler in filter(None, (GCC, CLANG)):
        for flags in (('-O2',), ('-O1', '-gdwarf-4'), ('-O3', '-funroll-loops'), ('-Os', '-g1')):
            path = build('statistics.so', NESTED + SPLIT_OLD, '-g', *flags, '-shared', '-fPIC',
                         '-Wl,--unresolved-symbols=ignore-all', compiler=compiler)
            what = f'{os.path.basename(compiler)} {" ".join(flags)}'
            done = path and run(tool, '--statistics', path)
            if not done or done.returncode:
                tap.skip(f'sums of llvm-dwarfdump: {what}', 'it does not work here')
                continue
            theirs = json.loads(done.stdout)
            mine = sum(size for _, size in inlined(path).values())
            tap.same(mine, theirs['#bytes within inlined functions'],
                     f'inlined bytes as llvm-dwarfdump has them: {what}')
    return None


def test_modules():
    """A kernel module: relocatable, with sections of its own, and its debug file beside it."""
    source = NESTED + SPLIT_OLD + '''
static const char license[] __attribute__((section(".modinfo"), used)) = "license=GPL";
int __attribute__((section(".init.text"))) init_module(void) { return a1(3); }
void __attribute__((section(".exit.text"))) cleanup_module(void) { a2(1, 2); }
'''
    build('module.o', source, '-g', '-O2', '-c', '-mcmodel=kernel', '-fno-pic') or \
        build('module.o', source, '-g', '-O2', '-c')
    done = run('ld', '-r', '--build-id', '-o', 'module.ko', 'module.o')
    if done.returncode:
        return tap.skip('a kernel module', done.stderr)
    tap.same(check_totals('module.ko'), None, 'totals of a kernel module')
    tables = sheet('module.ko')
    labels = {row['label']: row['bytes'] for row in tables['map']}
    tap.ok(labels['metadata'] > 0 and 'init_module' in {row['raw'] for row in tables['symbols']},
           'its sections and functions', labels)
    before = inlined('module.ko')
    tap.same(before, inlined('module.o'), 'its ledger is that of its object')
    functions = {key: row['bytes'] for key, row in rows(tables).items()
                 if row['kind'] == 'function'}
    for words in (('objcopy', '--only-keep-debug', 'module.ko', 'module.ko.debug'),
                  ('strip', '-o', 'bare.ko', '--strip-unneeded', '-g', 'module.ko'),
                  ('objcopy', '--add-gnu-debuglink=module.ko.debug', 'bare.ko')):
        run(*words)
    tap.same(inlined('bare.ko'), before, 'and with the debug information in a file beside it')
    bare = {key: row['bytes'] for key, row in rows(sheet('bare.ko')).items()
            if row['kind'] == 'function'}
    tap.same(bare, functions, 'functions of the stripped module are the same')
    return None


def test_descriptors():
    """The first ABI of 64-bit PowerPC: functions are named by descriptors."""
    path = CLANG and build('v1.o', NESTED, '--target=powerpc64-linux-gnu', '-mabi=elfv1', '-O2',
                           '-g', '-c', compiler=CLANG)
    if not path:
        return tap.skip('descriptors', 'clang cannot make them')
    tables = sheet(path)
    sizes = {}
    for line in run('nm', '-S', path).stdout.splitlines():
        match = re.match(r'\S+ (\S+) [dD] (\S+)', line)
        if match and match[2] in ('a1', 'a2'):
            sizes[match[2]] = int(match[1], 16)
    mine = {row['raw']: row['bytes'] for row in tables['symbols'] if row['kind'] == 'function'}
    if not sizes:
        return tap.skip('descriptors', 'nm does not show them')
    tap.same(mine, sizes, 'functions have the bytes of their code')
    tap.same(totals(tables)['functions'], sum(sizes.values()), 'and so has their sum')
    return None


def test_units():
    """Global symbols are of the unit that debug information says."""
    os.makedirs('units', exist_ok=True)
    for name, source in (('one', 'int counter = 3; int one(int x) { return x + counter; }'),
                         ('two', 'int table[5] = { 1 }; int one(int);'
                                 'int two(int x) { return one(x) * table[x & 3]; }')):
        build(f'units/{name}.o', source, '-g', '-O2', '-c', '-fPIC')
    done = subprocess.run(['gcc', '-shared', '-nostdlib', '-o', 'both.so', 'one.o', 'two.o'],
                          cwd='units', capture_output=True)
    if done.returncode:
        return tap.skip('units of global symbols', done.stderr)
    table = rows(sheet('units/both.so'))
    for path, missing in (('units/both.so', False), ('units/bare.so', True)):
        if missing:
            run('objcopy', '-g', 'units/both.so', path)
        units = {row['unit']: row['bytes'] for row in sheet('--by', 'unit', path)['units']}
        if missing:
            tap.ok('one.c' not in units, 'without debug information they share a row', units)
        else:
            for unit, names in (('one.c', ('one', 'counter')), ('two.c', ('two', 'table'))):
                tap.same(units.get(unit), sum(table[(name, None)]['bytes'] for name in names),
                         f'bytes of {unit}')
    return None


def test_machines():
    for target in ('mips-linux-gnu', 'powerpc-linux-gnu', 'powerpc64le-linux-gnu',
                   'armv7-linux-gnueabihf', 'aarch64-linux-gnu', 'riscv64-linux-gnu'):
        path = CLANG and build(f'{target}.o', NESTED, f'--target={target}', '-O2', '-c',
                               compiler=CLANG)
        if not path:
            tap.skip(f'an object for {target}', 'clang cannot make one')
            continue
        names = {row['raw'] for row in sheet(path)['symbols']}
        tap.ok({'a1', 'a2', 'sink'} <= names, f'symbols of {target}', names)
        done = worth('nested.o', path)
        tap.ok(done.returncode == 2 and 'different machines' in done.stderr,
               f'{target} is not compared with this machine', done.stderr)


def test_no_code():
    slim = build('slim.o', NESTED, '-O2', '-flto', '-fno-fat-lto-objects', '-c')
    done = worth(slim) if slim else None
    if done is None or not run('size', slim).stdout.splitlines()[1].split()[0] == '0':
        tap.skip('a slim LTO object', 'this compiler makes none')
    else:
        tap.ok(done.returncode == 2 and 'link it first' in done.stderr, 'a slim LTO object is '
               'refused', done.stderr)
    bitcode = CLANG and build('bitcode.o', NESTED, '-O2', '-flto', '-c', compiler=CLANG)
    if bitcode:
        done = worth(bitcode)
        tap.ok(done.returncode == 2 and 'link it first' in done.stderr, 'so is bitcode',
               done.stderr)
    else:
        tap.skip('bitcode', 'clang is absent')


def one_sentence(done):
    lines = done.stderr.splitlines()
    return done.returncode == 2 and len(lines) == 1 and lines[0].startswith('worth: ')


def test_trouble():
    open('empty', 'w').close()
    with open('text', 'w') as stream:
        stream.write('hello\n')
    os.mkfifo('fifo')
    for name in ('empty', 'text', 'fifo', '.', 'missing', '/dev/null'):
        done = worth(name)
        tap.ok(one_sentence(done) and not done.stdout, f'{name} is refused', done.stderr)
    done = worth('nested.o', 'nested.o', 'nested.o')
    tap.ok(one_sentence(done), 'three files are too many', done.stderr)
    tap.ok(one_sentence(worth('--frames', '--structs', 'nested.o')), 'so are two reports')
    for words in (('--structs', '--inlines'), ('--frames', '--candidates'),
                  ('--function', 'a1', '--by', 'symbol')):
        tap.ok(one_sentence(worth(*words, 'nested.o')), f'{" and ".join(words)} are refused')
    done = worth('--debug-dir', 'no/such/place', 'nested.o')
    tap.ok(one_sentence(done), 'a debug directory that is not there is said', done.stderr)
    done = worth('--structs', 'nested.o')
    tap.ok('no structure' in done.stdout, 'so is that there are no structures', done.stdout)
    shutil.copy('nested.o', 'waiting.o')
    os.mkfifo('waiting.su')
    tap.ok(worth('--frames', 'waiting.o').returncode == 0, 'a FIFO is not waited for')


def damaged(name, content):
    with open(name, 'wb') as stream:
        stream.write(content)
    return worth('--by', 'total', name)


def test_truncated():
    path = build('whole.so', NESTED, '-g', '-O2', '-shared', '-fPIC',
                 '-Wl,--unresolved-symbols=ignore-all')
    with open(path, 'rb') as stream:
        whole = stream.read()
    wrong = []
    cuts = sorted(set(range(0, 80, 7)) | {len(whole) * i // 40 for i in range(40)} |
                  {len(whole) - i for i in (1, 2, 63, 64, 65)})
    for cut in cuts:
        done = damaged('cut', whole[:cut])
        if not one_sentence(done):
            wrong.append(f'cut at {cut}: {done.returncode} {done.stderr}')
    tap.ok(not wrong, f'a library that is cut at {len(cuts)} places is trouble',
           '\n'.join(wrong))
    with open('old/xy.a', 'rb') as stream:
        archive = stream.read()
    wrong = []
    for cut in range(9, len(archive), max(1, len(archive) // 30)):
        done = damaged('cut.a', archive[:cut])
        if not one_sentence(done):
            wrong.append(f'cut at {cut}: {done.returncode} {done.stderr}')
    tap.ok(not wrong, 'so is an archive', '\n'.join(wrong))
    done = damaged('cut.a', archive[:len(archive) - 20])
    tap.ok('partial' in done.stdout and 'only in part' in done.stdout,
           'what was read of an archive is shown and marked', done.stdout)


def test_mutated():
    """Bytes of the headers replaced: any answer but a crash or a hang."""
    with open('whole.so', 'rb') as stream:
        whole = bytearray(stream.read())
    sections = int.from_bytes(whole[40:48], 'little')
    places = list(range(16, 64)) + list(range(sections, sections + 640, 5))
    wrong = []
    for place in places:
        for value in (0, 0x7f, 0xff):
            if place >= len(whole) or whole[place] == value:
                continue
            mutant = bytearray(whole)
            mutant[place] = value
            done = damaged('mutant', mutant)
            if done.returncode not in (0, 2) or (done.returncode == 2 and not one_sentence(done)):
                wrong.append(f'{place} = {value}: {done.returncode} {done.stderr[-300:]}')
    tap.ok(not wrong, f'{len(places)} damaged bytes of headers', '\n'.join(wrong))


def test_budgets():
    old, new = 'old/split.o', 'new/split.o'
    for budget, status in (('text > +1%', 1), ('text > +90%', 0), ('functions > +0', 1),
                           ('data > +0', 0), ('text > 1M', 0), ('text >= 10', 1),
                           ('section .text > +1%', 1), ('symbol f > +1', 1),
                           ('symbol k > +0%', 0), ('symbol nothing > 1', 2), ('text', 2),
                           ('text > much', 2), ('texts > 1', 2), ('section .none > 1', 2)):
        done = worth('--fail-if', budget, old, new)
        tap.same(done.returncode, status, f"--fail-if '{budget}'")
    done = worth('--fail-if', 'text > +1%', '--fail-if', 'data > +1', old, new)
    tap.ok('EXCEEDED' in done.stdout and 'kept' in done.stdout, 'budgets are in the sheet',
           done.stdout)
    tap.same(worth('--fail-if', 'text > +1%', new).returncode, 2, 'a change needs two files')


def test_output():
    old, new = 'old/split.o', 'new/split.o'
    wide = [line for line in worth(old, new).stdout.splitlines() if len(line) > 80]
    tap.same(wide, [], 'the text fits into 80 columns')
    names = [row['raw'] for row in sheet('--filter', '^[fk]$', old, new)['symbols']]
    tap.same(sorted(names), ['f', 'k'], '--filter takes a regular expression')
    tap.ok(one_sentence(worth('--filter', '[', old)), 'a wrong one is refused')
    csv = worth('--csv', '-', '--by', 'section', old, new).stdout.splitlines()
    tap.ok(csv[0].startswith('section,kind,') and len(csv) > 2, 'CSV is the table of --by', csv)
    markdown = worth('--markdown', '-', old, new).stdout
    tap.ok('| functions |' in markdown, 'Markdown has the totals', markdown)
    shown = worth('--top', '1', '--by', 'symbol', old, new).stdout
    tap.ok('1 of 3' in shown, '--top cuts a table and says so', shown)
    for by in ('total', 'section', 'symbol', 'file', 'unit'):
        tap.same(worth('--by', by, old, new).returncode, 0, f'--by {by}')


def test_marks():
    """A label before a hole marks a place; one before code names it."""
    path = build('mark.o', '__asm__(".text\\n.globl mark\\nmark: .fill 4096,1,0xcc\\n'
                 '.globl code\\ncode: ret\\n");', '-c')
    if not path or 'x86-64' not in worth(path).stdout:
        return tap.skip('labels before holes', 'the test has x86 code')
    tables = sheet(path)
    tap.same([(row['raw'], row['bytes']) for row in tables['symbols']], [('code', 1)],
             'a label before a hole has no bytes')
    tap.same({row['label']: row['bytes'] for row in tables['map']}['holes'], 4096,
             'the hole is one')
    return None


def test_moved():
    flags = ('-O2', '-c')
    old = build('old/moved.o', 'int f(int x) { return x * 3; }', *flags)
    new = build('new/moved.o', 'int __attribute__((section(".text.other"))) f(int x) '
                '{ return x * 3; }', *flags)
    kinds = {row['raw']: row['kind_of_change'] for row in sheet(old, new)['symbols']}
    tap.same(kinds, {'f': 'moved'}, 'a function in another section has moved')
    tap.ok('.text to .text.other' in worth(old, new).stdout, 'and it is said from where')


def test_holes():
    """A section padded to a fixed size does not show what its functions do."""
    script = 'SECTIONS { .text : { *(.text*) . = ALIGN(0x8000); FILL(0xcccccccc) } }'
    with open('pad.ld', 'w') as stream:
        stream.write(script)
    for side, source in (('old', SPLIT_OLD), ('new', SPLIT_NEW)):
        build(f'{side}/hole.o', source, '-O2', '-c')
        done = run('ld', '-r', '-T', 'pad.ld', '-o', f'{side}/padded.o', f'{side}/hole.o')
        if done.returncode:
            return tap.skip('padded sections', done.stderr)
    done = worth('old/padded.o', 'new/padded.o')
    tap.ok('.text did not change in size, but its functions did' in
           ' '.join(done.stdout.split()), 'a sentence says that padding absorbed the change',
           done.stdout)
    return None


def test_elsewhere():
    """The symbols of a stripped library, from each place that they may be in."""
    flags = ('-g', '-O2', '-shared', '-fPIC', '-nostdlib', '-Wl,--unresolved-symbols=ignore-all',
             '-Wl,--build-id=0x0123456789abcdef')
    build('elsewhere/full.so', DUP_X % '' + 'int *unused; int table[9] = { 1 };', *flags)
    script = '''
        objcopy --only-keep-debug full.so full.debug
        cp full.so bare.so; strip bare.so
        mkdir -p link id/.build-id/01 && cp full.debug link/linked.debug
        cp bare.so link/linked.so; cd link
        objcopy --add-gnu-debuglink=linked.debug linked.so; cd ..
        cp full.debug id/.build-id/01/23456789abcdef.debug
        nm -D --format=posix --defined-only full.so | cut -d' ' -f1 | sort >dynamic
        nm --format=posix --defined-only full.so | awk '$2 ~ /[tT]/ { print $1 }' | sort >all
        comm -13 dynamic all >keep
        objcopy -S --keep-symbols=keep full.debug mini && xz -k mini
        objcopy --add-section .gnu_debugdata=mini.xz bare.so mini.so
        { printf 'x%.0s' $(seq 100); } >junk
        objcopy --add-section .gnu_debugdata=junk bare.so junk.so'''
    done = subprocess.run(['sh', '-ec', script], cwd='elsewhere', capture_output=True, text=True)
    if done.returncode:
        return tap.skip('symbols of stripped files', done.stderr)
    full = {key: row['bytes'] for key, row in rows(sheet('elsewhere/full.so')).items()}
    tap.ok(any(name == 'dup' for name, _ in full), 'a static function is there', full)
    for name, *more in (('link/linked.so',), ('bare.so', '--debug-dir', 'elsewhere/id')):
        mine = rows(sheet(f'elsewhere/{name}', *more))
        tap.same({key: row['bytes'] for key, row in mine.items()}, full, f'symbols of {name}')
        tap.ok('symbols from' in worth(f'elsewhere/{name}', *more).stdout, 'and it is said')
    mini = {name: row['bytes'] for (name, _), row in rows(sheet('elsewhere/mini.so')).items()}
    tap.same(mini, {name: size for (name, _), size in full.items() if name in mini},
             'symbols of the compressed table are right')
    tap.ok('dup' in mini and 'x' in mini, 'and are there beside the dynamic ones', mini)
    tap.ok('+1 alias' not in worth('elsewhere/mini.so').stdout, 'nothing is its own alias')
    bare = {name for name, _ in rows(sheet('elsewhere/bare.so'))}
    tap.same({name for name, _ in rows(sheet('elsewhere/junk.so'))}, bare,
             'a damaged table is no table')
    shown = ' '.join(worth('elsewhere/full.so', 'elsewhere/bare.so').stdout.split())
    tap.ok('candidate is stripped and the baseline is not' in shown, 'one stripped side is said',
           shown)
    return None


def test_compare():
    programs = [build(f'program-{level}', SECTIONS, level) for level in ('-O0', '-O2')]
    done = run(WORTH, 'compare', '--no-save', '-r', '3', '--json', '-',
               *('./' + name for name in programs))
    if done.returncode not in (0, 1):
        return tap.ok(False, 'worth compare runs', done.stderr)
    comparisons = {row['metric']: row
                   for row in json.loads(done.stdout)['tables']['comparisons']}
    tap.ok('text' in comparisons and 'data' in comparisons,
           'a comparison of programs has their sizes', list(comparisons))
    change = totals(sheet(*programs), 'change_ratio')['text']
    tap.ok(abs(comparisons['text']['change'] - change) < 1e-12, 'text changes as worth size says',
           (comparisons['text'], change))
    tap.ok(comparisons['text']['exact'], 'and is exact')
    return None


def main():
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        os.environ.update(HOME=place, XDG_DATA_HOME=place, LC_ALL='C')
        for name, test in sorted(globals().items(), key=lambda item: item[1].__code__.co_firstlineno
                                 if hasattr(item[1], '__code__') else 0):
            if name.startswith('test_'):
                test()
        os.chdir('/')
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
