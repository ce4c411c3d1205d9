#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `ninja install` puts where: the program, its pages, and completion where shells look.

usage: install.py WORTH BUILD-DIRECTORY
"""
import json
import os
import subprocess
import sys

from tap import Tap

tap = Tap()

# Where each shell looks below the prefix for what installed programs bring: bash-completion's
# README ("completions" directory), zsh's site-functions (fpath), fish's vendor_completions.d.
PLACES = {
    "bash": "share/bash-completion/completions/worth",
    "zsh": "share/zsh/site-functions/_worth",
    "fish": "share/fish/vendor_completions.d/worth.fish",
}


def main():
    worth, build = sys.argv[1:]
    with open(os.path.join(build, "meson-info", "intro-installed.json"), encoding="utf-8") as file:
        installed = {place: source for source, place in json.load(file).items()}

    def source_of(end):
        found = [source for place, source in installed.items() if place.endswith("/" + end)]
        return found[0] if len(found) == 1 and os.path.exists(found[0]) else None

    tap.ok(source_of("bin/worth"), "the program is installed", installed)
    tap.ok(source_of("libexec/worth/worth-load"), "the program of the workloads is installed",
           installed)
    tap.ok(source_of("libexec/worth/worth-null"), "the empty program is installed", installed)
    for shell, place in PLACES.items():
        source = source_of(place)
        if not tap.ok(source, f"the script for {shell} is installed as {place}", installed):
            continue
        with open(source, encoding="utf-8") as file:
            script = subprocess.run([worth, "completion", shell], text=True, check=True,
                                    stdout=subprocess.PIPE).stdout
            tap.same(file.read(), script, f"it is what worth completion {shell} prints")
    if not os.path.exists(os.path.join(build, "docs", "man", "worth.1")):
        tap.skip("the pages are installed", "no pages were built; scdoc is missing")
    else:
        overview = subprocess.run([worth, "help"], text=True, check=True,
                                  stdout=subprocess.PIPE).stdout
        rows = overview.split("Commands:\n")[1].split("\n\n")[0].splitlines()
        names = ["worth"] + ["worth-" + row.split()[0] for row in rows
                             if row.split()[0] != "help"]
        for name in names:
            tap.ok(source_of(f"man/man1/{name}.1"), f"{name}(1) is installed", installed)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
