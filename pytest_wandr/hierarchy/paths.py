"""What became of every path: each required slot, and each page beyond?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.hierarchy.entries import MISSING, RETRIEVAL_PARTS, Cause
from pytest_wandr.hierarchy.rollup import RolledEntity, RolledGroup, leaf_truth
from pytest_wandr.model import Outcome, PathCounts, PathOutcome, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_wandr.hierarchy.shape import Shape

_OUTCOMES: dict[Truth, Outcome] = {True: "proven", False: "unproven", None: "undecided"}


def paths_of(root: RolledGroup, nodes: tuple[str, ...]) -> tuple[PathOutcome, ...]:
    """Required slots of each node in its order, then what was supplied beyond them."""
    seen: set[int] = set()
    required = list(_required(root, nodes, (), seen))
    surplus = list(_surplus(root, (), seen))
    order = {name: number for number, name in enumerate(nodes)}
    return tuple(sorted([*required, *surplus], key=lambda path: (order[path.node], not path.required)))


def count_paths(paths: tuple[PathOutcome, ...]) -> PathCounts:
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


def _required(
    group: RolledGroup, nodes: tuple[str, ...], prefix: tuple[str, ...], seen: set[int]
) -> Iterator[PathOutcome]:
    """The best identities fill the slots; of duplicates, the worst entity stands for all."""
    count = group.shape.key.required
    for identity in group.identities[:count]:
        entity = identity.worst
        path = (*prefix, entity.source.name)
        if entity.source.entries:
            seen.update(map(id, entity.source.entries))
            yield _outcome(entity, group.shape.node, path, required=True)
        for below in entity.groups:
            yield from _required(below, nodes, path, seen)
    if len(group.identities) < count:
        yield from _missing(group.shape, nodes, prefix, count - len(group.identities))


def _missing(
    shape: Shape, nodes: tuple[str, ...], prefix: tuple[str, ...], lacking: int
) -> Iterator[PathOutcome]:
    for node, slots in shape.slots.items():
        names = (*prefix, *[MISSING] * _levels(shape, node))
        below = slots // shape.key.required
        yield PathOutcome(node=nodes[node], path=names, outcome="missing", slots=lacking * below)


def _levels(shape: Shape, node: int) -> int:
    return 1 + (_levels(shape.children[shape.routes[node]], node) if shape.children else 0)


def _surplus(group: RolledGroup, prefix: tuple[str, ...], seen: set[int]) -> Iterator[PathOutcome]:
    """Pages that fill no slot. One that joined several spellings is told once."""
    if id(group) in seen:
        return
    seen.add(id(group))
    for identity in group.identities:
        for entity in identity.entities:
            path = (*prefix, entity.source.name)
            marks = set(map(id, entity.source.entries))
            if marks - seen:
                seen |= marks
                yield _outcome(entity, group.shape.node, path, required=False)
            for below in entity.groups:
                yield from _surplus(below, path, seen)


def _outcome(entity: RolledEntity, node: str, path: tuple[str, ...], *, required: bool) -> PathOutcome:
    truth = leaf_truth(entity)
    cause = Cause("", "", "") if truth else page_cause(entity, truth)
    return PathOutcome(
        node=node,
        path=path,
        outcome=_OUTCOMES[truth],
        part=cause.part,
        reason=cause.reason,
        required=required,
    )


def page_cause(entity: RolledEntity, truth: Truth) -> Cause:
    """Why a page is false or undecided: the first cause, by content, among the records that make it so."""
    return min(entry.cause(truth) for entry in entity.source.entries if entry.full is truth)


def undecided_pages(root: RolledGroup) -> Iterator[Cause]:
    """Why a page is undecided under either reading, for each page that is."""
    yield from _undecided(root, set())


def _undecided(group: RolledGroup, seen: set[int]) -> Iterator[Cause]:
    if id(group) in seen:
        return
    seen.add(id(group))
    for identity in group.identities:
        for entity in identity.entities if identity.undecided else ():
            marks = set(map(id, entity.source.entries))
            if entity.undecided and marks - seen:
                seen |= marks
                yield _undecided_cause(entity)
            for below in entity.groups:
                yield from _undecided(below, seen)


def _undecided_cause(entity: RolledEntity) -> Cause:
    if leaf_truth(entity) is None:
        return page_cause(entity, None)
    undecided = [entry for entry in entity.source.entries if entry.retrieval is None]
    return min(entry.cause(None, RETRIEVAL_PARTS) for entry in undecided)
