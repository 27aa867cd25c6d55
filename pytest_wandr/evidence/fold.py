"""How do typographic variants of the same text become one spelling?

Only runs of non-ASCII characters pass through here; each distinct run is folded once. Text comes out in
compatibility decomposition (NFKD), so that a lost accent is a missing mark and nothing else.
"""

from __future__ import annotations

import re
import unicodedata

from pytest_wandr.evidence.marks import BREAK

MINUS = "\x01"
PERMILLE, DEGREE = "\x02", "\x03"
PLUS_MINUS, AT_LEAST, AT_MOST, NOT_EQUAL, TIMES, DIVIDED = "\x0f", "\x10", "\x11", "\x12", "\x13", "\x14"
CURRENCY = {"€": "\x04", "£": "\x05", "¥": "\x06", "₹": "\x07", "₽": "\x08", "¢": "\x0e"}
_SYMBOLS = CURRENCY | {
    "‰": PERMILLE,
    "°": DEGREE,
    "±": PLUS_MINUS,
    "≥": AT_LEAST,
    "≤": AT_MOST,
    "≠": NOT_EQUAL,
    "×": TIMES,
    "÷": DIVIDED,
}
_MONEY = "058F 060B 07FE-07FF 09F2-09F3 09FB 0AF1 0BF9 0E3F 17DB 20A0-20C1 A838 11FDD-11FE0 1E2FF 1ECB0 00A4"


def _characters(spec: str) -> list[str]:
    """The characters of a list of hexadecimal code points and ranges."""
    chars: list[str] = []
    for item in spec.split():
        first, _, last = item.partition("-")
        chars += map(chr, range(int(first, 16), int(last or first, 16) + 1))
    return chars


OTHER_MONEY = tuple(
    char for char in _characters(_MONEY) if char not in CURRENCY and not unicodedata.decomposition(char)
)
"""Signs of currencies that no code stands for: they stay as they are, like letters."""
_QUOTES = dict.fromkeys(_characters("2018-201B 2032 0060 00B4 02BC 02B9"), "'")
_DOUBLE = dict.fromkeys(_characters("201C-201F 2033 00AB 00BB 2039 203A 301D-301F 300C-300F"), '"')
_DASHES = dict.fromkeys(_characters("2010-2015 2212 2043 FE58 FE63 FF0D"), "-")
_REMOVED = dict.fromkeys(
    _characters(
        "00AD 034F 061C 0640 180E 200B-200F 202A-202E 2060-2064 2066-2069 2120 2122 FEFF FE00-FE0F "
        "E0100-E01EF"
    ),
    "",
)
_SEPARATORS = {
    "…": "...",
    "\u066a": "%",
    "\u0609": "‰",
    "\u066b": ".",
    "\u066c": ",",
    "\u2044": "/",
    "\u2236": ":",
}
_FRACTIONS = {
    char: BREAK + unicodedata.normalize("NFKD", char).replace("\u2044", "/") + BREAK
    for char in _characters("00BC-00BE 2150-215E 2189")
}
_LISTED = _QUOTES | _DOUBLE | _DASHES | _REMOVED | _SEPARATORS | _FRACTIONS
_SMALL = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹₊₋₀₁₂₃₄₅₆₇₈₉"
_PLAIN = str.maketrans(_SMALL, "+-0123456789+-0123456789")

