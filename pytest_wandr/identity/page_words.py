"""Which words does a text have, in the same letters as a normal form, and where?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pytest_wandr.identity.fold import NATIVE, clean, fold, latin, romanised
from pytest_wandr.identity.tables.words import ABBREVIATIONS
from pytest_wandr.identity.tokens import number_of

_WORD = re.compile(
    r"(\d{1,3}(?:,\d{3})+(?!\d)|[^\W_]*\d(?:\.\d+)+[^\W_]*|[^\W_]+(?:['’ʼ][^\W_]+)*|[&+#@])([^\w&+#@]*_*[^\w&+#@]*)"
)
_APOSTROPHES = re.compile("['’ʼ]")
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"})
_SIGNS = {"&": "and", "+": "plus", "#": "sharp", "@": "at"}


class Words(NamedTuple):
    """A text as words: as written, how each may be read, what follows it, and where each reading stands."""

    written: list[str]
    readings: list[tuple[str, ...]]
    gaps: list[str]
    places: dict[str, list[int]]
    cased: bool
    native: str


@lru_cache(maxsize=8)
def words_of(text: str) -> Words:
    """The words of a text; kept for the last few texts, since many names are asked of one page."""
    plain = clean(text)
    known: dict[str, tuple[str, ...]] = {}
    written: list[str] = []
    readings: list[tuple[str, ...]] = []
    gaps: list[str] = []
    places: dict[str, list[int]] = {}
    for word, gap in _WORD.findall(plain):
        found = known.get(word)
        if found is None:
            found = known[word] = _readings(word)
        if not found:
            continue
        for reading in found:
            places.setdefault(reading, []).append(len(written))
        written.append(word)
        readings.append(found)
        gaps.append(gap)
    native = "".join(fold(plain).split()) if NATIVE.search(plain) else ""
    cased = plain != plain.lower() and plain != plain.upper()
    return Words(written, readings, gaps, places, cased, native)


def _readings(word: str) -> tuple[str, ...]:
    """The word in plain letters; without a possessive s; digraphs; abbreviations and numbers spelled out."""
    if word in _SIGNS:
        return (_SIGNS[word],)
    folded = fold(word)
    texts = [folded]
    if folded.endswith(("'s", "’s", "ʼs")):
        texts.append(folded[:-2])
    if not word.isascii():
        texts.append(fold(word.lower().translate(_DIGRAPHS)))
    found = [
        _APOSTROPHES.sub("", latin(text) if not NATIVE.search(text) else romanised(text)) for text in texts
    ]
    found = ["".join(char for char in text if char.isalnum() or char == ".") for text in found]
    if found[0] in ABBREVIATIONS:
        found.append(ABBREVIATIONS[found[0]])
    if found[0] and (number := number_of(found[0])):
        found.append(number)
    return tuple(dict.fromkeys(text for text in found if text))
