"""Which dates does a text state in digits? 2026-03-01, 1.3.2026, 01/03/26, 20260301, 2026年3月1日."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.checks.locales import base, day_first, year_first
from pytest_wandr.checks.starts import matches_at
from pytest_wandr.checks.when import Mention, When, mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from pytest_wandr.checks.locales import Locale

    Reader: TypeAlias = Callable[[re.Match[str], Locale], Mention | None]

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民国": 1911, "民國": 1911}
_HAN_DIGITS = dict(zip("〇零一二三四五六七八九元", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1), strict=True))
_HAN_UNITS = "年月日号號"
_HAN_RUN = re.compile(f"[〇零一二三四五六七八九十元]{{1,4}}(?= ?[{_HAN_UNITS}])")

_SEPARATED = re.compile(r"(?<!\d)(\d{1,4})([-./]) ?(\d{1,2})\2 ?(\d{4}|\d{1,2})(?!\d)")
_YEAR_MONTH = re.compile(r"(?<!\d)(?<![-./,])(\d{4})[-./](\d{1,2})(?!\d|[-./,]\d)")
_MONTH_YEAR = re.compile(r"(?<!\d)(?<![-./,])(\d{1,2})[-./](\d{4})(?!\d|[-./,]\d)")
_COMPACT = re.compile(r"(?<![\d.,/-])((?:19|20)\d{2})(\d{2})(\d{2})(?![\d.,/-])")
_EAST_ASIAN = re.compile(
    r"(?:(令和|平成|昭和|大正|民国|民國)? ?(?<!\d)(\d{1,4}) ?(?:年|년) ?)?"
    r"(?<!\d)(\d{1,2}) ?(?:月|월)(?: ?(\d{1,2}) ?(?:日|号|號|일))?"
)
_MARKS = frozenset("-./")
_VIETNAMESE = re.compile(r"(?:(?<!\d)(\d{1,2}) )?thang (\d{1,2})(?:,? nam |/|, ?)(\d{4})(?!\d)")


def _year(digits: str) -> int:
    """Two digits are the nearest such year around the turn of the century: 70 is 1970, 69 is 2069."""
    number = int(digits)
    return number if len(digits) > 2 else number + (2000 if number < 70 else 1900)


def _separated(match: re.Match[str], locale: Locale) -> Mention | None:
    a, mark, b, c = match.groups()
    if _part_of_more(match, mark) or len(a) == 3:
        return None
    if len(a) == 4:
        return mention(*match.span(), When(int(a), int(b), int(c))) if len(c) < 3 else None
    if len(c) not in (2, 4):
        return None
    day, month = When(_year(c), int(b), int(a)), When(_year(c), int(a), int(b))
    readings = _by_order(day, month, mark, locale)
    if len(c) == 2 and len(a) == 2:
        readings += _by_year_first(When(_year(a), int(b), int(c)), readings, locale)
    return mention(*match.span(), *readings)


def _by_order(day: When, month: When, mark: str, locale: Locale) -> tuple[When, ...]:
    """Both, unless the language settles which: 25/12 is Christmas on an American page too."""
    if day == month or not (day.possible and month.possible):
        return (day, month)
    order = _order(mark, locale.lang)
    return (day, month) if order is None else (day,) if order else (month,)


def _by_year_first(when: When, others: tuple[When, ...], locale: Locale) -> tuple[When, ...]:
    """The reading with the year in front, where there is one and it is another."""
    return (when,) if when.possible and when not in others and year_first(locale.lang) else ()


def _order(mark: str, lang: str | None) -> bool | None:
    """Points put the day first in every language but English, where they settle nothing."""
    return True if mark == "." and base(lang) != "en" else day_first(lang)


def _part_of_more(match: re.Match[str], mark: str) -> bool:
    """A piece of a version number, an address or a longer series with the same separator."""
    text, start, end = match.string, match.start(), match.end()
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    longer = len(before) == 2 and before[0].isdigit() and before[1] in {mark, ".", ","}
    return longer or (len(after) == 2 and after[0] in {mark, "."} and after[1].isdigit())


def _year_month(match: re.Match[str], _locale: Locale) -> Mention | None:
    return mention(*match.span(), When(int(match[1]), int(match[2])))


def _month_year(match: re.Match[str], _locale: Locale) -> Mention | None:
    return mention(*match.span(), When(int(match[2]), int(match[1])))


def _compact(match: re.Match[str], _locale: Locale) -> Mention | None:
    return mention(*match.span(), When(int(match[1]), int(match[2]), int(match[3])))


def _east_asian(match: re.Match[str], _locale: Locale) -> Mention | None:
    era, year, month, day = match.groups()
    if year is None and day is None:
        return None
    counted = None
    if year:
        counted = int(year) + _ERAS[era] if era else _year(year)
    return mention(*match.span(), When(counted, int(month), int(day) if day else None))


def _vietnamese(match: re.Match[str], _locale: Locale) -> Mention | None:
    day = int(match[1]) if match[1] else None
    return mention(*match.span(), When(int(match[3]), int(match[2]), day))


_MARKED: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (_SEPARATED, _separated),
    (_YEAR_MONTH, _year_month),
    (_MONTH_YEAR, _month_year),
)
"""Forms that begin with a number and a mark behind it."""
_UNMARKED: tuple[tuple[re.Pattern[str], Reader], ...] = ((_COMPACT, _compact),)
_WORDED: tuple[tuple[re.Pattern[str], Reader, tuple[str, ...]], ...] = (
    (_EAST_ASIAN, _east_asian, ("月", "월")),
    (_VIETNAMESE, _vietnamese, ("thang",)),
)
"""Forms with a word in them, one of which must stand somewhere in a text."""
_NUMBER = re.compile(r"\d+")


def _han_number(match: re.Match[str]) -> str:
    """Han digits before a unit of time, positional or with ten (三十一), padded to keep offsets."""
    run = match[0]
    if "十" not in run:
        return "".join(str(_HAN_DIGITS[char]) for char in run)
    tens, _, ones = run.partition("十")
    number = 10 * (_HAN_DIGITS.get(tens, 1) if tens else 1) + (_HAN_DIGITS.get(ones, 0) if ones else 0)
    return str(number).rjust(len(run))


def with_digits(text: str) -> str:
    """A plain text whose Han numbers before 年, 月 and 日 are digits, offset by offset."""
    return _HAN_RUN.sub(_han_number, text) if any(unit in text for unit in _HAN_UNITS) else text


def dates_in_digits(text: str, locale: Locale) -> Iterator[Mention]:
    """Every date that a plain text writes in digits."""
    numbers = list(_NUMBER.finditer(text))
    marked = [found.start() for found in numbers if text[found.end() : found.end() + 1] in _MARKS]
    days = [found.start() for found in numbers if found.end() - found.start() == 8]
    for forms, starts in ((_MARKED, marked), (_UNMARKED, days)):
        for pattern, read in forms if starts else ():
            yield from filter(None, (read(match, locale) for match in matches_at(pattern, text, starts)))
    for pattern, read, words in _WORDED:
        if any(word in text for word in words):
            yield from filter(None, (read(match, locale) for match in pattern.finditer(text)))
