# SPDX-License-Identifier: GPL-2.0-or-later
"""The Test Anything Protocol for test scripts: one line a test, the plan at the end.

    tap = Tap()
    tap.ok(status == 0, 'a good file is accepted', f'status {status}')
    tap.same(text, expected, 'the sheet is as it was')
    if not cases: tap.skip('rows of behaviour.md', 'no shared cases here')
    sys.exit(tap.finish())

The plan stands last, so a script that dies half-way is seen to have done so.
"""
import difflib
import os
import signal
import sys
import traceback

# What runs the tests (nohup, a background job) may ignore these; what they start must not inherit
# that.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


class Tap:
    def __init__(self, stream=None):
        self.stream = stream or sys.stdout
        self.count = 0
        self.failed = 0

    def _line(self, text):
        print(text, file=self.stream, flush=True)

    def _result(self, passed, name, directive=''):
        self.count += 1
        # A '#' would begin a directive, a newline another line.
        name = ' '.join(str(name).replace('#', '').split())
        self._line(f"{'ok' if passed else 'not ok'} {self.count} - {name}{directive}")

    def note(self, text):
        """Remarks for whoever reads the log; no part of a result."""
        for line in str(text).splitlines():
            self._line('# ' + line)

    def ok(self, condition, name, detail=''):
        """One test. detail, which may have several lines, is shown where it failed."""
        passed = bool(condition)
        self._result(passed, name)
        if not passed:
            self.failed += 1
            self.note(detail)
        return passed

    def same(self, got, expected, name):
        """Passes where both are equal; texts are shown as a difference."""
        if got == expected:
            return self.ok(True, name)
        if isinstance(got, str) and isinstance(expected, str):
            detail = '\n'.join(difflib.unified_diff(expected.splitlines(), got.splitlines(),
                                                    'expected', 'got', lineterm=''))
            # Same lines: the difference is in the line ends.
            detail = detail or f'expected {expected!r}\ngot      {got!r}'
        else:
            detail = f'expected {expected!r}\ngot      {got!r}'
        return self.ok(False, name, detail)

    def skip(self, name, reason):
        """A test that cannot run here; counted apart."""
        self._result(True, name, f" # SKIP {' '.join(str(reason).split())}")

    def run(self, name, function, *arguments):
        """Runs a function that calls ok() itself; an exception in it is a failed test."""
        try:
            return function(*arguments)
        except Exception:  # pylint: disable=broad-except
            self.ok(False, f'{name} ends without an exception', traceback.format_exc())
            return None

    def finish(self):
        """Prints the plan; returns the exit status. A script without a test has failed."""
        self._line(f'1..{self.count}')
        return 1 if self.failed or self.count == 0 else 0


def shared_cases(*parts):
    """A path below the shared cases ($WORTH_CASES, else ../shared/cases beside the repository),
    or None where it is absent."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    cases = os.environ.get('WORTH_CASES') or os.path.join(root, '..', 'shared', 'cases')
    path = os.path.join(cases, *parts)
    return path if os.path.exists(path) else None
