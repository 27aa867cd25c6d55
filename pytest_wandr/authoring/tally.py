"""How often was a judge right? Counts for each part and each kind of case, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr.authoring.cases import ASKED, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_wandr.authoring.cases import Case
    from pytest_wandr.model import RecordVerdict

_Z = 1.959963984540054
"""The quantile of a normal distribution that leaves 2.5 % above it."""


@dataclass(frozen=True)
class Tally:
    """Of `total` cases `right` were judged as known, `undecided` not at all."""

    name: str
    right: int
    undecided: int
    total: int

    @property
    def accuracy(self) -> float:
        """The share that was judged right; what stays undecided is not."""
        return self.right / self.total

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the accuracy."""
        return wilson(self.right, self.total)


@dataclass(frozen=True)
class Miss:
    """A case that was not judged as known: the first part that differs, and what the judge says of it."""

    case: Case
    part: str
    expected: bool
    reason: str


def wilson(right: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score, which holds for small numbers and for 0 and 1."""
    share, square = right / total, _Z * _Z
    middle = share + square / (2 * total)
    spread = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    below = 1 + square / total
    low = (middle - spread) / below if right else 0.0
    return low, (middle + spread) / below if right < total else 1.0


def by_part(cases: Sequence[Case], verdicts: Sequence[RecordVerdict]) -> list[Tally]:
    """A tally for each part and reading that some case knows."""
    return [found for name in ASKED if (found := _tally(name, _known(name, cases, verdicts)))]


def by_kind(cases: Sequence[Case], verdicts: Sequence[RecordVerdict]) -> list[Tally]:
    """A tally for each kind of case, in their order: is the record proven or not?"""
    pairs = list(zip(cases, verdicts, strict=True))
    tallies = (
        _tally(kind, _known("full", *zip(*[pair for pair in pairs if pair[0].kind == kind], strict=True)))
        for kind in dict.fromkeys(case.kind for case in cases)
    )
    return [tally for tally in tallies if tally]


def misses(cases: Sequence[Case], verdicts: Sequence[RecordVerdict]) -> list[Miss]:
    """Every case with a part that is not as known."""
    found = (_miss(case, verdict) for case, verdict in zip(cases, verdicts, strict=True))
    return [miss for miss in found if miss]


def _known(
    name: str, cases: Sequence[Case], verdicts: Sequence[RecordVerdict]
) -> list[tuple[bool, bool | None]]:
    """What is known and what was said."""
    return [
        (case.expected[name], value_of(verdict, name))
        for case, verdict in zip(cases, verdicts, strict=True)
        if name in case.expected
    ]


def _tally(name: str, pairs: Iterable[tuple[bool, bool | None]]) -> Tally | None:
    seen = list(pairs)
    if not seen:
        return None
    right = sum(known is said for known, said in seen)
    return Tally(name, right, sum(said is None for _, said in seen), len(seen))


def _miss(case: Case, verdict: RecordVerdict) -> Miss | None:
    for name in ASKED:
        known = case.expected.get(name)
        if known is not None and value_of(verdict, name) is not known:
            return Miss(case, name, known, _reason(verdict, name))
    return None


def _reason(verdict: RecordVerdict, name: str) -> str:
    """Why a part is what it is; for a reading the first part that is not true."""
    parts = dict(verdict.parts())
    part = parts.get(name) or next((each for each in parts.values() if each.value is not True), None)
    return part.reason if part and part.reason else "held to be true"
