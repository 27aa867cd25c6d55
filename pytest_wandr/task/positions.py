"""On which line of a TOML text does a value stand? `tomllib` does not say, so the text is walked once more.

Only for text that `tomllib` has accepted: nothing is checked here, and nothing is converted.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*+")
_KEY = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[A-Za-z0-9_-]+')
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^\s,\]}#]+(?:[ ]\d[^\s,\]}#]*)?")  # a date and its time may stand apart


def positions(text: str) -> dict[Path, int]:
    """The line (from 1) of every key, table and array element, by its path; () is the text itself."""
    walk = _Walk(text)
    walk.document()
    return walk.lines


class _Walk:
    """One pass over the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {(): 1}
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._last: dict[Path, int] = {}  # index of the newest table of each array of tables

    def document(self) -> None:
        table: Path = ()
        self._blank()
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self._header()
            else:
                self._pair(table)
            self._blank()

    def _blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _skip(self, expected: str) -> bool:
        """Step over blanks and, when it comes next, the expected character."""
        self._blank()
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def _mark(self, path: Path, at: int) -> None:
        self.lines.setdefault(path, bisect_right(self._starts, at))

    def _header(self) -> Path:
        start = self.at
        many = self._skip("[[")
        if not many:
            self._skip("[")
        keys = self._keys()
        self._skip("]]" if many else "]")
        path = self._resolved(keys[:-1])
        path = (*path, keys[-1])
        if many:
            self._mark(path, start)
            self._last[path] = self._last.get(path, -1) + 1
            path = (*path, self._last[path])
        for length in range(1, len(path) + 1):
            self._mark(path[:length], start)
        return path

    def _resolved(self, keys: list[str]) -> Path:
        """A header path; the name of an array of tables means its newest table."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._last:
                path = (*path, self._last[path])
        return path

    def _keys(self) -> list[str]:
        """A dotted key."""
        keys: list[str] = []
        while True:
            self._blank()
            match = _KEY.match(self.text, self.at)
            if not match:
                return keys or [""]
            self.at = match.end()
            keys.append(_unquoted(match.group()))
            if not self._skip("."):
                return keys

    def _pair(self, table: Path) -> None:
        start = self.at
        path = table
        for key in self._keys():
            path = (*path, key)
            self._mark(path, start)
        self._skip("=")
        self._value(path)

    def _value(self, path: Path) -> None:
        if self._skip("["):
            self._array(path)
        elif self._skip("{"):
            while not self._skip("}"):
                self._pair(path)
                self._skip(",")
        else:
            match = _STRING.match(self.text, self.at) or _PLAIN.match(self.text, self.at)
            self.at = match.end() if match else self.at + 1

    def _array(self, path: Path) -> None:
        index = 0
        while not self._skip("]"):
            self._mark((*path, index), self.at)
            self._value((*path, index))
            self._skip(",")
            index += 1


def _unquoted(key: str) -> str:
    if key.startswith('"'):
        value = tomllib.loads(f"key = {key}")["key"]
        return value if isinstance(value, str) else key
    return key[1:-1] if key.startswith("'") else key
