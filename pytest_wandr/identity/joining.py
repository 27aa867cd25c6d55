"""Which groups become one because a judge confirmed it? Those that nothing else speaks against.

A confirmed pair joins two groups. It does not hold when what one of them is also close to speaks against the
other (the triangle check), and where groups that hold together contain a pair that is declared or found to be
distinct, or that looks alike and was not confirmed, they all stay as they were.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.identity.compare import compare_declared
from pytest_wandr.identity.declared import Declared
from pytest_wandr.identity.grouping import LARGE, components, holds, neighbours
from pytest_wandr.identity.policies import APART, keeps_apart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_wandr.identity.clusters import Collapsed
    from pytest_wandr.identity.grouping import Pair
    from pytest_wandr.model import IdentityOptions, Truth

Looks = tuple[int, int, str]
"""Two positions in the list, and why they look alike."""


class Joined(NamedTuple):
    """Groups of positions; `against` says of each confirmed pair that stayed apart what spoke against it."""

    groups: list[list[int]]
    against: dict[Pair, str]


class Joining:
    """The names of a list with their groups, and what may join them."""

    def __init__(self, kind: str, names: Sequence[str], found: Collapsed, options: IdentityOptions) -> None:
        self._names = names
        self._groups = found.groups
        self._declared = Declared(kind, options)
        self._group_of = {at: number for number, group in enumerate(found.groups) for at in group}
        self._looks: dict[Pair, list[Looks]] = {}
        for look in found.near:
            self._looks.setdefault(self._pair(look), []).append(look)

    def askable(self) -> list[Looks]:
        """One pair for every two groups that look alike and that no rule keeps apart."""
        return [looks[0] for pair, looks in sorted(self._looks.items()) if not self._veto(*pair)]

    def joined(self, said: Mapping[tuple[str, str], Truth]) -> Joined:
        """The groups after what a judge said of pairs of names. Of two groups, all that was said counts."""
        confirmed = {pair for pair in self._looks if self._confirmed(pair, said)}
        against = {pair: f"{self._told(pair)} are not confirmed" for pair in self._looks.keys() - confirmed}
        for part in components(len(self._groups), confirmed):
            against |= self._against_in(part, confirmed)
        near, speaks = neighbours(confirmed - against.keys()), neighbours(against)
        kept = [pair for pair in sorted(confirmed - against.keys()) if holds(pair, near, speaks)]
        parts = []
        for part in components(len(self._groups), kept):
            vetoed = any(pair in against for pair in combinations(part, 2))
            parts += [[number] for number in part] if vetoed else [part]
        return self._result(parts, confirmed, against)

    def _result(self, parts: list[list[int]], confirmed: set[Pair], against: dict[Pair, str]) -> Joined:
        home = {number: at for at, part in enumerate(parts) for number in part}
        groups = sorted(sorted(at for number in part for at in self._groups[number]) for part in parts)
        why = {
            look[:2]: self._because(pair, confirmed, against)
            for pair in sorted(confirmed)
            if home[pair[0]] != home[pair[1]]
            for look in self._looks[pair]
        }
        return Joined(groups, why)

    def _because(self, pair: Pair, confirmed: set[Pair], against: dict[Pair, str]) -> str:
        """What speaks against a confirmed pair: the first cause among all that hang together with it."""
        part = next(part for part in components(len(self._groups), confirmed) if pair[0] in part)
        return against.get(pair) or min(against[two] for two in combinations(part, 2) if two in against)

    def _against_in(self, part: list[int], confirmed: set[Pair]) -> dict[Pair, str]:
        """The vetoes between groups that confirmed pairs hold together."""
        if len(part) < 2:
            return {}
        if sum(len(self._groups[number]) for number in part) > LARGE:
            return {pair: f"more than {LARGE} names would be one" for pair in confirmed if pair[0] in part}
        return {pair: veto for pair in combinations(part, 2) if (veto := self._veto(*pair))}

    def _veto(self, one: int, two: int) -> str:
        """The first pair of names that keeps two groups apart, in words."""
        for a in self._groups[one]:
            for b in self._groups[two]:
                found = compare_declared(self._names[a], self._names[b], self._declared)
                if keeps_apart(found):
                    what = "look too different" if found.reason in APART else "are distinct"
                    return f"{self._names[a]!r} and {self._names[b]!r} {what} ({found.reason})"
        return ""

    def _confirmed(self, pair: Pair, said: Mapping[tuple[str, str], Truth]) -> bool:
        words = [
            said[names]
            for a, b, _ in self._looks[pair]
            if (names := (self._names[a], self._names[b])) in said
        ]
        return bool(words) and all(words)

    def _told(self, pair: Pair) -> str:
        a, b, _ = self._looks[pair][0]
        return f"{self._names[a]!r} and {self._names[b]!r}"

    def _pair(self, look: Looks) -> Pair:
        low, high = sorted((self._group_of[look[0]], self._group_of[look[1]]))
        return low, high
