"""Is a value a filled-in blank? An empty field, or a word that says that nothing was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.records.syntax import Json

_FILLERS = frozenset(["", "n/a", "null", "tbd", "-", "not found", "not available"])
_WORDS = frozenset(["na", "none", "unknown"])  # blank as a name or a url; as an answer they can be true


def is_blank(value: Json) -> bool:
    """True for a value that names nothing."""
    return value is None or (isinstance(value, str) and value.strip().casefold() in _FILLERS | _WORDS)


def is_blank_answer(value: Json) -> bool:
    """True for an answer that says nothing. "none" and "unknown" can be answers."""
    return value is None or (isinstance(value, str) and value.strip().casefold() in _FILLERS)
