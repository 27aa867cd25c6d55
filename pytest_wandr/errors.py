"""What can go wrong, as one small tree. Every message says what, where and what to do.

    WandrError
    ├── TaskSpecError      a task package cannot be used: file, line, key, hint; all problems at once
    ├── SubmissionError    what a system delivered cannot be taken in at all (a folder that is not there, ...)
    ├── SystemFailed       the system under test raised, ran out of time or exited badly
    ├── CannotReplay       something needed offline was never recorded
    ├── CassetteError      a recording is damaged, or must not be written
    ├── CannotWrite        a file cannot be written: the disk is full, say
    ├── InUse              another run writes there at this moment
    ├── BrowserError       a browser was asked for, and there is none that can be used
    ├── JudgeError         the judge cannot be used as configured
    └── BudgetExceeded     a cap on money or calls was reached

A low score is none of these: it is data. A WandrError makes a task `unscored`, never 0.
"""

from __future__ import annotations

from typing import NamedTuple


class WandrError(Exception):
    """Root of every error that this package raises on purpose."""


class Problem(NamedTuple):
    """One mistake in a task package: where it is and how to mend it."""

    file: str
    line: int
    key: str
    message: str
    hint: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        hint = f"\n    hint: {self.hint}" if self.hint else ""
        return f"{where}: {self.key}: {self.message}{hint}"


class TaskSpecError(WandrError):
    """A task package that cannot be used. `problems` lists every mistake that was found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        count = f"{len(problems)} problem" + ("s" if len(problems) != 1 else "")
        super().__init__("\n".join([f"{count} in the task package", *map(str, problems)]))


class SubmissionError(WandrError):
    """What a system delivered cannot be taken in at all."""


class SystemFailed(WandrError):
    """The system under test raised, ran out of time or exited badly."""


class CannotReplay(WandrError):
    """Something needed offline was never recorded; the message names it and the command that records it."""


class CassetteError(WandrError):
    """A recording is damaged, or must not be written (it would hold a secret, say)."""


class CannotWrite(WandrError):
    """A file cannot be written: the disk is full, or not ours. Nothing half-written is left in its place."""


class InUse(WandrError):
    """Another process writes into this folder at this moment."""


class BrowserError(WandrError):
    """A browser was asked for, and there is none that can be used."""


class JudgeError(WandrError):
    """The judge cannot be used as configured."""


class BudgetExceeded(WandrError):
    """A cap on money or calls was reached."""
