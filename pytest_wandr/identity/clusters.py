"""Which names of one list are the same thing? Groups that no order of the list can change."""

from __future__ import annotations

from typing import NamedTuple, TYPE_CHECKING

from pytest_wandr.identity.blocking import candidate_pairs
from pytest_wandr.identity.compare import check_kind, compare_values
from pytest_wandr.model import IdentityOptions

if TYPE_CHECKING:
    from pytest_wandr.identity.verdict import Comparison
    from collections.abc import Iterable, Sequence

_EXACT = frozenset(("exact", "alias", "identifier"))
_APART = frozenset(("generation", "tickers", "native letters", "generic title"))
_SOFT = frozenset(("typo", "abbreviation"))
_SOFT_PERSON = _SOFT | {"initial", "middle"}


class Collapsed(NamedTuple):
    """Groups of indices, and the grey pairs that stayed apart, with their reason."""

    groups: list[list[int]]
    near: list[tuple[int, int, str]]


def cluster(kind: str, names: Sequence[str], policy: str = "strict", **options: object) -> list[list[int]]:
    """Groups of indices, ordered by their first; every index once."""
    labels = options.pop("labels", ())  # a label is a spelling: labels change no group
    del labels
    return collapse(kind, names, policy, IdentityOptions.model_validate(options)).groups


def collapse(
    kind: str, names: Sequence[str], policy: str = "strict", options: IdentityOptions | None = None
) -> Collapsed:
    """Groups, and what nearly was one."""
    check_kind(kind)
    if policy not in {"strict", "balanced", "lenient"}:
        raise ValueError(f"unknown policy {policy!r}; there are: strict, balanced, lenient")
    options = options or IdentityOptions()
    unique = sorted(set(names))
    verdicts = {
        pair: compare_values(kind, unique[pair[0]], unique[pair[1]], options)
        for pair in candidate_pairs(kind, unique, options)
    }
    parts = _groups(kind, unique, verdicts, policy)
    return _by_index(names, unique, parts, verdicts)


def _groups(
    kind: str, unique: list[str], verdicts: dict[tuple[int, int], Comparison], policy: str
) -> list[list[int]]:
    vetoed = {pair for pair, found in verdicts.items() if _apart(found)}
    soft = [pair for pair, found in sorted(verdicts.items()) if _merges(kind, found, policy, pair, verdicts)]
    exact = [pair for pair in soft if verdicts[pair].reason in _EXACT]
    against = _neighbours(vetoed)
    near = _neighbours(soft)
    kept = exact + [
        pair for pair in soft if verdicts[pair].reason not in _EXACT and _holds(pair, near, against)
    ]
    groups: list[list[int]] = []
    for group in _components(len(unique), kept):
        if _has_veto(group, against):
            groups += _split(group, exact, against)
        else:
            groups.append(group)
    return groups


def _apart(found: Comparison) -> bool:
    return found.verdict == "distinct" or found.reason in _APART


def _merges(
    kind: str,
    found: Comparison,
    policy: str,
    pair: tuple[int, int],
    verdicts: dict[tuple[int, int], Comparison],
) -> bool:
    if found.verdict == "same":
        return True
    if found.verdict == "distinct" or policy == "strict" or found.reason in _APART:
        return False
    if policy == "lenient":
        return True
    if kind == "company" and found.reason == "acronym":
        return _no_rival(pair, verdicts)
    return kind not in {"product", "paper"} and found.reason in (_SOFT_PERSON if kind == "person" else _SOFT)


def _no_rival(pair: tuple[int, int], verdicts: dict[tuple[int, int], Comparison]) -> bool:
    return not any(
        other != pair and found.reason == "acronym" and not set(other).isdisjoint(pair)
        for other, found in verdicts.items()
    )


def _neighbours(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for a, b in pairs:
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return found


def _holds(pair: tuple[int, int], near: dict[int, set[int]], against: dict[int, set[int]]) -> bool:
    """The triangle check: nothing that one end is close to speaks against the other end."""
    a, b = pair
    nothing: set[int] = set()
    return near.get(a, nothing).isdisjoint(against.get(b, nothing)) and near.get(b, nothing).isdisjoint(
        against.get(a, nothing)
    )


def _components(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
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


def _has_veto(group: list[int], against: dict[int, set[int]]) -> bool:
    members = set(group)
    return any(not members.isdisjoint(against.get(at, ())) for at in group)


def _split(group: list[int], exact: list[tuple[int, int]], against: dict[int, set[int]]) -> list[list[int]]:
    """The exact groups of a component, and single names where even those hold a veto."""
    members = set(group)
    place = {at: i for i, at in enumerate(group)}
    inner = [(place[a], place[b]) for a, b in exact if a in members and b in members]
    parts = [[group[i] for i in part] for part in _components(len(group), inner)]
    return [
        single for part in parts for single in ([[at] for at in part] if _has_veto(part, against) else [part])
    ]


def _by_index(
    names: Sequence[str],
    unique: list[str],
    parts: list[list[int]],
    verdicts: dict[tuple[int, int], Comparison],
) -> Collapsed:
    group_of = {unique[at]: number for number, part in enumerate(parts) for at in part}
    groups: dict[int, list[int]] = {}
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        groups.setdefault(group_of[name], []).append(index)
        first.setdefault(name, index)
    near = sorted(
        (*sorted((first[unique[a]], first[unique[b]])), found.reason)
        for (a, b), found in verdicts.items()
        if found.verdict == "grey" and group_of[unique[a]] != group_of[unique[b]]
    )
    return Collapsed(list(groups.values()), [(a, b, reason) for a, b, reason in near])
