"""How does text that is not markup (plain text, tables of values, JSON) get its structure marked?"""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

from pytest_wandr.evidence.marks import BARRIER, BLOCK, CELL, JOINT, NEWLINE, ROW, clean

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINES = re.compile(r"\r\n?|\n")
_BLANK = re.compile(r"\n[ \t]*\n\s*|\f\s*")
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n(?=[^\W\d_])")
_BAR = re.compile(r"(?<!\\)[|│]")
_RULE = re.compile(r"[\s|│:+=─┼-]*")


def mark_text(text: str) -> str:
    """Plain text: blank lines part blocks, lines with bars are rows."""
    text = _LINES.sub("\n", text)
    text = _LINE_HYPHEN.sub("-" + JOINT + "\n", text)
    text = _BLANK.sub("\n" + BLOCK, text)
    if "|" in text or "│" in text:
        text = "\n".join(map(_mark_line, text.split("\n")))
    return text.replace("\n", NEWLINE + " ")


def _mark_line(line: str) -> str:
    cells = bar_cells(line)
    return line if cells is None else mark_row(cells)


def bar_cells(line: str, *, least: int = 2) -> list[str] | None:
    """The cells of a line with so many bars, without the outer bars; None for another line."""
    if len(_BAR.findall(line)) < least or _RULE.fullmatch(line):
        return None
    cells = _BAR.split(line)
    first, last = cells[0].strip() == "", cells[-1].strip() == ""
    return cells[first : len(cells) - last]


def mark_row(cells: list[str], *, style: str = "") -> str:
    """One row of cells, marked."""
    return ROW + style + "".join(CELL + cell for cell in cells) + ROW


def mark_values(text: str, delimiter: str) -> str:
    """A table of delimited values; broken quoting makes it plain text."""
    try:
        rows = list(csv.reader(_LINES.sub("\n", text).splitlines(), delimiter=delimiter))
    except csv.Error:
        return mark_text(text)
    return "".join(map(mark_row, rows))


def json_values(text: str) -> Iterator[str]:
    """Every string and number of a JSON document, in order; keys and booleans are not text."""
    stack = [json.loads(text, parse_float=str, parse_int=str)]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield clean(value)
        elif isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            stack.extend(reversed(list(value.values())))


def mark_json(text: str) -> str | None:
    """The values of a JSON document, parted so that no two of them read as one; None when it is not JSON."""
    try:
        return BARRIER.join(json_values(text))
    except (ValueError, RecursionError):
        return None
