"""What does a table of a task.toml say? Typed look-ups that note what is missing, unknown or mistyped."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import TYPE_CHECKING

from pytest_wandr.task.findings import Findings, near

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_wandr.task.positions import Path

_TYPES = (  # a boolean is an integer and a date with time is a date, so the narrower types come first
    (bool, "a boolean"), (int, "an integer"), (float, "a float"), (str, "a string"),
    (datetime, "a date with time"), (date, "a date"), (time, "a time"), (list, "an array"), (dict, "a table"),
)  # fmt: skip


def type_of(value: object) -> str:
    """The TOML name of a value's type."""
    return next((name for kind, name in _TYPES if isinstance(value, kind)), type(value).__name__)


class Table:
    """One table, where it stands, and where to note mistakes."""

    def __init__(self, values: Mapping[str, object], path: Path, findings: Findings) -> None:
        self.values = values
        self.path = path
        self.findings = findings

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def wrong(self, name: str | None, message: str, hint: str = "") -> None:
        """Note a mistake in a field, or in the table as a whole."""
        self.findings.add(self.path if name is None else (*self.path, name), message, hint)

    def only(self, known: Iterable[str]) -> None:
        """Note every key that does not exist here."""
        names = tuple(known)
        for name in self.values:
            if name not in names:
                self.wrong(name, "unknown key", near(name, names))

    def text(self, name: str, *, needed: bool = False, hint: str = "") -> str:
        """A string; "" when it is absent or wrong. With `needed` it must be there and say something."""
        value = self.values.get(name)
        if value is None:
            if needed:
                self.wrong(None, f"`{name}` is missing", hint)
            return ""
        if not isinstance(value, str):
            self.wrong(name, f"must be a string, not {type_of(value)}", hint or f'write {name} = "..."')
            return ""
        if needed and not value.strip():
            self.wrong(name, "must not be empty", hint)
        return value

    def texts(self, name: str, *, filled: bool = False) -> tuple[str, ...]:
        """An array of strings; with `filled` it must not be empty. What is wrong is noted and left out."""
        value = self.values.get(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.wrong(
                name, f"must be an array of strings, not {type_of(value)}", f'write {name} = ["...", "..."]'
            )
            return ()
        if filled and not value:
            self.wrong(name, "must not be empty", "name at least one, or leave the key out")
        kept = []
        for index, one in enumerate(value):
            if isinstance(one, str) and one.strip():
                kept.append(one)
            else:
                what = (
                    "must not be empty" if isinstance(one, str) else f"must be a string, not {type_of(one)}"
                )
                self.findings.add((*self.path, name, index), what, "put every entry in quotes")
        return tuple(kept)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """A boolean."""
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            self.wrong(
                name, f"must be true or false, not {type_of(value)}", f"write {name} = true, without quotes"
            )
            return default
        return value

    def choice(self, name: str, options: Iterable[str], default: str) -> str:
        """One of a few words."""
        value = self.values.get(name)
        known = tuple(options)
        if value is None:
            return default
        if not isinstance(value, str):
            self.wrong(name, f"must be a string, not {type_of(value)}", "there are: " + ", ".join(known))
        elif value not in known:
            self.wrong(name, f"unknown value {value!r}", near(value, known))
        else:
            return value
        return default

    def count(self, name: str) -> int | None:
        """An integer from 1 up. None when it is absent or wrong."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.wrong(name, f"must be a whole number, not {type_of(value)}", f"write {name} = 1")
            return None
        if value < 1:
            self.wrong(
                name, f"must be 1 or more, not {value}", "a level that requires nothing asks for nothing"
            )
            return None
        return value

    def number(self, name: str) -> float | None:
        """A finite number. None when it is absent or wrong."""
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(name, f"must be a number, not {type_of(value)}", f"write {name} = 0.5, without quotes")
            return None
        if value != value or value in {float("inf"), float("-inf")}:  # noqa: PLR0124 -- nan
            self.wrong(name, "must be a finite number", "leave the bound out when there is none")
            return None
        return value

    def day(self, name: str) -> date | None:
        """A date without a time. None when it is absent or wrong."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, date) or isinstance(value, datetime):
            hint = f"write {name} = 2026-03-01, without quotes and without a time"
            self.wrong(name, f"must be a date, not {type_of(value)}", hint)
            return None
        return value

    def table(self, name: str) -> Table | None:
        """A table. None when it is absent or wrong."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.wrong(name, f"must be a table, not {type_of(value)}", f"write {name} = {{ ... }}")
            return None
        return Table(value, (*self.path, name), self.findings)

    def tables(self, name: str) -> list[Table]:
        """An array of tables. What is no table is noted and left out."""
        value = self.values.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.wrong(name, f"must be an array of tables, not {type_of(value)}", f"write [[{name}]]")
            return []
        kept = []
        for index, one in enumerate(value):
            path = (*self.path, name, index)
            if isinstance(one, dict):
                kept.append(Table(one, path, self.findings))
            else:
                self.findings.add(path, f"must be a table, not {type_of(one)}", "write { ... }")
        return kept
