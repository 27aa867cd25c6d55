"""How may one word of a text be read, in the same letters as a normal form?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.identity.fold import NATIVE, fold, latin, romanised
from pytest_wandr.identity.tables.words import (
    ABBREVIATIONS,
    COUNTRIES,
    PLACE_ABBREVIATIONS,
    PRODUCT_ABBREVIATIONS,
)
from pytest_wandr.identity.tokens import number_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_APOSTROPHES = re.compile("['’ʼ,]")
_THAI_SIGN = re.compile("[\u0e31-\u0e3a\u0e47-\u0e4e\u3099\u309a]")
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "đ": "dj"})
_REMEMBERED = 40
"""Letters up to which the readings of a word are kept for other pages: they share most of their words."""
_SIGNS = {"&": "and", "+": "plus", "#": "sharp", "@": "at", "%": "percent"}

_TABLES = (ABBREVIATIONS, PLACE_ABBREVIATIONS, PRODUCT_ABBREVIATIONS)
MOST_READINGS = 18
"""As written, without a possessive s, with digraphs; each of them also by four tables and as a number."""
PLAIN_READINGS = 3
"""The same for a word that no table and no number is behind."""
TABLE_READINGS: tuple[str, ...] = tuple(
    sorted({*(word for table in _TABLES for word in table.values()), *map("".join, COUNTRIES.values())})
)
"""What a word may be read as though it is written otherwise; it begins with the same letter even then."""


def readings_of(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The words in plain letters; without a possessive s; digraphs; abbreviations and numbers spelled out."""
    return {word: _remembered(word) if len(word) <= _REMEMBERED else _readings(word) for word in words}


@lru_cache(maxsize=65_536)
def _remembered(word: str) -> tuple[str, ...]:
    return _readings(word)


def _readings(word: str) -> tuple[str, ...]:
    if word.isascii() and word.isalpha():
        return _spelled_out([word.lower()])
    if word in _SIGNS:
        return (_SIGNS[word],)
    folded = fold(word.replace(".", "") if _DOTTED.fullmatch(word) else word)
    texts = [folded]
    if folded.endswith(("'s", "’s", "ʼs")):
        texts.append(folded[:-2])
    if not word.isascii():
        texts.append(fold(word.lower().translate(_DIGRAPHS)))
    return _spelled_out([_plain(text) for text in texts])


def _spelled_out(found: list[str]) -> tuple[str, ...]:
    """The readings and what tables and numbers make of them, each once."""
    for text in list(found):
        found += [table[text] for table in _TABLES if text in table]
        if text in COUNTRIES:
            found.append("".join(COUNTRIES[text]))
        if text and (number := number_of(text)):
            found.append(number)
    return tuple(dict.fromkeys(text for text in found if text))


def _plain(text: str) -> str:
    text = _APOSTROPHES.sub("", text)
    if text.isascii():
        return text
    text = romanised(text) if NATIVE.search(text) else latin(text)
    return "".join(char for char in text if char.isalnum() or char == "." or _THAI_SIGN.match(char))
