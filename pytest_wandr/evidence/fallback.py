"""What does a page say whose tree came out empty although its source is long?

The parser loses the body of a broken page now and then, without an error. Tags are then cut by plain search.
"""

from __future__ import annotations

from pytest_wandr.evidence.marks import BLOCK
from pytest_wandr.evidence.walk import clean_blocks

_SILENT = ("script", "style", "template", "head")


def stripped_text(source: str) -> str:
    """The text between tags, without scripts and styles; linear in the source."""
    lowered = source.lower() if source.isascii() else "".join(_lower(char) for char in source)
    pieces: list[str] = []
    at = 0
    while (start := lowered.find("<", at)) >= 0:
        pieces.append(source[at:start])
        at = _after_tag(lowered, start)
        if at == start + 1:
            pieces.append("<")
        else:
            pieces.append(BLOCK)
    pieces.append(source[at:])
    return clean_blocks("".join(pieces))


def _lower(char: str) -> str:
    return char.lower() if char < "\x80" else char


def _after_tag(lowered: str, start: int) -> int:
    """Where the text goes on after the tag (and what is silent in it); just past `<` when it is no tag."""
    if lowered.startswith("<!--", start):
        return _past(lowered, "-->", start)
    following = lowered[start + 1 : start + 2]
    if not (following.isalpha() or following in {"/", "!", "?"}):
        return start + 1
    for name in _SILENT[:3]:
        if lowered.startswith("<" + name, start):
            return _past(lowered, f"</{name}>", start)
    return _past(lowered, ">", start)


def _past(lowered: str, end: str, start: int) -> int:
    """The place after the next `end`; the end of the text when there is none."""
    found = lowered.find(end, start)
    return len(lowered) if found < 0 else found + len(end)
