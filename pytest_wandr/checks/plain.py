"""What does a text look like when only what it states matters? One plain form for dates, numbers and words.

Case, marks, width and digits of other scripts are folded; every kind of blank is a space, every block
border (a line break, a barrier between two excerpts) is one newline. No finder of dates or numbers crosses
a newline, so two table cells, or two pieces of an excerpt, never make one date.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_BLANKS = re.compile(r"[^\S\n\x1d\x1e]+")
_ODD_BLANK = re.compile(r"[^\S \n\x1d\x1e]")
_BORDERS = re.compile(r"[\n\x1d\x1e][ \n\x1d\x1e]*")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
# A raised digit behind a number is a footnote, not a further digit.
_FOOTNOTE = re.compile("(?<=[0-9])[⁰¹²³⁴-⁹]+")
_HALVES = {"½": ".5", "¼": ".25", "¾": ".75"}
_FRACTION = re.compile("(?<=[0-9])[½¼¾]")
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹½¼¾")
_SIGNS = str.maketrans(
    dict.fromkeys("‐‑‒–—―−﹣", "-")
    | dict.fromkeys("‘’‚‛ʼʹ′´`", "'")
    | {"ı": "i", "٫": ".", "٬": "'", "⁄": "/"}
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", None)
)


_SIGN = re.compile(f"[{re.escape(''.join(map(chr, _SIGNS)))}]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def _without_marks(text: str) -> str:
    """The text without combining marks, of which a text has few different ones."""
    for char in set(_NOT_ASCII.findall(text)):
        if 0x300 <= ord(char) < 0x11000 and unicodedata.category(char).startswith("M"):
            text = text.replace(char, "")
    return text


def _signed(text: str) -> str:
    """The text with its signs translated. Most pages have few, and looking for them is quicker."""
    return _SIGN.sub(lambda match: match[0].translate(_SIGNS), text)


def _fold_other_scripts(text: str) -> str:
    if not _RAISED.isdisjoint(_NOT_ASCII.findall(text)):
        text = _FOOTNOTE.sub(" ", text)
        text = _FRACTION.sub(lambda match: _HALVES[match[0]], text)
    text = _signed(unicodedata.normalize("NFKC", _signed(text)))
    if any(map(str.isdigit, set(_NOT_ASCII.findall(text)))):
        text = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.digit(match[0])), text)
    return unicodedata.normalize("NFC", _without_marks(unicodedata.normalize("NFKD", text.casefold())))


@lru_cache(maxsize=8)
def plain(text: str) -> str:
    """Lower case, no marks, ASCII digits, one kind of dash and apostrophe; newlines are block borders."""
    text = text.lower() if text.isascii() else _signed(_fold_other_scripts(text))
    if "  " in text or _ODD_BLANK.search(text):
        text = _BLANKS.sub(" ", text)
    return _BORDERS.sub("\n", text).replace(" \n", "\n").strip()
