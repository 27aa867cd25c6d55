"""Which control characters carry the structure of a page through its text?

Input loses its own control characters first, so a mark can only come from us.
"""

from __future__ import annotations

import re

NEWLINE = "\x0b"  # a line break that the page asked for
JOINT = "\x18"  # a hyphen at a line end stood here: it may part words, or a word
BREAK = "\x19"  # ends a number, glues words: around <sup> and <sub>
SPAN = "\x1a"  # a further column of a cell that spans several: counts or not
ROW = "\x1b"  # a table row starts or ends
CELL = "\x1c"  # a table cell starts
BARRIER = "\x1d"  # nothing may match across it
BLOCK = "\x1e"  # a block starts or ends

NONCHARACTERS = ("\ufdd0", "\ufdd1")  # stand for nothing in any honest text

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufdd0\ufdd1]")
_SCRUB = bytes(
    0x20 if (byte < 0x20 and byte not in b"\t\n\f\r") or byte == 0x7F else byte for byte in range(256)
)

_SOFT = re.compile(r"[ \t\r\n\f\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_ODD = re.compile(r"[\t\r\n\f\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_EDGES = re.compile(r" *([\x0b\x1b\x1d\x1e])[ \x0b\x1b\x1c\x1d\x1e\x1a]*")
_CELLS = re.compile(r" *\x1c *")


def clean(text: str) -> str:
    """The text without NUL, and with a space for every other control character or lone surrogate."""
    return text if _CONTROLS.search(text) is None else _CONTROLS.sub(" ", text.replace("\x00", ""))


def scrub(body: bytes) -> bytes:
    """The same for UTF-8 bytes, many times faster."""
    return body.replace(b"\x00", b"").translate(_SCRUB)


def readable(marked: str) -> str:
    """The marked text as a person reads it: one block a line, cells of a row joined by bars."""
    text = marked.replace(BREAK, "").replace(JOINT, "")
    if "  " in text or _ODD.search(text):  # else there is nothing to do, and each blank would be looked at
        text = _SOFT.sub(" ", text)
    text = _EDGES.sub(_newline, text)
    return _CELLS.sub(" | ", text).replace(SPAN, "").replace("\n | ", "\n").strip(" |\n")


def _newline(match: re.Match[str]) -> str:
    bars = match[0].count(CELL)
    return "\n" + " | " * bars
