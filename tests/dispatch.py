#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How worth's words become commands, and what it does before any of them runs.

usage: dispatch.py WORTH
"""
import os
import subprocess
import sys
import tempfile

from tap import Tap

tap = Tap()
worth = os.path.abspath(sys.argv[1])


def run(*words, **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([worth, *words], text=True, **more)


def expect(words, status, out="", err=""):
    """The exit status, and a piece of each stream; "" there means: it is empty."""
    done = run(*words)
    name = "worth " + " ".join(words)
    tap.same(done.returncode, status, f"{name} exits with {status}")
    for what, piece, got in (("stdout", out, done.stdout), ("stderr", err, done.stderr)):
        tap.ok(piece in got if piece else got == "", f"{name}: {what}", got)


def overview_and_version():
    expect([], 2, err="Usage: worth")
    expect(["--help"], 0, out="Commands:\n")
    expect(["-h"], 0, out="Commands:\n")
    expect(["help"], 0, out="Commands:\n")
    expect(["--version"], 0, out="worth ")
    expect(["-V"], 0, out="worth ")
    wide = [line for line in run("help").stdout.splitlines() if len(line) > 80]
    tap.ok(not wide, "the overview fits into 80 columns", wide)


def commands_by_name():
    expect(["help", "completion"], 0, out="worth completion - ")
    expect(["completion", "--help"], 0, out="worth completion - ")
    expect(["help", "nonsense"], 2, err="worth help")
    expect(["completion"], 2, err="name one shell")
    expect(["completion", "tcsh"], 2, err="bash, zsh and fish")
    expect(["completion", "bash", "zsh"], 2, err="name one shell")
    expect(["completion", "--bsh"], 2, err="there is no option --bsh")
    for shell in ("bash", "zsh", "fish"):
        expect(["completion", shell], 0, out="completion for worth")


def a_mistyped_command_is_told_from_a_program():
    expect(["completoin"], 2, err='did you mean "worth completion"?')
    expect(["complet\x1b[31mion"], 2, err="worth: ")
    done = run("complet\x1b[31mion")
    tap.ok("\x1b" not in done.stderr, "no escape reaches the terminal", repr(done.stderr))


def a_command_wins_over_a_program_of_its_name():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "completion")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("#!/bin/sh\necho from the program\n")
        os.chmod(path, 0o755)
        environment = dict(os.environ, PATH=directory + ":" + os.environ["PATH"])
        done = run("completion", "bash", env=environment)
        tap.ok("_worth" in done.stdout, "the word completion is the command", done.stdout)


def an_unwritable_stdout_is_trouble():
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run("completion", "bash", stdout=full)
    tap.same(done.returncode, 2, "a full disk behind stdout gives 2")
    tap.ok("cannot write to standard output" in done.stderr, "and a sentence", done.stderr)


def closed_descriptors_are_filled():
    """Otherwise the first file that is opened becomes stdout or stderr and is written into."""
    script = '"$0" completion bash >&- 2>&- <&-; echo $?'
    done = subprocess.run(["/bin/sh", "-c", script, worth], capture_output=True, text=True,
                          check=False)
    tap.same(done.stdout, "0\n", "it works without any open descriptor")


def trouble_is_no_bad_commit():
    """git bisect run takes 2 for bad, so there trouble is 125, wherever it comes from."""
    expect(["compare", "--bgous", "--bisect", "a", "b"], 125, err="worth: ")
    expect(["--bgous", "--bisect", "a", "b"], 125, err="worth: ")
    expect(["compare", "--bgous", "a", "--", "--bisect"], 2, err="worth: ")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run("compare", "--help", "--bisect", stdout=full)
    tap.same(done.returncode, 125, "a full disk behind stdout is 125 with --bisect")


for test in (overview_and_version, commands_by_name, a_mistyped_command_is_told_from_a_program,
             a_command_wins_over_a_program_of_its_name, an_unwritable_stdout_is_trouble,
             closed_descriptors_are_filled, trouble_is_no_bad_commit):
    tap.run(test.__name__, test)
sys.exit(tap.finish())
