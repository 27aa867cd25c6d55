"""Which supplied entities hang where, and what is each worth? See scoring.md sections 2 to 4."""

from __future__ import annotations

from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_wandr.hierarchy.entries import ABSENT, BELOW, MISSING, UNREADABLE, Entry, visible
from pytest_wandr.hierarchy.names import Near, Raw, shown
from pytest_wandr.hierarchy.pages import pages_of
from pytest_wandr.hierarchy.rollup import LEAVES, Exact, Value, leaf, mix, worst

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_wandr.hierarchy.shape import Shape
    from pytest_wandr.model import Truth


class Entity(NamedTuple):
    """A supplied entity with its groups, or a page with the records that cite it, and what it is worth.

    `undecided` says that a page at or below it is, under either reading. `supplied` is false for what only
    leads from a missing key down to a page.
    """

    name: str
    full: Value
    retrieval: Value
    undecided: bool
    groups: tuple[Group, ...] = ()
    entries: Sequence[Entry] = ()
    supplied: bool = True

    @property
    def truth(self) -> Truth:
        """The full verdict of a page."""
        return None if self.full.precision is None else self.full.clean

    @property
    def entities(self) -> tuple[Entity, ...]:
        """An entity without duplicates is an identity by itself: most are, so no object says it twice."""
        return (self,)

    @property
    def worst(self) -> Entity:
        """The entity that stands for the identity."""
        return self


class Duplicates(NamedTuple):
    """Several spellings of one thing, with the worst of their values."""

    name: str
    full: Value
    retrieval: Value
    undecided: bool
    entities: tuple[Entity, ...]

    @property
    def worst(self) -> Entity:
        """The entity that stands for all: least recall, then least precision, then by name."""
        return min(self.entities, key=_badness)


Identity: TypeAlias = Entity | Duplicates
"""One thing: what recall and precision count."""


class Group(NamedTuple):
    """The children of one entity, best identities first: recall counts the first `required`.

    `supplied` is how many entities were handed in, `distinct` how many identities those are.
    """

    shape: Shape
    identities: Sequence[Identity] = ()
    supplied: int = 0
    distinct: int = 0
    near: tuple[Near, ...] = ()
    merged: tuple[Near, ...] = ()


def place(shape: Shape, entries: Sequence[Entry]) -> Group:
    """The group of a shape that holds these entries."""
    if not entries:
        return Group(shape)
    return _entities(shape, entries) if shape.children else _pages(shape, entries)


def _entities(shape: Shape, entries: Sequence[Entry]) -> Group:
    depth = shape.depth
    by_value: dict[Raw, list[Entry]] = {}
    for entry in entries:
        raw = entry.values[depth]
        if raw in by_value:
            by_value[raw].append(entry)
        else:
            by_value[raw] = [entry]
    strays = [*_strays(shape, by_value.pop(BELOW, [])), *_strays(shape, by_value.pop(ABSENT, []), known=True)]
    under = {entry.values[:depth] for entry in entries} if shape.names.judged else ()
    found = shape.names.siblings(list(by_value), under) if by_value else None
    known = [_identity(shape, spellings, by_value) for spellings in found.identities] if found else []
    identities: list[Identity] = [*known, *strays]
    supplied = [_supplied(identity) for identity in identities]
    near, merged = (found.near, found.merged) if found else ((), ())
    return Group(shape, _ranked(identities), sum(supplied), sum(map(bool, supplied)), near, merged)


def _supplied(identity: Identity) -> int:
    """How many of an identity's entities were handed in."""
    if isinstance(identity, Entity):
        return identity.supplied
    return sum([entity.supplied for entity in identity.entities])


def _strays(shape: Shape, entries: list[Entry], *, known: bool = False) -> list[Entity]:
    """`(missing)`, one for a parent; `(unreadable)` members, one for each line."""
    if not entries:
        return []
    if shape.depth == 0 and not known:
        return [_entity(UNREADABLE, _below(shape, [entry])) for entry in entries]
    return [_entity(MISSING, _below(shape, entries), supplied=known)]


