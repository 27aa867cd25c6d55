"""What can a page hide at most? Told from its source at a fraction of what its tree costs.

The hidden view is of interest when an excerpt is nowhere to be seen, and then hardly ever holds it. So what
looks like a hidden text is cut out of the source: all that are any, and some that are none (in comments, in
scripts). Pages on which parsers may disagree are given up: only their tree tells.
"""

from __future__ import annotations

import re
from html.entities import name2codepoint
from typing import TYPE_CHECKING

from pytest_wandr.evidence.hidden import ADDRESS, ATTRIBUTES, MAX_SCRIPT, script_values, strip_tags
from pytest_wandr.evidence.marks import BARRIER, clean

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = tuple(name.encode() for name in ATTRIBUTES)
_LAST_LETTERS = b"|".join(sorted({re.escape(name[-3:]) for name in _NAMES}))
_NAMED = b"|".join(b"(?<=" + re.escape(name) + b"=)" for name in _NAMES)
_LAST = b"".join(sorted({name[-1:] for name in _NAMES}))
_ASSIGNED = re.compile(
    rb"=(?<=[\s" + _LAST + rb"]=)(?:(?<=\s=)|(?<=(?:" + _LAST_LETTERS + rb")=)(?:" + _NAMED + rb"))"
)  # a name in full is looked for where less of it stands
_TOLD = re.compile(rb"<(?:t(?=itle)|s(?=cript)|n(?=oscript))(?:itle|cript|oscript)")
_NEAR = 40  # bytes in which a name and the blanks behind it are looked for
_OPENED = re.compile(rb"\s*+([\"'])")
_BARE_VALUE = re.compile(rb"\s*+([^\s>]*+)")
_VALUE = rb"(?:=(?:\"[^\"<>]*+\"|'[^'<>]*+'|[\w:/.-]++))?+"
_TAG = re.compile(rb"(?:\s++[a-z][\w:-]*+" + _VALUE + rb")*+\s*+/?>")
_CLOSED = re.compile(rb"\s*+>")
_SILENT_NOSCRIPT = re.compile(rb"[^<&]*+<(?:/noscript|(?!html|head|body)[a-z])")
_REFERENCE = re.compile(r"&(?:([a-zA-Z]{2,8});|#([0-9]{1,7});|#x([0-9a-fA-F]{1,6});|[a-zA-Z#])")
_DISPUTED = frozenset({"lang", "rang"})  # other characters in other versions of HTML
_ODD = ("\ufffe", "\uffff")
_MOST = 20_000  # signs of equality that are looked at
_MOST_TAGS = 2_000
_REREAD = 2  # how often the source may be cut out


class _Unclear(Exception):
    """Parsers may disagree here."""


def glimpse(source: bytes) -> str | None:
    """The texts of the hidden view of an HTML page (scrubbed UTF-8), and perhaps more; None: unclear."""
    if b"\f" in source:  # a blank to some parsers only
        return None
    try:
        return BARRIER.join(_Source(source).texts())
    except _Unclear:
        return None


class _Source:
    """A source and how much of it may still be cut out, so that no page takes longer than its length."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._lowered = source.lower()
        self._left = _REREAD * len(source)
        self._tags_left = _MOST_TAGS

    def texts(self) -> Iterator[str]:
        """Everything that may be a hidden text."""
        for name, tag, start in self._tags():
            yield from self._told(name, tag, start)
        for value in self._values():
            if not value.startswith(ADDRESS):
                yield clean(strip_tags(_decoded(value)))

    def _tags(self) -> Iterator[tuple[bytes, bytes, int]]:
        """Every tag that may tell something, its attributes and where it ends; each plain to all parsers."""
        for begun in _TOLD.finditer(self._lowered):
            tag = _TAG.match(self._lowered, begun.end())
            self._tags_left -= 1
            if tag is None or self._tags_left < 0:
                raise _Unclear
            yield begun[0], tag[0], tag.end()

    def _told(self, name: bytes, tag: bytes, start: int) -> Iterator[str]:
        """What a page tells in an element without showing it."""
        if name == b"<title":
            yield clean(_decoded(self._until(b"</title", start, unclear="<")))
        elif name == b"<script" and (b"json" in tag or b"&" in tag):
            yield from script_values(self._script(start))
        elif name == b"<noscript" and not _SILENT_NOSCRIPT.match(self._lowered, start):
            raise _Unclear

    def _script(self, start: int) -> str:
        text = self._until(b"</script", start, unclear="<!--")
        if len(text) >= MAX_SCRIPT:
            raise _Unclear
        return text

    def _until(self, closing: bytes, start: int, *, unclear: str) -> str:
        """The text up to a closing tag."""
        end = self._lowered.find(closing, start)
        text = self._cut(start, end)
        if unclear in text or not _CLOSED.match(self._lowered, end + len(closing)):
            raise _Unclear
        return text

    def _values(self) -> Iterator[str]:
        """What follows the names of attributes with a text."""
        for number, sign in enumerate(_ASSIGNED.finditer(self._lowered)):
            before = self._lowered[max(0, sign.start() - _NEAR) : sign.start()]
            name = before.rstrip()
            if number > _MOST or len(before) - len(name) > _NEAR // 2:
                raise _Unclear
            if name.endswith(_NAMES):
                yield self._value(sign.end())

    def _value(self, at: int) -> str:
        if opened := _OPENED.match(self._source, at):
            return self._cut(opened.end(), self._source.find(opened[1], opened.end()))
        bare = _BARE_VALUE.match(self._source, at)
        return self._cut(*bare.span(1)) if bare else ""

    def _cut(self, start: int, end: int) -> str:
        self._left -= end - start
        if end < 0 or self._left < 0:
            raise _Unclear
        text = self._source[start:end].decode()
        if any(odd in text for odd in _ODD) or ("\r" in text and "<" in text):
            raise _Unclear
        return text


def _decoded(text: str) -> str:
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    """What a reference stands for, when no parser thinks otherwise."""
    name, decimal, hexadecimal = match.groups()
    if name in name2codepoint and name not in _DISPUTED:
        return chr(name2codepoint[name])
    code = int(decimal or hexadecimal or "0", 10 if decimal else 16)
    if code in (9, 10) or 0x20 <= code < 0x7F or 0xA0 <= code < 0xD800:
        return chr(code)
    raise _Unclear
