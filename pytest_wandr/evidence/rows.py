"""Does an excerpt leave every value of a table in its row and column?

Page and excerpt give the same structure: rows of cells as offsets into their skeletons. An excerpt line with
bars, tabs or doubled commas says where cells end; those ends must be the page's.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.evidence.marks import BLOCK, BREAK, CELL, JOINT, ROW, SPAN
from pytest_wandr.evidence.plain import bar_cells, mark_row

if TYPE_CHECKING:
    from pytest_wandr.evidence.skeleton import Skeleton

_NOT_ROWS = b" " + (BLOCK + BREAK + JOINT).encode()
_CUTS = re.compile(rb"([\x1a\x1c])")
_BAR = re.compile(r"(?<!\\)[|│]")
_GAPS = re.compile(r"^ {0,40}[,;](?: {0,40}[,;])*|[,;](?: {0,40}[,;])+|[,;](?= *$)")
_CLOSE_COMMA = re.compile(r"[,;](?=\S)")
_DELIMITED = re.compile(r"(?<!\d)[,;](?=\S)|[,;](?=[^\s\d])")


_LOOSE, _WHOLE, _DELIMITED_ROW = (
    SPAN,
    SPAN * 2,
    SPAN * 3,
)  # how an excerpt line says which kind of claim it is


class Row(NamedTuple):
    """One row: its range, where its cells start, and where columns may be left out (a spanning cell).

    In an excerpt, one such mark says that only its empty cells are claimed, two that it is a whole row, three
    that it is a row or nothing.
    """

    start: int
    end: int
    cells: tuple[int, ...]
    optional: tuple[int, ...]

    def borders(self, offset: int) -> tuple[int, int]:
        """The least and the greatest number of cell borders at an offset."""
        least = _count(self.cells, offset) - (self.cells[0] == offset)
        return least, least + _count(self.optional, offset)

    @property
    def is_loose(self) -> bool:
        """True for an excerpt line that claims its empty cells only."""
        return len(self.optional) == len(_LOOSE)

    @property
    def is_whole(self) -> bool:
        """True for an excerpt line that claims to be a whole row."""
        return len(self.optional) == len(_WHOLE)

    @property
    def needs_row(self) -> bool:
        """True for an excerpt line of delimited values: elsewhere its commas would mean numbers."""
        return len(self.optional) == len(_DELIMITED_ROW)

    @property
    def has_empty(self) -> bool:
        """True when a cell of an excerpt line is empty."""
        return len(set(self.cells)) < len(self.cells) or self.cells[-1] == self.end

    def has_border(self, offset: int) -> bool:
        """True when a cell other than the first starts at the offset."""
        return self.borders(offset)[0] > 0

    def starts_inside(self, offset: int) -> bool:
        """True when a cell with text ends at or before the offset."""
        return any(self.start < border <= offset for border in self.cells[1:])

    def ends_inside(self, offset: int) -> bool:
        """True when a cell with text starts at or after the offset."""
        return any(offset <= border < self.end for border in self.cells[1:])


def _count(ordered: tuple[int, ...], value: int) -> int:
    return bisect_right(ordered, value) - bisect_left(ordered, value)


class Rows:
    """The rows of a skeleton that hold text, in order."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.rows = _read_rows(skeleton)
        self._starts = [row.start for row in self.rows]
        self._skeleton = skeleton

    def past_separator(self, offset: int) -> int:
        """The offset behind the mark between two numbers, if one stands there: cells start after it."""
        return self._skeleton.past_separator(offset)

    def at(self, offset: int, *, ending: bool = False) -> Row | None:
        """The row of the text that starts (or ends) at an offset, or None outside of tables."""
        index = (bisect_left if ending else bisect_right)(self._starts, offset) - 1
        row = self.rows[index] if index >= 0 else None
        if row is None or (row.end < offset if ending else row.end <= offset):
            return None
        return row


def _read_rows(skeleton: Skeleton) -> list[Row]:
    marked = skeleton.spaced.translate(None, delete=_NOT_ROWS)
    if CELL.encode() not in marked:
        return []
    rows, start = [], 0
    for part in marked.split(ROW.encode()):
        cells, optional, end = [], [], start
        for piece in _CUTS.split(part):
            if piece == b"\x1c":
                cells.append(end)
            elif piece == b"\x1a":
                optional.append(end)
            else:
                end += len(piece)
        if cells and end > start:
            rows.append(Row(start, end, tuple(cells), tuple(optional)))
        start = end
    return rows


