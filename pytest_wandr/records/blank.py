"""Is a value a filled-in blank? An empty field, or a word that says that nothing was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.records.syntax import Json

_FILLERS = frozenset(["", "n/a", "null", "tbd", "-", "not found", "not available"])
_NAMES = _FILLERS | {"na", "none", "unknown"}  # blank as a name or a url; as an answer they can be true
_LONGEST = max(map(len, _NAMES))


def is_blank(value: Json) -> bool:
    """True for a value that names nothing."""
    return value is None or (isinstance(value, str) and _is_one_of(_NAMES, value))


def is_blank_answer(value: Json) -> bool:
    """True for an answer that says nothing. "none" and "unknown" can be answers."""
    return value is None or (isinstance(value, str) and _is_one_of(_FILLERS, value))


def _is_one_of(words: frozenset[str], text: str) -> bool:
    """Case and blanks aside. No folding makes a text shorter, so a long one is none of them."""
    bare = text.strip()
    return len(bare) <= _LONGEST and bare.casefold() in words
