"""Where on a long page does the evidence stand? The pieces that excerpts come from or that name things."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.mentions import names_in
from pytest_wandr.evidence import pieces
from pytest_wandr.evidence.skeleton import NUMBERS, Skeleton
from pytest_wandr.evidence.unmark import unmark
from pytest_wandr.identity import mentioned
from pytest_wandr.model import AllOf, AnyOf, DateIn, Matches, Mentions, NumberIn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_wandr.judges import Question
    from pytest_wandr.model import Check, KeySpec

_SEARCHED = 500_000
"""Characters of a page in which names and values are looked for; excerpts are looked for in all of it."""
_WINDOW = 16
"""Pieces that are searched at once: a check has its price for each text, however short."""
_PLACES = 3
_LEAST = 4
"""Bytes of a skeleton: less of an excerpt or a value stands everywhere."""


class _Name(NamedTuple):
    key: KeySpec
    name: str
    words: tuple[bytes, ...]


class Landmarks:
    """The pieces of one page, and one record whose evidence is looked for in them."""

    def __init__(self, texts: Sequence[str], question: Question) -> None:
        self._texts = texts
        self._question = question

    def quoted(self) -> list[int]:
        """The pieces that an excerpt, or a part of one, comes from: excerpt by excerpt."""
        whole = b"".join(self._bare)
        starts = list(accumulate(map(len, self._bare), initial=0))
        found: dict[int, None] = {}
        for excerpt in self._question.record.excerpts:
            for needle in _needles(excerpt, whole):
                for at in _places(needle, whole):
                    first, last = bisect_right(starts, at) - 1, bisect_right(starts, at + len(needle) - 1) - 1
                    found |= dict.fromkeys(range(first, last + 1))
        return list(found)

    def named(self) -> list[int]:
        """The pieces that name the item or a value, or on which a check holds: those with most first."""
        searched = sum(end <= _SEARCHED for end in accumulate(map(len, self._texts)))
        counts = Counter(at for check in self._checks for at in self._holding(check, searched))
        for at in range(searched):
            counts[at] += self._names(at) + self._values(at)
        return sorted((at for at in counts if counts[at]), key=lambda at: (-counts[at], at))

    @cached_property
    def _bare(self) -> list[bytes]:
        return [_bare(text) for text in self._texts]

    def _names(self, at: int) -> int:
        return sum(
            any(word in self._bare[at] for word in words)
            and mentioned(key.kind, name, self._texts[at], key) is True
            for key, name, words in self._item
        )

    def _values(self, at: int) -> int:
        return sum(value in self._bare[at] for value in self._answer)

    def _holding(self, check: Check, searched: int) -> Iterator[int]:
        """The pieces on which a check holds, of those that lie where it holds at all."""
        for first in range(0, searched, _WINDOW):
            window = range(first, min(first + _WINDOW, searched))
            if self._holds(check, "".join(self._texts[at] for at in window)):
                yield from (at for at in window if self._holds(check, self._texts[at]))

    def _holds(self, check: Check, text: str) -> bool:
        asked = self._question
        subject = Subject(asked.record, asked.node, text, asked.final_url, asked.lang, asked.page_lang)
        return run_check(check, subject).value is True

    @cached_property
    def _item(self) -> list[_Name]:
        """The names of the item. A piece with no word of a name in it does not name it."""
        found = []
        for key in self._question.node.entity_keys:
            for name in names_in(self._question.record.item.get(key.item_fields[0])):
                spellings = (name, *key.aliases.get(name, ()))
                words = (_bare(word) for spelling in spellings for word in spelling.split())
                found.append(_Name(key, name, tuple(word for word in words if len(word) > 1)))
        return found

    @cached_property
    def _answer(self) -> list[bytes]:
        values = (_bare(name) for value in self._question.record.answer.values() for name in names_in(value))
        return [value for value in values if len(value) >= _LEAST]

    @cached_property
    def _checks(self) -> list[Check]:
        asked = [spec for spec in self._question.node.requirements if spec.id in self._question.open]
        return [check for spec in asked if spec.check for check in _searching(spec.check)]


def _searching(check: Check) -> Iterator[Check]:
    """The checks within a check that look for something in a text."""
    match check:
        case AllOf():
            for part in check.all:
                yield from _searching(part)
        case AnyOf():
            for part in check.any:
                yield from _searching(part)
        case Mentions() | DateIn() | NumberIn() | Matches():
            yield check
        case _:  # where the page is and in which language, or what it does not say: nowhere in particular
            return


def _bare(text: str) -> bytes:
    """Words and numbers alone, so that pieces can be joined."""
    return Skeleton(text).squashed.replace(NUMBERS, b"")


def _needles(excerpt: str, whole: bytes) -> Iterator[bytes]:
    """An excerpt that stands on the page as it is; else its parts between ellipses and its lines."""
    for text in (excerpt, unmark(excerpt)):
        needle = _bare(text)
        if len(needle) >= _LEAST and needle in whole:
            yield needle
            return
    for part in pieces.elided(unmark(excerpt)):
        for line in pieces.lines(part):
            needle = _bare(line)
            if len(needle) >= _LEAST:
                yield needle


def _places(needle: bytes, whole: bytes) -> Iterator[int]:
    at = whole.find(needle)
    for _ in range(_PLACES):
        if at < 0:
            return
        yield at
        at = whole.find(needle, at + 1)
