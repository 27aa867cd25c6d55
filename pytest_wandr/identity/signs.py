"""What do signs in a name say, in words: in front of numbers, behind them, Greek letters, pictures?"""

from __future__ import annotations

import re
import unicodedata

_BEFORE_NUMBER = re.compile(r"(?<![^\s(])[-−](?=\.?\d)|(?:[<>]=|[<>≤≥$€£¥])(?=\s*\.?\d)")
_SPOKEN = {
    "-": "minus", "−": "minus", "<": "less", ">": "more", "≤": "atmost", "<=": "atmost", "≥": "atleast",
    ">=": "atleast", "$": "dollar", "€": "euro", "£": "pound", "¥": "yen",
}  # fmt: skip
_GREEK = re.compile(r"(?<![\u0370-\u03ff])[αβγδεζηθικλμνξοπρστυφχψω](?![\u0370-\u03ff])")
_PICTURES = re.compile(
    "[\U0001f300-\U0001faff\u2600-\u2606\u2614\u2615\u26a0-\u26ff\u2700-\u2775\u2794-\u27bf\u2b50\u2b55]"
)
_INCHES = re.compile(r"(?<=\d)\s?(?:\"|”|′′|'')(?!\w)")
_FEET = re.compile(r"(?<=\d)\s?['’′](?![\w'’′])")
_OPENING = re.compile(r"(?<!\w)['’‘\"“”„]")


def spell_number_signs(folded: str) -> str:
    """`-5`, `<5` and `$5` are not `5`."""
    return _BEFORE_NUMBER.sub(_spoken, folded)


def _spoken(match: re.Match[str]) -> str:
    before = match.string[max(match.start() - 9, 0) : match.start()].rstrip()
    if match[0] in "-−" and before[-1:].isdigit():  # a range: 10 -20
        return match[0]
    return f" {_SPOKEN[match[0]]} "


def spell_greek(folded: str) -> str:
    """A Greek letter that is no part of a Greek word, by its name."""
    return folded if folded.isascii() else _GREEK.sub(_greek_name, folded)


def _greek_name(match: re.Match[str]) -> str:
    return unicodedata.name(match[0]).split()[-1].lower().replace("lamda", "lambda")


def without_pictures(text: str) -> str:
    """Pictures are decoration."""
    return text if text.isascii() else _PICTURES.sub(" ", text)


def spell_lengths(folded: str) -> str:
    """`55"` and `5'` behind numbers; not in a name with other quotes."""
    if _OPENING.search(folded):
        return folded
    return _FEET.sub("ft ", _INCHES.sub("in ", folded))
