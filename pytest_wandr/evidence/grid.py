"""Which columns of a table are covered by cells that span several?

A renderer may repeat, leave empty or leave out a covered column, so covered columns are marked as optional.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from pytest_wandr.evidence.limits import MAX_SPAN

if TYPE_CHECKING:
    from collections.abc import Iterator

_CELLS = ("td", "th")
_MAX_MARKS = 5_000
_MAX_COLUMNS = 100


def mark_columns(root: etree._Element) -> None:
    """Mark as optional the columns that a cell spans, in its own row and in the rows below."""
    spanning = [cell for cell in root.iter(*_CELLS) if cell.get("colspan") or cell.get("rowspan")]
    rows = {row: None for cell in spanning if (row := cell.getparent()) is not None}
    budget = _MAX_MARKS
    for row in rows:
        for column, cell in enumerate(_cells(row)):
            if budget <= 0:
                return
            budget -= _insert_below(row, column, cell) + _insert_after(cell)


def _cells(row: etree._Element) -> list[etree._Element]:
    return [cell for cell in islice(row, 2 * _MAX_COLUMNS) if cell.tag in _CELLS][:_MAX_COLUMNS]


def _insert_after(cell: etree._Element) -> int:
    columns = _span(cell.get("colspan")) - 1
    if columns < 1:
        return 0
    mark = _mark(columns)
    mark.tail, cell.tail = cell.tail, None
    cell.addnext(mark)
    return 1


def _insert_below(row: etree._Element, column: int, cell: etree._Element) -> int:
    """An optional column in every row that the cell reaches into, before the cell that follows it there."""
    below = _span(cell.get("rowspan")) - 1
    reached = [sibling for _, sibling in zip(range(below), row.itersiblings("tr"), strict=False)]
    for sibling in reached:
        sibling.insert(_position(sibling, column), _mark(_span(cell.get("colspan"))))
    return len(reached)


def _mark(columns: int) -> etree._Element:
    return etree.Element(f"wandr-span-{columns}")


def _position(row: etree._Element, column: int) -> int:
    """The child index of the cell in this column, counted in cells; the end of the row when it is shorter."""
    for index in _indices(row):
        if column == 0:
            return index
        column -= 1
    return len(row)


def _indices(row: etree._Element) -> Iterator[int]:
    return (index for index, child in enumerate(islice(row, 2 * _MAX_COLUMNS)) if child.tag in _CELLS)


def _span(text: str | None) -> int:
    text = (text or "").strip()
    digits = text if text.isascii() and text.isdecimal() else "1"
    return max(1, min(int(digits[:6]), MAX_SPAN))
