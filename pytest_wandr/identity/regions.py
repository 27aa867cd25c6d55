"""Is one company a regional arm of the other? Only asked when the author wants arms merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.identity.forms import forms_of
from pytest_wandr.identity.tables.continuations import REGION_WORDS
from pytest_wandr.identity.verdict import same

if TYPE_CHECKING:
    from pytest_wandr.identity.forms import Flags
    from pytest_wandr.identity.verdict import Comparison


def merge_arms(a: str, b: str, found: Comparison, flags: Flags) -> Comparison:
    """`same` when the names agree once regions at the end or in brackets are gone."""
    if found.verdict == "same":
        return found
    core_a, core_b = (_without_region(forms_of("company", name, flags)[0].tokens) for name in (a, b))
    return same("subsidiary") if core_a == core_b else found


def _without_region(tokens: tuple[str, ...]) -> tuple[str, ...]:
    while len(tokens) > 1 and tokens[-1] in REGION_WORDS:
        tokens = tokens[:-1]
    return tokens
