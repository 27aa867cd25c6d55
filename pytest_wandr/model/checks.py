"""Which requirements can a machine decide? The vocabulary of `check = {...}` in a task.toml."""

from __future__ import annotations

from datetime import date as Day  # noqa: N812 -- a field of DateIn is called date
from typing import TypeAlias

from pydantic import Field

from pytest_wandr.model.base import Frozen


class Mentions(Frozen):
    """The text names the values of these item or answer fields, in any spelling of the same identity."""

    mentions: tuple[str, ...]


class Matches(Frozen):
    """The text matches a regular expression; `{field}` stands for the record's own value, escaped."""

    matches: str


class DateIn(Frozen):
    """The record's field `date` is a date from `from` to `to` (inclusive), and the text states it."""

    date: str
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None


class NumberIn(Frozen):
    """The record's field `number` is a number within `min` to `max`, and the text states it (with `unit`)."""

    number: str
    min: float | None = None
    max: float | None = None
    unit: str | None = None


class HostIs(Frozen):
    """The page's final host is one of these, or below one of them."""

    host: tuple[str, ...]


class LanguageIs(Frozen):
    """The text is written in one of these languages (ISO 639-1 codes)."""

    language: tuple[str, ...]


class AnyOf(Frozen):
    """At least one of these checks holds."""

    any: tuple[Check, ...]


class AllOf(Frozen):
    """All of these checks hold."""

    all: tuple[Check, ...]


class Not(Frozen):
    """This check does not hold."""

    not_: Check = Field(alias="not")


Check: TypeAlias = Mentions | Matches | DateIn | NumberIn | HostIs | LanguageIs | AnyOf | AllOf | Not

for _model in (AnyOf, AllOf, Not):
    _model.model_rebuild()
