"""Is a record's number within the bounds, and does the text state it, with its unit?"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from decimal import Decimal
from operator import attrgetter
from typing import TYPE_CHECKING

from pytest_wandr.checks.likely import likely_lines
from pytest_wandr.checks.logic import all_of, any_of, no, undecided
from pytest_wandr.checks.number_words import canonical_unit, is_currency
from pytest_wandr.checks.numbers import (
    currency_after,
    currency_before,
    numbers_by,
    numbers_in,
    numbers_in_digits,
    read_number,
)
from pytest_wandr.checks.plain import plain
from pytest_wandr.checks.units import carries, is_named, range_end, stands_bare
from pytest_wandr.model import YES, NumberIn, Part, conjunction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_wandr.checks.locales import Locale
    from pytest_wandr.checks.numbers import Quantity, Reading
    from pytest_wandr.checks.subject import Subject
    from pytest_wandr.model import Truth

_SHOWN = 3
_POWERS, _SHORT, _LONGEST = (9, 6, 3), 5, 15
_MARKS = ",. '’\u00a0\u202f"


def check_number(check: NumberIn, subject: Subject) -> Part:
    """The field's number is from `min` to `max`, and the text states it (with `unit`)."""
    value = subject.value_of(check.number)
    if value in (None, ""):
        return no("no_value", f"the record has no number in {check.number!r}")
    readings = read_number(value)
    if not readings:
        return no("number_unreadable", f"{check.number} {value!r} is not one number")
    if check.unit and isinstance(value, str) and _in_other_money(value, check.unit):
        return no("number_unit", f"{check.number} {value!r} is not in {check.unit}")
    return any_of(
        [all_of([_within(check, number), stated_number(number, check, subject)]) for number in readings]
    )


def _within(check: NumberIn, number: Decimal) -> Part:
    if check.min is not None and number < Decimal(str(check.min)):
        return no("number_outside", f"{check.number} {number:f} is below {check.min:g}")
    if check.max is not None and number > Decimal(str(check.max)):
        return no("number_outside", f"{check.number} {number:f} is above {check.max:g}")
    return YES


def _in_other_money(value: str, unit: str) -> bool:
    """Does the value itself name a currency that cannot be the one asked for?"""
    text, wanted = plain(value), canonical_unit(unit)
    signs = [
        sign
        for quantity in numbers_in(value)
        for reading in quantity.readings
        for sign in (currency_before(text, quantity.start), currency_after(text, reading.end))
        if sign
    ]
    return is_currency(wanted) and bool(signs) and all(wanted not in sign.codes for sign in signs)


def stated_number(number: Decimal, check: NumberIn, subject: Subject) -> Part:
    """Does the subject's text state this number, in any notation, with the unit that is asked for?"""
    whole, locale, unit = subject.beginning, subject.locale, check.unit and canonical_unit(check.unit)
    if any(_surely_states(line, number, locale, unit) for line in likely_lines(whole, _signs(number))):
        return YES
    text, found = _Stated(plain(whole), locale, unit), numbers_by(whole, locale)
    answers = [text.is_it(number, quantity, found) for quantity in found]
    named = f"{number:f} {check.unit}" if check.unit else f"{number:f}"
    if True in answers:
        return YES
    if None in answers:
        reason = f"the text has a number that may be {named}, but can be read otherwise"
        return undecided("number_ambiguous", reason)
    if text.has_apart(number, found):
        reason = f"the text has {number:f} standing alone, and {check.unit} only elsewhere"
        return undecided("unit_apart", reason)
    return subject.unless_cut(no("number_not_stated", f"the text does not state {named}{text.listed(found)}"))


def _starting(at: int, found: Sequence[Quantity]) -> Iterator[Quantity]:
    """Those of the numbers found, which are in order, that start at a place."""
    place = bisect_left(found, at, key=attrgetter("start"))
    while place < len(found) and found[place].start == at:
        yield found[place]
        place += 1


def _signs(number: Decimal) -> list[str]:
    """How a text most likely begins to write a number: in full, in groups, or in millions or the like."""
    scaled = [number.scaleb(-power).normalize() for power in _POWERS if abs(number) >= 10**power]
    shown = [number, *(each for each in scaled if len(each.as_tuple().digits) <= _SHORT)]
    return [sign for each in shown for sign in _written(f"{abs(each):f}")]


def _written(number: str) -> list[str]:
    whole, _, decimals = number.partition(".")
    groups = [f"{int(whole):,}".replace(",", mark) for mark in (_MARKS if 3 < len(whole) <= _LONGEST else "")]
    return [
        f"{each}{point}{decimals}" for each in (whole, *groups) for point in (".," if decimals else ("",))
    ]


def _surely_states(line: str, number: Decimal, locale: Locale, unit: str | None) -> bool:
    """Does a line state a number in digits? A number in words changes nothing about it."""
    text, found = _Stated(plain(line), locale, unit), numbers_in_digits(line, locale)
    return any(text.is_it(number, quantity, found) for quantity in found)


@dataclass(frozen=True)
class _Stated:
    """A plain text in which numbers with one unit are looked for."""

    text: str
    locale: Locale
    unit: str | None

    def is_it(self, number: Decimal, quantity: Quantity, found: Sequence[Quantity]) -> Truth:
        """Surely, possibly or not: only readings that (may) carry the unit count."""
        carried = [(reading.value, self._carries(quantity, reading, found)) for reading in quantity.readings]
        left = [(value, sure) for value, sure in carried if sure is not False]
        if not any(value == number for value, _ in left):
            return False
        return True if all(value == number and sure for value, sure in left) else None

    def _carries(self, quantity: Quantity, reading: Reading, found: Sequence[Quantity]) -> Truth:
        if self.unit is None:
            return True
        carried = carries(self.text, quantity.start, reading, unit=self.unit, locale=self.locale)
        other = range_end(self.text, reading)
        if carried is not False or other is None:
            return carried
        # The first number of a range has the unit of the second.
        seconds = [
            carries(self.text, second.start, read, unit=self.unit, locale=self.locale)
            for second in _starting(other, found)
            for read in second.readings
        ]
        return conjunction(seconds) if seconds else False

    def has_apart(self, number: Decimal, found: Sequence[Quantity]) -> bool:
        """A table: the number alone in its cell, the unit in the heading of the column."""
        if self.unit is None or not is_named(self.text, self.unit):
            return False
        return any(
            reading.value == number and stands_bare(self.text, quantity.start, reading)
            for quantity in found
            for reading in quantity.readings
        )

    def listed(self, found: Sequence[Quantity]) -> str:
        """The numbers with that unit that the text does state."""
        if self.unit is None:
            return ""
        stated = [
            f"{reading.value:f}"
            for quantity in found
            for reading in quantity.readings
            if self._carries(quantity, reading, found) is not False
        ]
        shown = list(dict.fromkeys(stated))
        if not shown:
            return "; it states none in that unit"
        return f"; in that unit it states {', '.join(shown[:_SHOWN])}{', ...' if len(shown) > _SHOWN else ''}"
