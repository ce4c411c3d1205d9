# SPDX-License-Identifier: GPL-2.0-or-later
"""worth kernel without a kernel: an emulator that is a script says what a guest would say, and
the agent runs as a process of its own.

    kernel.py WORTH WORTH_LOAD
"""
import os
import struct
import subprocess
import sys

from world import Tap, World, refused, shared_cases, values

tap = Tap()
LOAD = os.path.abspath(sys.argv[2])
FACTS = '''hello 1
fact kernel 6.1.0-test
fact boot-ns 320000000
fact clocksource {clock}
fact memory-bytes 250000000 20000000
'''
WORK = '''begin getppid
value getppid getppid {ns} ns lower
value getppid getppid {ns} ns lower
end getppid {status} 1000000000 990000000 {foreign} {busiest}
'''


def kernel(world, name='bzImage', release='6.1.0-test'):
    """The parts of a setup header that tell a kernel from other files."""
    image = bytearray(0x1000)
    image[0x202:0x206] = b'HdrS'
    struct.pack_into('<H', image, 0x206, 0x20f)
    struct.pack_into('<H', image, 0x20e, 0x400)
    struct.pack_into('<H', image, 0x236, 1)
    image[0x600:0x600 + len(release) + 1] = release.encode() + b' '
    path = world.path(name)
    with open(path, 'wb') as stream:
        stream.write(image)
    return path


def emulator(world, text, more=''):
    """A program that writes text where QEMU would be told to write the results."""
    answer = world.path('answer')
    with open(answer, 'w', encoding='utf-8') as stream:
        stream.write(text)
    return world.script('emulator', f'{more}\ncat {answer} >&8')


def boot(world, text, *words, more='', kernels=1):
    image = kernel(world)
    return world.worth('kernel', '-q', '--no-save', '-r', '2', '--qemu',
                       emulator(world, text, more), '-w', 'getppid', *words, *kernels * [image])


def good(ns='3200', clock='tsc', status=0, foreign=5000000, busiest='-'):
    return FACTS.format(clock=clock) + \
        WORK.format(ns=ns, status=status, foreign=foreign, busiest=busiest) + 'done\n'


def sheets(world):
    run = boot(world, good(), '--json', '-', kernels=2)
    tap.ok(run.status == 0, 'two kernels that are the same', run)
    metrics = {metric['name']: metric for metric in run.data['recording']['metrics']}
    tap.ok(metrics['getppid']['unit'] == 'insn' and metrics['getppid']['source'] == 'emulated',
           'times become instructions', run)
    tap.same(values(run.data, 'getppid'), 4 * [100.0], '3200 ns are 100 at shift 5')
    tap.same(values(run.data, 'boot'), 4 * [1e7], 'so does the boot')
    run = boot(world, good(), kernels=2)
    tap.ok(run.status == 0 and 'getppid is 100 insn in both' in run.told,
           'equal figures are the same', run)
    tap.ok('does not see what instructions cost' in run.told, 'the sheet says what it cannot see',
           run)
    run = boot(world, good(foreign=50000000, busiest='rcu_preempt'))
    tap.ok(run.status == 0 and 'getppid contains what it makes the kernel do later' in run.told,
           'deferred work is told of', run)


def failures(world):
    def fails(sentence, name, text, *words, **how):
        run = boot(world, text, *words, **how)
        tap.ok(run.status == 2 and sentence in ' '.join(run.err.split()), name, run)
        tap.same(world.left(), [], f'{name}: nothing is left running')

    fails('build it with CONFIG_BLK_DEV_INITRD', 'a kernel that takes no initramfs', '',
          more='printf "[1] Kernel panic - not syncing: No working init found.\\r\\n" >&2')
    fails('Kernel panic - not syncing: no init', 'a panic', '',
          more='printf "[1] Kernel panic - not syncing: no init\\r\\n[1] Call Trace:\\r\\n" >&2')
    fails('its console is silent', 'a kernel that says nothing', '')
    fails('did not end within', 'a boot that hangs', '', '-t', '300ms', more='sleep 100')
    fails('the workload getppid did not end', 'a workload that never ends',
          FACTS.format(clock='tsc') + 'begin getppid\n')
    fails('the workload getppid ended with status 9', 'a workload that fails', good(status=9))
    fails('jiffies', 'a clock of milliseconds', good(clock='jiffies'))
    fails('kept busy by cryptomgr_test', 'a guest that is never idle',
          FACTS.format(clock='tsc') + 'busy cryptomgr_test\n')
    fails('most of it cryptomgr_test', 'a guest that was busy meanwhile',
          good(foreign=900000000, busiest='cryptomgr_test'))
    fails('--mode time needs KVM', 'KVM that does not work', '', '--mode', 'time')


