#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the shells offer when a user presses the tabulator key, with the scripts that worth prints.
A shell that is not there is skipped."""
import os
import pty
import shutil
import signal
import subprocess
import sys
import time

from world import FEW, WORTH, Tap, World

tap = Tap()

# compopt works only while readline completes.
BASH = """compopt() { :; }
source <("$1" completion bash)
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2)) COMP_LINE="${*:2}"
_worth "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = 'source ($argv[1] completion fish | psub); complete -C $argv[2]'
# What zsh would add goes into a file instead, and a last line when it has asked all completers.
ZSH = """setopt extended_glob; autoload -Uz compinit; compinit -D -u
PS1= PROMPT_EOL_MARK=
source <(worth completion zsh)
compadd() {
	local -a kept
	# These only ask what would match.
	if [[ " ${@[1,(i)(-|--)]} " == *' '-[[:alpha:]]#[OAD]' '* ]]; then
		builtin compadd "$@"
		return
	fi
	builtin compadd -A kept "$@"
	print -rl -- $kept >>$OFFERED
	(( $#kept ))
}
ended() { print ENDED >>$OFFERED; comppostfuncs=(ended) }
comppostfuncs=(ended)
zstyle ':completion:*' completer _complete
print READ''Y
"""


def with_worth(world):
    """The environment in which a word worth is this worth."""
    path = os.path.join(world.directory, 'bin')
    os.makedirs(path, exist_ok=True)
    link = os.path.join(path, 'worth')
    if not os.path.exists(link):
        os.symlink(WORTH, link)
    return {**world.environment, 'PATH': f'{path}:{os.environ["PATH"]}'}


def bash_offers(world, *words):
    return subprocess.run(['bash', '-c', BASH, 'bash', WORTH, 'worth', *words],
                          capture_output=True, text=True, env=with_worth(world),
                          cwd=world.directory, check=False).stdout.split('\n')[:-1]


def fish_offers(world, *words):
    out = subprocess.run(['fish', '--no-config', '-c', FISH, WORTH, 'worth ' + ' '.join(words)],
                         capture_output=True, text=True, env=with_worth(world),
                         cwd=world.directory, check=False).stdout
    return [line.split('\t')[0] for line in out.splitlines()]


def wait_for(what, seconds=30):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise AssertionError('zsh has not answered')
        time.sleep(0.01)


def zsh_offers(world, *words):
    """zsh completes in its line editor only, which wants a terminal."""
    offered = world.write('offered')
    startup = world.write('zsh-startup', ZSH)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(world.directory)
        os.execvpe('zsh', ['zsh', '-f', '-i'],
                   {**with_worth(world), 'OFFERED': offered, 'TERM': 'dumb'})
    os.set_blocking(terminal, False)
    shown = b''

    def ready():
        nonlocal shown
        try:
            shown += os.read(terminal, 65536)
        except BlockingIOError:
            pass
        return b'READY' in shown

    os.write(terminal, f'source {startup}\n'.encode())
    wait_for(ready)
    os.write(terminal, f'worth {" ".join(words)}\t'.encode())
    wait_for(lambda: 'ENDED' in world.read('offered'))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(terminal)
    return [word for word in world.read('offered').split('\n') if word not in ('', 'ENDED')]


SHELLS = {'bash': bash_offers, 'fish': fish_offers, 'zsh': zsh_offers}


def check(world, shell, session):
    def offers(*words):
        return SHELLS[shell](world, *words)

    def known(what, offered, wanted, others=True):
        tap.ok(all(word in offered for word in wanted) and
               (others or sorted(offered) == sorted(wanted)),
               f'{shell}: {what} are offered{"" if others else ", and nothing else"}',
               f'{wanted} wanted, offered {offered[:40]}')

    known('sessions', offers('report', ''), ['last', session], others=False)
    known('sessions behind show', offers('history', 'show', ''), ['last', session], others=False)
    known('what history does', offers('history', ''), ['show', 'delete', 'trend', 'prune', 'export', 'import'], others=False)
    known('sessions to go on with', offers('compare', '--extend', ''), [session])
    known('metrics', offers('--primary', 'wa'), ['wall'], others=False)
    known('workloads', offers('workload', 'pipe'), ['pipe-latency'], others=False)
    known('formats', offers('judge', '--format', 'hyper'), ['hyperfine'])
    known('shells', offers('completion', ''), ['bash', 'zsh', 'fish'], others=False)
    known('files to judge', offers('judge', 'run'), ['runs.txt'], others=False)
    offered = offers('his')
    tap.ok(offered.count('history') == 1, f'{shell}: no word is offered twice', str(offered))


def check_bash(world):
    tap.same(bash_offers(world, '--primary', 'max'), ['max\\ rss'],
             'bash: a name with a space is quoted')
    tap.same(bash_offers(world, '--primary', '"max'), ['max rss'],
             'bash: and is not where the user has begun to')
    tap.same(bash_offers(world, 'workload', ':', 'pipe'), ['pipe-latency'],
             'bash: workload:NAME is completed as readline splits it')
    offered = bash_offers(world, '')
    tap.ok('compare' in offered and 'ls' not in offered,
           'bash: no list of all programs before the first letter', str(offered[:40]))
    tap.ok('ls' in bash_offers(world, 'ls'), 'bash: programs from the first letter on')


def check_list(world):
    run = world.worth('completion', '--list', 'sessions')
    tap.ok(run.status == 2 and run.out == '', 'without a history there are no sessions to list',
           run)
    run = world.worth('completion', '--list', 'bash')
    tap.ok(run.status == 2 and 'sessions, metrics, workloads, formats, studies' in run.err,
           'an unknown kind is an error with those there are', run)
    run = world.worth('completion', '--list', 'metrics', 'bash')
    tap.ok(run.status == 2 and 'takes its kind' in run.err, 'a shell beside --list is one too', run)


with World() as one:
    tap.run('--list', check_list, one)
    one.worth(*FEW, 'true', 'true --version')
    one.write('runs.txt')
    newest = one.sessions()[0]['id']
    for name in SHELLS:
        if shutil.which(name) is None:
            tap.skip(f'{name} offers', f'no {name} here')
        else:
            tap.run(name, check, one, name, newest)
    if shutil.which('bash') is not None:
        tap.run('bash', check_bash, one)
sys.exit(tap.finish())
