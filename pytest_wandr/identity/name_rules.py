"""Are two names of companies, places, products, papers or other things the same? Vetoes first."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pytest_wandr.identity.alignment import Alignment
from pytest_wandr.identity.forms import Form, initials
from pytest_wandr.identity.tables.legal import GROUP_WORDS
from pytest_wandr.identity.tables.words import CONTRAST
from pytest_wandr.identity.typos import is_typo, stem
from pytest_wandr.identity.verdict import distinct, grey, same

if TYPE_CHECKING:
    from pytest_wandr.identity.verdict import Comparison

_YEAR = re.compile("(?:1[89]|20)[0-9]{2}")


def is_hopeless(a: Form, b: Form) -> bool:
    """A quick look: words are left over on both sides, and no two of them can be one word or its initials."""
    if a.spelled or b.spelled or a.is_cyrillic != b.is_cyrillic or a.joined == b.joined:
        return False
    left, right = a.bag - b.bag, b.bag - a.bag
    if not left or not right or (a.content and a.content == b.content):
        return False
    meeting = [(x, y) for x in left for y in right if x[0] == y[0]]
    if not meeting:
        return True
    if len(a.tokens) == 1 or len(b.tokens) == 1 or len(a.bag) < len(a.tokens) or len(b.bag) < len(b.tokens):
        return False
    for x, y in meeting:
        if x.startswith(y) or y.startswith(x) or x[-3:] == "ies" or y[-3:] == "ies" or is_typo(x, y):
            return False
    return not (_may_be_initials(left, len(right)) or _may_be_initials(right, len(left)))


def _may_be_initials(words: frozenset[str], count: int) -> bool:
    return count > 1 and count in map(len, words)


def compare_names(kind: str, a: Form, b: Form) -> Comparison:
    """The verdict for two forms; symmetric."""
    if equal := _equal(kind, a, b):
        return equal
    partial = a.numbers != b.numbers
    if partial and (kind in {"paper", "text"} or not (a.numbers <= b.numbers or b.numbers <= a.numbers)):
        return distinct("numbers")
    if acronym := _acronym(a, b):
        return grey("acronym") if partial and acronym.verdict == "same" else acronym
    return _aligned(kind, a, b, partial=partial)


def _equal(kind: str, a: Form, b: Form) -> Comparison | None:
    if a.tokens == b.tokens:
        return same("exact")
    if a.joined == b.joined and a.digits == b.digits:
        return grey("joined") if kind == "paper" else same("joined")
    if (a.spelled or b.spelled) and (a.spelled or a.joined) == (b.spelled or b.joined):
        return grey("joined") if kind == "paper" else same("joined")  # `Space X`, read as 10, is `SpaceX`
    if kind == "company" and a.numbers == b.numbers and a.content and a.content == b.content:
        return same("noise")
    return None


def _acronym(a: Form, b: Form) -> Comparison | None:
    for short, long in ((a, b), (b, a)):
        if len(short.tokens) != 1:
            continue
        if short.joined in long.acronyms:
            return same("acronym declared")
        if short.joined in initials(long.tokens):
            return grey("acronym")
    return None


def _aligned(kind: str, a: Form, b: Form, *, partial: bool) -> Comparison:
    rest = Alignment(a, b)
    if rest.left and rest.right:
        if _contrast(rest.left, rest.right):
            return distinct("contrast")
        rest.settle()
    if rest.left and rest.right:
        return distinct("substitution" if rest.shared else "nothing shared")
    residue = rest.left or rest.right
    if not residue:
        return _complete(kind, a, b, rest, partial=partial)
    if not rest.shared:
        return distinct("nothing shared")
    return _residue(kind, residue, min(len(a.tokens), len(b.tokens)))


def _contrast(left: list[str], right: list[str]) -> bool:
    mine = [word for word in left if word in CONTRAST]
    other = [word for word in right if word in CONTRAST] if mine else []
    return any(stem(x) != stem(y) and not CONTRAST[x].isdisjoint(CONTRAST[y]) for x in mine for y in other)


def _complete(kind: str, a: Form, b: Form, rest: Alignment, *, partial: bool) -> Comparison:
    """Nothing is left over on either side."""
    if rest.shortened:
        return grey("abbreviation" if rest.shared else "prefix")
    if rest.typo:
        return grey("typo")
    if partial:
        return grey("numbers on one side")
    if a.digits != b.digits and _reordered(kind, a.digits, b.digits):
        return grey("number order")
    if kind == "company" and Counter(a.tokens) == Counter(b.tokens):
        return grey("reordered")
    return grey("aligned") if kind in {"company", "product"} else same("aligned")


def _reordered(kind: str, one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether numbers stand in another order: chapter 1 verse 2. A year may stand anywhere but in a place."""
    if kind == "place":
        return True
    years = [[number for number in side if _YEAR.fullmatch(number)] for side in (one, two)]
    others = [[number for number in side if not _YEAR.fullmatch(number)] for side in (one, two)]
    return years[0] != years[1] or others[0] != others[1]


def _residue(kind: str, words: list[str], shorter: int) -> Comparison:
    """Words are left over on one side only."""
    if any(word in CONTRAST for word in words):
        if kind in {"product", "text"}:
            return distinct("contrast on one side")
        if kind == "place":
            return grey("qualifier")
    if all(word in GROUP_WORDS for word in words):
        return grey("group")
    if len(words) > max(2, shorter):
        return distinct("long residue")
    return grey("subset")
