"""Which passage of a page comes closest to an excerpt that is not on it?"""

from __future__ import annotations

import re

from pytest_wandr.evidence.marks import clean
from pytest_wandr.evidence.page import PageText
from pytest_wandr.evidence.skeleton import Skeleton
from pytest_wandr.evidence.unmark import unmark

_LEAST = 6
_WORD = re.compile(r"\w+")
_BEFORE, _AFTER = 60, 80


def nearest_passage(page: PageText, excerpt: str) -> str:
    """The text around the longest beginning (or end) of the excerpt that the page has; `>>` marks the parting."""
    if page.problem:
        return ""
    needle = Skeleton(unmark(clean(excerpt))).squashed
    squashed = page.haystack(page.visible_views[0]).bytes
    head = _longest(needle, squashed)
    words = _words_of(excerpt, head)
    if head < _LEAST or not words:
        return ""
    return _shown(page.text, words)


def _longest(needle: bytes, squashed: bytes) -> int:
    """How long a beginning of the needle is on the page; shorter ones are then there too, so bisection serves."""
    low, high = 0, len(needle)
    while low < high:
        middle = (low + high + 1) // 2
        if needle[:middle] in squashed:
            low = middle
        else:
            high = middle - 1
    return low


def _words_of(excerpt: str, length: int) -> list[str]:
    """The whole words of the excerpt that make up so many bytes of skeleton."""
    words, used = [], 0
    for word in _WORD.findall(excerpt):
        used += len(Skeleton(word).squashed)
        if used > length:
            break
        words.append(word)
    return words


def _shown(text: str, words: list[str]) -> str:
    """The passage that holds the last of these words."""
    for count in (8, 4, 2, 1):
        pattern = r"\W{1,40}?".join(map(re.escape, words[-count:]))
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            start, end = max(0, found.end() - _BEFORE), found.end()
            lead = "..." if start else ""
            return " ".join(f"{lead}{text[start:end]} >>{text[end : end + _AFTER]}".split())
    return ""
