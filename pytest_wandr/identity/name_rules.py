"""Are two names of companies, places, products, papers or other things the same? Vetoes first."""

from __future__ import annotations

from collections import Counter

from pytest_wandr.identity.forms import Form, initials
from pytest_wandr.identity.tables.legal import GROUP_WORDS
from pytest_wandr.identity.tables.words import CONTRAST, NOISE
from pytest_wandr.identity.typos import is_prefix, is_typo, stem
from pytest_wandr.identity.verdict import Comparison, distinct, grey, same


def compare_names(kind: str, a: Form, b: Form) -> Comparison:
    """The verdict for two forms; symmetric."""
    if equal := _equal(kind, a, b):
        return equal
    partial = a.numbers != b.numbers
    if partial:
        if not (a.numbers <= b.numbers or b.numbers <= a.numbers):
            return distinct("numbers")
        if kind in {"paper", "text"}:
            return distinct("numbers")
    if acronym := _acronym(a, b):
        return grey("acronym") if partial and acronym.verdict == "same" else acronym
    return _aligned(kind, a, b, partial=partial)


def _equal(kind: str, a: Form, b: Form) -> Comparison | None:
    if a.tokens == b.tokens:
        return same("exact")
    if a.joined == b.joined and a.digits == b.digits:
        return grey("joined") if kind == "paper" else same("joined")
    if kind == "company" and a.numbers == b.numbers and _content(a) == _content(b) != []:
        return same("noise")
    return None


def _content(form: Form) -> list[str]:
    return [token for token in form.tokens if token not in NOISE]


def _acronym(a: Form, b: Form) -> Comparison | None:
    for short, long in ((a, b), (b, a)):
        if len(short.tokens) != 1:
            continue
        if short.joined in long.acronyms:
            return same("acronym declared")
        if short.joined in initials(long.tokens):
            return grey("acronym")
    return None


class _Alignment:
    """What is left over on each side when words that agree are taken away."""

    def __init__(self, a: Form, b: Form) -> None:
        self.left = list((Counter(a.tokens) - Counter(b.tokens)).elements())
        self.right = list((Counter(b.tokens) - Counter(a.tokens)).elements())
        self.left.sort(key=a.tokens.index)
        self.right.sort(key=b.tokens.index)
        self.typo = False
        self.short = False

    def run(self) -> None:
        """Take away what is glued, plural, mistyped or shortened."""
        self._glued()
        self._pairs(lambda x, y: stem(x) == stem(y))
        self.typo = self._pairs(is_typo)
        self.short = self._pairs(is_prefix)
        for words, other in ((self.left, self.right), (self.right, self.left)):
            self.short |= _drop_initials(words, other)

    def _glued(self) -> None:
        for words, other in ((self.left, self.right), (self.right, self.left)):
            for word in list(words):
                if run := _run_joining_to(word, other):
                    words.remove(word)
                    del other[run]

    def _pairs(self, agree: object) -> bool:
        assert callable(agree)
        found = False
        for word in list(self.left):
            match = next((other for other in self.right if agree(word, other)), None)
            if match is not None:
                self.left.remove(word)
                self.right.remove(match)
                found = True
        return found


def _run_joining_to(word: str, other: list[str]) -> slice | None:
    for start in range(len(other)):
        text = ""
        for end in range(start, len(other)):
            text += other[end]
            if text == word and end > start:
                return slice(start, end + 1)
            if not word.startswith(text):
                break
    return None


def _drop_initials(words: list[str], other: list[str]) -> bool:
    for word in words:
        if len(word) > 1 and len(other) == len(word) and word == "".join(o[0] for o in other):
            words.remove(word)
            other.clear()
            return True
    return False


def _aligned(kind: str, a: Form, b: Form, *, partial: bool) -> Comparison:
    if not set(a.tokens) & set(b.tokens) and len(a.tokens) + len(b.tokens) > 2:
        shared = False
    else:
        shared = bool(set(a.tokens) & set(b.tokens))
    left = _Alignment(a, b)
    if _contrast(left.left, left.right):
        return distinct("contrast")
    left.run()
    if left.left and left.right:
        return distinct("substitution" if shared else "nothing shared")
    residue = left.left or left.right
    if not residue:
        return _complete(kind, a, b, left, partial=partial)
    if not shared:
        return distinct("nothing shared")
    return _residue(kind, residue, min(len(a.tokens), len(b.tokens)))


def _contrast(left: list[str], right: list[str]) -> bool:
    return any(
        stem(x) != stem(y) and not CONTRAST[x].isdisjoint(CONTRAST[y])
        for x in left
        if x in CONTRAST
        for y in right
        if y in CONTRAST
    )


def _complete(kind: str, a: Form, b: Form, left: _Alignment, *, partial: bool) -> Comparison:
    """Nothing is left over on either side."""
    if left.short:
        return grey("abbreviation" if set(a.tokens) & set(b.tokens) else "prefix")
    if left.typo:
        return grey("typo")
    if partial:
        return grey("numbers on one side")
    if kind == "company" and Counter(a.tokens) == Counter(b.tokens):
        return grey("reordered")
    return grey("aligned") if kind in {"company", "product"} else same("aligned")


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
