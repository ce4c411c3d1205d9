# SPDX-License-Identifier: GPL-2.0-or-later
"""worth doctor as a user sees it: the checks, a short A/A run, mistakes, an interrupt.

usage: doctor.py WORTH

Nothing here depends on what this machine is like, nor on how busy it is.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import Tap  # noqa: E402

tap = Tap()
worth = os.path.abspath(sys.argv[1])


def doctor(*words):
    return subprocess.run([worth, "doctor", *words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def checks_alone():
    done = doctor("--no-run")
    tap.same(done.returncode, 0, "checks alone exit with 0")
    tap.ok("processors" in done.stdout and "address randomness" in done.stdout,
           "the checks are shown", done.stdout)
    tap.ok(max(map(len, done.stdout.splitlines())) <= 80, "in 80 columns", done.stdout)
    tap.ok("against itself" not in done.stdout, "nothing was run", done.stdout)
    tap.same(done.stderr, "", "and nothing said besides")


def checks_as_data():
    done = doctor("--no-run", "--json", "-")
    document = json.loads(done.stdout)
    tap.ok("kernel" in json.dumps(document["environment"]), "JSON has the environment")
    done = doctor("--no-run", "--csv", "-")
    lines = done.stdout.splitlines()
    tap.same(lines[0], "check,found,state,effect,advice", "CSV has a row a check")
    tap.ok(all(line.split(",")[0] != "" for line in lines), "each with its name", done.stdout)


def a_short_run():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "doctor.json")
        done = doctor("--time", "2s", "--quiet", "-o", path)
        tap.ok(done.returncode in (0, 1), "an A/A run exits with 0 or 1", done.stderr)
        tap.ok("looked different in" in done.stdout or "Too few rounds" in done.stdout,
               "it says whether comparing is honest", done.stdout)
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        recording = document.get("recording")
        tap.ok(bool(recording) and len(recording["samples"]) > 0, "the runs are in the JSON")
        labels = [subject["label"] for subject in recording["plan"]["subjects"]]
        tap.same(labels, ["first", "second"], "both sides are there")


def a_command_of_the_user():
    done = doctor("--time", "1s", "--quiet", "--", "/bin/sh", "-c", "exit 0")
    tap.ok("command  /bin/sh -c 'exit 0'" in done.stdout, "it is shown as it was given",
           done.stdout + done.stderr)
    done = doctor("--time", "1s", "--quiet", "--", "/bin/sh", "-c", "exit 3")
    tap.same(done.returncode, 2, "a command that fails is trouble")
    tap.ok("3" in done.stderr, "and its status is named", done.stderr)
    done = doctor("--time", "1s", "--", "/nonexistent/program")
    tap.same(done.returncode, 2, "a command that does not exist is trouble")
    tap.ok("/nonexistent/program" in done.stderr, "and it is named", done.stderr)


def mistakes():
    for words, piece in ((["prog"], "-- ./prog"), (["--"], "after --"),
                         (["--no-run", "--", "true"], "exclude"), (["--time", "5"], "5s"),
                         (["--tine", "5s"], "--time"), (["-o", "/nonexistent/x.json"], "x.json")):
        done = doctor(*words)
        tap.same(done.returncode, 2, f"doctor {' '.join(words)} exits with 2")
        tap.ok(piece in done.stderr, f"doctor {' '.join(words)} says what to do", done.stderr)
        tap.same(done.stdout, "", f"doctor {' '.join(words)} prints nothing")


def interrupted():
    """SIGINT in the middle: 130, and nothing that it started is left."""
    process = subprocess.Popen([worth, "doctor", "--time", "60s", "--", "sleep", "0.31171"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    tap.same(process.returncode, 130, "SIGINT ends it with 130")
    left = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if b"0.31171" in file.read():
                    left.append(pid)
        except OSError:
            pass
    tap.same(left, [], "no run is left behind")


for test in (checks_alone, checks_as_data, a_short_run, a_command_of_the_user, mistakes,
             interrupted):
    tap.run(test.__name__, test)
sys.exit(tap.finish())
