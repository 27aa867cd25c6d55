"""Does a line state a date in so many words, that no reading of it can say otherwise?

"3 March 2026" and "March 3, 2026", each part by itself, with a name that means one month in all languages.
Most dates that texts state are such ones, and reading all that a line says takes ten times as long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.checks.date_words import months_anywhere

if TYPE_CHECKING:
    from pytest_wandr.checks.when import When

_YEAR = r"(?P<year>1\d\d\d|2[0-3]\d\d)(?=[.,;)]?(?: |\Z))"  # later ones count from the birth of the Buddha
_MONTH = r"(?P<month>[A-Za-z]{3,12})"
_DAY = r"(?P<day>[0-9]{1,2})"
_FORMS = tuple(
    re.compile(rf"(?:(?<= )|\A){form}", re.ASCII)
    for form in (rf"{_DAY} {_MONTH} {_YEAR}", rf"{_MONTH} {_DAY}, {_YEAR}")
)


def plainly_states(line: str, when: When) -> bool:
    """True when a line surely states a day; False when it may or may not."""
    if when.day is None:
        return False
    return any(_is_it(found, when) for form in _FORMS for found in form.finditer(line))


def _is_it(found: re.Match[str], when: When) -> bool:
    months = months_anywhere().get(found["month"].lower())
    return months == (when.month,) and (int(found["year"]), int(found["day"])) == (when.year, when.day)