def _identity(shape: Shape, spellings: list[list[Raw]], by_value: dict[Raw, list[Entry]]) -> Identity:
    """One entity for each spelling of the home node, joined by other nodes' records; else one for those."""
    if (
        len(spellings) == len(spellings[0]) == len(shape.slots) == 1
    ):  # one value, and one node: the usual case
        raw = spellings[0][0]
        return _entity(shown(raw), _below(shape, by_value[raw]))
    own: list[tuple[str, list[Entry]]] = []
    others: list[Entry] = []
    for raws in spellings:
        entries = [entry for raw in raws for entry in by_value[raw]]
        mine = entries if len(shape.slots) == 1 else [entry for entry in entries if entry.node == shape.home]
        if mine:
            own.append((shown(min([entry.values[shape.depth] for entry in mine])), mine))
        if len(mine) < len(entries):
            others += [entry for entry in entries if entry.node != shape.home]
    if not own:
        own = [(shown(min(raw for raws in spellings for raw in raws)), [])]
    branches = _branches(shape, others) if others else {}
    entities = [_entity(name, _below(shape, mine + others, branches)) for name, mine in own]
    return entities[0] if len(entities) == 1 else _duplicates(entities)


def _branches(shape: Shape, others: list[Entry]) -> dict[int, Group]:
    """The groups that only other nodes fill: the same for every spelling, so they are placed once."""
    return {
        number: place(child, [entry for entry in others if shape.routes[entry.node] == number])
        for number, child in enumerate(shape.children)
        if child.home != shape.home
    }


def _below(
    shape: Shape, entries: list[Entry], branches: Mapping[int, Group] = MappingProxyType({})
) -> tuple[Group, ...]:
    if len(shape.children) == 1:
        return (place(shape.children[0], entries),)
    parts: list[list[Entry]] = [[] for _ in shape.children]
    for entry in entries:
        parts[shape.routes[entry.node]].append(entry)
    return tuple(
        branches[number] if number in branches else place(child, part)
        for number, (child, part) in enumerate(zip(shape.children, parts, strict=True))
    )


def _pages(shape: Shape, entries: Sequence[Entry]) -> Group:
    if len(entries) == 1:
        page = _page(entries)
        return Group(shape, (page,), page.supplied, page.supplied)
    pages, urls = pages_of(entries, shape.names)
    leaves = [_page(page) for page in pages]
    fillers = sum([not page.supplied for page in leaves])
    return Group(shape, _ranked(leaves), urls - fillers, len(leaves) - fillers)


def _page(entries: Sequence[Entry]) -> Entity:
    first = entries[0]
    if len(entries) == 1:
        name, full, retrieval = first.url, LEAVES[first.full], LEAVES[first.retrieval]
    else:
        name = min([entry.url for entry in entries])
        full = leaf([entry.full for entry in entries])
        retrieval = leaf([entry.retrieval for entry in entries])
    supplied = True
    if not visible(name):
        name, supplied = MISSING, ABSENT not in first.values and BELOW not in first.values
    undecided = full.precision is None or retrieval.precision is None
    return Entity(name, full, retrieval, undecided, entries=entries, supplied=supplied)


def _entity(name: str, groups: tuple[Group, ...], *, supplied: bool = True) -> Entity:
    counts = tuple([group.shape.key.required for group in groups])
    if counts == (1,) and len(groups[0].identities) == 1:  # worth what its only child is worth
        child = groups[0].identities[0]
        return Entity(name, child.full, child.retrieval, child.undecided, groups, supplied=supplied)
    return Entity(
        name,
        mix(tuple([tuple([child.full for child in group.identities]) for group in groups]), counts),
        mix(tuple([tuple([child.retrieval for child in group.identities]) for group in groups]), counts),
        any([child.undecided for group in groups for child in group.identities]),  # noqa: C419
        groups,
        supplied=supplied,
    )


def _duplicates(entities: Sequence[Entity]) -> Duplicates:
    return Duplicates(
        entities[0].name,
        worst([entity.full for entity in entities]),
        worst([entity.retrieval for entity in entities]),
        any(entity.undecided for entity in entities),
        tuple(entities),
    )


def _ranked(identities: Sequence[Identity]) -> Sequence[Identity]:
    """Best first: most recall, then what is undecided, then by name."""
    if len(identities) < 2:
        return identities
    ranks = _ranks([identity.full.recall for identity in identities])

    def rank(identity: Identity) -> tuple[int, bool, str]:
        return ranks[id(identity.full.recall)], not identity.undecided, identity.name

    return sorted(identities, key=rank)


def _ranks(values: Sequence[Exact]) -> dict[int, int]:
    """The rank of each value by its id, the largest first: many are one object, and fractions are slow."""
    ordered = sorted({id(value): value for value in values}.values(), reverse=True)
    ranks = {id(ordered[0]): 0}
    for above, below in pairwise(ordered):
        ranks[id(below)] = ranks[id(above)] + (above != below)
    return ranks


def _badness(entity: Entity) -> tuple[Exact, Exact, str]:
    precision = entity.full.precision
    return entity.full.recall, 1 if precision is None else precision, entity.name
