"""Does a number carry a unit? Currencies and per cent in any of their spellings, other units literally."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.checks.locales import base
from pytest_wandr.checks.number_words import is_currency, percent_words, spellings_of
from pytest_wandr.checks.numbers import currency_after, currency_before

if TYPE_CHECKING:
    from pytest_wandr.checks.locales import Locale
    from pytest_wandr.checks.numbers import Reading
    from pytest_wandr.model import Truth

_PERCENT_WORDS = "|".join(re.escape(word) for word in percent_words() if word != "%")
# No border behind a sign, nor before a particle of a language without spaces; %3d is an encoded character.
_PERCENT_AFTER = re.compile(rf"[ -]?(?:%(?!\d)|(?:{_PERCENT_WORDS})(?![a-zß-ɏͰ-ӿ]))")
_TURKISH_PERCENT = re.compile(r"(?<!\d)(?<!\d )(?:%|yuzde ?)\Z")
_NOTHING_AFTER = re.compile(r"[ .,;:)\]-]*(?:[|\n]|\Z)")
# A sign between two numbers may belong to either: "5 € 29", "29 $5".
_SIGN_OF_OTHER_BEFORE = re.compile(r"\d ?(?:[^\w\s]|[^\W\d_]{1,5}\.?) \Z")
_SIGN_OF_OTHER_AFTER = re.compile(r" [^\w\s]\d")
# "19-29 €", "between 19 and 29 euros": the unit is said once.
_RANGE_ON = re.compile(
    r" ?(?:-|/|to|and|or|bis|und|oder|a|et|ou|y|o|e|al|tot|en|of|till|och|til|og|do|i|до|и) ?[^\w\s]?(?=\d)"
)
_NOTHING_AFTER = re.compile(r"[ .,;:)\]-]*(?:[|\n]|\Z)")


def carries(text: str, start: int, reading: Reading, *, unit: str, locale: Locale) -> Truth:
    """Does the number at `start` of a plain text have that canonical unit? None when it may be another's.

    A bare $ is taken for US dollars and settles nothing for other dollars; kr follows the language.
    """
    if is_currency(unit):
        return _is_money(text, start, reading, unit, locale)
    if unit == "%":
        return bool(_PERCENT_AFTER.match(text, reading.end)) or _is_turkish_percent(text, start, locale)
    return _followed_by(text, reading.end, unit)


def _is_turkish_percent(text: str, start: int, locale: Locale) -> bool:
    """Turkish puts the sign in front: %29."""
    return bool(_TURKISH_PERCENT.search(text[max(0, start - 8) : start])) and base(locale.lang) == "tr"


def _is_money(text: str, start: int, reading: Reading, unit: str, locale: Locale) -> Truth:
    signs = (currency_before(text, start, locale), currency_after(text, reading.end, locale))
    money = [sign for sign in signs if sign]
    if not money or any(unit not in sign.codes for sign in money):
        return False
    if len(money) == 1 and _may_be_of_other(text, start, reading.end, is_before=bool(signs[0])):
        return None
    # One sign that leaves no choice settles what the other leaves open: $29 CAD.
    settled = [sign for sign in money if len(sign.codes) == 1] or money
    return True if all(sign.likely == unit for sign in settled) else None


def _may_be_of_other(text: str, start: int, end: int, *, is_before: bool) -> bool:
    if is_before:
        return bool(_SIGN_OF_OTHER_BEFORE.search(text[max(0, start - 10) : start]))
    return bool(_SIGN_OF_OTHER_AFTER.match(text, end))


def range_end(text: str, reading: Reading) -> int | None:
    """Where the second number of a range starts, when the given reading is its first."""
    match = _RANGE_ON.match(text, reading.end)
    return match.end() if match else None


def _followed_by(text: str, end: int, unit: str) -> bool:
    """Other units stand behind the number, word for word; an English plural s is no difference."""
    singular = re.escape(unit.removesuffix("s") if len(unit) > 3 else unit)
    plural = "s?" if len(unit) > 2 else ""
    return bool(re.compile(rf"[ -]?{singular}{plural}(?!\w)").match(text, end))


def stands_bare(text: str, start: int, reading: Reading) -> bool:
    """Is the number alone in its cell or at the end of its line, so that its unit may stand elsewhere?"""
    return not currency_before(text, start) and bool(_NOTHING_AFTER.match(text, reading.end))


def is_named(text: str, unit: str) -> bool:
    """Does a plain text name that canonical unit anywhere?"""
    words = "|".join(map(re.escape, spellings_of(unit)))
    return bool(re.search(rf"(?<![^\W\d_])(?:{words})(?![^\W\d_])", text))
