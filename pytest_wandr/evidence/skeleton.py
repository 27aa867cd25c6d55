"""What is left of a text when only its words, numbers, signs and structure count?

A skeleton is bytes: folded UTF-8 without spaces and punctuation. Offsets are byte offsets into `squashed`.
Structure (word borders, blocks, barriers) is worked out only when a hit has to be examined.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from pytest_wandr.evidence import fold as f
from pytest_wandr.evidence.marks import BARRIER, BLOCK, BREAK, CELL, JOINT, ROW, SPAN, single_spaced

if TYPE_CHECKING:
    from collections.abc import Iterable


def _bytes(signs: bytes) -> tuple[bytes, ...]:
    return tuple(signs[at : at + 1] for at in range(len(signs)))


NUMBERS = b"\x1f"  # stands between two neighbouring numbers
_MARKS = (BLOCK + CELL + ROW + SPAN + BREAK + JOINT).encode()
_STRUCTURE = re.escape(_MARKS)
_CURRENCY = b"$" + "".join(f.CURRENCY.values()).encode()
_OTHER_MONEY = tuple(
    b"|".join(sign for sign in map(str.encode, f.OTHER_MONEY) if len(sign) == size) for size in (2, 3, 4)
)  # by length: what is looked for behind a place must have one
_MONEY = b"(?:[" + _CURRENCY + b"]|" + b"|".join(_OTHER_MONEY) + b")?"
_NUMBER_AHEAD = _MONEY + rb"[.,]?" + BREAK.encode() + rb"?\d"
_OPERATORS = b"<>=+" + (f.PLUS_MINUS + f.AT_LEAST + f.AT_MOST + f.NOT_EQUAL + f.TIMES + f.DIVIDED).encode()
_RATES = (f.PERMILLE + f.DEGREE).encode()
_WRITTEN = (  # a character, which is looked for many times faster, and a spelling that has it
    (b"(", b"(c)", b" "),
    (b"(", b"(tm)", b" "),
    (b"+", b"+/-", f.PLUS_MINUS.encode()),
    (b"=", b">=", f.AT_LEAST.encode()),
    (b"=", b"<=", f.AT_MOST.encode()),
    (b"=", b"!=", f.NOT_EQUAL.encode()),
    (b"\xcc\xb8", b"=\xcc\xb8", f.NOT_EQUAL.encode()),  # what it is decomposed to
    (b"^", b"^", BREAK.encode()),
)
_EDITORS = (
    rb"(?:citation|clarification|verification|page|better source) needed|failed verification|edit|dubious|"
    rb"vague|(?:who|when|where|which|why|how|(?:by|according to|to) whom|original research)\?"
)
_SEVERAL = rb"(?<=[.,;:!?)\"'\]]\[)\d{1,3}(?:(?:, ?|-)\d{1,3}){1,9}"  # elsewhere it may be an interval
_REFERENCE = re.compile(
    rb"\[(?:\d{1,3}|[a-z](?!\][a-z])|(?:note|nb) \d{1,3}|" + _EDITORS + rb"|" + _SEVERAL + rb")\]"
)
_BEFORE_MINUS = rb"[\s(\[{\"'=<>|/:;," + _CURRENCY + _STRUCTURE + BARRIER.encode() + rb"]"
_AFTER_MONEY = rb"|".join(rb"(?<=(?:" + signs + rb")%b)" for signs in _OTHER_MONEY)
_SIGN = re.compile(
    rb"-(?:(?<=" + _BEFORE_MINUS + rb"-)|(?<=\A-)|" + _AFTER_MONEY.replace(b"%b", b"-")
    + rb")(?=" + _NUMBER_AHEAD + rb")"
)  # fmt: skip
_BEFORE_POINT = (
    rb"[ (\[|:;,~" + _CURRENCY + _OPERATORS + (f.MINUS + BLOCK + CELL + ROW + SPAN + BARRIER).encode() + rb"]"
)
_POINT = re.compile(
    rb"\.(?=\d)(?:(?<=" + _BEFORE_POINT + rb"\.)|(?<=\A\.)|" + _AFTER_MONEY.replace(b"%b", rb"\.") + rb")"
)
_LEADING_POINT = b"D"
BEGINS_NUMBER = re.compile(_MONEY + _LEADING_POINT + rb"?\d")
"""Matches where a skeleton starts with a number, or with an amount of money."""
_DEGREE = re.compile(rb"\xc2\xba(?:(?<=\d..)|(?<=\d ..))", re.DOTALL)
_LETTERS = rb"[a-z\x80-\xff]"
_PART = re.compile(
    rb"\x19(?=[\x01+]?\d)(?:(?<=\d.)|(?<=\d\x1f.)|(?<="
    + _LETTERS
    + rb".)(?<![a-z]{4}.)(?<!"
    + _LETTERS
    + rb"{7}.)|(?<=\d\x1f .)(?=\d{1,2}S\d{1,2}\x19))",
    re.DOTALL,
)  # a fraction or exponent of the number, unit or formula before it; behind a longer word it is a reference
_CUT = b"\x15"
_STRAY_RATES = {
    sign: re.compile(sign + rb"(?<!\d.)(?<!\d[ " + BREAK.encode() + rb"].)(?=[\w%\x80-\xff])")
    for sign in (b"%", *_bytes(_RATES))
}
_STRAY_OPERATORS = {
    sign: re.compile(re.escape(sign) + rb"(?:(?<=[<>=+].)|(?! ?" + _NUMBER_AHEAD + rb"))", re.DOTALL)
    for sign in _bytes(_OPERATORS)
}
_INNER_CODES = {b".": b"P", b",": b"C", b":": b"N", b"/": b"S", b"'": b"A"}
_KEPT = (
    b"abcdefghijklmnopqrstuvwxyz0123456789PCNSAD%" + f.MINUS.encode() + _RATES + _CURRENCY + _OPERATORS
    + _MARKS + BARRIER.encode() + NUMBERS + bytes(range(128, 256))
)  # fmt: skip
_DIGITS = bytes(range(0x30, 0x3A))
_PARTED = bytes(
    0x30 if byte in _DIGITS else 0x20 if byte not in _KEPT or byte in _MARKS else 0x61 for byte in range(256)
)  # a digit is 0, what parts numbers a blank
_BETWEEN_DIGITS = re.compile(rb"0 +(?=0)")
_TABLE = bytes(byte if byte in _KEPT else 0x20 for byte in range(256))
_LOWER = bytes(0x20 if byte in b"\t\n\x0b\f\r" else byte for byte in bytes(range(256)).lower())
_TO_SPACE = bytes(0x20 if byte in _MARKS else byte for byte in range(256))
_LETTER, _DIGIT, _SYMBOL = 0, 1, 2
KINDS = bytes(
    _DIGIT if byte in b"0123456789PCNSAD" else _LETTER if byte in b"abcdefghijklmnopqrstuvwxyz" or byte >= 128
    else _SYMBOL
    for byte in range(256)
)  # fmt: skip
_TO_BLOCK = bytes(0x1E if byte in (BLOCK + CELL + ROW).encode() else byte for byte in range(256))
_NO_BLOCKS = b" " + (SPAN + BREAK + JOINT).encode()
_WORD = re.compile(rb"[a-z\x80-\xff]+")
_DROPPED = b" " + _MARKS
_ORDINARY = (
    b"abcdefghijklmnopqrstuvwxyz0123456789 .,;:!?'\"/)"  # a text of these has no signs to be told apart
)
_PLAIN_EDGE = _DROPPED.replace(BREAK.encode(), b"")
_SHORT = 2_000  # bytes; in a longer text there is something else
_TABLES = (ROW.encode(), CELL.encode(), SPAN.encode())


class Skeleton:
    """The bare words, numbers and signs of a marked text."""

    __slots__ = ("__dict__", "spaced", "squashed")

    def __init__(self, marked: str) -> None:
        self.spaced = _spaced(marked)
        self.squashed = self.spaced.translate(None, delete=_DROPPED)

    def __len__(self) -> int:
        return len(self.squashed)

    @cached_property
    def borders(self) -> array[int]:
        """Offsets at which a word ends and something else begins, in order."""
        return array("L", accumulate(map(len, self.spaced.translate(_TO_SPACE).split())))

    @cached_property
    def blocks(self) -> array[int]:
        """Offsets at which a block, row or cell starts or ends, in order, with both ends of the text."""
        bare = self.spaced.translate(_TO_BLOCK, delete=_NO_BLOCKS)
        if BARRIER.encode() in bare:  # a barrier is a border, and a byte of the skeleton besides
            bare = bare.replace(BARRIER.encode(), b"\x1e\x1d\x1e")
        return array("L", accumulate(map(len, bare.split(b"\x1e")), initial=0))

    @cached_property
    def joints(self) -> frozenset[int]:
        """Offsets at which a hyphen at a line end parts words, or perhaps one word."""
        if JOINT.encode() not in self.spaced:
            return frozenset()
        bare = self.spaced.translate(None, delete=b" " + _MARKS.replace(JOINT.encode(), b""))
        return frozenset(accumulate(map(len, bare.split(JOINT.encode()))))

    @cached_property
    def cuts(self) -> frozenset[int]:
        """Offsets at which a fraction or an exponent follows the number or the unit that it belongs to."""
        if BREAK.encode() not in self.spaced:
            return frozenset()
        bare = _PART.sub(_CUT, self.spaced).translate(None, delete=_DROPPED)
        return frozenset(accumulate(map(len, bare.split(_CUT)[:-1])))

    def past_separator(self, offset: int) -> int:
        """The offset behind the mark between two numbers, if one stands there: blocks start after it."""
        return offset + self.squashed.startswith(NUMBERS, offset)

    def at_border(self, offset: int) -> bool:
        """True when no word or number is cut at this offset."""
        if offset in {0, len(self.squashed)}:
            return True
        before, after = KINDS[self.squashed[offset - 1]], KINDS[self.squashed[offset]]
        return before != after or _SYMBOL in {before, after} or contains(self.borders, offset)

    def shows(self, other: Skeleton, offset: int) -> bool:
        """True when another text without table cells plainly stands at an offset, and cuts no word there.

        Its words, and the spaces and marks between them, are then those of this text. False: unclear.
        """
        text = other.spaced.strip(_DROPPED)
        at = -1 if any(mark in other.spaced for mark in _TABLES) else self.spaced.find(text)
        if at < 0 or len(self.spaced[:at].translate(None, delete=_DROPPED)) != offset:
            return False
        end = at + len(text)
        return self.spaced[max(0, at - 1) : at] in _PLAIN_EDGE and self.spaced[end : end + 1] in _PLAIN_EDGE

    def words(self, start: int, end: int, *, jointed: bool = False) -> list[bytes]:
        """The words (or pieces of them) between two offsets; `jointed` ones go on after a line-end hyphen."""
        cuts = self.borders
        inner: Iterable[int] = cuts[bisect_left(cuts, start + 1) : bisect_left(cuts, end)]
        if jointed:
            inner = (cut for cut in inner if cut not in self.joints)
        edges = [start, *inner, end]
        pieces = [self.squashed[a:b] for a, b in pairwise(edges)]
        return [word for piece in pieces for word in _WORD.findall(piece)]


def contains(ordered: array[int], value: int) -> bool:
    """True when the ordered array holds the value."""
    at = bisect_left(ordered, value)
    return at < len(ordered) and ordered[at] == value


def _spaced(marked: str) -> bytes:
    text = single_spaced(marked.encode("utf-8", "replace").translate(_LOWER)).strip()
    if len(text) > _SHORT or text.translate(None, delete=_ORDINARY):
        text = _DEGREE.sub("°".encode(), text) if b"\xc2\xba" in text else text
        text = _with_signs(f.fold(text))
    text = _POINT.sub(_LEADING_POINT, text) if b"." in text else text
    return _numbered(text).translate(_TABLE)


def _with_signs(text: bytes) -> bytes:
    """Written signs become codes; references, and signs that are none, become spaces."""
    for char, written, sign in _WRITTEN:
        text = text.replace(written, sign) if char in text else text
    text = _REFERENCE.sub(b" ", text) if b"[" in text else text
    text = _SIGN.sub(f.MINUS.encode(), text) if b"-" in text else text
    for sign, stray in _STRAY_RATES.items():
        text = stray.sub(b" ", text) if sign in text else text
    return _without_stray_operators(text)


def _without_stray_operators(text: bytes) -> bytes:
    """Each sign is looked for by itself, which is fast, and in the text as it was."""
    signs = [(sign, stray) for sign, stray in _STRAY_OPERATORS.items() if sign in text]
    if not signs:
        return text
    cleared = bytearray(text)
    for _, stray in signs:
        for match in stray.finditer(text):
            cleared[match.start()] = 0x20
    return bytes(cleared)


def _numbered(text: bytes) -> bytes:
    """A point or the like within a number becomes a code; what else parts two numbers is marked."""
    pieces, last = [], 0
    for match in _BETWEEN_DIGITS.finditer(text.translate(_PARTED)):
        digit, end = match.span()
        between = text[digit + 1 : end]
        pieces.append(text[last : digit + 1])
        pieces.append(_INNER_CODES.get(between) or NUMBERS + between)
        last = end
    return b"".join([*pieces, text[last:]]) if pieces else text
