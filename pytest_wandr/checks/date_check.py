"""Is a record's date within the window, and does the text state it?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.checks.date_glance import plainly_states
from pytest_wandr.checks.dates import dates_by, read_date, years_in
from pytest_wandr.checks.likely import likely_lines
from pytest_wandr.checks.logic import all_of, any_of, no, undecided
from pytest_wandr.model import YES, DateIn, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_wandr.checks.locales import Locale
    from pytest_wandr.checks.subject import Subject
    from pytest_wandr.checks.when import Mention, When

_SHOWN = 3


def check_date(check: DateIn, subject: Subject) -> Part:
    """The field's date is from `from` to `to`, and the text states it.

    A month or a year ("2026-03", "2026") lies within the window when all of its days do; a text states it
    with any date in it. A value with two readings holds when one of them does.
    """
    value = subject.value_of(check.date)
    if value in (None, ""):
        return no("no_value", f"the record has no date in {check.date!r}")
    readings = read_date(str(value)) if isinstance(value, str | int) else ()
    if not readings:
        return no("date_unreadable", f"{check.date} {value!r} is not one date; write it as YYYY-MM-DD")
    return any_of([all_of([_within(check, when), stated_date(when, subject)]) for when in readings])


def _within(check: DateIn, when: When) -> Part:
    if check.from_ and when.first < check.from_:
        return no("date_outside", f"{check.date} {when} is (or may be) before {check.from_}")
    if check.to and when.last > check.to:
        return no("date_outside", f"{check.date} {when} is (or may be) after {check.to}")
    return YES


def stated_date(when: When, subject: Subject) -> Part:
    """Does the subject's text state this date, in any written form?"""
    text, locale = subject.beginning, subject.locale
    for line in _likely(text, when):
        if plainly_states(line, when) or _states(line, when, locale):
            return YES
    if _states(text, when, locale):
        return YES
    found = dates_by(text, locale)
    if unclear := _ambiguous(when, found):
        others = ", ".join(str(reading) for reading in unclear.readings)
        return undecided(
            "date_ambiguous", f"the text has a date that may be {when}, but may be any of {others}"
        )
    if _yearless(when, found):
        return _without_year(when, text)
    return subject.unless_cut(
        no("date_not_stated", f"the text does not state the date {when}{_listed(found)}")
    )


def _likely(text: str, when: When) -> Iterator[str]:
    """Lines that may well state a date: with its year, and its day if it has one."""
    return likely_lines(text, (str(when.year),), also="" if when.day is None else str(when.day))


def _states(text: str, when: When, locale: Locale) -> bool:
    """Does a text surely state a date?"""
    return _certain(when, dates_by(text, locale)) or (when.month is None and when.year in years_in(text))


def _certain(when: When, found: tuple[Mention, ...]) -> bool:
    return any(all(reading.states(when) for reading in each.readings) for each in found)


def _ambiguous(when: When, found: tuple[Mention, ...]) -> Mention | None:
    for each in found:
        if len(each.readings) > 1 and any(reading.states(when) for reading in each.readings):
            return each
    return None


def _yearless(when: When, found: tuple[Mention, ...]) -> bool:
    return any(reading == when._replace(year=None) for each in found for reading in each.readings)


def _without_year(when: When, text: str) -> Part:
    if when.year in years_in(text):
        return undecided(
            "date_without_year",
            f"the text gives the day of {when} without a year; {when.year} stands elsewhere in it",
        )
    return no("date_not_stated", f"the text gives the day of {when} but never the year {when.year}")


def _listed(found: tuple[Mention, ...]) -> str:
    """The dates that the text does state, for whoever looks for the mistake."""
    stated = list(dict.fromkeys(" or ".join(map(str, each.readings)) for each in found))
    more = ", ..." if len(stated) > _SHOWN else ""
    return f"; it states {', '.join(stated[:_SHOWN])}{more}" if stated else "; it states no date"
