"""Is a record's number within the bounds, and does the text state it, with its unit?"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from pytest_wandr.checks.logic import all_of, any_of, no, undecided
from pytest_wandr.checks.number_words import canonical_unit, is_currency
from pytest_wandr.checks.numbers import currency_after, currency_before, numbers_in, read_number
from pytest_wandr.checks.plain import plain
from pytest_wandr.checks.units import carries, is_named, stands_bare
from pytest_wandr.model import YES, NumberIn, Part

if TYPE_CHECKING:
    from pytest_wandr.checks.numbers import Quantity
    from pytest_wandr.checks.subject import Subject
    from pytest_wandr.model import Truth

_SHOWN = 3


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
    text, lang = plain(subject.text), subject.locale
    found = numbers_in(subject.text, lang)
    unit = canonical_unit(check.unit) if check.unit else None
    answers = [_is_it(number, quantity, text, unit=unit, lang=lang) for quantity in found]
    named = f"{number:f}{f' {check.unit}' if check.unit else ''}"
    if True in answers:
        return YES
    if None in answers:
        return undecided(
            "number_ambiguous", f"the text has a number that may be {named}, but can be read otherwise"
        )
    if unit and _apart(number, found, text, unit):
        return undecided(
            "unit_apart", f"the text has {number:f} standing alone, and {check.unit} only elsewhere"
        )
    return no("number_not_stated", f"the text does not state {named}{_listed(found, text, unit, lang)}")


def _is_it(number: Decimal, quantity: Quantity, text: str, *, unit: str | None, lang: str | None) -> Truth:
    """Surely, possibly or not: only readings that (may) carry the unit count."""
    carried: list[tuple[Decimal, Truth]] = [
        (reading.value, carries(text, quantity.start, reading, unit=unit, lang=lang) if unit else True)
        for reading in quantity.readings
    ]
    left = [(value, sure) for value, sure in carried if sure is not False]
    if not any(value == number for value, _ in left):
        return False
    return True if all(value == number and sure for value, sure in left) else None


def _apart(number: Decimal, found: tuple[Quantity, ...], text: str, unit: str) -> bool:
    """A table: the number alone in its cell, the unit in the heading of the column."""
    bare = any(
        reading.value == number and stands_bare(text, quantity.start, reading)
        for quantity in found
        for reading in quantity.readings
    )
    return bare and is_named(text, unit)


def _listed(found: tuple[Quantity, ...], text: str, unit: str | None, lang: str | None) -> str:
    """The numbers with that unit that the text does state."""
    if unit is None:
        return ""
    stated = [
        f"{reading.value:f}"
        for quantity in found
        for reading in quantity.readings
        if carries(text, quantity.start, reading, unit=unit, lang=lang) is not False
    ]
    shown = list(dict.fromkeys(stated))
    more = ", ..." if len(shown) > _SHOWN else ""
    return (
        f"; in that unit it states {', '.join(shown[:_SHOWN])}{more}"
        if shown
        else "; it states none in that unit"
    )
