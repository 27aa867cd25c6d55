"""What does a text look like when only what it states matters? One plain form for dates, numbers and words.

Case, marks, width and digits of other scripts are folded; every kind of blank is a space, every block
border (a line break, a barrier between two excerpts) is one newline. No finder of dates or numbers crosses
a newline, so two table cells, or two pieces of an excerpt, never make one date.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

_BLANKS = re.compile(r"[^\S\n\x1d\x1e]+")
_BORDERS = re.compile(r" ?[\n\x1d\x1e][ \n\x1d\x1e]*")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
# A raised digit behind a number is a footnote, not a further digit.
_FOOTNOTE = re.compile("(?<=[0-9])[⁰¹²³⁴-⁹]+")
_HALVES = {"½": ".5", "¼": ".25", "¾": ".75"}
_FRACTION = re.compile("(?<=[0-9])[½¼¾]")
_SIGNS = str.maketrans(
    dict.fromkeys("‐‑‒–—―−﹣", "-")
    | dict.fromkeys("‘’‚‛ʼʹ′´`", "'")
    | {"ı": "i", "٫": ".", "٬": "'", "⁄": "/"}
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", None)
)


@cache
def _marks() -> dict[int, None]:
    return {code: None for code in range(0x300, 0x11000) if unicodedata.category(chr(code)).startswith("M")}


def _fold_other_scripts(text: str) -> str:
    text = _FOOTNOTE.sub(" ", text)
    text = _FRACTION.sub(lambda match: _HALVES[match[0]], text)
    text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    text = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.digit(match[0])), text)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", text.casefold()).translate(_marks()))


@lru_cache(maxsize=8)
def plain(text: str) -> str:
    """Lower case, no marks, ASCII digits, one kind of dash and apostrophe; newlines are block borders."""
    text = text.lower() if text.isascii() else _fold_other_scripts(text).translate(_SIGNS)
    return _BORDERS.sub("\n", _BLANKS.sub(" ", text)).strip()
