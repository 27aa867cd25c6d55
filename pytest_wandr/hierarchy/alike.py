"""Which sibling names look alike, so that a judge could say whether they are one?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.hierarchy.entries import ABSENT, BELOW
from pytest_wandr.hierarchy.names import shown
from pytest_wandr.hierarchy.structure import groups_of
from pytest_wandr.model import NameList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_wandr.hierarchy.entries import Entry
    from pytest_wandr.hierarchy.place import Group


def name_lists(root: Group) -> tuple[NameList, ...]:
    """Every list of siblings with pairs that could still be confirmed, in the order of their content."""
    found = [made for group, _ in groups_of(root) if group.near and (made := _list(group))]
    return tuple(sorted(found, key=lambda each: (each.node, each.key, each.under, each.names)))


def _list(group: Group) -> NameList | None:
    shape, depth = group.shape, group.shape.depth
    entries = [entry for entry in _entries(group) if entry.values[depth] not in (ABSENT, BELOW)]
    under = tuple(sorted({entry.values[:depth] for entry in entries}))
    raws = sorted({entry.values[depth] for entry in entries})
    pairs = shape.names.alike(raws, under)
    if not pairs:
        return None
    return NameList(
        node=shape.node,
        key=shape.key.name,
        kind=shape.key.kind,
        under=under,
        names=tuple(map(shown, raws)),
        pairs=tuple(pairs),
    )


def _entries(group: Group) -> Iterator[Entry]:
    """All entries below a group; those that duplicates share come more than once."""
    for identity in group.identities:
        for entity in identity.entities:
            yield from entity.entries
            for below in entity.groups:
                yield from _entries(below)
