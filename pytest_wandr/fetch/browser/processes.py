"""Which processes does a browser have, and how large are they? Nothing is known where /proc is not."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")


class Process(NamedTuple):
    """One process. Its start tells it from a later one with the same number."""

    number: int
    parent: int
    started: int
    resident: int


def family(mark: str) -> list[Process]:
    """The process whose command line holds the mark, and all below it."""
    everyone = _everyone()
    found = [process for process in everyone if mark in _command_line(process.number)]
    numbers = {process.number for process in found}
    grown = True
    while grown:
        below = [one for one in everyone if one.parent in numbers and one.number not in numbers]
        numbers |= {process.number for process in below}
        found += below
        grown = bool(below)
    return found


def spawner(processes: list[Process]) -> list[Process]:
    """The process that spawned the first of these, when it is a child of this one."""
    parents = {process.parent for process in processes[:1]}
    found = [_process(number) for number in parents]
    return [process for process in found if process is not None and process.parent == os.getpid()]


def kill(processes: list[Process]) -> None:
    """End these processes at once, whichever of them still run."""
    for process in processes:
        now = _process(process.number)
        if now is not None and now.started == process.started:
            with suppress(ProcessLookupError):
                os.kill(process.number, signal.SIGKILL)


def _everyone() -> list[Process]:
    try:
        numbers = sorted(int(path.name) for path in _PROC.iterdir() if path.name.isdigit())
    except FileNotFoundError:
        return []
    return [process for process in map(_process, numbers) if process is not None]


def _process(number: int) -> Process | None:
    """None when it is gone, or gone but for its exit status."""
    try:
        text = (_PROC / str(number) / "stat").read_text(errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the name before may hold anything
    state, parent, started, pages = fields[0], int(fields[1]), int(fields[19]), int(fields[21])
    if state in "ZX":
        return None
    return Process(number, parent, started, pages * os.sysconf("SC_PAGE_SIZE"))


def _command_line(number: int) -> str:
    try:
        return (_PROC / str(number) / "cmdline").read_text(errors="replace")
    except OSError:
        return ""
