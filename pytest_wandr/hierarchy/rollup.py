"""What are the pages worth together? Precision and recall, exact, up the tree: scoring.md section 4."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_wandr.model import Truth, conjunction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_wandr.hierarchy.place import Entity, Group, Identity
    from pytest_wandr.hierarchy.shape import Shape

Exact: TypeAlias = int | Fraction


class Value(NamedTuple):
    """An entity or identity under one reading. Precision is None when nothing below is decided."""

    precision: Exact | None
    recall: Exact
    clean: bool

    @property
    def complete(self) -> bool:
        """Every slot holds something complete: exactly then no recall is lost."""
        return self.recall == 1


class RolledEntity(NamedTuple):
    """A supplied entity with its values; `undecided` when a page below it is, under either reading."""

    source: Entity
    full: Value
    retrieval: Value
    undecided: bool
    groups: tuple[RolledGroup, ...] = ()


class RolledIdentity(NamedTuple):
    """An identity with the worst of its entities' values."""

    source: Identity
    full: Value
    retrieval: Value
    undecided: bool
    entities: tuple[RolledEntity, ...]

    @property
    def worst(self) -> RolledEntity:
        """The entity that counts: least recall, then least precision, then by name."""
        return min(self.entities, key=_badness)


class RolledGroup(NamedTuple):
    """A group, best identities first: the first `required` are those that recall counts."""

    source: Group
    identities: tuple[RolledIdentity, ...]

    @property
    def shape(self) -> Shape:
        """Key, home node and required count."""
        return self.source.shape


_LEAVES = {
    True: Value(1, 1, clean=True),
    None: Value(None, 0, clean=True),
    False: Value(0, 0, clean=False),
}


def roll_up(group: Group) -> RolledGroup:
    """Values of everything in a group."""
    return _group(group, {})


def _group(group: Group, known: dict[int, RolledGroup]) -> RolledGroup:
    """`known` holds what was rolled up by id: spellings of one identity share their branches."""
    if id(group) not in known:
        rolled = [_identity(identity, known) for identity in group.identities]
        known[id(group)] = RolledGroup(group, tuple(sorted(rolled, key=_rank)))
    return known[id(group)]


def _identity(identity: Identity, known: dict[int, RolledGroup]) -> RolledIdentity:
    entities = tuple(_entity(entity, known) for entity in identity.entities)
    first = entities[0]
    if len(entities) == 1:
        return RolledIdentity(identity, first.full, first.retrieval, first.undecided, entities)
    return RolledIdentity(
        identity,
        _worst([entity.full for entity in entities]),
        _worst([entity.retrieval for entity in entities]),
        any(entity.undecided for entity in entities),
        entities,
    )


def _entity(entity: Entity, known: dict[int, RolledGroup]) -> RolledEntity:
    if entity.entries:
        full = conjunction(entry.full for entry in entity.entries)
        retrieval = conjunction(entry.retrieval for entry in entity.entries)
        return RolledEntity(entity, _LEAVES[full], _LEAVES[retrieval], full is None or retrieval is None)
    groups = tuple(_group(group, known) for group in entity.groups)
    counts = [group.shape.key.required for group in groups]
    return RolledEntity(
        entity,
        _mix([[child.full for child in group.identities] for group in groups], counts),
        _mix([[child.retrieval for child in group.identities] for group in groups], counts),
        any(child.undecided for group in groups for child in group.identities),
        groups,
    )


def _mix(groups: list[list[Value]], counts: list[int]) -> Value:
    """An entity from its groups: each weighs the same, whatever its count."""
    means = [mean_precision(values) for values in groups]
    return Value(
        _mean([mean for mean in means if mean is not None]),
        _mean([top(values, count) for values, count in zip(groups, counts, strict=True)]) or 0,
        clean=all(value.clean for values in groups for value in values),
    )


def _worst(values: Sequence[Value]) -> Value:
    return Value(
        min((value.precision for value in values if value.precision is not None), default=None),
        min(value.recall for value in values),
        clean=all(value.clean for value in values),
    )


def mean_precision(values: Iterable[Value]) -> Exact | None:
    """Mean precision of those that have one."""
    return _mean([value.precision for value in values if value.precision is not None])


def top(values: Iterable[Value], count: int) -> Exact:
    """The `count` largest recalls over `count`: a shortfall is filled with zeros, a surplus cut off."""
    recalls = [value.recall for value in values]
    if len(recalls) > count:
        recalls = sorted(recalls, reverse=True)[:count]
    return ratio(sum(recalls), count)


def _mean(values: Sequence[Exact]) -> Exact | None:
    return ratio(sum(values), len(values)) if values else None


def ratio(part: Exact, whole: Exact) -> Exact:
    """An exact quotient; whole numbers stay integers, which add up faster."""
    if part in (0, whole):
        return int(part == whole)
    if isinstance(part, int) and isinstance(whole, int):
        return _quotient(part, whole)
    return Fraction(part) / whole


@lru_cache(maxsize=4096)
def _quotient(part: int, whole: int) -> Fraction:
    return Fraction(part, whole)


def _rank(identity: RolledIdentity) -> tuple[Exact, bool, str]:
    return -identity.full.recall, not identity.undecided, identity.source.name


def _badness(entity: RolledEntity) -> tuple[Exact, Exact, str]:
    precision = entity.full.precision
    return entity.full.recall, 1 if precision is None else precision, entity.source.name


def leaf_truth(entity: RolledEntity) -> Truth:
    """The full verdict of a page."""
    return None if entity.full.precision is None else entity.full.clean
