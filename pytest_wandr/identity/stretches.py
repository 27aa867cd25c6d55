"""Which stretches of a long text decide whether it names something? Reading all its words takes longest.

A mention is judged by the words next to it, so a stretch with enough of them on both sides says of a mention
what the whole text says. It begins and ends at blanks, where neither a word, an entity nor a letter with its
marks is cut in two.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.identity.fold import clean, has_entity
from pytest_wandr.identity.page_words import (
    LONGEST,
    MOST_STEPS,
    Words,
    apart,
    is_cased,
    native_of,
    places_of,
    split_words,
)
from pytest_wandr.identity.sought import steps_at_most
from pytest_wandr.identity.tables.legal import LEGAL_END

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_wandr.identity.page import Page
    from pytest_wandr.identity.sought import Sought

Stretch = tuple[int, int]
_BEFORE = 8
"""Words in front of a mention that some rule may look at, and some more."""
_BEHIND = 13
"""The same behind it: a bracket is read up to its twelfth word."""
_ROOM = 8
"""Words that may stand behind a place, for other names that stand there."""
_LETTERS = 8
_FURTHER = (1, 4, 16)
_UNBROKEN = 2_000
_MOST_GLIMPSES = 2
_MOST_SHARED = 4
_MOST_SPOTS = 24
_MOST_LOOKS = 256
_EVERY_TIME = 200
"""Characters that are read in the time in which nothing is found."""
_BLANK = re.compile(r"\s")
_UNSURE = "\ue000"
"""Read otherwise when there is a Cyrillic letter somewhere in the text."""


def is_bounded(page: Page, sought: Sought) -> bool:
    """Whether a reader of the whole text would surely look at every place."""
    if page.most_starts * sought.weight <= MOST_STEPS:
        return True
    return all(page.starts(joined[0]) * steps_at_most(joined) <= MOST_STEPS for joined in sought.joined)


def glimpses(page: Page, sought: Sought) -> Iterator[tuple[Words, int]]:
    """The words around the first places where the name stands as it is written, and where these end."""
    seen: set[Stretch] = set()
    for needle in sought.needles:
        end = 0
        for _ in range(_MOST_GLIMPSES):
            if (at := page.text.find(needle, end)) < 0:
                break
            end = at + len(needle)
            for stretch, words in _read_around(page, at, end):
                if stretch not in seen:
                    seen.add(stretch)
                    yield words, stretch[1]
                    end = max(end, stretch[1])


def _read_around(page: Page, start: int, end: int) -> Iterator[tuple[Stretch, Words]]:
    """A stretch around a place that was read for another name, then one of its own."""
    for known in page.stretches[-_MOST_SHARED:]:
        if known[0][0] <= start and end <= known[0][1]:
            yield known
    stretch = _cut(page.text, start - _BEFORE * _LETTERS, end + (_BEHIND + _ROOM) * _LETTERS)
    if stretch and (words := _read_stretch(page, stretch)):
        page.spend(stretch[1] - stretch[0])
        page.stretches.append((stretch, words))
        yield stretch, words


def _read_stretch(page: Page, stretch: Stretch) -> Words | None:
    """Names that have enough words of the stretch around them; None where it may read otherwise."""
    start, end = stretch
    piece = page.text[start:end]
    cleaned = clean(piece)
    if has_entity(cleaned) or _UNSURE in piece:
        return None
    written, readings, gaps = split_words(apart(cleaned))
    until = len(readings)
    if end < len(page.text):
        if _may_go_on(readings):
            return None
        until -= _BEHIND
    places = places_of(readings, _BEFORE if start else 0, len(readings))
    cased = is_cased(cleaned) or page.cased
    return Words(written, readings, gaps, places, places.keys(), cased, native_of(cleaned), until)


def _may_go_on(readings: list[tuple[str, ...]]) -> bool:
    """Whether legal forms behind a company may go on behind a stretch."""
    return not readings or readings[-1][0] in LEGAL_END


def all_stretches(page: Page, sought: Sought) -> Words | None:
    """All words of the text that may belong to a mention of the name, with those around them.

    None when they are so many that reading the whole text takes no longer.
    """
    if sought.longest > LONGEST or not page.chunks:
        return None
    page.spend(_EVERY_TIME)
    wanted = page.said.intersection(sought.acronyms)
    wanted = wanted.union(*(_openings(joined, page.said) for joined in sought.joined))
    spots = _spots(page, wanted)
    if spots is None:
        return None
    after = _BEHIND + 1 + sought.longest
    stretches = [_around(page.plain, start, end, after) for start, end in spots]
    known = [stretch for stretch in stretches if stretch]
    return _read_all(page, _merged(known), sought) if len(known) == len(stretches) else None


def _openings(joined: str, said: frozenset[str]) -> list[str]:
    """The readings that the letters may begin with so that all of them are readings of the text."""
    size = len(joined)
    ends: dict[int, list[int]] = {}
    ahead = [0]
    while ahead:
        at = ahead.pop()
        if at not in ends and at < size:
            ends[at] = [end for end in range(at + 1, size + 1) if joined[at:end] in said]
            ahead += ends[at]
    complete = {size}
    for at in sorted(ends, reverse=True):
        if not complete.isdisjoint(ends[at]):
            complete.add(at)
    return [joined[:end] for end in ends[0] if end in complete]


def _spots(page: Page, wanted: frozenset[str]) -> list[Stretch] | None:
    """Where words with these readings stand, each with what surrounds it up to the next blank."""
    words = (
        [word for word, found in page.vocabulary.items() if not wanted.isdisjoint(found)] if wanted else []
    )
    spots: list[Stretch] = []
    looks = 0
    for chunk in {chunk for word in words for chunk in page.chunks if word in chunk}:
        at = page.plain.find(chunk)
        while at >= 0:
            end = at + len(chunk)
            if _is_blank(page.plain, at - 1) and _is_blank(page.plain, end):
                spots.append((at, end))
            looks += 1
            if looks > _MOST_LOOKS or len(spots) > _MOST_SPOTS:
                return None
            at = page.plain.find(chunk, end)
    return sorted(spots)


def _is_blank(text: str, at: int) -> bool:
    return not 0 <= at < len(text) or text[at].isspace()


def _around(plain: str, start: int, end: int, after: int) -> Stretch | None:
    """A stretch with enough words on both sides of a spot; None when it would be very long."""
    for factor in _FURTHER:
        found = _cut(plain, start - factor * _BEFORE * _LETTERS, end + factor * after * _LETTERS)
        if found is None:
            return None
        first, last = found
        before_it = first == 0 or _count(plain[first:start]) >= _BEFORE
        if before_it and (last == len(plain) or _count(plain[end:last]) >= after):
            return found
    return None


def _count(text: str) -> int:
    return len(split_words(text)[0])


def _cut(text: str, start: int, end: int) -> Stretch | None:
    """About this stretch, from one blank to another; None when there is none nearby."""
    if start > 0:
        blank = _BLANK.search(text, start, start + _UNBROKEN)
        if not blank:
            return None
        start = blank.end()
    if end < len(text):
        blank = _BLANK.search(text, end, end + _UNBROKEN)
        if not blank and end + _UNBROKEN < len(text):
            return None
        end = blank.start() if blank else len(text)
    return max(start, 0), min(end, len(text))


def _merged(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same without overlaps, in the order of the text."""
    merged: list[Stretch] = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _read_all(page: Page, stretches: list[Stretch], sought: Sought) -> Words | None:
    """The words of all stretches in a row, with borders between them."""
    written: list[str] = []
    readings: list[tuple[str, ...]] = []
    gaps: list[str] = []
    for start, end in stretches:
        page.spend(2 * (end - start))
        some, read, between = split_words(page.plain[start:end])
        if end < len(page.plain):
            if _may_go_on(read):
                return None
            between[-1] = "\n\n"
        written += some
        readings += read
        gaps += between
    places = places_of(readings, 0, len(readings))
    native = page.native if sought.native else ""
    return Words(written, readings, gaps, places, page.said, page.cased, native, len(readings))
