"""Which dates does a text state? Written dates of some thirty languages, without guessing.

Own small tables instead of a parsing library: a check must be linear, give the same answer everywhere and
say when a date can be read in two ways. A library that fills in today's year or a default order does not.
A mention with more than one reading ("01/03/2026" on a page that does not say whether it is American) is
ambiguous; "1 March" has no year, "March 2026" no day (see `When`).
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_wandr.checks.date_digits import dates_in_digits, with_digits
from pytest_wandr.checks.date_words import month_names, months_called
from pytest_wandr.checks.locales import Locale
from pytest_wandr.checks.plain import plain
from pytest_wandr.checks.recall import recalled
from pytest_wandr.checks.when import Mention, When, mention

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_]{2,20}")
_REACH = 40

_ORDINAL = r"(?:st|nd|rd|th|er|re|eme|ste|de|te|os|as|ος|η|-?го|ое|-?е|[:.]?[aeo]|°)?"
_GLUE = r"(?:[ .,/'-]|day|of|the|del?|di|dos|d|du|mes){0,6}"
_JOIN = r" ?(?:-|/|to|and|bis|und|au|et|al|y|e|i|a|do|til|till|och|og|tot|en) ?(?:the |den |le |el )?"
_YEAR = r"(?:[ .,/'-]|in|of|the|year|del?|ano|anno|พ|ศ|ค){0,6}"
_CLOCK = r"(?: \d{1,2}:\d{2}(?::\d{2})?(?: [a-z]{2,5})?)?"

_DAYS_BEFORE = re.compile(
    rf"(?<!\d)(?<!\d[.,:])(?:(\d{{1,2}}){_ORDINAL}\.?{_JOIN})?(?<!\d)(\d{{1,2}}){_ORDINAL}{_GLUE}\Z"
)
_YEAR_BEFORE = re.compile(r"(?<!\d)(?<!\d[.,:/-])(\d{4})(?: m)?[ .,/-]{0,3}\Z")
_LATVIAN_BEFORE = re.compile(r"(?<!\d)(\d{4})\. gada (\d{1,2})\. \Z")
_DAY_YEAR_AFTER = re.compile(
    rf"\.?{_GLUE}(\d{{1,2}}){_ORDINAL}(?:{_JOIN}(\d{{1,2}}){_ORDINAL})?"
    rf"{_CLOCK}{_YEAR}(?<!\d)(\d{{4}})(?![\d:]|[.,]\d)"
)
_YEAR_AFTER = re.compile(rf"\.?{_YEAR}(\d{{4}})(?![\d:]|[.,]\d)")
_SHORT_YEAR_AFTER = re.compile(r"\.? ?['-] ?(\d{2})(?!\d)")
_DAY_AFTER = re.compile(rf"\.?{_GLUE}(\d{{1,2}}){_ORDINAL}(?![\d:]|[.,/]\d)")
_RANGE = re.compile(
    r"[ ,.]*(?:-|to|until|through|and|bis|und|au|et|al|y|a|e|i|do|po|til|till|och|og|tot|en)"
    r" *(?:the |le |il |el )?"
)
_BUDDHIST = 543
_FIRSTS = ("first", "premier", "primero", "primeiro", "primo", "ersten", "erster")
_FIRST = re.compile(rf"(?:{'|'.join(_FIRSTS)})\b")
_DIGIT = re.compile("[0-9]")

_YearDay: TypeAlias = tuple[int | None, int | None]


class _Name(NamedTuple):
    """A month's name in a text, and the months that it may mean."""

    start: int
    end: int
    months: tuple[int, ...]


def dates_in(text: str, lang: str | None = None) -> tuple[Mention, ...]:
    """Every date that a text states, in order. `lang` (a language tag) settles 01/03 against 03/01.

    Places are those in the text's lines with numbers, in their plain form.
    """
    return dates_by(text, Locale(lang))


@recalled
def dates_by(text: str, locale: Locale) -> tuple[Mention, ...]:
    """The same. The language is asked for only where 01/03 or the like is."""
    folded = _lines_with_numbers(with_digits(plain(text)))
    found = [*dates_in_digits(folded, locale)]
    for name in _month_names(folded, locale):
        found += _around(folded, name)
    if len(found) < 2:
        return tuple(found)
    return _with_years_of_ranges(folded, sorted(set(found), key=_in_order))


def _lines_with_numbers(text: str) -> str:
    """The lines of a plain text in which a date may be: "first" is a number too."""
    if any(word in text for word in _FIRSTS):
        text = _FIRST.sub(_as_digit, text)
    return "\n".join(filter(_DIGIT.search, text.split("\n")))


def _as_digit(word: re.Match[str]) -> str:
    before = word.string[max(0, word.start() - 1) : word.start()]
    return word[0] if before.isalnum() or before == "_" else "1".rjust(len(word[0]))


