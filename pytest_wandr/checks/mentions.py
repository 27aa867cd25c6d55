"""Does a text name what the record claims? Each value in any spelling of the same identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.checks.date_check import stated_date
from pytest_wandr.checks.dates import read_date
from pytest_wandr.checks.logic import all_of, any_of, no, undecided
from pytest_wandr.identity import mentioned
from pytest_wandr.model import YES, Mentions, Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from pytest_wandr.checks.subject import Subject
    from pytest_wandr.model import KeySpec


def check_mentions(check: Mentions, subject: Subject) -> Part:
    """The text names the values of all these fields."""
    return all_of([_field(field, subject) for field in check.mentions])


def _field(field: str, subject: Subject) -> Part:
    names = names_in(subject.value_of(field))
    if not names:
        return no("no_value", f"the record has no value for {field!r} that a text could name")
    key = subject.key_of(field)
    return all_of([_name(name, field, subject, key) for name in names])


def _name(name: str, field: str, subject: Subject, key: KeySpec | None) -> Part:
    if key and key.kind == "date" and (readings := read_date(name)):
        return any_of([stated_date(when, subject) for when in readings])
    found = _mentioned(name, subject.pieces, key)
    if found:
        return YES
    if found is None:
        return undecided(
            "mention_unclear",
            f"the text may name {field} {name!r}, but not in a spelling that is surely the same",
        )
    return no("not_mentioned", f"the text does not name {field} {name!r}")


def _mentioned(name: str, pieces: Sequence[str], key: KeySpec | None) -> bool | None:
    """Whether one of the pieces names it: half before an ellipsis and half behind it is no name."""
    kind, options = (key.kind, key) if key else ("text", None)
    found: bool | None = False
    if len(pieces) > 1:
        pieces = sorted(pieces, key=lambda piece: name not in piece)  # one that does is likely to
    for piece in pieces:
        verdict = mentioned(kind, name, piece, options)
        if verdict:
            return True
        found = None if verdict is None else found
    return found


def names_in(value: JsonValue) -> tuple[str, ...]:
    """The names that a field's value holds: a text, a number as text, or a list of them."""
    if isinstance(value, bool) or value is None or isinstance(value, dict):
        return ()
    if isinstance(value, list):
        return tuple(name for part in value for name in names_in(part))
    return (str(value),) if str(value).strip() else ()
