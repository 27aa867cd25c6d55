"""Where does a bracketed value end? A string-aware and comment-aware scan, linear and without recursion."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_DEPTH = 128
_HOPELESS = 10_000  # so deep that its end is not looked for

_JSON_STRING = r'"(?>[^"\\]+|\\.)*+(?P<closed>"?)'
_ANY_STRING = r"""(?P<mark>["'])(?>[^"'\\]+|\\.|(?!(?P=mark))["'])*+(?P<closed>(?P=mark)?)"""
_CURLY_STRING = r"[“”„‟](?>[^“”„‟\\]+|\\.)*+(?P<closed>[“”„‟]?)"
# the slashes of an address, which stands in quotes of another kind, begin no comment
_REST = r"|(?P<bracket>[{}\[\]])|(?P<comment>(?<!:)//[^\n]*|/\*(?:.*?\*/|.*)|(?<!&)#[^\n]*)|(?P<line>\n)"

STRINGS = {"json": _JSON_STRING, "python": _ANY_STRING, "curly": _CURLY_STRING}
_SCANNERS = {style: re.compile(string + _REST, re.DOTALL) for style, string in STRINGS.items()}
_FIRST_MARK = re.compile(r"[{\[\s]*+(?:(?:/\*.*?\*/|//[^\n]*)[{\[\s]*+)*+(.?)", re.DOTALL)


class Span(NamedTuple):
    """How far a value reaches. `closed` is false when the text ends inside it."""

    end: int
    closed: bool
    in_string: bool
    depth: int
    many_lines: bool


def style_of(text: str, start: int) -> str:
    """The quotes in which the value at `start` is written, told from its first one."""
    match = _FIRST_MARK.match(text, start)
    first = match.group(1) if match else ""
    if first == "'":
        return "python"
    if not first or first not in "“”„‟":
        return "json"
    line = text.find("\n", start)
    # both kinds of quotes: the straight ones are the structure
    return "json" if '"' in text[start : line if line >= 0 else len(text)] else "curly"


def span_of(text: str, start: int, limit: int) -> Span:
    """The value that opens with the bracket at `start`; nothing beyond `limit` is read."""
    depth = deepest = 0
    many_lines = False
    for token in _SCANNERS[style_of(text, start)].finditer(text, start, limit):
        bracket = token["bracket"]
        if bracket:
            depth += 1 if bracket in "{[" else -1
            deepest = max(deepest, depth)
            if depth > _HOPELESS:
                break
            if depth <= 0:
                return Span(token.end(), True, False, deepest, many_lines)  # noqa: FBT003 -- fields of Span
        elif token["line"]:
            many_lines = True
        elif token["comment"] is None and not token["closed"]:
            return Span(limit, False, True, deepest, many_lines)  # noqa: FBT003 -- fields of Span
    return Span(limit, False, False, deepest, many_lines)  # noqa: FBT003 -- fields of Span
