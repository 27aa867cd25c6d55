"""What is left over on each side of two names when the words that agree are taken away?"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_wandr.identity.typos import is_prefix, is_typo, stem

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_wandr.identity.forms import Form


_MOST_PAIRS = 20_000
"""As many words are held against each other at most: names of thousands of words are no names."""


class Alignment:
    """The left-over words of both sides, in order, and which soft rules took words away."""

    __slots__ = ("left", "right", "shared", "shortened", "typo")

    def __init__(self, a: Form, b: Form) -> None:
        self.shared = not a.bag.isdisjoint(b.bag)
        if len(a.bag) == len(a.tokens) and len(b.bag) == len(b.tokens):
            self.left = [token for token in a.tokens if token not in b.bag]
            self.right = [token for token in b.tokens if token not in a.bag]
        else:
            self.left = _surplus(a.tokens, b.tokens)
            self.right = _surplus(b.tokens, a.tokens)
        self.typo = False
        self.shortened = False

    def settle(self) -> None:
        """Take away what is glued, plural, mistyped or shortened. All of these keep the first letter.

        Nothing is taken away where far too much is left.
        """
        if len(self.left) * len(self.right) > _MOST_PAIRS:
            return
        if {word[0] for word in self.left}.isdisjoint(word[0] for word in self.right):
            return
        self._glued(self.left, self.right)
        self._glued(self.right, self.left)
        self._pairs(lambda x, y: stem(x) == stem(y))
        self.typo = self._pairs(is_typo)
        self.shortened = self._pairs(is_prefix)
        self.shortened |= _drop_initials(self.left, self.right) or _drop_initials(self.right, self.left)

    def _glued(self, words: list[str], other: list[str]) -> None:
        if len(other) < 2:
            return
        for word in list(words):
            if run := _run_joining_to(word, other):
                words.remove(word)
                del other[run]

    def _pairs(self, agree: Callable[[str, str], bool]) -> bool:
        found = False
        for word in list(self.left):
            for other in self.right:
                if word[0] == other[0] and agree(word, other):
                    self.left.remove(word)
                    self.right.remove(other)
                    found = True
                    break
        return found


def _surplus(words: tuple[str, ...], other: tuple[str, ...]) -> list[str]:
    """Words that one side has more often than the other, in order."""
    more = Counter(words) - Counter(other)
    return sorted(more.elements(), key=words.index)


def _run_joining_to(word: str, other: list[str]) -> slice | None:
    """Neighbouring words that are one word when glued."""
    for start, first in enumerate(other):
        if not word.startswith(first):
            continue
        text = first
        for end in range(start + 1, len(other)):
            text += other[end]
            if text == word:
                return slice(start, end + 1)
            if not word.startswith(text):
                break
    return None


def _drop_initials(words: list[str], other: list[str]) -> bool:
    """One word that holds the initials of all that is left on the other side."""
    for word in words:
        if len(word) > 1 and len(other) == len(word) and word == "".join(o[0] for o in other):
            words.remove(word)
            other.clear()
            return True
    return False
