"""Which accepted pairs hold when all pairs are looked at together?"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from pytest_wandr.identity.compare import compare_declared
from pytest_wandr.identity.policies import EXACT, keeps_apart, merges

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_wandr.identity.declared import Declared
    from pytest_wandr.identity.verdict import Comparison

    Pair: TypeAlias = tuple[int, int]
    Neighbours: TypeAlias = dict[int, set[int]]

LARGE = 100  # more different names than this are no one thing: the group falls back to its exact parts
_NOTHING: frozenset[int] = frozenset()


def group(
    unique: Sequence[str], verdicts: dict[Pair, Comparison], policy: str, declared: Declared
) -> list[list[int]]:
    """Groups of positions in a sorted list of unique names."""
    accepted = _accepted(declared.kind, policy, verdicts)
    exact = [pair for pair in accepted if verdicts[pair].reason in EXACT]
    near = neighbours(accepted)
    apart = (pair for pair in verdicts if pair[0] in near and pair[1] in near)  # no other name joins a group
    against = neighbours(pair for pair in apart if keeps_apart(verdicts[pair]))
    kept = [pair for pair in accepted if verdicts[pair].reason in EXACT or holds(pair, near, against)]
    groups: list[list[int]] = []
    for part in components(len(unique), kept):
        if len(part) > 2:
            _look_closer(part, unique, verdicts, against, declared)
        vetoed = len(part) > 1 and _has_veto(part, against)
        groups += _exact_parts(part, exact, against) if vetoed else [part]
    return groups


def _accepted(kind: str, policy: str, verdicts: dict[Pair, Comparison]) -> list[Pair]:
    acronyms = Counter(at for pair, found in verdicts.items() if found.reason == "acronym" for at in pair)
    return [
        pair
        for pair, found in verdicts.items()
        if found.verdict != "distinct"
        and merges(kind, policy, found, rival=max(acronyms[pair[0]], acronyms[pair[1]]) > 1)
    ]


def neighbours(pairs: Iterable[Pair]) -> Neighbours:
    """Who is in a pair with whom."""
    found: Neighbours = {}
    for a, b in pairs:
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return found


def holds(pair: Pair, near: Neighbours, against: Neighbours) -> bool:
    """The triangle check: nothing that one end is close to speaks against the other end."""
    a, b = pair
    return near[a].isdisjoint(against.get(b, _NOTHING)) and near[b].isdisjoint(against.get(a, _NOTHING))


def components(count: int, pairs: Iterable[Pair]) -> list[list[int]]:
    """The positions from 0 to `count` that pairs hold together, whatever the order of the pairs."""
    parent = list(range(count))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for a, b in pairs:
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    found: dict[int, list[int]] = {}
    for at in range(count):
        found.setdefault(root(at), []).append(at)
    return list(found.values())


def _look_closer(
    part: list[int],
    unique: Sequence[str],
    verdicts: dict[Pair, Comparison],
    against: Neighbours,
    declared: Declared,
) -> None:
    """Compare the pairs of a group that no block held together: one of them may be a veto."""
    by_key: dict[str, list[int]] = {}
    for at in part:
        by_key.setdefault(declared.key(unique[at]), []).append(at)
    if len(by_key) > LARGE:
        against.setdefault(part[0], set()).add(part[-1])
        return
    for one, two in combinations(by_key.values(), 2):
        for a in one:
            for b in two:
                pair = (min(a, b), max(a, b))
                if pair not in verdicts and keeps_apart(compare_declared(unique[a], unique[b], declared)):
                    against.setdefault(a, set()).add(b)
                    against.setdefault(b, set()).add(a)


def _has_veto(part: list[int], against: Neighbours) -> bool:
    members = set(part)
    return any(not members.isdisjoint(against.get(at, _NOTHING)) for at in part)


def _exact_parts(part: list[int], exact: list[Pair], against: Neighbours) -> list[list[int]]:
    """The exact groups of a component; single names where even those hold a veto."""
    place = {at: number for number, at in enumerate(part)}
    inner = [(place[a], place[b]) for a, b in exact if a in place and b in place]
    parts = [[part[number] for number in found] for found in components(len(part), inner)]
    return [
        single
        for found in parts
        for single in ([[at] for at in found] if _has_veto(found, against) else [found])
    ]
