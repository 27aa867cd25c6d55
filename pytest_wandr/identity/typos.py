"""Are two words one word, mistyped or shortened?"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def is_typo(a: str, b: str) -> bool:
    """One slip from 5 letters, two from 9; same first letter, no digit, never in short words."""
    shorter = min(len(a), len(b))
    if shorter < 5 or abs(len(a) - len(b)) > 2 or a[0] != b[0] or not (a.isalpha() and b.isalpha()):
        return False
    allowed = 2 if shorter >= 9 else 1
    return _distance()(a, b, score_cutoff=allowed) <= allowed


@cache
def _distance() -> Callable[..., int]:
    """Imported when first needed, and not looked up again: that takes as long as the comparison."""
    from rapidfuzz.distance import OSA

    return OSA.distance


def is_prefix(a: str, b: str) -> bool:
    """One word is the beginning of the other; three letters at least, no digit."""
    short, long = sorted((a, b), key=len)
    return len(short) >= 3 and long.startswith(short) and long.isalpha()


def stem(word: str) -> str:
    """A plural's singular, roughly."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
