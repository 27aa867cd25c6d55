"""When are two labels, dates or identifiers equal? Never by likeness."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.identity.fold import clean, fold, raw_form, romanised
from pytest_wandr.identity.tables.words import UNIVERSAL_LABELS
from pytest_wandr.identity.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = {name: at for at, month in enumerate(_MONTHS, 1) for name in (month, month[:3])} | {"sept": 9}
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[t ]\d{1,2}:\d{2}.*)?")
_COMPACT = re.compile(r"((?:19|20)\d{2})(\d{2})(\d{2})")
_DAY_FIRST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_WEEKDAY = re.compile(r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b")
_QUARTER = re.compile(r"(?:q([1-4]) (\d{4})|(\d{4}) q([1-4]))")
_YEAR_MONTH = re.compile(r"(\d{4})[-/.](\d{1,2})")
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/.](\d{4})")
_HAN = re.compile(r"(\d{4}) ?[年년](?: ?(\d{1,2}) ?[月월](?: ?(\d{1,2}) ?[日일])?)?")
_YEAR = re.compile(r"\d{4}")
_SIGNS = {
    "-": "minus",
    "<": "less",
    ">": "more",
    "≤": "atmost",
    "≥": "atleast",
    "$": "dollar",
    "%": "percent",
}
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"))
_SIGN = re.compile(r"(?<=\w)-(?=\s|$)|(?:^|(?<=\s))-(?=\w)|[<>≤≥$%]")
_UNIVERSAL = {label: names[0] for names in UNIVERSAL_LABELS for label in names}


@lru_cache(maxsize=16384)
def label_key(value: str) -> str:
    """A label's sorted tokens."""
    text = fold(clean(value)).translate(_DASHES).replace("<=", "≤").replace(">=", "≥")
    text = _SIGN.sub(lambda match: f" {_SIGNS[match[0].strip()]} ", text)
    tokens = tokenize(romanised(text))
    text = " ".join([token for token in tokens if token != "the"] or tokens)
    return " ".join(sorted(_UNIVERSAL.get(text, text).split())) or raw_form(value)


def id_key(value: str) -> str:
    """An identifier without case and outer blanks; leading zeros and inner signs count."""
    return raw_form(value).translate(_DASHES)


@lru_cache(maxsize=4096)
def date_key(value: str) -> str:
    """ISO date, month or year; the folded text when the date is not clear."""
    text = _WEEKDAY.sub(" ", fold(clean(value)))
    text = " ".join(re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|[,]|\bof\b|\bthe\b", " ", text).split()).strip(" .")
    return _numeric(text) or _written(text) or raw_form(value)


def _numeric(text: str) -> str:
    """Digits in a clear order; `03/04/2026` is none."""
    if found := _ISO.fullmatch(text):
        return _iso(found[1], found[3], found[4])
    if found := _COMPACT.fullmatch(text):
        return _iso(found[1], found[2], found[3])
    if found := _DAY_FIRST.fullmatch(text):
        return _day_or_month(found[4], found[1], found[3])
    if found := _HAN.fullmatch(text):
        year, month, day = found.groups()
        return (_iso(year, month, day) if day else _month(year, month)) if month else year
    return _part_of_year(text)


def _day_or_month(year: str, one: str, two: str) -> str:
    """Clear only when one of the two can be no month, or both are equal."""
    if one == two or int(one) > 12:
        return _iso(year, two, one)
    return _iso(year, one, two) if int(two) > 12 else ""


def _part_of_year(text: str) -> str:
    if found := _QUARTER.fullmatch(text):
        return f"{found[2] or found[3]}-q{found[1] or found[4]}"
    if found := _YEAR_MONTH.fullmatch(text):
        return "" if _is_season(text, found[1], found[2]) else _month(found[1], found[2])
    if found := _MONTH_YEAR.fullmatch(text):
        return _month(found[2], found[1])
    return text if _YEAR.fullmatch(text) else ""


def _is_season(text: str, year: str, other: str) -> bool:
    """`2010/11` is a season as well as a month."""
    return "/" in text and len(other) == 2 and int(other) == (int(year) + 1) % 100


def _month(year: str, month: str) -> str:
    return f"{year}-{int(month):02}" if 1 <= int(month) <= 12 else ""


def _written(text: str) -> str:
    """`3 March 2026`, `March 3 2026`, `March 2026`."""
    words = text.replace("-", " ").replace(".", " ").replace("/", " ").split()
    months = [_MONTH[w] for w in words if w in _MONTH]
    numbers = [w for w in words if w.isdecimal()]
    if len(months) != 1 or len(numbers) + 1 != len(words):
        return ""
    years = [n for n in numbers if len(n) == 4]
    days = [n for n in numbers if len(n) < 3]
    if len(years) != 1 or len(days) > 1 or len(years) + len(days) != len(numbers):
        return ""
    return _iso(years[0], str(months[0]), days[0]) if days else f"{years[0]}-{months[0]:02}"


def _iso(year: str, month: str, day: str) -> str:
    try:
        return dt.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""


def label_table(aliases: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Label key of every spelling to the label key of its canonical label."""
    return {
        label_key(name): label_key(canonical)
        for canonical, names in aliases.items()
        for name in (canonical, *names)
    }
