"""Which text do the delivered bytes hold? UTF-8 or UTF-16; a byte that is neither spoils its own line."""

from __future__ import annotations

import codecs
import re

BAD_BYTE = re.compile(r"[\udc80-\udcff]")
LINE_SEPARATORS = ("\x85", "\u2028", "\u2029")

_WIDE_MARKS = (  # UTF-32 first: its little-endian mark begins with the one of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf16"),
)
_SAMPLE = 1024


def to_text(data: str | bytes) -> tuple[str, set[str], bool]:
    """(text, notes, may hold bad bytes). A byte that is not UTF-8 becomes a lone surrogate, `BAD_BYTE`."""
    if isinstance(data, str):
        text, notes, escaped = data, set[str](), False
    else:
        text, notes, escaped = _decode(bytes(data))
    if text.startswith("\ufeff"):
        text = text[1:]
        notes.add("bom_stripped")
    if any(map(text.__contains__, LINE_SEPARATORS)):
        notes.add("line_separator_char")
    return text, notes, escaped


def _decode(data: bytes) -> tuple[str, set[str], bool]:
    for mark, codec, note in _WIDE_MARKS:
        if data.startswith(mark):
            return _wide(data[len(mark) :], codec), {note}, False
    codec = _utf16_without_mark(data)
    if codec:
        return _wide(data, codec), {"utf16"}, False
    try:
        return data.decode(), set(), False
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape"), set(), True


def _wide(data: bytes, codec: str) -> str:
    """Lone surrogates are kept; half a character at the end is replaced."""
    try:
        return data.decode(codec, "surrogatepass")
    except UnicodeDecodeError:
        return data.decode(codec, "replace")


def _utf16_without_mark(data: bytes) -> str:
    """ASCII structure in UTF-16 has a NUL in nearly every second byte; UTF-8 results have next to none."""
    even, odd = data[:_SAMPLE:2], data[1:_SAMPLE:2]
    if not odd:
        return ""
    zeros_even, zeros_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    if zeros_odd > 0.5 and zeros_even < 0.1:
        return "utf-16-le"
    return "utf-16-be" if zeros_even > 0.5 and zeros_odd < 0.1 else ""