def time_mode(world):
    """Under KVM, as far as an emulator that is a script goes: figures are times, and boots runs."""
    # The time depends on the kernel's name, and a little on how often it was booted.
    answer = good(ns='$ns')
    script = world.script('timed', f'''
echo "$@" >>{world.path('said')}
count=$(wc -l <{world.path('said')})
case "$*" in *slow*) ns=$((4000 + count)) ;; *) ns=$((3200 + count)) ;; esac
cat >&8 <<END
{answer}END
''')
    fast, slow = kernel(world, 'fast'), kernel(world, 'slow')
    words = ['kernel', '-q', '--mode', 'time', '--qemu', script, '-w', 'getppid', '-r', '8']
    run = world.worth(*words, fast, slow, '--json', '-')
    row = next(row for row in run.data['tables']['comparisons'] if row['metric'] == 'getppid')
    tap.ok(run.status == 1 and row['unit'] == 's' and row['verdict'] == 'worse' and
           0.2 < row['change'] < 0.3, 'a slower kernel takes more time', row)
    tap.ok(all('-accel kvm' in line and 'icount' not in line
               for line in world.read('said').splitlines()), 'without counting')
    told = world.worth('report', 'last').told
    tap.ok('mode: time in guests' in told and 'executed instructions' not in told,
           'and the sheet says so', told)
    tap.ok(len(values(run.data, 'getppid')) == 16, 'the trial boot is no run')
    refused(tap, world.worth(*words, '--where', fast, slow), '--where counts instructions',
            'what is no count has no functions')


def bad_input(world):
    for content, words, name in (
            (b'text', 'it is no kernel', 'a text'),
            (b'', 'it is no kernel', 'an empty file'),
            (b'\x7fELF\x02\x01' + bytes(100), 'for another machine', 'an ELF file of nothing'),
            (b'\x1f\x8bnonsense', 'gzip cannot unpack it', 'a damaged packed file'),
            (b'!<arch>\ndebian-binary   ', 'write deb: in front', 'a package'),
            (bytes(0x38) + b'ARM\x64' + bytes(100), 'for arm64', 'another architecture')):
        path = world.path('image')
        with open(path, 'wb') as stream:
            stream.write(content)
        refused(tap, world.worth('kernel', '--qemu', '/bin/true', path), words, name)
    refused(tap, world.worth('kernel', '--qemu', '/bin/true', world.directory), 'is a directory',
            'a directory')
    refused(tap, world.worth('kernel', '--qemu', '/bin/true', 'deb:'), 'deb: must be followed',
            'no package')
    image = kernel(world)
    refused(tap, world.worth('kernel', '--qemu', '/nonexistent', image), '--qemu', 'no emulator')
    refused(tap, world.worth('kernel', '--qemu', '/bin/true', '-w', 'nothing', image),
            'there is no such workload', 'no such workload')
    refused(tap, world.worth('kernel', '--qemu', '/bin/true', '--add', '/nonexistent', image),
            'cannot add', 'no such file to add')
    refused(tap, world.worth('kernel', '--qemu', '/bin/true'), 'give the kernels', 'no kernel')


