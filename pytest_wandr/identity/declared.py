"""What has the author declared about the names of a key: aliases, and names that are distinct?"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pytest_wandr.identity.normal import normal_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.model import IdentityOptions


class Declared:
    """The declarations of one key in normal form. They beat every rule."""

    def __init__(self, kind: str, options: IdentityOptions) -> None:
        self.kind = kind
        self.options = options
        self.groups = [(head, *names) for head, names in options.aliases.items()]
        self._groups_of: dict[str, list[int]] = {}
        for at, group in enumerate(self.groups):
            for key in dict.fromkeys(self.key(name) for name in group):
                self._groups_of.setdefault(key, []).append(at)
        self.apart = [(self.key(one), self.key(two)) for one, two in options.distinct]

    def __bool__(self) -> bool:
        return bool(self.groups or self.apart)

    def key(self, value: str) -> str:
        """The value's normal form under these options."""
        return normal_form(self.kind, value, self.options)

    def names(self, value: str) -> tuple[str, ...]:
        """The value and the names declared for it."""
        found = dict.fromkeys([value])
        for at in self._groups_of.get(self.key(value), ()):
            found |= dict.fromkeys(self.groups[at])
        return tuple(found)

    def keys(self, value: str) -> frozenset[str]:
        """The normal forms of those names."""
        return frozenset(self.key(name) for name in self.names(value))

    def is_apart(self, keys_a: frozenset[str], keys_b: frozenset[str]) -> bool:
        """Whether the `distinct` list keeps the two apart."""
        return any(
            (one in keys_a and two in keys_b) or (two in keys_a and one in keys_b) for one, two in self.apart
        )


def alias_problems(kind: str, options: IdentityOptions, labels: Sequence[str] = ()) -> list[str]:
    """What is wrong with an author's lists, one sentence each; empty when nothing is."""
    from pytest_wandr.identity.compare import compare_plain

    problems: list[str] = []
    owner: dict[str, str] = {}
    for head, names in options.aliases.items():
        keys = {
            name: normal_form(kind, name, options.model_copy(update={"aliases": {}}))
            for name in (head, *names)
        }
        for name, key in keys.items():
            if owner.setdefault(key, head) != head:
                problems.append(f"{name!r} is an alias of both {owner[key]!r} and {head!r}")
        for one, two in combinations(keys, 2):
            if any(
                {keys[one], keys[two]} == {normal_form(kind, n, options) for n in pair}
                for pair in options.distinct
            ):
                problems.append(f"{one!r} and {two!r} are aliases of {head!r} and declared distinct")
            elif kind != "enum" and (found := compare_plain(kind, one, two, options)).reason in _HARD:
                problems.append(f"alias {two!r} joins {one!r}, which the rules keep apart ({found.reason})")
    return problems + _label_problems(kind, options, labels)


_HARD = frozenset(("numbers", "generation", "contrast", "contrast on one side", "identifier", "version"))


def _label_problems(kind: str, options: IdentityOptions, labels: Sequence[str]) -> list[str]:
    first: dict[str, str] = {}
    problems: list[str] = []
    for label in labels:
        key = normal_form(kind, label, options)
        if key in first:
            problems.append(f"labels {first[key]!r} and {label!r} are one after normalisation")
        first.setdefault(key, label)
    return problems
