"""Did an excerpt only lose accents that the page has?

Skeletons are decomposed, so an accent is a mark after a Latin letter; the points of Hebrew and Arabic, for
vowels and the like, are marks that most texts leave out. Marks may be missing from the excerpt, never be
added. The dot of a Turkish capital I is no accent: with and without it are two letters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS = re.compile(
    rb"(?:\xcc(?<=[a-z]\xcc)[\x80-\xbf]|\xcd(?<=[a-z]\xcd)[\x80-\xaf])(?:\xcc[\x80-\xbf]|\xcd[\x80-\xaf])*"
)  # beginning with two bytes that are searched for in bulk, not with a look behind every byte
_COMMON_MARKS = re.compile(
    rb"\xcc(?<=[a-z]\xcc)[\x80-\xbf](?:\xcc[\x80-\xbf])*"
)  # one byte: found faster still
_HEBREW_POINT = rb"(?:\xd6[\x91-\xbd\xbf]|\xd7[\x81\x82\x84\x85\x87])"
_ARABIC_POINT = rb"\xd9[\x8b-\x92\xb0]"  # not the hamza and madda, which make other letters
_POINTS = re.compile(_HEBREW_POINT + b"|" + _ARABIC_POINT)
_ANY_POINTS = rb"(?:" + _HEBREW_POINT + b"|" + _ARABIC_POINT + rb")*+"
_ANY_MARKS = rb"(?:\xcc[\x80-\xbf]|\xcd[\x80-\xaf])*+"
_ANY_BUT_DOT = rb"(?:\xcc[\x80-\x86\x88-\xbf]|\xcd[\x80-\xaf])*+"
_LEAST = 20
_LETTER = re.compile(
    rb"[a-z](?!\xcc|\xcd[\x80-\xaf])|(?:\xd7[\x90-\xaa]|\xd8[\xa0-\xbf]|\xd9[\x81-\x8a]|[\xda\xdb][\x80-\xbf])(?!"
    + _HEBREW_POINT + b"|" + _ARABIC_POINT + b")"
)  # fmt: skip


def without_accents(squashed: bytes) -> bytes:
    """The skeleton with every accent of a Latin letter and every point of Hebrew and Arabic dropped."""
    if b"\xd6" in squashed or b"\xd7" in squashed or b"\xd9" in squashed:
        squashed = _POINTS.sub(b"", squashed)
    if b"\xcd" in squashed:
        return _MARKS.sub(b"", squashed)
    return _COMMON_MARKS.sub(b"", squashed) if b"\xcc" in squashed else squashed


def accented(excerpt: bytes, page: bytes, folded: bytes) -> Iterator[tuple[int, int]]:
    """Where the page has the excerpt with more accents; `folded` is the page without accents."""
    if len(excerpt) < _LEAST or folded == page or without_accents(excerpt) not in folded:
        return
    for match in re.finditer(_pattern(excerpt), page):
        yield match.span()


def _pattern(excerpt: bytes) -> bytes:
    parts, at = [], 0
    for letter in _LETTER.finditer(excerpt):
        parts += [re.escape(excerpt[at : letter.end()]), _lost(letter[0])]
        at = letter.end()
    return b"".join([*parts, re.escape(excerpt[at:])])


def _lost(letter: bytes) -> bytes:
    """The marks that may have stood behind a letter."""
    if letter >= b"\x80":
        return _ANY_POINTS
    return _ANY_BUT_DOT if letter == b"i" else _ANY_MARKS