def claim_rows(text: str) -> str:
    """An excerpt with its table lines marked: bars and tabs part cells, doubled commas leave one empty."""
    if not any(char in text for char in "|│\t,;"):
        return text
    return "\n".join(map(_claim_line, text.split("\n")))


def _claim_line(line: str) -> str:
    if _BAR.search(line):
        bare = line.strip()
        whole = _WHOLE if len(bare) > 1 and _BAR.match(bare) and bare.endswith(("|", "│")) else ""
        return mark_row(bar_cells(line, least=1) or [line], style=whole)
    if "\t" in line.strip(" "):
        return mark_row(line.rstrip(" ").split("\t"))
    return _claim_gaps(line) if _GAPS.search(line) else line


def claim_values(text: str) -> str | None:
    """An excerpt read as delimited values, "Lyon,2019,12"; None when no line looks like that."""
    if not _CLOSE_COMMA.search(text):
        return None
    return "\n".join(map(_claim_values, text.split("\n")))


def _claim_values(line: str) -> str:
    if not _CLOSE_COMMA.search(line):
        return line
    delimiter = ";" if line.count(";") > line.count(",") else ","
    return mark_row([field.strip(' "') for field in line.split(delimiter)], style=_DELIMITED_ROW)


def _claim_gaps(line: str) -> str:
    """A delimited line that leaves cells empty. Only those are claimed: a cell may hold commas itself."""
    end = len(line.rstrip())

    def cells(match: re.Match[str]) -> str:
        count = match[0].count(",") + match[0].count(";")
        if match.start() == 0:
            return CELL * (count + 1)
        if match.end() >= end and count == 1 and not _DELIMITED.search(line[: match.start()]):
            return match[0]
        return CELL * count

    marked = _GAPS.sub(cells, line)
    return (
        line if CELL not in marked else ROW + _LOOSE + (marked if marked[0] == CELL else CELL + marked) + ROW
    )


def keeps_rows(claims: list[Row], page: Rows, at: int) -> bool:
    """True when every claimed row lies in one page row with its cells where the excerpt says."""
    return all(_keeps(claim, page, at) for claim in claims if len(claim.cells) > 1)


def _keeps(claim: Row, page: Rows, at: int) -> bool:
    start, end = at + claim.start, page.past_separator(at + claim.end)
    row, last = page.at(start), page.at(end, ending=True)
    if row is None or last is None:
        return not claim.needs_row and not (page.rows and claim.is_whole and claim.has_empty)
    loose = claim.is_loose
    if row != last:
        return loose
    return _keeps_inner(claim, row, at, loose=loose) and _keeps_ends(claim, row, (start, end), loose=loose)


def _keeps_inner(claim: Row, row: Row, at: int, *, loose: bool) -> bool:
    """Between two values there are as many cell borders on the page as in the excerpt."""
    offsets = {offset for offset in claim.cells if claim.start < offset < claim.end}
    if not loose:
        offsets |= {offset - at for offset in row.cells if claim.start < offset - at < claim.end}
    for offset in offsets:
        least, most = row.borders(at + offset)
        if not least <= claim.borders(offset)[0] <= most:
            return False
    return True


def _keeps_ends(claim: Row, row: Row, span: tuple[int, int], *, loose: bool) -> bool:
    """Cells that the excerpt leaves empty before its first and after its last value are empty."""
    start, end = span
    before, after = claim.borders(claim.start)[0], claim.borders(claim.end)[0]
    if loose:
        before = before if start == row.start or start in row.cells else 0
        after = after if end == row.end or end in row.cells else 0
    free_before = row.borders(start)[1] - (start > row.start)
    free_after = row.borders(end)[1] - (end < row.end)
    if claim.is_whole and not (start > row.start or end < row.end):
        return row.borders(start)[0] <= before <= free_before and after <= free_after
    return before <= max(free_before, 0) and after <= max(free_after, 0)


def crosses_rows(page: Rows, start: int, end: int) -> bool:
    """True when a text runs from within one row into another without the one's start or the other's end."""
    first, last = page.at(start), page.at(end, ending=True)
    if first is None or last is None or first == last:
        return False
    return first.starts_inside(start) and last.ends_inside(end)