def images(world):
    image = kernel(world)
    for program, ending in (('gzip', 'gz'), ('xz', 'xz')):
        subprocess.run([program, '-k', '-f', image], check=True)
        run = world.worth('kernel', '-q', '--no-save', '-r', '1', '-w', 'getppid', '--qemu',
                          emulator(world, good()), f'{image}.{ending}')
        tap.ok(run.status == 0, f'an image packed by {program}', run)


def initramfs(world):
    """What the guest would find, by cpio's own reading of it."""
    keep = world.path('kept')
    more = f'while [ "$1" != -initrd ]; do shift; done; cp "$2" {keep}'
    with open(world.path('tool'), 'w', encoding='utf-8') as stream:
        stream.write('mine')
    run = boot(world, good(), '--add', world.path('tool'), '--run', '/tool --fast', more=more)
    with open(keep, 'rb') as stream:
        archive = stream.read()
    names, at = {}, 0
    while archive[at:at + 6] == b'070701':
        fields = [int(archive[at + 6 + 8 * i:at + 14 + 8 * i], 16) for i in range(13)]
        name = archive[at + 110:at + 110 + fields[11] - 1].decode()
        start = (at + 110 + fields[11] + 3) // 4 * 4
        names[name] = (fields[1], archive[start:start + fields[6]])
        at = (start + fields[6] + 3) // 4 * 4
    tap.ok('TRAILER!!!' in names and names['init'][0] == 0o100755, 'init is a program', run)
    tap.same(names['tool'][1], b'mine', 'what was added is there')
    tap.same(names['worth/jobs'][1],
             b'getppid\t/init\tsyscall\t--call\tgetppid\t--operations\t100000\n'
             b'tool\t/tool\t--fast\n', 'the jobs')
    program = world.path('init')
    with open(program, 'wb') as stream:
        stream.write(names['init'][1])
    os.chmod(program, 0o755)
    listed = subprocess.run([program, 'list'], capture_output=True, text=True, check=False)
    tap.ok(listed.returncode == 0 and 'pipe-latency' in listed.stdout,
           'without its symbols it still runs', listed)


def agent(world):
    jobs, results = world.path('jobs'), world.path('results')
    with open(jobs, 'w', encoding='utf-8') as stream:
        stream.write(f'one\t{LOAD}\tsyscall\t--operations\t1000\n'
                     'two\tsh\t-c\techo "mine 5 ns" >&$WORTH_FD; sleep 100 & exit 3\n'
                     'three\t/nonexistent\n')
    missing = subprocess.run([LOAD, 'agent', jobs, results], capture_output=True, text=True,
                             check=False)
    tap.ok(missing.returncode == 2 and not os.path.exists(results),
           'results that are not there are not made', missing)
    with open(results, 'w', encoding='utf-8'):
        pass
    run = subprocess.run([LOAD, 'agent', jobs, results], capture_output=True, text=True,
                         check=False, timeout=60, env=world.environment)
    with open(results, encoding='utf-8') as stream:
        lines = stream.read().splitlines()
    tap.ok(run.returncode == 0 and lines[0].startswith('hello ') and lines[-1] == 'done',
           'the agent', lines)
    tap.ok(any(line.startswith('value one getppid ') and line.endswith(' ns lower')
               for line in lines), 'a workload reports', lines)
    tap.ok('value two mine 5 ns' in lines, 'so does a command', lines)
    ends = {line.split()[1]: line.split()[2] for line in lines if line.startswith('end ')}
    tap.same(ends, {'one': '0', 'two': '3', 'three': '127'}, 'how the jobs ended')
    tap.same(world.left(), [], 'what a job left running is ended')