_CLASS = "".join(re.escape(char) for char in _LISTED if char <= "\uffff") + "\U000e0100-\U000e01ef"
_ANY_LISTED = re.compile(f"[{_CLASS}]")  # a range beyond the first plane: single characters there are slow
_ANY_SPECIAL = re.compile(f"[{_SMALL}{_CLASS}]")
_ANY_SMALL = re.compile(f"[{_SMALL}]")
_SMALL_NUMBER = re.compile("[⁺⁻]?[⁰¹²³⁴-⁹]+|[₊₋]?[₀-₉]+")
_JAMO = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+")
_ODD_DIGIT = re.compile(r"[^\D0-9]")
_ODD_SIGN = re.compile(r"[^\w\x00-\x7f\u0300-\u036f\u3099\u309a]")
_COMMON_SIGNS = "、。・"  # so common in their scripts that they are replaced without a search for odd ones
_RUNS = bytes(byte if byte >= 0x80 else 0x20 for byte in range(256))  # runs and spaces: `split` finds runs
_BETWEEN = bytes(0x20 if byte >= 0x80 else 0x7F if byte == 0x20 else byte for byte in range(256))
_BACK = bytes(0x20 if byte == 0x7F else byte for byte in range(256))
_JAMO_LEADS = (b"\xe1", b"\xea", b"\xed")  # how they begin in UTF-8: looked for many times faster
_DIGIT_LEADS = (b"\xd9", b"\xdb", b"\xdf", b"\xe0", b"\xe1", b"\xea", b"\xf0")
_CACHE_SIZE, _LONGEST_KEPT = 100_000, 60


def fold(text: bytes) -> bytes:
    """The UTF-8 text, whose only whitespace is spaces, with every non-ASCII run in its one spelling."""
    if text.isascii():
        return text
    runs = list(map(_FOLDED.__getitem__, text.translate(_RUNS).split()))
    between = text.translate(_BETWEEN).split()
    parts = [b""] * (len(runs) + len(between))
    first = text[0] >= 0x80
    parts[not first :: 2], parts[first::2] = runs, between
    return b"".join(parts).translate(_BACK)


class _Folded(dict[bytes, bytes]):
    """Every run seen so far; it forgets all at once rather than grow without end."""

    def __missing__(self, run: bytes) -> bytes:
        if len(self) >= _CACHE_SIZE:
            self.clear()
        folded = _fold_run(run.decode())
        if len(run) <= _LONGEST_KEPT:
            self[run] = folded
        return folded


_FOLDED = _Folded()


def _fold_run(run: str) -> bytes:
    special = _ANY_SPECIAL.search(run) is not None
    if special:
        run = _SMALL_NUMBER.sub(_number, run) if _ANY_SMALL.search(run) else run
        run = _ANY_LISTED.sub(_listed, run)
    run = unicodedata.normalize("NFKD", run).casefold()
    if not special and run.isalpha() and max(run) < _FIRST_JAMO:
        return run.encode()
    for sign in _COMMON_SIGNS:
        run = run.replace(sign, " ")
    run = _ANY_LISTED.sub(_listed, run)
    folded = run.encode()
    if any(lead in folded for lead in _JAMO_LEADS):
        run = _JAMO.sub(_composed, run)
    if any(lead in folded for lead in _DIGIT_LEADS):
        run = _ODD_DIGIT.sub(_plain, run)
    if not run.replace(" ", "").replace("\u3099", "").isalpha():  # no letters alone, but for marks of voice
        run = _ODD_SIGN.sub(_plain, run)
    return run.encode()


def _listed(match: re.Match[str]) -> str:
    return _LISTED[match[0]]


def _number(match: re.Match[str]) -> str:
    return BREAK + match[0].translate(_PLAIN) + BREAK


def _composed(match: re.Match[str]) -> str:
    """Hangul stays in syllables: a syllable is not the beginning of another one."""
    return unicodedata.normalize("NFC", match[0])


def _plain(match: re.Match[str]) -> str:
    return _PLAIN_CHARACTERS[match[0]]


class _Characters(dict[str, str]):
    """Digits of any script in ASCII, signs as their codes, marks as they are, all else a space."""

    def __missing__(self, char: str) -> str:
        if char.isdecimal():
            plain = str(unicodedata.decimal(char))
        elif unicodedata.category(char) in _JOINING and not "\u20d0" <= char <= "\u20ff":
            plain = char
        else:
            plain = " "
        self[char] = plain
        return plain


_PLAIN_CHARACTERS = _Characters(_SYMBOLS | dict(zip(OTHER_MONEY, OTHER_MONEY, strict=True)))
_JOINING = frozenset({"Mn", "Mc"})
_FIRST_JAMO = "\u1100"
