"""What does a results file hold? Records as the system wrote them, and the lines that are none.

`framing` finds the values in a text, `syntax` reads one value, `shape` reads a record out of it. Whatever
is tolerated on the way is noted, whatever would have to be guessed is rejected with a code, and nothing is
merged, deduplicated or lost. The tables of codes and notes are in docs/reference/results-files.md.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.model import NodeSpec, Parsed, Record, Rejected, unchecked
from pytest_wandr.records.decode import BAD_BYTE, to_text
from pytest_wandr.records.framing import frame
from pytest_wandr.records.jsonl import plain_records
from pytest_wandr.records.names import tell_tales_of, wrappers_of
from pytest_wandr.records.plain import PlainReader
from pytest_wandr.records.shape import Shape, read_shape
from pytest_wandr.records.state import Entry, Names

if TYPE_CHECKING:
    from collections.abc import Iterable

_RAW_LENGTH = 200
_LINE_END = re.compile("\n")
_CREDENTIALS = re.compile(r"(?<=://)[^/\s\"'@]*@")
_TO_ESCAPE = re.compile("[\x85\u2028\u2029\ud800-\udfff]")


def read_records(data: str | bytes, node: NodeSpec) -> Parsed:
    """The records in one results file of `node`, and every line that is none, in order."""
    text, notes, may_be_bad = to_text(data)
    reader = PlainReader(node)
    plain = None if may_be_bad else plain_records(text, node.name, reader)
    if plain is not None:
        return Parsed(records=tuple(plain), notes=tuple(sorted(notes)))
    entries, more = frame(text, Names(wrappers_of(node), tell_tales_of(node)))
    notes |= more
    line_ends = [match.start() for match in _LINE_END.finditer(text)]
    source = _Source(text, line_ends, node, may_be_bad, reader)
    records: list[Record] = []
    rejected: list[Rejected] = []
    for entry in entries:
        one = _one(entry, source, notes)
        if isinstance(one, Record):
            records.append(one)
        else:
            rejected.append(one)
    if not entries:
        rejected.append(
            Rejected(node=node.name, line=1, code="no_records_found", raw=source.raw(0, len(text)))
        )
    return Parsed(records=tuple(records), rejected=tuple(rejected), notes=tuple(sorted(notes)))


def write_records(records: Iterable[Record]) -> str:
    """The records as JSON lines in the published shape; reading them gives the same records again."""
    return "".join(_TO_ESCAPE.sub(_escaped, _line_of(record)) + "\n" for record in records)


class _Source(NamedTuple):
    """Where entries come from: the text, its line ends, whose records they are."""

    text: str
    line_ends: list[int]
    node: NodeSpec
    may_be_bad: bool
    plain: PlainReader

    def line(self, at: int) -> int:
        return bisect_left(self.line_ends, at) + 1

    def raw(self, start: int, end: int) -> str:
        """The beginning of a stretch of text, without passwords and without the marks for bad bytes."""
        raw = self.text[start : min(end, start + _RAW_LENGTH)]
        raw = BAD_BYTE.sub("\ufffd", raw) if self.may_be_bad else raw
        return _CREDENTIALS.sub("***@", raw)[:_RAW_LENGTH]

    def is_bad(self, start: int, end: int) -> bool:
        return self.may_be_bad and BAD_BYTE.search(self.text, start, end) is not None


def _one(entry: Entry, source: _Source, notes: set[str]) -> Record | Rejected:
    """The record that an entry holds, or why it holds none. Liberties count where a record came of them."""
    code = entry.code
    if code != "truncated" and source.is_bad(entry.start, entry.end):
        code = "bad_encoding"
    shape = Shape(code=code)
    if not code and isinstance(entry.data, dict):
        shape = source.plain.read(entry.data) or read_shape(entry.data, source.node)
    if shape.code:
        return Rejected(
            node=source.node.name,
            line=source.line(entry.start),
            code=shape.code,
            raw=source.raw(entry.start, entry.end),
            item=shape.item,
            url=shape.url,
        )
    notes |= shape.notes
    return unchecked(
        Record,
        {
            "node": source.node.name,
            "item": shape.item,
            "url": shape.url or "",
            "excerpts": shape.excerpts,
            "answer": shape.answer,
        },
    )


def _line_of(record: Record) -> str:
    fields = {"item": record.item, "url": record.url, "excerpts": record.excerpts, "answer": record.answer}
    return json.dumps(fields, ensure_ascii=False, allow_nan=False)


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"
