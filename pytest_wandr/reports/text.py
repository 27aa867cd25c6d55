"""How is untrusted text shown? Pages and systems choose it, so nothing in it may act on a terminal."""

from __future__ import annotations

import unicodedata
from itertools import accumulate


def visible(text: str) -> str:
    r"""One line: control, format and bidi characters and lone surrogates are spelled out, as in `\x1b`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _spelled(char) for char in text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines; line feeds stay."""
    return "\n".join(visible(line) for line in text.split("\n"))


def one_line(text: str) -> str:
    """Runs of white space become one space, the rest is made visible."""
    return visible(" ".join(text.split()))


def _spelled(char: str) -> str:
    if unicodedata.category(char) == "Zs":
        return " "
    return char.encode("unicode_escape").decode("ascii")


def width_of(text: str) -> int:
    """Columns on a terminal: wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def clip(text: str, width: int) -> str:
    """At most `width` columns; what is cut off at the end becomes dots."""
    if width_of(text) <= width:
        return text
    return _head(text, width - 3) + "..."[: max(width, 0)]


def clip_middle(text: str, width: int) -> str:
    """At most `width` columns; head and tail stay, because long names often differ at their ends."""
    if width_of(text) <= width:
        return text
    room = max(width - 2, 2)
    tail = _head(text[::-1], room // 2)[::-1]
    return _head(text, room - room // 2) + ".." + tail


def _head(text: str, width: int) -> str:
    ends = accumulate(map(_columns, text))
    return text[: sum(end <= width for end in ends)]


def padded(text: str, width: int) -> str:
    """Filled up with spaces to `width` columns."""
    return text + " " * (width - width_of(text))
