"""How precise is a date? A day, a month or a year, as it was written; and where in a text it stands."""

from __future__ import annotations

import calendar
from datetime import date
from typing import NamedTuple

_OLDEST, _NEWEST = 1000, 2999


class When(NamedTuple):
    """A date as precise as it was written. `year` is None in "1 March", `day` in "March 2026"."""

    year: int | None
    month: int | None = None
    day: int | None = None

    def __str__(self) -> str:
        year = "????" if self.year is None else f"{self.year:04}"
        month = "" if self.month is None else f"-{self.month:02}"
        return year + month + ("" if self.day is None else f"-{self.day:02}")

    @property
    def possible(self) -> bool:
        """Is there such a date? 29 February needs a leap year when the year is known."""
        if self.year is not None and not _OLDEST <= self.year <= _NEWEST:
            return False
        if self.month is None:
            return self.day is None
        if not 1 <= self.month <= 12:
            return False
        longest = calendar.monthrange(2000 if self.year is None else self.year, self.month)[1]
        return self.day is None or 1 <= self.day <= longest

    @property
    def first(self) -> date:
        """The first day that it covers (the year must be known)."""
        return date(self.year or 1, self.month or 1, self.day or 1)

    @property
    def last(self) -> date:
        """The last day that it covers (the year must be known)."""
        year, month = self.year or 1, self.month or 12
        return date(year, month, self.day or calendar.monthrange(year, month)[1])

    def states(self, claimed: When) -> bool:
        """Does a text that says this date state the claimed one? It may be more precise, never less."""
        return all(want is None or have == want for have, want in zip(self, claimed, strict=True))


class Mention(NamedTuple):
    """A date in a text. More than one reading: it may be any of them."""

    start: int
    end: int
    readings: tuple[When, ...]


def mention(start: int, end: int, *readings: When) -> Mention | None:
    """A mention with the readings that are possible dates; None when none is."""
    possible = tuple(dict.fromkeys(reading for reading in readings if reading.possible))
    return Mention(start, end, possible) if possible else None
