"""Which names of one list are the same thing? Groups that no order of the list can change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.identity.apart import nothing_alike
from pytest_wandr.identity.blocking import candidate_pairs, forms_of_all
from pytest_wandr.identity.compare import VALUE_KINDS, compare_declared, compare_forms
from pytest_wandr.identity.declared import declared_of
from pytest_wandr.identity.grouping import group
from pytest_wandr.identity.name_rules import is_hopeless
from pytest_wandr.identity.normal import DEFAULT_OPTIONS, check_kind
from pytest_wandr.identity.policies import check_policy
from pytest_wandr.identity.verdict import distinct
from pytest_wandr.model import IdentityOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.identity.declared import Declared
    from pytest_wandr.identity.forms import Form
    from pytest_wandr.identity.verdict import Comparison


_HOPELESS = distinct("substitution")


class Collapsed(NamedTuple):
    """Groups of indices, and the grey pairs that stayed apart, with their reason."""

    groups: list[list[int]]
    near: list[tuple[int, int, str]]


def cluster(kind: str, names: Sequence[str], policy: str = "strict", **options: object) -> list[list[int]]:
    """Groups of indices, ordered by their first; every index once. Options as for `compare`."""
    options.pop("labels", None)  # a label is a spelling: it changes no group
    return collapse(kind, names, policy, IdentityOptions.model_validate(options)).groups


def collapse(
    kind: str, names: Sequence[str], policy: str = "strict", options: IdentityOptions | None = None
) -> Collapsed:
    """Groups, and what nearly was one."""
    check_kind(kind)
    check_policy(policy)
    declared = declared_of(kind, options or DEFAULT_OPTIONS)
    if not declared and nothing_alike(kind, names):
        return Collapsed([[at] for at in range(len(names))], [])
    unique = sorted(set(names))
    verdicts = _verdicts(unique, declared)
    if not verdicts and len(unique) == len(names):  # nothing to weigh: the usual case of a short list
        return Collapsed([[at] for at in range(len(names))], [])
    parts = group(unique, verdicts, policy, declared)
    group_of = {unique[at]: number for number, part in enumerate(parts) for at in part}
    return Collapsed(_by_first(names, group_of), _near(names, unique, group_of, verdicts))


def _verdicts(unique: Sequence[str], declared: Declared) -> dict[tuple[int, int], Comparison]:
    forms = forms_of_all(unique, declared)
    pairs = candidate_pairs(unique, forms, declared)
    kind, options = declared.kind, declared.options
    if declared or kind in VALUE_KINDS or kind == "paper" or options.subsidiaries == "merge":
        return {(a, b): compare_declared(unique[a], unique[b], declared) for a, b in pairs}
    quick = kind != "person"  # the plain case, without look-ups
    return {pair: _verdict(kind, forms[pair[0]], forms[pair[1]], quick=quick) for pair in pairs}


def _verdict(kind: str, a: tuple[Form, ...], b: tuple[Form, ...], *, quick: bool) -> Comparison:
    if quick and len(a) == len(b) == 1 and is_hopeless(a[0], b[0]):
        return _HOPELESS
    return compare_forms(kind, a, b)


def _by_first(names: Sequence[str], group_of: dict[str, int]) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for index, name in enumerate(names):
        groups.setdefault(group_of[name], []).append(index)
    return list(groups.values())


def _near(
    names: Sequence[str],
    unique: Sequence[str],
    group_of: dict[str, int],
    verdicts: dict[tuple[int, int], Comparison],
) -> list[tuple[int, int, str]]:
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        first.setdefault(name, index)
    found: list[tuple[int, int, str]] = []
    for (a, b), verdict in verdicts.items():
        if verdict.verdict == "grey" and group_of[unique[a]] != group_of[unique[b]]:
            low, high = sorted((first[unique[a]], first[unique[b]]))
            found.append((low, high, verdict.reason))
    return sorted(found)
