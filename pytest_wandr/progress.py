"""How far is a run? Steps of single tasks, their sums over processes, and the line that says it.

Pure: the time comes in, a line of text goes out. It is for the eyes alone, and never reaches a result.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias, get_args

Stage: TypeAlias = Literal["solve", "fetch", "judge"]
Mode: TypeAlias = Literal["live", "plain"]

_UNITS: Mapping[Stage, str] = {"fetch": "pages", "judge": "judged"}
_FAILED: Mapping[Stage, str] = {"fetch": "failed", "judge": "undecided"}
_STAGES: tuple[Stage, ...] = get_args(Stage)
_SOONEST = 3.0


@dataclass(frozen=True)
class Step:
    """How far one stage of one task is: `done` of `total` pages or records, `failures` among them.

    A failure is a page that could not be had, or an answer that leaves something undecided. `hosts`: how many
    are being asked just now. `spent`: what the stage has cost so far, in dollars.
    """

    stage: Stage
    done: int = 0
    total: int = 0
    failures: int = 0
    hosts: int = 0
    spent: float = 0.0


Watch: TypeAlias = Callable[[Step], None]
"""Told of every step. It must be cheap, and it never raises."""


def unwatched(_step: Step) -> None:
    """Nobody looks."""


@dataclass(frozen=True)
class Sum:
    """The steps of one stage over `tasks` tasks."""

    tasks: int = 0
    done: int = 0
    total: int = 0
    failures: int = 0
    hosts: int = 0
    spent: float = 0.0

    def __add__(self, other: Sum) -> Sum:
        return Sum(
            tasks=self.tasks + other.tasks,
            done=self.done + other.done,
            total=self.total + other.total,
            failures=self.failures + other.failures,
            hosts=self.hosts + other.hosts,
            spent=self.spent + other.spent,
        )

    def ended(self) -> Sum:
        """The same, once nothing more will come: what is not done is no longer expected."""
        return Sum(self.tasks, self.done, self.done, self.failures, 0, self.spent)


Tally: TypeAlias = Mapping[Stage, Sum]


def added(tallies: Iterable[Tally]) -> Tally:
    """The sum of several tallies, stage by stage."""
    sums: dict[Stage, Sum] = {}
    for tally in tallies:
        for stage, each in tally.items():
            sums[stage] = sums.get(stage, Sum()) + each
    return sums


def ended(tally: Tally) -> Tally:
    """What is left of the tally of a task, or of a process, that has ended, however it did."""
    return {stage: each.ended() for stage, each in tally.items() if stage != "solve"}


class Board:
    """What one process knows: the sums of the tasks that ended, and the latest steps of the one that runs.

    One thread may note steps while another reads `tally`: every change replaces the whole.
    """

    def __init__(self) -> None:
        self._known: tuple[Tally, Tally] = ({}, {})

    def begin(self) -> Watch:
        """The next task begins; here its steps are to be noted."""
        self.end()
        return self._note

    def end(self) -> None:
        """The task has ended, however it did."""
        past, latest = self._known
        self._known = (added([past, ended(latest)]), {})

    def _note(self, step: Step) -> None:
        past, latest = self._known
        before = ended({stage: each for stage, each in latest.items() if stage != step.stage})
        total = max(step.done, step.total)
        now = Sum(1, step.done, total, step.failures, step.hosts, step.spent)
        self._known = (past, {**before, step.stage: now})

    def tally(self) -> Tally:
        """Everything so far."""
        return added(self._known)


def written(tally: Tally) -> bytes:
    """A tally as one line of JSON, for another process."""
    return json.dumps({stage: asdict(each) for stage, each in tally.items()}).encode() + b"\n"


def read(line: bytes) -> Tally | None:
    """What `written` wrote; None for anything else, such as half of it."""
    try:
        stages = json.loads(line)
        return {stage: _sum(stages[stage]) for stage in _STAGES if stage in stages}
    except (ValueError, TypeError, KeyError, OverflowError):
        return None


def _sum(row: Mapping[str, float]) -> Sum:
    counts = {name: int(row[name]) for name in ("tasks", "done", "total", "failures", "hosts")}
    each = Sum(**counts, spent=float(row["spent"]))
    if not math.isfinite(each.spent) or min(counts.values()) < 0:
        raise ValueError("no count")
    return each


@dataclass(frozen=True)
class Moment:
    """A run as it is seen just now: `done` of `tasks` tasks after `seconds`, and the sums of their stages."""

    tasks: int
    done: int
    seconds: float
    tally: Tally


def line_of(moment: Moment) -> str:
    """`3 of 8 tasks, 120 of 340 pages, 12 hosts, 4 failed, about 2 min left`."""
    parts = [f"{moment.done} of {moment.tasks} tasks"]
    if solving := moment.tally.get("solve"):
        parts.append(f"{solving.tasks} solving")
    for stage, unit in _UNITS.items():
        if stage in moment.tally:
            parts += _parts(moment.tally[stage], unit, _FAILED[stage])
    left = seconds_left(moment)
    return ", ".join(parts if left is None else [*parts, f"about {duration(left)} left"])


def _parts(stage: Sum, unit: str, failed: str) -> list[str]:
    parts = [f"{stage.done} of {stage.total} {unit}"]
    if stage.hosts:
        parts.append(f"{stage.hosts} host{'s' if stage.hosts > 1 else ''}")
    if stage.failures:
        parts.append(f"{stage.failures} {failed}")
    if stage.spent:
        parts.append(f"${stage.spent:.2f} spent")
    return parts


def seconds_left(moment: Moment) -> float | None:
    """An estimate: what is left takes as long as what is done took. None while nothing can be said.

    A task that has not come to a stage yet is expected to be like those that have.
    """
    stages = [each for stage, each in moment.tally.items() if stage in _UNITS and each.tasks]
    done = sum(each.done for each in stages)
    expected = sum(each.total + each.total / each.tasks * _unseen(moment, each) for each in stages)
    if not done or moment.seconds < _SOONEST or expected <= done:
        return None
    return moment.seconds * (expected - done) / done


def _unseen(moment: Moment, stage: Sum) -> int:
    return max(0, moment.tasks - max(moment.done, stage.tasks))


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `2 h 10 min`."""
    if seconds < 99.5:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min"


class Pace:
    """When is a plain line due? Every `every` seconds; when nothing changed, after `longest`."""

    def __init__(self, start: float, *, every: float = 10.0, longest: float = 60.0) -> None:
        self._last = start
        self._every = every
        self._longest = longest
        self._shown: tuple[object, ...] = ()

    def due(self, now: float, moment: Moment) -> bool:
        """True when the moment is to be shown; it then counts as shown."""
        content = (moment.done, moment.tally)
        waited = now - self._last
        if waited < self._every or (content == self._shown and waited < self._longest):
            return False
        self._last, self._shown = now, content
        return True


def mode_for(asked: str, *, terminal: bool, plain: bool) -> Mode:
    """How progress is shown. `terminal`: a cursor can be moved. `plain`: better unless asked for live."""
    if asked == "plain" or not terminal:
        return "plain"
    return "plain" if asked == "auto" and plain else "live"