def recorded(world):
    """Boots of real kernels that were recorded: the sheet that they give."""
    names = ['icount-debian-6.1.0-47-notests.txt', 'icount-debian-6.12.111-notests.txt']
    paths = [shared_cases('formats', 'qemu', name) for name in names]
    if None in paths:
        tap.skip('recorded boots', 'the shared cases are absent')
        return
    choices, kernels = [], []
    for index, path in enumerate(paths):
        jobs = {}
        with open(path, encoding='utf-8') as stream:
            for line in stream:
                _, name, _, value, _ = line.split()
                jobs.setdefault(name, []).append(value)
        text = FACTS.format(clock='tsc')
        for name, figures in jobs.items():
            text += f'begin {name}\n'
            text += ''.join(f'value {name} {name} {value} ns lower\n' for value in figures)
            text += f'end {name} 0 1000000000 990000000 5000000 -\n'
        answer = world.write(f'answer{index}', text + 'done\n')
        kernels.append(kernel(world, name=f'bzImage{index}'))
        choices.append(f'*{kernels[-1]}*) cat {answer} >&8 ;;')
    program = world.script('emulator', 'case "$*" in\n' + '\n'.join(choices) + '\nesac')
    run = world.worth('kernel', '-q', '--no-save', '-r', '6', '--qemu', program, '-w', 'getppid',
                      '--json', '-', *kernels)
    changes = {row['metric']: row['change'] for row in run.data['tables']['comparisons']}
    verdicts = {row['metric']: row['verdict'] for row in run.data['tables']['comparisons']}
    # Medians of the three figures of a boot, before and after.
    wanted = {'stat': 113684.1 / 104279.9, 'pipe_rt': 387824.5 / 424063.9,
              'fork_exit': 6329017.3 / 5364345.9}
    for name, ratio in wanted.items():
        tap.ok(abs((1 + changes[name]) / ratio - 1) < 0.005, f'{name}: as it was recorded',
               (changes[name], ratio - 1))
    tap.same({name: verdicts[name] for name in wanted},
             {'stat': 'worse', 'pipe_rt': 'better', 'fork_exit': 'worse'}, 'and judged so')


MAKEFILE = """
allnoconfig:
\tgrep -q CONFIG_PVH=y $(KCONFIG_ALLCONFIG)
olddefconfig:
\tgrep -q CONFIG_MINE .config
vmlinux: ; @echo built >> $(LOG); mkdir -p arch/x86/boot; cp image arch/x86/boot/bzImage
bzImage: vmlinux
broken:
.PHONY: vmlinux bzImage
"""


def git(directory, *words):
    subprocess.run(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', *words], cwd=directory,
                   check=True, stdout=subprocess.DEVNULL)


def sources(world, top, change):
    """Sources whose kernel is a copy of one."""
    os.makedirs(os.path.join(top, 'arch/x86'), exist_ok=True)
    with open(os.path.join(top, 'arch/x86/Makefile'), 'w', encoding='utf-8') as stream:
        stream.write('# nothing\n')
    with open(os.path.join(top, 'Makefile'), 'w', encoding='utf-8') as stream:
        stream.write(f"LOG = {world.path('built')}\n# {change}\n{MAKEFILE}")
    os.replace(kernel(world, release=f'6.1.0-{change}'), os.path.join(top, 'image'))


def builders(world):
    """The environment of builds, and the words of their comparison."""
    tools = world.path('tools')
    os.mkdir(tools)
    for name in ('flex', 'bison', 'bc', 'gcc'):  # only looked for
        os.symlink('/bin/true', os.path.join(tools, name))
    environment = {'XDG_CACHE_HOME': world.path('cache'),
                   'PATH': f"{world.environment['PATH']}:{tools}"}
    return environment, ['kernel', '-q', '--no-save', '-r', '2', '-w', 'getppid', '--qemu',
                         emulator(world, good())]


