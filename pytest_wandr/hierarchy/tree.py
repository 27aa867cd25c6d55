"""What does a whole submission look like as a tree?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.hierarchy.entries import ABSENT, BELOW, Entry, entries_of, lost_lines
from pytest_wandr.hierarchy.shape import Shape, shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.hierarchy.names import Raw
    from pytest_wandr.model import NameVerdict, Record, RecordVerdict, Rejected, TaskSpec


class Supplied(NamedTuple):
    """Everything that was supplied for a task, ready to be placed at its root."""

    root: Shape
    entries: list[Entry]
    lost: list[Entry]

    @property
    def all(self) -> list[Entry]:
        """Records, then lines that are none."""
        return [*self.entries, *self.lost]


def supplied(
    task: TaskSpec,
    records: Sequence[Record],
    verdicts: Sequence[RecordVerdict],
    rejected: Sequence[Rejected] = (),
    confirmed: Sequence[NameVerdict] = (),
) -> Supplied:
    """Read records, verdicts (in the order of the records), rejected lines and what is known of names.

    Raises:
        ValueError: there is not exactly one verdict for each record, or a node shares no key.
        SubmissionError: a record belongs to a node that the task does not have.
    """
    root = shape_of(task, confirmed)
    return Supplied(root, entries_of(task, root, records, verdicts), lost_lines(task, root, rejected))


def clusters(given: Supplied) -> list[list[Entry]]:
    """Entries by member; members that are nearly the same stay together.

    Taking an entry away can change who is the same as whom within its cluster.
    """
    by_value: dict[Raw, list[Entry]] = {}
    for entry in given.all:
        by_value.setdefault(entry.values[0], []).append(entry)
    alone = [[entry] for entry in by_value.pop(BELOW, [])]
    alone += [by_value.pop(ABSENT)] if ABSENT in by_value else []
    if not by_value:
        return alone
    found = given.root.names.siblings(list(by_value), [()])
    groups = [
        [entry for raws in spellings for raw in raws for entry in by_value[raw]]
        for spellings in found.identities
    ]
    home = list(range(len(groups)))
    for near in found.near:
        left, right = sorted((_leader(home, near.left), _leader(home, near.right)))
        home[right] = left
    joined: dict[int, list[Entry]] = {}
    for number, group in enumerate(groups):
        joined.setdefault(_leader(home, number), []).extend(group)
    return [*joined.values(), *alone]


def _leader(home: list[int], number: int) -> int:
    while home[number] != number:
        number = home[number]
    return number