def _month_names(text: str, locale: Locale) -> Iterator[_Name]:
    """Every month's name; one that is given in two languages (آب/أغسطس) counts as one."""
    end = 0
    known = month_names()
    for match in [match for match in _WORD.finditer(text) if match[0] in known]:
        months = months_called(match[0], locale)
        if not months or match.start() < end:
            continue
        end = match.end()
        twin = _WORD.match(text, end + 1) if text[end : end + 1] == "/" else None
        if twin and months_called(twin[0], locale) == months:
            end = twin.end()
        yield _Name(match.start(), end, months)


@recalled
def read_date(value: str) -> tuple[When, ...]:
    """The readings of a value that is one date; empty when it is none, several, or has no year.

    "2026-03-01", "1 March 2026" and "2026年3月1日" have one, "01/03/2026" has two, "2026-03" and "2026" are
    a month and a year. A time of day behind an ISO date is ignored.
    """
    folded = plain(value)
    if re.fullmatch(r"\d{4}", folded):
        return (When(int(folded)),) if When(int(folded)).possible else ()
    found = {found.readings for found in dates_in(value)}
    readings = found.pop() if len(found) == 1 else ()
    return readings if all(reading.year is not None for reading in readings) else ()


def years_in(text: str) -> frozenset[int]:
    """Every number of four digits in a text, since it may be a year."""
    return frozenset(int(year) for year in re.findall(r"(?<![\d.,])\d{4}(?![\d]|[.,]\d)", plain(text)))


def _around(text: str, name: _Name) -> list[Mention]:
    """The dates that a month's name is part of: its neighbours on both sides say day and year."""
    before = text[max(0, name.start - _REACH) : name.start]
    after = text[name.end : name.end + 2 * _REACH]
    days = _DAYS_BEFORE.search(before)
    if both := _DAY_YEAR_AFTER.match(after):
        dated: list[_YearDay] = [(int(both[3]), int(day)) for day in both.group(1, 2) if day]
        return _mentions(name.start, name.end + both.end(), dated, name.months)
    if year := _year_after(after, days=bool(days)):
        dated = [(year[0], day) for day in _days(days) or [None]]
        return _mentions(_start(name, days), name.end + year[1], dated, name.months)
    return _without_year_after(before, name, after)


def _without_year_after(before: str, name: _Name, after: str) -> list[Mention]:
    day_after, year, days = _DAY_AFTER.match(after), _YEAR_BEFORE.search(before), _DAYS_BEFORE.search(before)
    end = name.end + (day_after.end() if day_after else 0)
    if latvian := _LATVIAN_BEFORE.search(before):
        return _mentions(name.start - len(latvian[0]), end, [(int(latvian[1]), int(latvian[2]))], name.months)
    if year:
        day = int(day_after[1]) if day_after else None
        return _mentions(name.start - len(year[0]), end, [(int(year[1]), day)], name.months)
    if days:
        return _mentions(_start(name, days), name.end, [(None, day) for day in _days(days)], name.months)
    return _mentions(name.start, end, [(None, int(day_after[1]))], name.months) if day_after else []


def _year_after(after: str, *, days: bool) -> tuple[int, int] | None:
    """(year, where it ends). Two digits count only with a day before and an apostrophe or hyphen."""
    if full := _YEAR_AFTER.match(after):
        return int(full[1]), full.end()
    short = _SHORT_YEAR_AFTER.match(after) if days else None
    return (2000 + int(short[1]), short.end()) if short else None


def _days(match: re.Match[str] | None) -> list[int | None]:
    return [int(day) for day in match.groups() if day] if match else []


def _start(name: _Name, days: re.Match[str] | None) -> int:
    return name.start - (len(days[0]) if days else 0)


def _mentions(start: int, end: int, dated: list[_YearDay], months: tuple[int, ...]) -> list[Mention]:
    found = [
        mention(start, end, *(When(_common(year), month, day) for month in months)) for year, day in dated
    ]
    return [each for each in found if each]


def _common(year: int | None) -> int | None:
    """Years of the Buddhist era, which no other date of our time reaches, count 543 more."""
    return year - _BUDDHIST if year is not None and year >= 2400 else year


def _in_order(found: Mention) -> tuple[int, int, str]:
    """Readings may lack a year, so they are compared as text."""
    return found.start, found.end, " ".join(map(str, found.readings))


def _with_years_of_ranges(text: str, found: list[Mention]) -> tuple[Mention, ...]:
    """In "28 February - 2 March 2026" the first day has the year of the last."""
    settled = list(found)
    for at, (first, second) in enumerate(pairwise(found)):
        year = second.readings[0].year
        if first.readings[0].year is None and year and _RANGE.fullmatch(text[first.end : second.start]):
            dated = mention(first.start, first.end, *(r._replace(year=year) for r in first.readings))
            settled[at] = dated or first
    return tuple(settled)
