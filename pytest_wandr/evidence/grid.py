"""Which columns of a table are covered by cells that span several?

A renderer may repeat, leave empty or leave out a covered column, so covered columns are marked as optional.
"""

from __future__ import annotations

from lxml import etree

from pytest_wandr.evidence.limits import MAX_SPAN

_MAX_INSERTED = 5_000


def mark_columns(root: etree._Element) -> None:
    """Put an optional column after each cell that spans columns, and into each row below one that spans rows."""
    budget = _MAX_INSERTED
    for cell in [cell for cell in root.iter("td", "th") if cell.get("colspan") or cell.get("rowspan")]:
        if budget <= 0:
            return
        if cell.get("colspan"):
            budget -= _insert_columns(cell)
        if cell.get("rowspan"):
            budget -= _insert_below(cell)


def _insert_columns(cell: etree._Element) -> int:
    count = _span(cell.get("colspan")) - 1
    if count < 1:
        return 0
    mark = etree.Element(f"wandr-span-{count}")
    mark.tail, cell.tail = cell.tail, None
    cell.addnext(mark)
    return 1


def _insert_below(cell: etree._Element) -> int:
    """One optional column in every row that the cell reaches into, before the cell that follows it there."""
    row = cell.getparent()
    if row is None:
        return 0
    column = sum(1 for _ in cell.itersiblings("td", "th", preceding=True))
    width = min(_span(cell.get("colspan")), MAX_SPAN)
    below = _span(cell.get("rowspan")) - 1
    inserted = 0
    for _, sibling in zip(range(below), row.itersiblings("tr"), strict=False):
        sibling.insert(_position(sibling, column), etree.Element(f"wandr-span-{width}"))
        inserted += 1
    return inserted


def _position(row: etree._Element, column: int) -> int:
    """The child index of the cell in this column, counted in cells."""
    seen = 0
    for index, child in enumerate(row):
        if child.tag in {"td", "th"}:
            if seen == column:
                return index
            seen += 1
    return len(row)


def _span(text: str | None) -> int:
    text = (text or "").strip()
    digits = text if text.isascii() and text.isdecimal() else "1"
    return min(int(digits[:6]), MAX_SPAN)
