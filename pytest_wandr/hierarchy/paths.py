"""What became of every path: each required slot, and each page beyond?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.hierarchy.entries import MISSING, RETRIEVAL_PARTS, Cause
from pytest_wandr.model import Outcome, PathCounts, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_wandr.hierarchy.place import Entity, Group
    from pytest_wandr.hierarchy.shape import Shape

_OUTCOMES: dict[Truth, Outcome] = {True: "proven", False: "unproven", None: "undecided"}


class PathRow(NamedTuple):
    """A `PathOutcome` as a row: a task has as many as records, and they are written and sent as they are."""

    node: str
    path: tuple[str, ...]
    outcome: Outcome
    part: str = ""
    reason: str = ""
    slots: int = 1
    required: bool = True


def paths_of(root: Group, nodes: tuple[str, ...]) -> tuple[PathRow, ...]:
    """Required slots of each node in its order, then what was supplied beyond them."""
    walk = _Walk(nodes)
    walk.required(root, ())
    if walk.more:
        walk.surplus(root)
    return tuple([path for name in nodes for found in (walk.slots, walk.beyond) for path in found[name]])


def count_paths(paths: Sequence[PathRow]) -> PathCounts:
    """How many slots came to what."""
    tally: dict[str, int] = dict.fromkeys((*_OUTCOMES.values(), "missing"), 0)
    for path in paths:
        tally[path.outcome] += path.slots * path.required
    wanted = sum(tally.values())
    return PathCounts(
        wanted=wanted,
        found=wanted - tally["missing"],
        surplus=sum(not path.required for path in paths),
        **tally,
    )


class _Walk:
    """Down the tree, twice: along the slots, then along everything. A page is told once."""

    def __init__(self, nodes: tuple[str, ...]) -> None:
        self.nodes = nodes
        self.slots: dict[str, list[PathRow]] = {name: [] for name in nodes}
        self.beyond: dict[str, list[PathRow]] = {name: [] for name in nodes}
        self.more = False
        self._told: list[Entity] = []
        self._seen: set[int] = set()

    def required(self, group: Group, prefix: tuple[str, ...]) -> None:
        """The best identities fill the slots; of duplicates, the worst entity stands for all."""
        count = group.shape.key.required
        identities = group.identities if len(group.identities) <= count else group.identities[:count]
        self.more |= len(group.identities) > count
        for identity in identities:
            entity = identity.worst
            self.more |= entity is not identity
            path = (*prefix, entity.name)
            if entity.entries:
                self._told.append(entity)
                self.slots[group.shape.node].append(_outcome(entity, group.shape.node, path, required=True))
            for below in entity.groups:
                self.required(below, path)
        if len(identities) < count:
            self._missing(group.shape, prefix, count - len(identities))

    def surplus(self, root: Group) -> None:
        """Pages that fill no slot; spellings of one identity share their branches."""
        self._seen = {id(entry) for entity in self._told for entry in entity.entries}
        self._surplus(root, ())

    def _surplus(self, group: Group, prefix: tuple[str, ...]) -> None:
        if id(group) in self._seen:
            return
        self._seen.add(id(group))
        for identity in group.identities:
            for entity in identity.entities:
                path = (*prefix, entity.name)
                if not self._seen.issuperset(map(id, entity.entries)):
                    self._seen.update(map(id, entity.entries))
                    self.beyond[group.shape.node].append(
                        _outcome(entity, group.shape.node, path, required=False)
                    )
                for below in entity.groups:
                    self._surplus(below, path)

    def _missing(self, shape: Shape, prefix: tuple[str, ...], lacking: int) -> None:
        for node, slots in shape.slots.items():
            names = (*prefix, *[MISSING] * _levels(shape, node))
            count = lacking * slots // shape.key.required
            name = self.nodes[node]
            self.slots[name].append(PathRow(name, names, "missing", slots=count))


def _levels(shape: Shape, node: int) -> int:
    return 1 + (_levels(shape.children[shape.routes[node]], node) if shape.children else 0)


def _outcome(entity: Entity, node: str, path: tuple[str, ...], *, required: bool) -> PathRow:
    truth = entity.truth
    part, reason = ("", "") if truth else page_cause(entity, truth)[:2]
    return PathRow(node, path, _OUTCOMES[truth], part, reason, 1, required)


def page_cause(entity: Entity, truth: Truth) -> Cause:
    """Why a page is false or undecided: the first cause, by content, among the records that make it so."""
    if len(entity.entries) == 1:
        return entity.entries[0].cause(truth)
    return min([entry.cause(truth) for entry in entity.entries if entry.full is truth])


def undecided_pages(root: Group) -> Iterator[Cause]:
    """Why a page is undecided under either reading, for each page that is."""
    yield from _undecided(root, set())


def _undecided(group: Group, seen: set[int]) -> Iterator[Cause]:
    if id(group) in seen:
        return
    seen.add(id(group))
    for identity in group.identities:
        for entity in identity.entities if identity.undecided else ():
            marks = set(map(id, entity.entries))
            if entity.undecided and marks - seen:
                seen |= marks
                yield _undecided_cause(entity)
            for below in entity.groups:
                yield from _undecided(below, seen)


def _undecided_cause(entity: Entity) -> Cause:
    if entity.truth is None:
        return page_cause(entity, None)
    undecided = [entry for entry in entity.entries if entry.retrieval is None]
    return min(entry.cause(None, RETRIEVAL_PARTS) for entry in undecided)
