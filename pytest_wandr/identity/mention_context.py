"""Do the words around a match make it another, longer name?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.identity.tables.continuations import (
    COMPANY_LEFT,
    FUNDS,
    HYPHENATED,
    LOOSE,
    NEUTRAL,
    PLACE_LEFT,
    PLACE_RIGHT,
    REGION_WORDS,
    ROLES,
    SECTORS,
    VARIANTS,
)
from pytest_wandr.identity.tables.legal import LEGAL_END, LEGAL_PHRASES
from pytest_wandr.identity.tokens import roman_number
from pytest_wandr.identity.typos import stem

if TYPE_CHECKING:
    from pytest_wandr.identity.page_words import Words

_HYPHENS = frozenset("-‐‑")
_LEGAL_GAP = re.compile(r"[ ,.]{0,3}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_VERB = re.compile(r".{3,}(?:s|ed)")
_SMALL = frozenset(["with", "from", "over", "into", "after", "under", "amid", "that", "this", "will", "have"])
_WINDOW = 5
_OTHER_THING = {"company": SECTORS - LOOSE, "place": PLACE_RIGHT}
_SECTOR_STEMS = frozenset(stem(word) for word in SECTORS - LOOSE)
_PHRASES = {word: [p for p in LEGAL_PHRASES if p[0] == word] for word in {p[0] for p in LEGAL_PHRASES}}
"""Legal forms by their first word."""


def plain_gap(gap: str) -> bool:
    """Nothing but blanks on one line."""
    return gap != "" and not gap.strip(" \t\u00a0")


def is_headline(words: Words, start: int, end: int) -> bool:
    """Whether the words around are capitalised for show: no long word in small letters, three capitals."""
    if not words.cased:
        return True
    capitals = 0
    for step, first in ((1, end), (-1, start - 1)):
        at = first
        while 0 <= at < len(words.written) and abs(at - first) < _WINDOW:
            if "\n" in words.gap_before(at if step > 0 else at + 1):
                break
            word = words.written[at]
            if len(word) >= 4 and word.islower() and word not in _SMALL:
                return False
            capitals += word[0].isupper()
            at += step
    return capitals >= 3


def bracket_behind(words: Words, end: int) -> set[str]:
    """All readings of the words in a bracket that follows directly."""
    inside: set[str] = set()
    if end >= len(words.written) or words.gap_before(end).strip() not in {"(", "["}:
        return inside
    for at in range(end, min(end + 12, len(words.written))):
        inside.update(words.readings[at])
        if ")" in words.gaps[at] or "]" in words.gaps[at]:
            break
    return inside


def tied_left(words: Words, start: int) -> bool:
    """Whether a hyphen ties a capitalised word in front to the match: Jean-Luc."""
    return start > 0 and words.gaps[start - 1] in _HYPHENS and words.written[start - 1][0].isupper()


def tied_right(words: Words, end: int) -> bool:
    """Whether a hyphen ties a capitalised word behind to the match: Doe-Miller."""
    return end < len(words.written) and words.gaps[end - 1] in _HYPHENS and words.written[end][0].isupper()


def before(kind: str, words: Words, start: int) -> bool | None:
    """Whether the word in front leaves the name whole."""
    at = start - 1
    if at < 0 or not words.is_capital(at):
        return True
    gap, word = words.gaps[at], words.word(at)
    if gap in _HYPHENS:
        return word in {"non", "ex", "pre", "anti", "pro", "post"} or kind in {"text", "paper", "enum"}
    if not plain_gap(gap) or kind not in {"place", "company"}:
        return True
    if kind == "place":
        return word not in PLACE_LEFT
    opening = at == 0 or not plain_gap(words.gap_before(at))
    return not (word in COMPANY_LEFT and not opening and words.cased)


def after(kind: str, words: Words, end: int) -> bool | None:
    """Whether the word behind leaves the name whole."""
    if kind == "company" and (closed := _skip_legal(words, end)) > end:
        return _bracket(words, closed)
    if end >= len(words.written):
        return True
    gap = words.gap_before(end)
    if plain_gap(gap):
        return _next_word(kind, words, end)
    if gap in _HYPHENS:
        return _hyphen(kind, words, end)
    if not gap:
        return words.written[end] not in {"+", "#"}
    return _bracket(words, end) if kind == "company" else True


def _skip_phrase(words: Words, end: int) -> int:
    """Past a legal form of several words, as `Public Limited Company`."""
    if end >= len(words.written) or not words.is_capital(end) or not words.gap_before(end).isspace():
        return end
    for phrase in _PHRASES.get(words.word(end), ()):
        last = end + len(phrase)
        if last > len(words.written) or tuple(map(words.word, range(end, last))) != phrase:
            continue
        if words.is_capital(last - 1) and all(map(plain_gap, words.gaps[end - 1 : last - 1])):
            return last
    return end


def _skip_legal(words: Words, end: int) -> int:
    at = _skip_phrase(words, end)
    while (
        at < len(words.written)
        and words.word(at) in LEGAL_END
        and words.is_capital(at)
        and _LEGAL_GAP.fullmatch(words.gap_before(at))
    ):
        at += 1
    return at


def _bracket(words: Words, at: int) -> bool | None:
    """A region in brackets behind a company names an arm of it."""
    if at < len(words.written) and words.gap_before(at).strip() == "(" and words.word(at) in REGION_WORDS:
        return None
    return True


def _hyphen(kind: str, words: Words, end: int) -> bool | None:
    word = words.word(end)
    if kind in {"paper", "text", "enum"}:
        return True
    if word[:1].isdigit() or (kind == "product" and word in VARIANTS):
        return False
    return not words.written[end][0].isupper() or word in HYPHENATED


def _next_word(kind: str, words: Words, end: int) -> bool | None:
    word, written = words.word(end), words.written[end]
    if kind == "product" and (word in VARIANTS or written == "Ti"):
        return False
    if _is_number(word, written):
        return _number(kind, words, end)
    if kind == "company" and written == "&" and end + 1 < len(words.written) and words.is_capital(end + 1):
        return None
    if kind in {"paper", "text", "enum"} or not words.is_capital(end):
        return True
    return _capital_word(kind, words, end)


def _capital_word(kind: str, words: Words, end: int) -> bool | None:
    word = words.word(end)
    if word in _OTHER_THING.get(kind, ()) or (kind == "company" and stem(word) in _SECTOR_STEMS):
        return False
    if kind != "place" and (word in LOOSE or word in REGION_WORDS):
        return None
    return _unknown(words, end)


def _is_number(word: str, written: str) -> bool:
    if word[0].isdigit():
        return True
    return written.isupper() and len(written) > 1 and roman_number(word) is not None


def _number(kind: str, words: Words, end: int) -> bool | None:
    """A number behind a name belongs to it where names count on."""
    word, written = words.word(end), words.written[end]
    if written.isalpha():
        return False
    if _YEAR.fullmatch(word) and kind != "product":
        return True
    if kind == "company":
        return words.word(end - 1) not in FUNDS
    return None if kind in {"product", "place"} else True


def _unknown(words: Words, end: int) -> bool | None:
    """A capitalised word that no table knows: any word in a headline, part of a name in a sentence."""
    word, behind = words.word(end), end + 1
    if _is_common(word) or any(char.isdigit() for char in word) or not words.cased:
        return True
    if _leads_to_legal_form(words, behind):
        return False
    if behind >= len(words.written) or not plain_gap(words.gap_before(behind)):
        return None
    if is_headline(words, end, behind) and (_VERB.fullmatch(word) or not _is_common(words.word(behind))):
        return True
    return None


def _is_common(word: str) -> bool:
    return word in NEUTRAL or word in ROLES


def _leads_to_legal_form(words: Words, at: int) -> bool:
    """`Zephyr Cable Works Inc.`: what stands before a legal form is a company's name."""
    for place in range(at, min(at + 3, len(words.written))):
        if not _LEGAL_GAP.fullmatch(words.gap_before(place)) or not words.is_capital(place):
            return False
        if words.word(place) in LEGAL_END:
            return True
    return False
