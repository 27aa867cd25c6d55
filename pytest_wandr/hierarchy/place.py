"""Which supplied entities hang where? See scoring.md section 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.hierarchy.entries import ABSENT, BELOW, MISSING, UNREADABLE, Entry, visible
from pytest_wandr.hierarchy.names import Near, Raw, shown
from pytest_wandr.hierarchy.pages import pages_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.hierarchy.shape import Shape


class Entity(NamedTuple):
    """A supplied entity with its groups, or a page with the records that cite it.

    `supplied` is false for what only leads from a missing key down to a page.
    """

    name: str
    groups: tuple[Group, ...] = ()
    entries: tuple[Entry, ...] = ()
    supplied: bool = True


class Identity(NamedTuple):
    """One thing, supplied under one spelling or under several (then they are duplicates)."""

    name: str
    entities: tuple[Entity, ...]


class Group(NamedTuple):
    """The children of one entity: identities by name, and how many entities were supplied for them."""

    shape: Shape
    identities: tuple[Identity, ...] = ()
    supplied: int = 0
    near: tuple[Near, ...] = ()


def place(shape: Shape, entries: Sequence[Entry]) -> Group:
    """The group of a shape that holds these entries."""
    if not entries:
        return Group(shape)
    return _entities(shape, entries) if shape.children else _pages(shape, entries)


def _entities(shape: Shape, entries: Sequence[Entry]) -> Group:
    depth = shape.depth
    by_value: dict[Raw, list[Entry]] = {}
    for entry in entries:
        by_value.setdefault(entry.values[depth], []).append(entry)
    strays = [*_strays(shape, by_value.pop(BELOW, [])), *_strays(shape, by_value.pop(ABSENT, []), known=True)]
    found = shape.names.siblings(list(by_value)) if by_value else None
    known = [_identity(shape, spellings, by_value) for spellings in found.identities] if found else []
    identities = (*known, *strays)
    supplied = sum(entity.supplied for identity in identities for entity in identity.entities)
    return Group(shape, identities, supplied, found.near if found else ())


def _strays(shape: Shape, entries: list[Entry], *, known: bool = False) -> list[Identity]:
    """`(missing)`, one for a parent; `(unreadable)` members, one for each line."""
    if not entries:
        return []
    if shape.depth == 0 and not known:
        return [_stray(shape, UNREADABLE, [entry], supplied=True) for entry in entries]
    return [_stray(shape, MISSING, entries, supplied=known)]


def _stray(shape: Shape, name: str, entries: list[Entry], *, supplied: bool) -> Identity:
    return Identity(name, (Entity(name, _below(shape, entries), supplied=supplied),))


def _identity(shape: Shape, spellings: list[list[Raw]], by_value: dict[Raw, list[Entry]]) -> Identity:
    """One entity for each spelling of the home node, joined by other nodes' records; else one for those."""
    own: list[tuple[str, list[Entry]]] = []
    others: list[Entry] = []
    for raws in spellings:
        mine = {raw: [entry for entry in by_value[raw] if entry.node == shape.home] for raw in raws}
        others += [entry for raw in raws for entry in by_value[raw] if entry.node != shape.home]
        names = [raw for raw in raws if mine[raw]]
        if names:
            own.append((shown(min(names)), [entry for raw in names for entry in mine[raw]]))
    if not own:
        own = [(shown(min(raw for raws in spellings for raw in raws)), [])]
    branches = _branches(shape, others)
    entities = tuple(Entity(name, _below(shape, [*mine, *others], branches)) for name, mine in own)
    return Identity(entities[0].name, entities)


def _branches(shape: Shape, others: list[Entry]) -> dict[int, Group]:
    """The groups that only other nodes fill: the same for every spelling, so they are placed once."""
    return {
        number: place(child, [entry for entry in others if shape.routes[entry.node] == number])
        for number, child in enumerate(shape.children)
        if child.home != shape.home and others
    }


def _below(shape: Shape, entries: list[Entry], branches: dict[int, Group] | None = None) -> tuple[Group, ...]:
    if len(shape.children) == 1:
        return (place(shape.children[0], entries),)
    parts: list[list[Entry]] = [[] for _ in shape.children]
    for entry in entries:
        parts[shape.routes[entry.node]].append(entry)
    branches = branches or {}
    return tuple(
        branches[number] if number in branches else place(child, part)
        for number, (child, part) in enumerate(zip(shape.children, parts, strict=True))
    )


def _pages(shape: Shape, entries: Sequence[Entry]) -> Group:
    pages, urls = pages_of(entries, shape.names)
    leaves = sorted(map(_page, pages), key=lambda leaf: leaf.name)
    fillers = sum(not leaf.supplied for leaf in leaves)
    return Group(shape, tuple(Identity(leaf.name, (leaf,)) for leaf in leaves), urls - fillers)


def _page(entries: list[Entry]) -> Entity:
    urls = [entry.url for entry in entries if visible(entry.url)]
    supplied = bool(urls) or not any(raw in (ABSENT, BELOW) for raw in entries[0].values)
    return Entity(min(urls) if urls else MISSING, entries=tuple(entries), supplied=supplied)
