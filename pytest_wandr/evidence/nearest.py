"""Which passage of a page comes closest to an excerpt that is not on it?"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from pytest_wandr.evidence.literal import PLAIN
from pytest_wandr.evidence.marks import clean
from pytest_wandr.evidence.skeleton import Skeleton
from pytest_wandr.evidence.unmark import unmark

if TYPE_CHECKING:
    from pytest_wandr.evidence.page import PageText

_LEAST = 6
_WORD = re.compile(r"\w+")
_BEFORE, _AFTER = 60, 80
_LAST_WORDS = (8, 4, 2, 1)
_COUNTABLE = re.compile(r"[A-Za-z0-9 .,;:!?'\"/)]*")  # nothing in it changes what stands before
_COUNTED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_MOST_PLACES = 200  # a pattern is then quicker
_GAP = re.compile(r"\W{1,40}(?!\W)")
_FOLDING = "\u0130\u0131\u017f\u212a"  # letters beyond ASCII that are letters of it in another case


def nearest_passage(page: PageText, excerpt: str) -> str:
    """The text around the longest beginning of the excerpt that the page has; `>>` marks where they part."""
    if page.problem:
        return ""
    excerpt = excerpt if PLAIN.fullmatch(excerpt) else unmark(clean(excerpt))
    squashed = page.haystack(page.visible_views[0]).bytes
    needle = Skeleton(excerpt).squashed
    shared = _shared(needle, squashed)
    if shared < _LEAST:
        return ""
    return _shown(page.text, _whole_words(excerpt, _parting(excerpt, len(needle), shared)))


def _parting(excerpt: str, size: int, shared: int) -> int:
    """How much of the excerpt makes no more than the shared beginning of its skeleton, which has a size.

    When that has a byte for each letter and digit of plain words and no other, they can be counted.
    """
    if _COUNTABLE.fullmatch(excerpt):
        places = [at for at, char in enumerate(excerpt) if char in _COUNTED]
        if len(places) == size:
            return places[shared] if shared < size else len(excerpt)
    return bisect_right(range(len(excerpt)), shared, key=lambda at: len(Skeleton(excerpt[: at + 1])))


def _whole_words(excerpt: str, end: int) -> list[str]:
    """The words before a place; without the last when it is cut there, unless it is the only one."""
    words = _WORD.findall(excerpt[:end])
    cut = _WORD.match(excerpt, end) is not None and _WORD.match(excerpt, end - 1) is not None
    return words[:-1] if cut and len(words) > 1 else words


def _shared(needle: bytes, squashed: bytes) -> int:
    """How long a beginning of the needle is on the page, 0 for a short one.

    From each place that has more of it than those before, the next one is looked for behind it.
    """
    longest, at = 0, squashed.find(needle[:_LEAST])
    while at >= 0:
        longest += _further(needle, squashed, longest, at)
        at = squashed.find(needle[: longest + 1], at + 1) if longest < len(needle) else -1
    return longest


def _further(needle: bytes, squashed: bytes, known: int, at: int) -> int:
    """How much more than the known beginning of the needle stands at a place that has it.

    What a place has of it is had in shorter pieces too, so bisection serves.
    """
    sizes = range(known + 1, len(needle) + 1)
    return bisect_right(sizes, 0, key=lambda size: not squashed.startswith(needle[:size], at))


def _shown(text: str, words: list[str]) -> str:
    """The passage around the last of these words."""
    for count in _LAST_WORDS if words else ():
        end = _end_of(text, words[-count:])
        if end:
            start = max(0, end - _BEFORE)
            lead = "..." if start else ""
            return " ".join(f"{lead}{text[start:end]} >>{text[end:][:_AFTER]}".split())
    return ""


def _end_of(text: str, words: list[str]) -> int:
    """Where these words, in any case and with up to 40 other characters between them, first end; 0: nowhere.

    A pattern made of the words takes longer to compile than the rest of the search takes.
    """
    end = None
    if all(map(str.isascii, words)) and not any(char in text for char in _FOLDING):
        lower = text.encode("utf-8", "surrogatepass").lower()  # ASCII alone
        end = _tried(lower.decode("utf-8", "surrogatepass"), [word.lower() for word in words])
    if end is None:
        found = re.search(r"\W{1,40}?".join(map(re.escape, words)), text, re.IGNORECASE)
        end = found.end() if found else 0
    return end


def _tried(text: str, words: list[str]) -> int | None:
    """The same in lower case, place by place; None when the first word stands in too many places."""
    at = -1
    for _ in range(_MOST_PLACES):
        at = text.find(words[0], at + 1)
        if at < 0:
            return 0
        end = at + len(words[0])
        for word in words[1:]:
            gap = _GAP.match(text, end)
            if gap is None or not text.startswith(word, gap.end()):
                break
            end = gap.end() + len(word)
        else:
            return end
    return None
