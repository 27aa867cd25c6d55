"""Which lines of a text may well state something? A few that hold what it is mostly written with.

No date and no number reaches over the end of a line, and nothing outside its line changes how it is read. So
one line that surely states it is enough, and a text is read as a whole only when no likely line does.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pytest_wandr.checks.recall import SHORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LOOKED_AT, _GIVEN = 32, 6
"""Lines that are looked at, and those that are worth reading: no text makes this a long way."""


def likely_lines(text: str, signs: Iterable[str], *, also: str = "") -> Iterator[str]:
    """The first lines with one of these signs in which `also` stands too, each once.

    They read as they do within the text. Very long ones are left out.
    """
    given: set[str] = set()
    for at in islice(_places(text, signs), _LOOKED_AT):
        line = _line_at(text, at)
        if line and also in line and line not in given:
            given.add(line)
            # In a text with other letters than ASCII a grave accent is an apostrophe, see `plain`.
            yield line if text.isascii() else line.replace("`", "'")
        if len(given) == _GIVEN:
            return


def _places(text: str, signs: Iterable[str]) -> Iterator[int]:
    """Where each sign stands first in every line that has it."""
    for sign in signs:
        at = text.find(sign)
        while at >= 0:
            yield at
            end = text.find("\n", at)
            at = text.find(sign, end) if end >= 0 else -1


def _line_at(text: str, at: int) -> str:
    """The line around a place; empty when it is too long."""
    start, end = text.rfind("\n", max(0, at - SHORT), at) + 1, text.find("\n", at, at + SHORT)
    if end < 0:
        end = len(text)
    return "" if (start == 0 and at > SHORT) or end > at + SHORT else text[start:end]
