"""How may a date or a number be written? Patterns that most texts with it match, and some others.

A pattern is a thousand times faster than reading all dates and numbers of a text. It is for choosing what to
read, never for deciding.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal

    from pytest_wandr.checks.when import When

ELSEWISE = re.compile(r"(?![0-9])\d|[年ก-๛千천万萬만億亿억兆조½¼¾]")
"""Digits of other scripts, scales that stand for digits, years that are counted from elsewhere."""
_IN_WORDS = frozenset({"1", *map(str, range(2, 13))})


class Look(NamedTuple):
    """`sign` is looked for in a whole page, so it begins with plain characters; `also` in the same piece."""

    sign: re.Pattern[str]
    also: re.Pattern[str] | None = None


def look_of_date(when: When) -> Look:
    """The last digits of its year, and its day if it has one, as numbers."""
    year = f"{when.year:04}"
    if when.day is None or when.day == 1:  # the first of a month is often a word
        return Look(re.compile(year[2:]))
    return Look(re.compile(year[2:]), re.compile(rf"(?<!\d)0?{when.day}(?!\d)|{year}\d{{4}}"))


def look_of_number(number: Decimal) -> Look:
    """Its digits up to the last that is not zero, with or without marks between them."""
    return Look(re.compile("[^0-9]?".join(_digits(number))))


def in_words(number: Decimal) -> bool:
    """Whether it may be written without digits, perhaps with a scale (`two million`)."""
    return _digits(number) in _IN_WORDS


def _digits(number: Decimal) -> str:
    return "".join(map(str, number.as_tuple().digits)).strip("0") or "0"
