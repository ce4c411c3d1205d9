#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every command has a manual page, and page and --help say the same.

usage: manual.py WORTH DIRECTORY-OF-PAGES

Synopsis lines and options (letter, name, value) are read from the roff that is
installed and from the program's own output, and compared in both directions.
"""
import re
import subprocess
import sys
from pathlib import Path

from tap import Tap

tap = Tap()


def run(*words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    tap.ok(done.returncode == 0, f"{' '.join(words[1:])} exits with 0",
           f"status {done.returncode}: {done.stderr}")
    return done.stdout


def command_names(worth):
    """The commands of the overview, without "help"."""
    section = run(worth, "help").split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in section.splitlines() if line.split()[0] != "help"]


def squeeze(line):
    return " ".join(line.split())


def help_synopsis(page):
    """Lines that begin with "worth"; what is wrapped is joined again."""
    lines = []
    for line in page.split("Usage: ")[1].split("\n\n")[0].splitlines():
        line = line.strip()
        if line.startswith("worth "):
            lines.append(line)
        else:
            lines[-1] += " " + line
    return [squeeze(line) for line in lines]


def help_options(page):
    """{(letter, name, value)} of the rows that look like options."""
    row = re.compile(r"^  (?:-(\S), |    )--([a-z0-9-]+)(?: (\S.*?))?(?:  .*)?$")
    return {match.groups() for match in map(row.match, page.splitlines()) if match}


def roff_sections(text):
    sections, name = {}, None
    for line in text.splitlines():
        heading = re.match(r'^\.SH "?(.*?)"?$', line)
        if heading:
            name = heading.group(1)
            sections[name] = []
        elif name:
            sections[name].append(line)
    return sections


def plain(line):
    """Roff without fonts and escapes."""
    line = re.sub(r"\\f[BIRP]", "", line)
    line = line.replace("\\&", "").replace("\\-", "-").replace("\\(aq", "'")
    return line.replace("\\.", ".").replace("\\e", "\\").replace("\\'", "'")


def page_synopsis(lines):
    text = "\n".join(plain(line) for line in lines if not line.startswith("."))
    return [squeeze(line) for line in text.split("\n") if line.strip()]


def page_options(lines):
    row = re.compile(r"^(?:-(\S), )?--([a-z0-9-]+)(?: (\S.*))?$")
    rows = (row.match(plain(line)) for line in lines if line.startswith("\\fB"))
    return {match.groups() for match in rows if match}


def check_command(worth, pages, command):
    path = pages / f"worth-{command}.1"
    if not tap.ok(path.exists(), f"{command} has a manual page", path):
        return
    shown = run(worth, command, "--help")
    tap.same(run(worth, "help", command), shown, f"help {command} is {command} --help")
    wide = [line for line in shown.splitlines() if len(line) > 80]
    tap.ok(not wide, f"{command} --help fits into 80 columns", "\n".join(wide))
    text = path.read_text()
    sections = roff_sections(text)
    for name in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"):
        tap.ok(name in sections, f"{path.name} has the section {name}")
    tap.ok(not re.search(r"@[A-Z]+@", text), f"{path.name} has no unfilled marker")
    tap.same(page_synopsis(sections.get("SYNOPSIS", [])), help_synopsis(shown),
             f"the synopsis of {path.name} is that of --help")
    here, there = help_options(shown), page_options(sections.get("OPTIONS", []))
    tap.ok((None, "help", None) in here or ("h", "help", None) in here,
           f"{command} --help shows options")
    tap.ok(not here - there, f"{path.name} has every option of --help", here - there)
    tap.ok(not there - here, f"{command} --help has every option of {path.name}", there - here)


def main():
    worth, pages = sys.argv[1], Path(sys.argv[2])
    if not (pages / "worth.1").exists():
        tap.skip("the manual pages", "no pages were built; scdoc is missing")
        return tap.finish()
    commands = command_names(worth)
    tap.ok(commands, "the overview lists commands")
    overview = plain((pages / "worth.1").read_text())
    for command in commands:
        tap.ok(f"worth-{command}(1)" in overview, f"worth.1 names worth-{command}(1)")
        check_command(worth, pages, command)
    expected = {f"worth-{command}.1" for command in commands}
    built = {path.name for path in pages.glob("worth-*.1")}
    tap.same(sorted(built - expected), [], "no page is that of no command")
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
