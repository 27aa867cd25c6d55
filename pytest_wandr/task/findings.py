"""Which mistakes does a task package hold? All of them, each with file, line, key and hint."""

from __future__ import annotations

import difflib
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_wandr.errors import Problem, TaskSpecError
from pytest_wandr.task.positions import Path, positions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Findings:
    """The mistakes found in one file so far."""

    def __init__(self, file: str, toml: str | None = None) -> None:
        self.file = file
        self._toml = toml
        self.problems: list[Problem] = []

    @cached_property
    def _lines(self) -> Mapping[Path, int]:
        """Where everything stands. Most files are without mistakes, and nobody asks."""
        return {} if self._toml is None else positions(self._toml)

    def add(self, path: Path, message: str, hint: str = "") -> None:
        """Note a mistake at `path`, on the line of the nearest table or key that is in the file."""
        at = path
        while at and at not in self._lines:
            at = at[:-1]
        self.add_at(self._lines.get(at, 0), shown(path), message, hint)

    def add_at(self, line: int, key: str, message: str, hint: str = "") -> None:
        """Note a mistake on a known line."""
        self.problems.append(Problem(self.file, line, key, message, hint))

    def stop(self) -> TaskSpecError:
        """The error with everything that was found, from top to bottom."""
        return TaskSpecError(
            tuple(sorted(dict.fromkeys(self.problems), key=lambda one: (one.file, one.line)))
        )


def shown(path: Path) -> str:
    """`("nodes", 0, "keys", 1)` as `nodes[0].keys[1]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def near(name: str, known: Iterable[str]) -> str:
    """A hint for a name that does not exist: the closest ones, or all of them."""
    names = list(known)
    folded = {one.casefold(): one for one in reversed(names)}
    close = [
        folded[one] for one in difflib.get_close_matches(name.casefold(), list(folded), n=2, cutoff=0.65)
    ]
    if close:
        return "did you mean " + " or ".join(f"`{one}`" for one in close) + "?"
    return "there are: " + ", ".join(names) if names else ""
