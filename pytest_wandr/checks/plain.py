"""What does a text look like when only what it states matters? One plain form for dates, numbers and words.

Case, marks, width and digits of other scripts are folded; every kind of blank is a space, every block
border (a line break, a barrier between two excerpts) is one newline. No finder of dates or numbers crosses
a newline, so two table cells, or two pieces of an excerpt, never make one date.
"""

from __future__ import annotations

import re
import unicodedata

from pytest_wandr.checks.recall import recalled

_BLANKS = "\t\v\f\r\x1c\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
# A raised digit behind a number is a footnote, not a further digit.
_FOOTNOTE = re.compile("(?<=[0-9])[⁰¹²³⁴-⁹]+")
_HALVES = {"½": ".5", "¼": ".25", "¾": ".75"}
_FRACTION = re.compile("(?<=[0-9])[½¼¾]")
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹½¼¾")
_SIGNS = (
    dict.fromkeys("‐‑‒–—―−﹣", "-")
    | dict.fromkeys("‘’‚‛ʼʹ′´`", "'")
    | {"ı": "i", "٫": ".", "٬": "'", "⁄": "/"}
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", "")
)
_ASCII = bytes(range(128))


def _foreign(text: str) -> frozenset[str]:
    """The different characters of a text that are not ASCII. Most texts have few, so each is worth a look."""
    return frozenset(
        text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    )


def _without_marks(text: str) -> str:
    """The text without combining marks."""
    for char in _foreign(text):
        if 0x300 <= ord(char) < 0x11000 and unicodedata.category(char).startswith("M"):
            text = text.replace(char, "")
    return text


def _signed(text: str, foreign: frozenset[str]) -> str:
    """The text with its signs written in one way. `foreign` holds those of its characters, and maybe more."""
    text = text.replace("`", "'")
    for char in foreign & _SIGNS.keys():
        text = text.replace(char, _SIGNS[char])
    return text


def _fold_other_scripts(text: str) -> str:
    foreign = _foreign(text)
    if not _RAISED.isdisjoint(foreign):
        text = _FOOTNOTE.sub(" ", text)
        text = _FRACTION.sub(lambda match: _HALVES[match[0]], text)
    text = unicodedata.normalize("NFKC", _signed(text, foreign))
    foreign = _foreign(text)
    text = _signed(text, foreign)
    if any(map(str.isdigit, foreign)):
        text = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.digit(match[0])), text)
    text = unicodedata.normalize("NFC", _without_marks(unicodedata.normalize("NFKD", text.casefold())))
    return _signed(text, _foreign(text))


@recalled
def plain(text: str) -> str:
    """Lower case, no marks, ASCII digits, one kind of dash and apostrophe; newlines are block borders."""
    text = text.lower() if text.isascii() else _fold_other_scripts(text)
    for blank in _BLANKS:
        text = text.replace(blank, " ")
    text = _single(text.replace("\x1d", "\n").replace("\x1e", "\n"), " ")
    return _single(text.replace(" \n", "\n").replace("\n ", "\n"), "\n").strip()


def _single(text: str, char: str) -> str:
    """Every run of a character as one."""
    while char * 2 in text:
        text = text.replace(char * 2, char)
    return text
