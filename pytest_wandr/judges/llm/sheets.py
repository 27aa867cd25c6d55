"""What of a page is the same for all records that cite it? Its cleaned text in pieces, and their facts.

All of it is worked out once, when it is first wanted, and kept for the last few pages. It depends on the page
alone, so no record is asked about in another way because of those before it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from pytest_wandr.checks.dates import dates_in, years_in
from pytest_wandr.checks.numbers import numbers_in
from pytest_wandr.checks.when import When
from pytest_wandr.evidence.skeleton import NUMBERS, Skeleton
from pytest_wandr.judges.llm.cleaning import cleaned, estimated_tokens, hints_about
from pytest_wandr.judges.llm.notations import ELSEWISE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from pydantic import JsonValue

SEARCHED = 500_000
"""Characters of a page in which names and values are looked for; excerpts are looked for in all of it."""
MOST = 400
"""In how many pieces one word is looked up: what stands in more tells nothing of any."""
_KEPT = 8
_SHORTEST, _LONGEST = 80, 400
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CUT = re.compile(
    rf".{{1,{_LONGEST - 1}}}(?:[.!?。！？](?=\s|$)|$)|.{{1,{_LONGEST - 1}}}(?=\s)|.{{1,{_LONGEST}}}",
    re.DOTALL,
)


class Sheet:
    """A page's text without what cannot be seen, in pieces that follow each other without gaps."""

    def __init__(self, page: str) -> None:
        self.text = cleaned(page)
        self.hints: list[JsonValue] = hints_about([page])
        self.tokens = estimated_tokens(self.text)
        self._costs: dict[int, int] = {}
        self._dates: dict[tuple[int, str | None], frozenset[When]] = {}
        self._numbers: dict[tuple[int, str | None], frozenset[Decimal]] = {}

    @cached_property
    def pieces(self) -> Sequence[str]:
        """Short lines together, long ones cut behind a sentence, else before a space, else anywhere."""
        return tuple(_pieces(self.text))

    def cost(self, at: int) -> int:
        """About how many tokens a piece is."""
        known = self._costs.get(at)
        if known is None:
            known = self._costs[at] = estimated_tokens(self.pieces[at])
        return known

    @cached_property
    def searched(self) -> int:
        """How many pieces lie in the part in which names and values are looked for."""
        return bisect_right(self._borders, SEARCHED) - 1

    @cached_property
    def bare(self) -> Sequence[bytes]:
        """The words and numbers of each piece."""
        return tuple(map(bare, self.pieces))

    @cached_property
    def whole(self) -> bytes:
        """The words and numbers of all pieces."""
        return b"".join(self.bare)

    @cached_property
    def _starts(self) -> Sequence[int]:
        return tuple(accumulate(map(len, self.bare), initial=0))

    def piece_at(self, offset: int) -> int:
        """The piece to which a byte of `whole` belongs."""
        return bisect_right(self._starts, offset) - 1

    def with_word(self, word: bytes) -> list[int]:
        """The pieces that a word stands in, the first ones if there are too many."""
        found: list[int] = []
        end = self._starts[self.searched]
        at = self.whole.find(word, 0, end)
        while at >= 0 and len(found) < MOST:
            piece = self.piece_at(at)
            inside = at + len(word) <= self._starts[piece + 1]
            found += [piece] * inside
            at = self.whole.find(word, self._starts[piece + 1] if inside else at + 1, end)
        return found

    def with_sign(self, sign: re.Pattern[str]) -> Iterator[int]:
        """The pieces in which a pattern is found, in order."""
        borders = self._borders
        found = sign.search(self.text, 0, borders[self.searched])
        while found:
            at = bisect_right(borders, found.start()) - 1
            if found.end() <= borders[at + 1]:
                yield at
            found = sign.search(self.text, borders[at + 1], borders[self.searched])

    @cached_property
    def elsewise(self) -> Sequence[int]:
        """The pieces that may write dates or numbers in other ways than most."""
        return tuple(at for at in range(self.searched) if ELSEWISE.search(self.pieces[at]))

    @cached_property
    def _borders(self) -> Sequence[int]:
        return tuple(accumulate(map(len, self.pieces), initial=0))

    def dates_at(self, at: int, locale: str | None) -> frozenset[When]:
        """The dates that a piece may state, each also less precisely; no date without a year."""
        known = self._dates.get((at, locale))
        if known is None:
            known = self._dates[at, locale] = _dates(self.pieces[at], locale)
        return known

    def numbers_at(self, at: int, locale: str | None) -> frozenset[Decimal]:
        """The numbers that a piece may state, whatever their unit."""
        known = self._numbers.get((at, locale))
        if known is None:
            found = numbers_in(self.pieces[at], locale)
            known = frozenset(reading.value for quantity in found for reading in quantity.readings)
            self._numbers[at, locale] = known
        return known


def _dates(text: str, locale: str | None) -> frozenset[When]:
    read = {reading for each in dates_in(text, locale) for reading in each.readings if reading.year}
    less = {shorter for full in read for shorter in (full._replace(day=None), When(full.year))}
    return frozenset(read | less | {When(year) for year in years_in(text)})


@lru_cache(maxsize=_KEPT)
def sheet_of(page: str) -> Sheet:
    """What is known of a page, from the text that was extracted."""
    return Sheet(page)


def bare(text: str) -> bytes:
    """Words and numbers alone, so that pieces can be joined."""
    return Skeleton(text).squashed.replace(NUMBERS, b"")


def _pieces(page: str) -> Iterator[str]:
    begun = ""
    for line in _LINE.findall(page):
        if begun and (len(begun) >= _SHORTEST or len(begun) + len(line) > _LONGEST):
            yield begun
            begun = ""
        if len(line) <= _LONGEST:
            begun += line
        else:
            yield from _CUT.findall(line)
    if begun:
        yield begun
