"""What did a comparison find, and why?"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

Verdict: TypeAlias = Literal["same", "grey", "distinct"]

_RANK = {"distinct": 0, "grey": 1, "same": 2}


class Comparison(NamedTuple):
    """A verdict and its reason, in a word or two."""

    verdict: Verdict
    reason: str

    @property
    def rank(self) -> int:
        """0 distinct, 1 grey, 2 same."""
        return _RANK[self.verdict]


@lru_cache(maxsize=64)  # a handful of reasons, hundreds of thousands of verdicts
def same(reason: str) -> Comparison:
    """Proven to be one thing."""
    return Comparison("same", reason)


@lru_cache(maxsize=64)
def grey(reason: str) -> Comparison:
    """Neither proven nor ruled out."""
    return Comparison("grey", reason)


@lru_cache(maxsize=64)
def distinct(reason: str) -> Comparison:
    """Ruled out."""
    return Comparison("distinct", reason)