def trees(world):
    """Revisions: what is built, when, and how it is told."""
    top = world.path('linux')
    os.mkdir(top)
    git(top, 'init', '-q')
    for change in ('one', 'two'):
        sources(world, top, change)
        git(top, 'add', '-A')
        git(top, 'commit', '-qm', change)
        git(top, 'tag', change)
    environment, words = builders(world)

    def run(*more):
        return world.worth(*words, *more, environment=environment, cwd=top)

    first = run('--config', 'tiny', 'git:one', 'git:two')
    tap.ok(first.status == 0 and 'git:two' in first.told, 'two revisions are built and booted', first)
    tap.same(world.read('built').split(), 2 * ['built'], 'each once')
    again = run('--config', 'tiny', 'git:one', f'git:{top}@two')
    tap.ok(again.status == 0 and len(world.read('built').split()) == 2, 'and kept', again)
    own = world.write('own.config', 'CONFIG_MINE=y\n')
    other = run('--config', own, 'git:one')
    tap.ok(other.status == 0 and len(world.read('built').split()) == 3,
           'another configuration is another build', other)
    subprocess.run(['git', 'diff', '--quiet'], cwd=top, check=True)
    for more, sentence in ((['git:one'], 'with which configuration'),
                           (['--config', 'tiny', 'git:'], 'write git:REVISION'),
                           (['--config', 'tiny', 'git:nothing'], 'nothing'),
                           (['--config', 'tiny', kernel(world)], '--config is for kernels'),
                           (['--config', world.path('absent'), 'git:one'], '--config')):
        refused(tap, run(*more), sentence, f'{" ".join(more[:2])}')
    bad = run('--config', world.write('bad.config', 'nothing\n'), 'git:one')
    tap.ok(bad.status == 2 and 'log' in bad.err, 'what does not build names its log', bad)
    bare = world.worth(*words, '--config', 'tiny', 'git:one', cwd=top,
                       environment={**environment, 'PATH': '/nonexistent'})
    tap.ok(bare.status == 2 and 'which is not on PATH' in bare.err, 'a tool that lacks is named', bare)


def contents(top):
    return {os.path.join(directory, name): os.stat(os.path.join(directory, name)).st_mtime_ns
            for directory, _, names in os.walk(top) for name in names}


def directories(world):
    """Sources that are no repository, or have changes in no commit: as they are now."""
    plain, dirty = world.path("it's a tree"), world.path('dirty')
    sources(world, plain, 'one')
    for name, text in (('.gitignore', '/*\n'), ('new\nline', 'x'), ('vmlinux', 'left by a build'),
                       ('arch/x86/left.o', 'and this')):
        with open(os.path.join(plain, name), 'w', encoding='utf-8') as stream:
            stream.write(text)
    os.mkdir(dirty)
    git(dirty, 'init', '-q')
    sources(world, dirty, 'one')
    git(dirty, 'add', '-A')
    git(dirty, 'commit', '-qm', 'one')
    sources(world, dirty, 'two')
    environment, words = builders(world)
    before = contents(plain), contents(dirty)

    def run(*more):
        return world.worth(*words, '--config', 'tiny', *more, environment=environment)

    def built():
        return len(world.read('built').split())

    first = run(plain, dirty)
    tap.ok(first.status == 0 and built() == 2 and 'same program' not in first.told,
           'directories are built as they are, changes and all', first)
    tap.same((contents(plain), contents(dirty)), before, 'and only read')
    kept = {os.path.basename(path) for path in contents(world.path('cache'))}
    tap.ok('new\nline' in kept and '.gitignore' in kept and 'left.o' not in kept,
           'what a build left is left out, what .gitignore names is not', sorted(kept)[:40])
    tap.ok(run(plain).status == 0 and built() == 2, 'the same content is not built again')
    os.unlink(os.path.join(plain, 'new\nline'))
    os.unlink(os.path.join(plain, 'arch/x86/left.o'))
    tap.ok(run(plain).status == 0 and built() == 3, 'another is, if only a file has gone')
    refused(tap, run(world.path('cache')), 'not one of a kernel', 'a directory of other things')
    os.chmod(os.path.join(plain, 'Makefile'), 0)
    if os.getuid() != 0:
        refused(tap, run(plain), 'cannot keep a copy', 'a file that cannot be read')
    bare = world.worth(*words, plain, environment=environment)
    tap.ok(bare.status == 2 and 'with which configuration' in bare.err, 'a configuration is asked for',
           bare)


def main():
    for test in (sheets, failures, time_mode, bad_input, images, initramfs, agent, recorded, trees,
                 directories):
        with World() as world:
            test(world)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
