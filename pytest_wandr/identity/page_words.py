"""Which words does a text have, in the same letters as a normal form, and where?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.identity.fold import NATIVE_RUN, clean, fold, has_native, romanised
from pytest_wandr.identity.tokens import tokenize
from pytest_wandr.identity.word_readings import readings_of

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_WORD = re.compile(
    r"([A-Za-z]{2,}+(?!['’ʼ]|[^\W_])"  # most words; the rest decides otherwise for none of them
    r"|(?:[^\W\d_]\.)+[^\W\d_](?![^\W_])"  # U.S
    r"|\d{1,3}(?:,\d{3})+(?!\d)"
    r"|[^\W_]*\d(?:\.\d+)+[^\W_]*"
    r"|[^\W_]+(?:['’ʼ][^\W_]+)*"
    r"|[&+#@%])"
)
_LOWER = re.compile("[a-z]")
_UPPER = re.compile("[A-Z]")
LONGEST = 400
"""Letters of a name up to which it may begin with a word of a text."""
MOST_STEPS = 2_000_000
"""Words looked at for one name; only a text that repeats one word for ever comes near."""
_POSSESSIVE = frozenset(f"{sign}{letter}" for sign in "'’ʼ" for letter in "sS")


class Words(NamedTuple):
    """A text as words: as written, how each may be read, what follows it, and where each reading stands.

    `said` are all readings of the text. When only stretches of a text were read, names are looked for where
    `places` says, and none that ends behind `until`: what stands around them is known then.
    """

    written: list[str]
    readings: list[tuple[str, ...]]
    gaps: list[str]
    places: dict[str, list[int]]
    said: AbstractSet[str]
    cased: bool
    native: str
    until: int

    def word(self, at: int) -> str:
        """The plain reading of a word; empty outside the text."""
        return self.readings[at][0] if 0 <= at < len(self.readings) else ""

    def text(self, start: int, end: int) -> str:
        """A stretch as written, with what stands between its words."""
        pieces = [self.written[at] + self.gaps[at] for at in range(start, end - 1)]
        return "".join([*pieces, self.written[end - 1]])

    def is_possessive(self, at: int, joined: str) -> bool:
        """Whether the word ends in 's and a match of `joined` left that out."""
        return self.written[at][-2:] in _POSSESSIVE and self.readings[at][0] not in joined

    def gap_before(self, at: int) -> str:
        """What stands between a word and the one before it; a line break at the beginning."""
        return self.gaps[at - 1] if at > 0 else "\n"

    def is_capital(self, at: int) -> bool:
        """Whether the word starts with a capital; in a text without any, every word counts as one."""
        return not self.cased or self.written[at][0].isupper()


def read_words(cleaned: str) -> Words:
    """The words of a whole clean text."""
    written, readings, gaps = split_words(apart(cleaned))
    places = places_of(readings, 0, len(readings))
    return Words(
        written=written,
        readings=readings,
        gaps=gaps,
        places=places,
        said=places.keys(),
        cased=is_cased(cleaned),
        native=native_of(cleaned),
        until=len(readings),
    )


def apart(cleaned: str) -> str:
    """A clean text with blanks around what is written in a native script."""
    return NATIVE_RUN.sub(r" \1 ", cleaned) if has_native(cleaned) else cleaned


def native_of(cleaned: str) -> str:
    """All tokens of a clean text in which a native script occurs, its letters kept; else nothing."""
    return " ".join(tokenize(romanised(fold(cleaned)), initials=False)) if has_native(cleaned) else ""


def is_cased(cleaned: str) -> bool:
    """Whether a text has both capitals and small letters."""
    if _LOWER.search(cleaned) and _UPPER.search(cleaned):
        return True
    return cleaned != cleaned.lower() and cleaned != cleaned.upper()


def split_words(cleaned: str) -> tuple[list[str], list[tuple[str, ...]], list[str]]:
    """The words of a clean text as written, their readings, and what follows each. All have a reading."""
    pieces = _WORD.split(cleaned)
    written, gaps = pieces[1::2], pieces[2::2]
    known = readings_of(set(written))
    readings = [known[word] for word in written]
    if all(known.values()):
        return written, readings, gaps
    kept = [at for at, found in enumerate(readings) if found]
    return [written[at] for at in kept], [readings[at] for at in kept], [gaps[at] for at in kept]


@lru_cache(maxsize=64)
def words_in(name: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """The words of a name, as written and as read. Remembered briefly: they are asked for twice."""
    return split_words(apart(clean(name)))[:2]


def places_of(readings: list[tuple[str, ...]], start: int, end: int) -> dict[str, list[int]]:
    """Where each reading stands, from one word to before another."""
    places: dict[str, list[int]] = {}
    for at in range(start, end):
        for reading in readings[at]:
            if reading in places:
                places[reading].append(at)
            else:
                places[reading] = [at]
    return places


def spans(joined: str, digits: tuple[str, ...], words: Words) -> list[tuple[int, int]]:
    """Where the words of a text, joined, are the name: first word and one past the last."""
    found: list[tuple[int, int]] = []
    steps = 0
    for size in range(1, min(len(joined), LONGEST) + 1):
        for start in words.places.get(joined[:size], ()):
            end, reach = _match(joined, size, words, start)
            steps += reach
            if steps > MOST_STEPS:
                return sorted(found)
            if 0 < end <= words.until and (not digits or _digits(joined, words, start, end) == digits):
                found.append((start, end))
    return sorted(found)


def _match(joined: str, size: int, words: Words, start: int) -> tuple[int, int]:
    """One past the last word of a match that began with `size` letters, or 0; and the words looked at."""
    at = start + 1
    while size < len(joined):
        if at >= len(words.readings) or "\n\n" in words.gaps[at - 1]:
            return 0, at - start
        step = 0
        for reading in words.readings[at]:
            if len(reading) > step and joined.startswith(reading, size):
                step = len(reading)
        if not step:
            return 0, at - start
        size += step
        at += 1
    return at, at - start


def _digits(joined: str, words: Words, start: int, end: int) -> tuple[str, ...]:
    """The runs of digits of a match, kept apart where words end."""
    runs: list[str] = []
    at = 0
    for number in range(start, end):
        step = max((r for r in words.readings[number] if joined.startswith(r, at)), key=len, default="")
        runs += re.findall(r"\d+", step)
        at += len(step)
    return tuple(runs)
