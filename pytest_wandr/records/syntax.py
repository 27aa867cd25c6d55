"""What does one bracketed text say? Strict JSON first, then the slips whose meaning is beyond doubt.

No slip is mended inside a string: what a system wrote between quotes stays as it is.
"""

from __future__ import annotations

import json
import math
import re
from typing import NamedTuple, TypeAlias

from pytest_wandr.records.scan import MAX_DEPTH, STRINGS, style_of

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


class Value(NamedTuple):
    """A JSON value as read, the liberties taken, and the reject code when it says nothing definite."""

    data: Json
    notes: frozenset[str] = frozenset()
    code: str = ""


class _Reader:
    """A JSON decoder that sees what `json` lets pass: conflicting keys, and numbers that are none."""

    def __init__(self, *, strict: bool) -> None:
        self.code = ""
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._pairs,
            parse_constant=self._no_number,
            parse_float=self._float,
            parse_int=self._int,
            strict=strict,
        )

    def read(self, text: str, start: int) -> tuple[Json, int]:
        self.code = ""
        data, end = self._decoder.raw_decode(text, start)
        return data, end

    def _pairs(self, pairs: list[tuple[str, Json]]) -> Json:
        found = dict(pairs)
        if len(found) != len(pairs):
            for key, value in pairs:
                if not equal(found[key], value):
                    self.code = "duplicate_json_key"
        return found

    def _no_number(self, _: str) -> Json:
        self.code = self.code or "non_json_number"
        return None

    def _float(self, digits: str) -> Json:
        value = float(digits)
        return value if math.isfinite(value) else self._no_number(digits)

    def _int(self, digits: str) -> Json:
        # Python refuses to convert more than 4300 digits.
        return int(digits) if len(digits) < 4300 else self._no_number(digits)


_strict, _lenient = _Reader(strict=True), _Reader(strict=False)


def equal(a: Json, b: Json) -> bool:
    """Equality as JSON has it: true is not 1, and key order does not count."""
    return a is b or (type(a) is type(b) and json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True))


def read_strict(text: str, start: int) -> tuple[Value, int]:
    """The JSON value that starts at `start`, and where it ends.

    Raises:
        ValueError: no JSON value starts there.
        RecursionError: it is nested too deeply.
    """
    data, end = _strict.read(text, start)
    return Value(data, code=_strict.code or _too_deep(text, start, end, data)), end


def read_relaxed(chunk: str) -> Value | None:
    """The value of a whole bracketed text that is not strict JSON. None when it would have to be guessed."""
    style = style_of(chunk, 0)
    value = _whole(chunk, frozenset())
    for one in (style, "python") if style == "json" and "'" in chunk else (style,):
        value = value or _whole(*_rewritten(chunk, one))
    return value


def _whole(text: str, notes: frozenset[str]) -> Value | None:
    for reader, more in ((_strict, notes), (_lenient, notes | {"control_char_in_string"})):
        try:
            data, end = reader.read(text, 0)
        except RecursionError:
            return Value(None, code="too_deep")
        except ValueError:
            continue
        if not text[end:].strip():
            return Value(data, more, reader.code or _too_deep(text, 0, end, data))
    return None


def _too_deep(text: str, start: int, end: int, data: Json) -> str:
    if text.count("{", start, end) + text.count("[", start, end) <= MAX_DEPTH:
        return ""
    level: list[Json] = [data]
    for _ in range(MAX_DEPTH + 1):
        inner = [part for part in level if isinstance(part, dict | list)]
        level = [kid for part in inner for kid in (part.values() if isinstance(part, dict) else part)]
        if not inner:
            return ""
    return "too_deep"


_TOKENS = {
    style: re.compile(
        rf"(?P<string>{string})|(?P<comment>//[^\n]*|/\*(?:.*?\*/|.*)|\#[^\n]*)|(?P<word>[^\W\d]\w*)"
        r"|(?P<space>\s+)|(?P<other>.)",
        re.DOTALL,
    )
    for style, string in STRINGS.items()
}
_TUPLE = {"(": "[", ")": "]"}
_LITERALS = {"True": "true", "False": "false", "None": "null"}


def _rewritten(chunk: str, style: str) -> tuple[str, frozenset[str]]:
    """The chunk as strict JSON would have it: no comments, no trailing commas, straight double quotes."""
    if style == "curly" and '"' in chunk:
        style = "json"  # both kinds of quotes: which of them are structure would be a guess
    notes = {"smart_quotes"} if style == "curly" else set[str]()
    parts: list[str] = []
    comma = -1  # where the last comma is, while nothing but space follows it
    for token in _TOKENS[style].finditer(chunk):
        kind, text = token.lastgroup, token.group()
        if token["string"] is not None:
            kind, text = "string", _quoted(text, style, notes)
        elif kind == "comment":
            notes.add("comments_stripped")
            continue
        else:
            text = _as_json(text, style, notes)
        if text in {"]", "}"} and comma >= 0:
            notes.add("trailing_comma")
            parts[comma] = ""
        if kind != "space":
            comma = len(parts) if text == "," and _has_member(parts) else -1
        parts.append(text)
    return "".join(parts), frozenset(notes)


def _as_json(token: str, style: str, notes: set[str]) -> str:
    """A token outside strings as JSON writes it: Python's words, and a tuple as a list."""
    if token in _LITERALS:
        notes.add("python_literal")
        return _LITERALS[token]
    return _TUPLE.get(token, token) if style == "python" else token


def _has_member(parts: list[str]) -> bool:
    before = next((part for part in reversed(parts) if part.strip()), "")
    return before not in {"", ",", "[", "{", ":"}


_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U000[0-9a-fA-F]{5}|[0-7]{1,3}|.)", re.DOTALL)
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "\n": ""}


def _quoted(token: str, style: str, notes: set[str]) -> str:
    """One string token in straight double quotes, its content unchanged."""
    if style == "json":
        return token
    if style == "curly":
        return '"' + token[1:-1] + '"'
    notes.add("python_literal")
    content = token[1:-1]
    bare = _ESCAPE.sub("", content)
    if any(ord(char) < 0x20 for char in bare):
        notes.add("control_char_in_string")
    return json.dumps(_ESCAPE.sub(_unescaped, content))


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] in "xuU" and len(code) > 1:
        return chr(int(code[1:], 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code in _SHORT:
        return _SHORT[code]
    return code if code in {"\\", "'", '"'} else "\\" + code  # as Python reads an unknown escape
