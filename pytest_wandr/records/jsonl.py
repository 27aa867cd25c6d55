"""Is a text nothing but plain records, one a line? Most are, and then there is nothing to look for.

Both ways make the same of such a text; any other text goes the long way, through `framing`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_wandr.model import Record, unchecked
from pytest_wandr.records.syntax import read_strict

if TYPE_CHECKING:
    from pytest_wandr.records.plain import PlainReader
    from pytest_wandr.records.shape import Shape

_decode = json.JSONDecoder().decode


def plain_records(text: str, node: str, reader: PlainReader) -> list[Record] | None:
    """The records of a text that is nothing but plain records of a node; None for any other text."""
    lines = text.removesuffix("\n").split("\n")
    if not all([line.startswith("{") and line.endswith("}") for line in lines]):  # noqa: C419 -- faster
        return None
    records: list[Record] = []
    for line in lines:
        shape = _shape(line, reader)
        if shape is None:
            return None
        fields: dict[str, Any] = {
            "node": node,
            "item": shape.item,
            "url": shape.url,
            "excerpts": shape.excerpts,
            "answer": shape.answer,
        }
        records.append(unchecked(Record, fields))
    return records


def _shape(line: str, reader: PlainReader) -> Shape | None:
    """The plain record that a line holds; None for any other line, or a record that says something twice."""
    try:
        if "\\" not in line:
            shape = _read(_decode(line), reader)
            if shape is None or _says_each_once(line, shape):
                return shape
        value, end = read_strict(line, 0)
    except (ValueError, RecursionError):
        return None
    return None if value.code or end != len(line) else _read(value.data, reader)


def _read(found: Any, reader: PlainReader) -> Shape | None:
    return reader.read(found) if isinstance(found, dict) else None


def _says_each_once(line: str, shape: Shape) -> bool:
    """True when a line without escapes has no more quotes than its record needs.

    The decoder keeps the last of what is said twice. False also when answers are no texts: these are not
    counted, and numbers want a second look.
    """
    for answer in shape.answer.values():
        if not isinstance(answer, str):
            return False
    texts = 5 + 2 * len(shape.item) + len(shape.excerpts) + 2 * len(shape.answer)
    return line.count('"') == 2 * texts
