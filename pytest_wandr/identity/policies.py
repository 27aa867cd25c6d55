"""Which verdicts merge two names, under which policy?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.identity.verdict import Comparison

POLICIES = ("strict", "balanced", "lenient")
EXACT = frozenset(("exact", "alias", "identifier"))
"""Reasons that groups may be chained by."""

APART = frozenset(("generation", "tickers", "native letters", "generic title"))
"""Grey for a comparison, but never merged, and never bridged by a third name."""

_SOFT = frozenset(("typo", "abbreviation"))
_SOFT_PERSON = frozenset(("typo", "initial", "middle"))
_NEVER_SOFT = frozenset(("product", "paper"))


def check_policy(policy: str) -> None:
    """ValueError for a policy that does not exist."""
    if policy not in POLICIES:
        raise ValueError(f"unknown policy {policy!r}; there are: {', '.join(POLICIES)}")


def keeps_apart(found: Comparison) -> bool:
    """Whether a pair speaks against every group that would hold both."""
    return found.verdict == "distinct" or found.reason in APART


def merges(kind: str, policy: str, found: Comparison, *, rival: bool = False) -> bool:
    """Whether the policy takes the pair for one. `rival`: an acronym that fits several names."""
    if found.verdict == "same":
        return True
    if found.verdict == "distinct" or policy == "strict" or found.reason in APART:
        return False
    if policy == "lenient":
        return True
    if found.reason == "acronym":
        return kind == "company" and not rival
    return kind not in _NEVER_SOFT and found.reason in (_SOFT_PERSON if kind == "person" else _SOFT)
