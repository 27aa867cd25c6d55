"""Which parts of a long page does a model see? Those that can decide, then its beginning, in page order.

A page within the token budget is sent whole. Of a longer one, pieces are taken as long as they fit:
those that the excerpts come from; the title; those around them; those that name the item or on which a check
holds, the ones with most of that first; then the page from its beginning. What is picked depends on the page
and the one record alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.judges.llm.cleaning import estimated_tokens
from pytest_wandr.judges.llm.landmarks import Landmarks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_wandr.judges import Question

PASSAGES_VERSION = 1
"""Raised with every change after which a long page is cut otherwise."""
_LONGEST = 400
_PER_PASSAGE = 2
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CUT = re.compile(
    rf".{{1,{_LONGEST - 1}}}(?:[.!?。！？](?=\s|$)|$)|.{{1,{_LONGEST - 1}}}(?=\s)|.{{1,{_LONGEST}}}",
    re.DOTALL,
)


class Piece(NamedTuple):
    """A piece of a page: characters `start` to `end`. Pieces follow each other without gaps."""

    start: int
    end: int


@dataclass(frozen=True)
class Passages:
    """What is sent of a page, in its order. Between two of `texts` something is missing: see `left_out`."""

    texts: tuple[str, ...]
    left_out: str = ""

    @property
    def whole(self) -> bool:
        """True when nothing was left out."""
        return not self.left_out


def passages_of(page: str, question: Question, budget: int) -> Passages:
    """What is sent of a page (cleaned text) to decide about one record, within about `budget` tokens."""
    if estimated_tokens(page) <= budget:
        return Passages((page,) if page else ())
    pieces = list(_pieces(page))
    picked = _pick([page[piece.start : piece.end] for piece in pieces], question, budget)
    texts = tuple(page[pieces[first].start : pieces[last].end] for first, last in _runs(picked))
    missing = len(page) - sum(map(len, texts))
    return Passages(texts, f"{missing} of {len(page)} characters of the page's text are not shown")


def _pieces(page: str) -> Iterator[Piece]:
    """Lines; long ones cut behind a sentence, else before a space, else anywhere."""
    for line in _LINE.finditer(page):
        if line.end() - line.start() <= _LONGEST:
            yield Piece(*line.span())
            continue
        for cut in _CUT.finditer(page, *line.span()):
            yield Piece(*cut.span())


def _pick(texts: Sequence[str], question: Question, budget: int) -> list[int]:
    """The positions of the pieces that are sent, in order."""
    landmarks = Landmarks(texts, question)
    picked: set[int] = set()
    left = budget
    for tier in _tiers(landmarks, len(texts)):
        for at in tier:
            cost = estimated_tokens(texts[at]) + _PER_PASSAGE
            if at not in picked and cost <= left:
                picked.add(at)
                left -= cost
    for at in range(len(texts)):  # the rest from the beginning, until it is full
        cost = estimated_tokens(texts[at]) + _PER_PASSAGE
        if at not in picked and cost > left:
            break
        left -= 0 if at in picked else cost
        picked.add(at)
    return sorted(picked)


def _tiers(landmarks: Landmarks, count: int) -> Iterator[Iterable[int]]:
    """Positions, what matters most first."""
    quoted = landmarks.quoted()
    yield quoted
    yield (0,)
    yield _around(quoted, count)
    yield landmarks.named()


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
