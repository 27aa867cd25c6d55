"""Which parts of a long page does a model see? Those that can decide, then its beginning, in page order.

A page within the token budget is sent whole. Of a longer one, pieces are taken as long as they fit:
those that the excerpts come from; the title; those around them; those that name the item or on which a check
holds, the ones with most of that first; then the page from its beginning. What is picked depends on the page
and the one record alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr.judges.llm.landmarks import Landmarks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_wandr.judges import Question
    from pytest_wandr.judges.llm.sheets import Sheet

PASSAGES_VERSION = 2
"""Raised with every change after which a long page is cut otherwise."""
_PER_PASSAGE = 2
_CHEAPEST = 1 + _PER_PASSAGE


@dataclass(frozen=True)
class Passages:
    """What is sent of a page, in its order. Between two of `texts` something is missing: see `left_out`."""

    texts: tuple[str, ...]
    left_out: str = ""

    @property
    def whole(self) -> bool:
        """True when nothing was left out."""
        return not self.left_out


def passages_of(sheet: Sheet, question: Question, budget: int) -> Passages:
    """What is sent of a page to decide about one record, within about `budget` tokens."""
    if sheet.tokens <= budget:
        return Passages((sheet.text,) if sheet.text else ())
    picked = _pick(sheet, question, budget)
    texts = tuple("".join(sheet.pieces[first : last + 1]) for first, last in _runs(picked))
    missing = len(sheet.text) - sum(map(len, texts))
    return Passages(texts, f"{missing} of {len(sheet.text)} characters of the page's text are not shown")


def _pick(sheet: Sheet, question: Question, budget: int) -> list[int]:
    """The positions of the pieces that are sent, in order."""
    count = len(sheet.pieces)
    picked: set[int] = set()
    left = budget
    for at in _wanted(Landmarks(sheet, question), count):
        if left < _CHEAPEST:
            break
        cost = sheet.cost(at) + _PER_PASSAGE
        if at not in picked and cost <= left:
            picked.add(at)
            left -= cost
    for at in range(count):  # the rest from the beginning, until it is full
        cost = sheet.cost(at) + _PER_PASSAGE
        if at not in picked and cost > left:
            break
        left -= 0 if at in picked else cost
        picked.add(at)
    return sorted(picked)


def _wanted(landmarks: Landmarks, count: int) -> Iterator[int]:
    """Positions, what matters most first."""
    quoted = landmarks.quoted()
    yield from quoted
    yield 0
    yield from _around(quoted, count)
    yield from landmarks.named()


def _around(positions: Iterable[int], count: int) -> list[int]:
    beside = (at + step for at in positions for step in (-1, 1))
    return [at for at in dict.fromkeys(beside) if 0 <= at < count]


def _runs(positions: Sequence[int]) -> list[tuple[int, int]]:
    """(first, last) of the runs of neighbours."""
    runs: list[tuple[int, int]] = []
    for at in positions:
        if runs and runs[-1][1] == at - 1:
            runs[-1] = (runs[-1][0], at)
        else:
            runs.append((at, at))
    return runs
