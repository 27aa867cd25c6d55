"""Which sibling values are one spelling, and which are one identity?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pytest_wandr.hierarchy.judged import JudgedNames
from pytest_wandr.identity import collapse, normal_form, url_key
from pytest_wandr.identity.joining import Joining
from pytest_wandr.model import NamePair

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_wandr.identity import Collapsed
    from pytest_wandr.model import KeySpec, NamePath, NameVerdict

Raw = tuple[str, ...]
"""A key's value as written: the name, the further fields, the fields that must agree or be absent ("")."""

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Near(NamedTuple):
    """Two identities, by position among siblings, that may be one: names that look alike, and why."""

    left: int
    right: int
    names: tuple[str, str]
    reason: str


class Siblings(NamedTuple):
    """Identities -> spellings -> values, ordered by content, and the pairs that were kept apart.

    `merged` holds the pairs that are one because a judge confirmed it.
    """

    identities: list[list[list[Raw]]]
    near: tuple[Near, ...] = ()
    merged: tuple[Near, ...] = ()


def shown(raw: Raw) -> str:
    """How a value is displayed: the name, then what else belongs to it."""
    if len(raw) == 1:
        return raw[0]
    rest = ", ".join(filter(None, raw[1:]))
    return f"{raw[0]} ({rest})" if rest else raw[0]


class KeyNames:
    """How the values of one key compare. Remembers normal forms, which are costly.

    A spelling is a normal form that keeps a company's legal form: `ACME, Inc.` spells `Acme Inc`, while
    `Acme` is a second spelling of the same identity (the worked example, scoring.md section 6).
    """

    def __init__(self, key: KeySpec, verdicts: Iterable[NameVerdict] = ()) -> None:
        self.key = key
        self.judged = JudgedNames(verdicts)
        self._spelling = key.model_copy(update={"keep_legal_form": True})
        self._forms: dict[str, str] = {}
        self._labels: dict[str, str | None] = {}
        self._pages: dict[str, str] = {}

    def label(self, name: str) -> str | None:
        """The label that a name stands for, None when it is none of them."""
        if name not in self._labels:
            names = [*self.key.labels, name]
            groups = collapse(self.key.kind, names, self.key.policy, self.key).groups
            mates = next(group for group in groups if len(names) - 1 in group)
            self._labels[name] = names[min(mates)] if len(mates) > 1 else None
        return self._labels[name]

    def page(self, url: str) -> str:
        """What a url is compared by."""
        if url not in self._pages:
            self._pages[url] = url_key(url, **self.key.url)
        return self._pages[url]

    def siblings(self, raws: list[Raw], under: Collection[NamePath] = ()) -> Siblings:
        """Sort distinct sibling values into identities and spellings. `under`: whose siblings they are."""
        if len(raws) == 1:
            return Siblings([[raws]])
        families, looks = self._families(raws, under)
        if not looks and len(families) == len(raws):  # nothing is alike: the usual case
            return Siblings([[[raw]] for raw in sorted(raws)])
        spelled = [self._spellings(family) for family in families]
        order = sorted(range(len(spelled)), key=spelled.__getitem__)
        place = {old: new for new, old in enumerate(order)}
        pairs = [Near(place[left], place[right], names, reason) for left, right, names, reason in looks]
        return Siblings(
            [spelled[old] for old in order],
            tuple(pair for pair in pairs if pair.left != pair.right),
            tuple(pair for pair in pairs if pair.left == pair.right),
        )

    def alike(self, raws: list[Raw], under: Collection[NamePath]) -> list[NamePair]:
        """What a judge could still confirm: a pair for every two identities that look alike."""
        found: list[NamePair] = []
        for further, bucket in self._buckets(raws).items() if not self.key.labels else ():
            names = sorted({raw[0] for raw in bucket})
            said = self.judged.about(further, under)
            looks = Joining(self.key.kind, names, self._collapse(names), self.key).askable()
            pairs = ((_pair(names[a], names[b]), reason) for a, b, reason in looks)
            found += [
                NamePair(a=a, b=b, further=further, reason=reason)
                for (a, b), reason in pairs
                if (a, b) not in said
            ]
        return found

    def _families(self, raws: list[Raw], under: Collection[NamePath]) -> tuple[list[list[Raw]], list[Near]]:
        if not self.key.labels:
            return self._collapsed(raws, under)
        labelled = _grouped(raws, lambda raw: (self.label(raw[0]), self._extras(raw)))
        known = [family for (label, _), family in labelled.items() if label is not None]
        others = [raw for (label, _), family in labelled.items() if label is None for raw in family]
        return [*known, *self._collapsed(others, ())[0]], []

    def _collapsed(self, raws: list[Raw], under: Collection[NamePath]) -> tuple[list[list[Raw]], list[Near]]:
        """Values that agree in all but the name are collapsed by name; others are never one."""
        families: list[list[Raw]] = []
        looks: list[Near] = []
        for further, bucket in self._buckets(raws).items():
            named = {raw[0]: [raw] for raw in bucket} if not further else _grouped(bucket, lambda raw: raw[0])
            names = sorted(named)
            if len(names) == 1:
                families.append(bucket)
                continue
            found = self._collapse(names)
            if not found.near and len(found.groups) == len(names):
                families += [named[name] for name in names]
                continue
            if found.near and under:
                found = self.judged.applied(self.key, names, found, self.judged.about(further, under))
            where = {index: len(families) + at for at, group in enumerate(found.groups) for index in group}
            families += [[raw for index in group for raw in named[names[index]]] for group in found.groups]
            looks += [
                Near(where[a], where[b], _pair(names[a], names[b]), reason) for a, b, reason in found.near
            ]
        return families, looks

    def _collapse(self, names: list[str]) -> Collapsed:
        return collapse(self.key.kind, names, self.key.policy, self.key)

    def _buckets(self, raws: list[Raw]) -> dict[Raw, list[Raw]]:
        """Values by what they hold besides the name."""
        if all(len(raw) == 1 for raw in raws):
            return {(): raws} if raws else {}
        extras = {raw: self._extras(raw) for raw in raws}
        if self.key.also:
            extras = {raw: self._completed(raw, extras) for raw in raws}
        return _grouped(raws, extras.__getitem__)

    def _completed(self, raw: Raw, extras: dict[Raw, Raw]) -> Raw:
        """Fill what is absent from the one sibling of the same spelling that it agrees with, if any."""
        own = extras[raw]
        if "" not in own:
            return own
        mates = {
            other
            for mate, other in extras.items()
            if "" not in other and self._form(mate[0]) == self._form(raw[0]) and _agree(own, other)
        }
        return mates.pop() if len(mates) == 1 else own

    def _spellings(self, family: list[Raw]) -> list[list[Raw]]:
        if len(family) == 1:
            return [family]
        spelled = _grouped(sorted(family), lambda raw: self._form(raw[0]))
        return sorted(spelled.values())

    def _extras(self, raw: Raw) -> Raw:
        return tuple(normal_form("text", value) if value else "" for value in raw[1:])

    def _form(self, name: str) -> str:
        if name not in self._forms:
            self._forms[name] = normal_form(self.key.kind, name, self._spelling)
        return self._forms[name]


def _grouped(values: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    groups: dict[K, list[T]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups


def _agree(left: Raw, right: Raw) -> bool:
    return all(a == b for a, b in zip(left, right, strict=True) if a and b)


def _pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a <= b else (b, a)
