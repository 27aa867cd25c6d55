"""Which words does a text have, in the same letters as a normal form, and where?"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from pytest_wandr.identity.fold import NATIVE, NATIVE_RUN, clean, fold, latin, romanised
from pytest_wandr.identity.tables.words import ABBREVIATIONS, COUNTRIES, PLACE_ABBREVIATIONS
from pytest_wandr.identity.tokens import number_of, tokenize

_WORD = re.compile(
    r"([A-Za-z]{2,}+(?!['’ʼ]|[^\W_])"  # most words; the rest decides otherwise for none of them
    r"|(?:[^\W\d_]\.)+[^\W\d_](?![^\W_])"  # U.S
    r"|\d{1,3}(?:,\d{3})+(?!\d)"
    r"|[^\W_]*\d(?:\.\d+)+[^\W_]*"
    r"|[^\W_]+(?:['’ʼ][^\W_]+)*"
    r"|[&+#@%])"
    r"([^\w&+#@%]*+(?:_++[^\w&+#@%]*+)*+)"
)
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_APOSTROPHES = re.compile("['’ʼ,]")
_THAI_SIGN = re.compile("[\u0e31-\u0e3a\u0e47-\u0e4e\u3099\u309a]")
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"})
_SHORT = 20_000
_REMEMBERED = 40
"""Letters up to which the readings of a word are kept for other pages: they share most of their words."""
_LONGEST = 400
_MOST_STEPS = 2_000_000  # only a text that repeats one word for ever comes near
_POSSESSIVE = frozenset(f"{sign}{letter}" for sign in "'’ʼ" for letter in "sS")
_SIGNS = {"&": "and", "+": "plus", "#": "sharp", "@": "at", "%": "percent"}


class Words(NamedTuple):
    """A text as words: as written, how each may be read, what follows it, and where each reading stands."""

    written: list[str]
    readings: list[tuple[str, ...]]
    gaps: list[str]
    places: dict[str, list[int]]
    cased: bool
    native: str

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


def words_of(text: str) -> Words:
    """The words of a text; kept for the last texts, since many names are asked of one page."""
    return _short(text) if len(text) < _SHORT else _long(text)


@lru_cache(maxsize=256)
def _short(text: str) -> Words:
    return _read(text)


@lru_cache(maxsize=4)
def _long(text: str) -> Words:
    return _read(text)


def _read(text: str) -> Words:
    plain = clean(text)
    native = ""
    if NATIVE.search(plain):
        native = " ".join(tokenize(romanised(fold(plain)), initials=False))
        plain = NATIVE_RUN.sub(r" \1 ", plain)
    pairs = _WORD.findall(plain)
    known = {
        word: _known_readings(word) if len(word) <= _REMEMBERED else _readings(word)
        for word in {word for word, _ in pairs}
    }
    read = [known[word] for word, _ in pairs]
    if not all(read):
        pairs = [pair for pair, readings in zip(pairs, read, strict=True) if readings]
        read = [readings for readings in read if readings]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, readings in enumerate(read):
        for reading in readings:
            places[reading].append(at)
    return Words(
        written=[word for word, _ in pairs],
        readings=read,
        gaps=[gap for _, gap in pairs],
        places=dict(places),
        cased=plain != plain.lower() and plain != plain.upper(),
        native=native,
    )


@lru_cache(maxsize=65_536)
def _known_readings(word: str) -> tuple[str, ...]:
    return _readings(word)


def _readings(word: str) -> tuple[str, ...]:
    """The word in plain letters; without a possessive s; digraphs; abbreviations and numbers spelled out."""
    if word in _SIGNS:
        return (_SIGNS[word],)
    folded = fold(word.replace(".", "") if _DOTTED.fullmatch(word) else word)
    texts = [folded]
    if folded.endswith(("'s", "’s", "ʼs")):
        texts.append(folded[:-2])
    if not word.isascii():
        texts.append(fold(word.lower().translate(_DIGRAPHS)))
    found = [_plain(text) for text in texts]
    for text in list(found):
        found += [table[text] for table in (ABBREVIATIONS, PLACE_ABBREVIATIONS) if text in table]
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


def spans(joined: str, digits: tuple[str, ...], words: Words) -> list[tuple[int, int]]:
    """Where the words of a text, joined, are the name: first word and one past the last."""
    found: list[tuple[int, int]] = []
    steps = 0
    for size in range(1, min(len(joined), _LONGEST) + 1):
        for start in words.places.get(joined[:size], ()):
            end, reach = _match(joined, size, words, start)
            steps += reach
            if steps > _MOST_STEPS:
                return sorted(found)
            if end and (not digits or _digits(joined, words, start, end) == digits):
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
