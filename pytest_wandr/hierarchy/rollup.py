"""What are pages worth together? Precision and recall, exact, up the tree: scoring.md section 4."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_wandr.model import Truth

Exact: TypeAlias = int | Fraction


class Value(NamedTuple):
    """An entity or identity under one reading. Precision is None when no page below is decided.

    `judged` says that a record below is decided. It may be without a decided page: a page that a true and
    an undecided record share is undecided.
    """

    precision: Exact | None
    recall: Exact
    clean: bool
    judged: bool

    @property
    def complete(self) -> bool:
        """Every slot holds something complete: exactly then no recall is lost."""
        return self.recall == 1


_TRUE = Value(1, 1, clean=True, judged=True)
_FALSE = Value(0, 0, clean=False, judged=True)
_UNDECIDED = Value(None, 0, clean=True, judged=False)
_UNDECIDED_BUT_JUDGED = _UNDECIDED._replace(judged=True)

LEAVES: Mapping[Truth, Value] = {True: _TRUE, False: _FALSE, None: _UNDECIDED}
"""A page that one record cites, from its verdict."""


def leaf(verdicts: Sequence[Truth]) -> Value:
    """A page from the verdicts of the records that cite it: the worst of them counts."""
    if False in verdicts:
        return _FALSE
    if None not in verdicts:
        return _TRUE
    return _UNDECIDED_BUT_JUDGED if True in verdicts else _UNDECIDED


@lru_cache(maxsize=4096)
def mix(groups: tuple[tuple[Value, ...], ...], counts: tuple[int, ...]) -> Value:
    """An entity from the identities in its groups: each group weighs the same, whatever its count."""
    means = [mean for mean in map(_mean_precision, groups) if mean is not None]
    shares = [_top(values, count) for values, count in zip(groups, counts, strict=True)]
    return Value(
        ratio(total(means), len(means)) if means else None,
        ratio(total(shares), len(shares)),
        clean=all(value.clean for values in groups for value in values),
        judged=any(value.judged for values in groups for value in values),
    )


def worst(values: Sequence[Value]) -> Value:
    """An identity from its duplicates: the least of each, so that a second spelling never pays."""
    return Value(
        min((value.precision for value in values if value.precision is not None), default=None),
        min(value.recall for value in values),
        clean=all(value.clean for value in values),
        judged=any(value.judged for value in values),
    )


def _mean_precision(values: Sequence[Value]) -> Exact | None:
    found = [value.precision for value in values if value.precision is not None]
    return ratio(total(found), len(found)) if found else None


def _top(values: Sequence[Value], count: int) -> Exact:
    """The `count` largest recalls over `count`: a shortfall is filled with zeros, a surplus cut off."""
    return ratio(total(largest([value.recall for value in values], count)), count)


def largest(values: list[Exact], count: int) -> list[Exact]:
    """The `count` largest, or all when there are no more."""
    return values if len(values) <= count else sorted(values, reverse=True)[:count]


def total(values: Sequence[Exact]) -> Exact:
    """An exact sum: whole numbers by denominator, since adding fractions one by one is slow."""
    parts: dict[int, int] = {}
    for value in values:
        whole = value.denominator
        parts[whole] = parts.get(whole, 0) + value.numerator
    if parts.keys() <= {1}:
        return parts.get(1, 0)
    return _whole(sum(Fraction(part, whole) for whole, part in parts.items()))


def ratio(part: Exact, whole: Exact) -> Exact:
    """An exact quotient; whole numbers stay integers, which add up faster."""
    if isinstance(part, int) and isinstance(whole, int):
        quotient, rest = divmod(part, whole)
        return Fraction(part, whole) if rest else quotient
    return _whole(Fraction(part) / whole)


def _whole(value: Exact) -> Exact:
    return value.numerator if value.denominator == 1 else value
