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
_SCRUBBED = tuple(byte for byte in range(0x80) if (byte < 0x20 and byte not in b"\t\n\f\r") or byte == 0x7F)
_SCRUB = bytes(0x20 if byte in _SCRUBBED else byte for byte in range(256))

_SOFT_ASCII = b"\t\r\n\f"
_SOFT = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_BLANKS = bytes(0x20 if byte < 0x80 and chr(byte).isspace() else byte for byte in range(256))
_ODD_BLANKS = "\x85\u1680\u2028\u2029"  # blanks that no normal form makes spaces
_EDGES = (NEWLINE + ROW + BARRIER + BLOCK).encode()
_LINES = bytes(0x20 if byte in _SOFT_ASCII else 0x0A if byte in _EDGES else byte for byte in range(256))
_GLUE = (BREAK + JOINT).encode()
_CELL, _SPAN = CELL.encode(), SPAN.encode()
_LEADING = re.compile(rb"\n[ \n\x1c\x1a]+")


def clean(text: str) -> str:
    """The text without NUL, and with a space for every other control character or lone surrogate."""
    return text if _CONTROLS.search(text) is None else _CONTROLS.sub(" ", text.replace("\x00", ""))


def scrub(body: bytes) -> bytes:
    """The same for UTF-8 bytes, many times faster. Most have none, which a search for each tells soonest."""
    if not any(map(body.__contains__, _SCRUBBED)):
        return body
    return body.replace(b"\x00", b"").translate(_SCRUB)


def single_spaced(text: bytes) -> bytes:
    """The text with every run of blanks as one."""
    while b"  " in text:
        text = text.replace(b"    ", b" ").replace(b"  ", b" ")
    return text


def single_blanks(text: str) -> bytes:
    """The words of a text in compatibility form, parted by single spaces, as UTF-8: what `split` parts."""
    return single_spaced(_spaced(text, _ODD_BLANKS).translate(_BLANKS)).strip()


def _spaced(text: str, blanks: str) -> bytes:
    """The text as UTF-8, with spaces for some characters beyond ASCII, which are looked for one by one."""
    encoded = text.encode("utf-8", "surrogatepass")
    if not text.isascii():
        for blank in filter(text.__contains__, blanks):
            encoded = encoded.replace(blank.encode(), b" ")
    return encoded


def readable(marked: str) -> str:
    """The marked text as a person reads it: one block a line, cells of a row joined by bars.

    Everything is replaced in bulk: a search that looks at every blank takes several times longer.
    """
    text = single_spaced(_spaced(marked, _SOFT).translate(_LINES, delete=_GLUE))
    if _CELL in text or _SPAN in text:
        text = _barred(text)
    else:
        text = b"\n".join(filter(None, map(bytes.strip, text.split(b"\n"))))
    return text.decode("utf-8", "surrogatepass").strip(" |\n")


def _barred(text: bytes) -> bytes:
    """Cells within a line are parted by bars, also empty ones that lead a line; other marks go."""
    text = _LEADING.sub(_leading, text.replace(b" \n", b"\n"))
    text = text.replace(b" \x1c", _CELL).replace(b"\x1c ", _CELL).replace(_CELL, b" | ")
    return text.replace(_SPAN, b"").replace(b"\n | ", b"\n")


def _leading(match: re.Match[bytes]) -> bytes:
    return b"\n" + b" | " * match[0].count(_CELL)
