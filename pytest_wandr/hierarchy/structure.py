"""How complete is the shape, before and after duplicates collapse? See scoring.md section 5."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from pytest_wandr.hierarchy.shape import Shape, intermediate
from pytest_wandr.model import NearDuplicate, Structure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_wandr.hierarchy.names import Near
    from pytest_wandr.hierarchy.place import Entity, Group

    Supply: TypeAlias = tuple[Group, int]
    """A group, and how many supplied parents have it."""


@dataclass(slots=True)
class _Fill:
    """How many slots of a level are filled, as supplied and as identities, and by how many parents."""

    supplied: Fraction = Fraction(0)
    distinct: Fraction = Fraction(0)
    parents: int = 0

    @property
    def mean(self) -> float | None:
        return float(self.supplied / self.parents) if self.parents else None

    @property
    def loss(self) -> float:
        return float(100 * (self.supplied - self.distinct) / self.parents)


def structure_of(groups: Sequence[Supply]) -> Structure:
    """Discovery of members, enrichment at intermediate keys, evidence at pages; and what duplicates took."""
    root, *below = groups
    members = _level([root])
    enrichment = _level(supply for supply in below if intermediate(supply[0].shape))
    evidence = _level(supply for supply in below if not supply[0].shape.children)
    levels = {"discovery": members, "enrichment": enrichment, "evidence": evidence}
    return Structure(
        discovery=float(members.supplied),
        enrichment=enrichment.mean,
        evidence=evidence.mean,
        duplicate_loss={name: level.loss for name, level in levels.items() if level.parents},
        surplus=root[0].supplied / root[0].shape.key.required,
    )


def near_duplicates(groups: Sequence[Supply]) -> tuple[NearDuplicate, ...]:
    """Sibling names that look alike but were kept apart, each pair once."""
    return _told((group, near) for group, _ in groups for near in group.near)


def confirmed_duplicates(groups: Sequence[Supply]) -> tuple[NearDuplicate, ...]:
    """Sibling names that are one since a judge confirmed it, each pair once."""
    return _told((group, near) for group, _ in groups for near in group.merged)


def _told(pairs: Iterable[tuple[Group, Near]]) -> tuple[NearDuplicate, ...]:
    found = {(group.shape.key.name, *near.names, near.reason) for group, near in pairs}
    return tuple(NearDuplicate(key=key, a=a, b=b, reason=reason) for key, a, b, reason in sorted(found))


def groups_of(root: Group) -> list[Supply]:
    """Every group once, the root first, with how many supplied parents have it.

    Spellings of one identity share the branches of other nodes, so a group can have several.
    """
    level = [(root, 1)]
    found = [*level]
    while level:
        below: dict[int, Supply] = {}
        for group, times in level:
            for entity in _entities(group):
                for child in entity.groups:
                    known = below.get(id(child), (child, 0))[1]
                    below[id(child)] = (child, known + times * entity.supplied)
        found += below.values()
        level = [pair for pair in below.values() if pair[0].shape.children]
    return found


def _entities(group: Group) -> Iterator[Entity]:
    for identity in group.identities:
        yield from identity.entities


def _level(groups: Iterable[Supply]) -> _Fill:
    """Sums in whole slots, group by group of the task, divided once."""
    counts: dict[int, tuple[Shape, int, int, int]] = {}
    for group, times in groups:
        shape, required = group.shape, group.shape.key.required
        _, supplied, distinct, parents = counts.get(id(shape), (shape, 0, 0, 0))
        counts[id(shape)] = (
            shape,
            supplied + times * min(group.supplied, required),
            distinct + times * min(group.distinct, required),
            parents + times,
        )
    fill = _Fill()
    for shape, supplied, distinct, parents in counts.values():
        fill.supplied += Fraction(supplied, shape.key.required)
        fill.distinct += Fraction(distinct, shape.key.required)
        fill.parents += parents
    return fill
