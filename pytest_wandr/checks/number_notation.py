"""Which number do these digits write? 1,234.5 and 1.234,5 and 1 234,5 and 12,34,567 and 1'234."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from pytest_wandr.checks.locales import decimal_mark

if TYPE_CHECKING:
    from pytest_wandr.checks.locales import Locale

_MOST_DIGITS = 40
_GROUPS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_INDIAN_GROUPS = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}")
_CLEAR_GROUPS = re.compile(r"(\d{1,3}(?:[ ']\d{3})+)(?:[.,](\d+))?")


def read_notation(numeral: str, locale: Locale) -> tuple[Decimal, ...]:
    """The numbers that a numeral may write: two when a separator may be either, none when it is no number.

    "1,234" is settled by the language; "2.1.7" is a version, not a number.
    """
    if clear := _CLEAR_GROUPS.fullmatch(numeral):
        return (_number(re.sub("[ ']", "", clear[1]), clear[2] or ""),)
    if len(numeral) > _MOST_DIGITS or re.search("[ ']", numeral):
        return ()
    marks = [char for char in numeral if char in ".,"]
    if len(set(marks)) == 2:
        return _two_marks(numeral, marks)
    if len(marks) == 1:
        return _one_mark(numeral, marks[0], locale)
    return _groups(numeral) if marks else (_number(numeral, ""),)


def _number(whole: str, decimals: str) -> Decimal:
    return Decimal(f"{whole or '0'}.{decimals or '0'}").normalize()


def _two_marks(numeral: str, marks: list[str]) -> tuple[Decimal, ...]:
    last = marks[-1]
    whole, _, decimals = numeral.rpartition(last)
    grouped = _groups(whole)
    if marks.count(last) > 1 or not grouped:
        return ()
    return (_number(re.sub("[.,]", "", whole), decimals),)


def _groups(numeral: str) -> tuple[Decimal, ...]:
    if not (_GROUPS.fullmatch(numeral) or _INDIAN_GROUPS.fullmatch(numeral)):
        return ()
    return (_number(re.sub("[.,]", "", numeral), ""),)


def _one_mark(numeral: str, mark: str, locale: Locale) -> tuple[Decimal, ...]:
    whole, _, rest = numeral.partition(mark)
    fraction = _number(whole, rest)
    if len(rest) != 3 or not 1 <= len(whole) <= 3 or whole.startswith("0"):
        return (fraction,)
    decimal = decimal_mark(locale.lang)
    if decimal is None:
        return (_number(whole + rest, ""), fraction)
    return (fraction,) if mark == decimal else (_number(whole + rest, ""),)
