"""How do undecided answers combine? Three-valued logic (Kleene's) over parts, with reasons kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.model import YES, Part, conjunction

if TYPE_CHECKING:
    from collections.abc import Sequence


def no(code: str, reason: str) -> Part:
    """Decided, and false."""
    return Part(value=False, reason=reason, code=code)


def undecided(code: str, reason: str) -> Part:
    """The machine cannot tell."""
    return Part(value=None, reason=reason, code=code)


def all_of(parts: Sequence[Part]) -> Part:
    """False when one is false, else undecided when one is. The reasons are those of the parts that decide."""
    value = conjunction([part.value for part in parts])
    return YES if value else _because(parts, value=value)


def any_of(parts: Sequence[Part]) -> Part:
    """True when one is true, else undecided when one is; false with every reason when all are false."""
    values = [part.value for part in parts]
    if True in values:
        return YES
    return _because(parts, value=None if None in values else False)


def negation_of(part: Part, *, what: str) -> Part:
    """True for false, false for true; undecided stays undecided with its reason."""
    if part.value is None:
        return part
    return no("excluded", f"what must not hold does: {what}") if part.value else YES


def _because(parts: Sequence[Part], *, value: bool | None) -> Part:
    """The deciding parts' reasons, each once, and the code of the first."""
    deciding = [part for part in parts if part.value is value]
    reasons = "; ".join(dict.fromkeys(part.reason for part in deciding if part.reason))
    code = deciding[0].code if deciding else "no_alternative"
    return Part(value=value, reason=reasons or "no alternative is given", code=code)
