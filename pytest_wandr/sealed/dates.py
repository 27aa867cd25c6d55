"""How does the sealed web count and write days? Without a clock and without a locale."""

from __future__ import annotations

from datetime import date, timedelta

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
MONATE = (
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli",
    "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip


def later(day: date, days: int) -> date:
    """That many days after."""
    return day + timedelta(days=days)


def written(day: date, style: str) -> str:
    """A day in one of four styles: `dmy`, `mdy`, `iso`, `de`."""
    match style:
        case "dmy":
            return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
        case "mdy":
            return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"
        case "de":
            return f"{day.day}. {MONATE[day.month - 1]} {day.year}"
        case _:
            return day.isoformat()
