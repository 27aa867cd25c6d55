"""Does an excerpt stand on a page letter for letter, so plainly that no closer look could object?

Most do that are there at all. Then the page need not be folded, and nothing need be examined around the hit:
no sign, number or contraction begins or ends there, no word is cut, and no mark lies within.
"""

from __future__ import annotations

import re
from string import ascii_lowercase

from pytest_wandr.evidence.marks import BLOCK, NEWLINE
from pytest_wandr.evidence.match import most_tries
from pytest_wandr.evidence.negation import is_contracted

_INNER = r"(?:[^\W_]++|[\"'():/%‘’“”–—-]|\.(?=[^\W_]))*+"
_WORD = rf"[\"'(“‘]?[^\W_]{_INNER}"
_GAP = r"[.!?]?[\"'”’)]?[.,;:]? "
PLAIN = re.compile(rf"{_WORD}(?:{_GAP}{_WORD})*+[.!?]?[\"'”’)]?\.?")
"""Words without markdown or ellipsis, and nothing that parts values: there is one way to read them."""
_ORDINARY = re.compile(r"[A-Za-z](?:[A-Za-z0-9 .,;:!?'\"/)]++|-(?=[A-Za-z]))*+")
_SIGNS = b" .,;:!?'\"/)-"
_LETTERS = ascii_lowercase.encode()
_APART = frozenset({"", " ", "\n", BLOCK, NEWLINE})
_LEAST = 12  # characters
_LONGEST_FOLDED = 54  # bytes of skeleton that one character makes at most


def stands(excerpt: str, marked: str) -> bool:
    """True when the marked text surely says the excerpt in one piece; False when that takes a closer look."""
    if len(excerpt) < _LEAST or not (_ORDINARY.fullmatch(excerpt) and PLAIN.fullmatch(excerpt)):
        return False
    at = marked.find(excerpt)
    end = at + len(excerpt)
    if at < 0 or not (marked[max(0, at - 1) : at] in _APART and marked[end : end + 1] in _APART):
        return False
    bare = excerpt.lower().encode()
    return _ends_plainly(bare.rstrip(_SIGNS)) and _is_tried(bare.translate(None, delete=_SIGNS), marked[:at])


def _ends_plainly(text: bytes) -> bool:
    """True for a word at the end that nothing behind it turns around: no number, no "can" of "can't"."""
    word = text[len(text.rstrip(_LETTERS)) :]
    return bool(word) and not is_contracted(word)


def _is_tried(bare: bytes, before: str) -> bool:
    """False when there may be so many places before this one that a search would give up on its way.

    Places of what does not repeat itself within half its length are at least that far apart.
    """
    half = len(bare) // 2
    if bare.find(bare[: len(bare) - half], 1) >= 0:
        return False
    foreign = 0 if before.isascii() else len(before.encode("utf-8", "surrogatepass")) - len(before)
    places = (len(before) + _LONGEST_FOLDED * foreign) // (half + 1) + 1
    return places < most_tries(2 * len(bare))
