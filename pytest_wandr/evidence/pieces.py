"""Into which pieces does an excerpt fall: lines, or what ellipses leave?"""

from __future__ import annotations

import re

from pytest_wandr.evidence.marks import JOINT

_DOTS = r"(?:…|⋯|\.{3,}|\. \. \.(?: \.)?)"
_ALL_DOTS = ("…", "⋯", "...", ". . .")
_INNER = re.compile(
    rf"[ \t\n]{{0,40}}(?:[\[(<] ?{_DOTS} ?[\])>]|{_DOTS})[ \t\n]{{0,40}}"
)  # fmt: skip
_HORIZONTAL = re.compile(r"[ \r\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_ODD = re.compile(r"  |[\r\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")  # else all blanks are single
_LINES = re.compile(r" ?\n ?")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n(?=[^\W\d_])")


def collapse(text: str) -> str:
    """The text with single blanks and no blank lines; words hyphenated at a line end jointed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _HORIZONTAL.sub(" ", text) if _ODD.search(text) else text
    if "\n" not in text:
        return text
    text = _LINES.sub("\n", text)
    text = re.sub(r"\n{2,}", "\n", text)
    return _HYPHEN.sub("-" + JOINT, text)


def trim(text: str) -> tuple[str, bool]:
    """The text without ellipses at its ends, and whether it may end inside a word ("foun...")."""
    if not _has_dots(text):
        return text, False
    lead = _INNER.match(text)
    if lead:
        text = text[lead.end() :]
    tail = max(_INNER.finditer(text), key=lambda found: found.end(), default=None)
    if tail is None or tail.end() != len(text):
        return text, False
    return text[: tail.start()], not tail[0][:1].isspace() and tail[0][0] not in "[(<"


def elided(text: str) -> list[str]:
    """The pieces between ellipses."""
    return [piece for piece in (_INNER.split(text) if _has_dots(text) else [text]) if piece.strip()]


def _has_dots(text: str) -> bool:
    """False when there is no ellipsis at all."""
    return any(dots in text for dots in _ALL_DOTS)


def lines(text: str) -> list[str]:
    """The lines that are not blank."""
    return [line for line in text.split("\n") if line.strip()]
