"""Which values start at a bracket? An object, the members of a list, the list inside a wrapper.

What cannot be read is cut off at the next line on which a record can begin, so that one bad line spoils
nothing but itself.
"""

from __future__ import annotations

import re

from pytest_wandr.records.gaps import is_elision
from pytest_wandr.records.names import fold, members_of
from pytest_wandr.records.scan import MAX_DEPTH, STRINGS, Span, span_of, style_of
from pytest_wandr.records.state import Entry, Frame
from pytest_wandr.records.syntax import Json, Value, read_relaxed, read_strict

_OBJECT = re.compile(
    r"\{\s*(?:(?P<sure>[\"'“”„‟}]|\{[\"']|//|/\*|\Z)|(?P<dots>(?:\.{3,}|…)\s*\}?)|(?P<word>\w{1,80})\s*:)"
)
_LIST_OF_OBJECTS = re.compile(
    r"\[\s*(?:(?://[^\n]{0,200}\n|/\*(?:[^*]|\*(?!/)){0,200}\*/)\s*)*(?=\{\s*(?:[\"'“”„‟}/]|\Z))"
)
_WRAPPERS = {
    style: re.compile(
        rf"\{{\s*(?:[{marks}][^{marks}\\\n]{{1,80}}[{marks}]\s*:\s*"
        rf"(?:{STRINGS[style]}|[-\d.eE+]+|true|false|null|True|False|None)\s*,\s*)*+"
        rf"[{marks}](?P<name>[^{marks}\\\n]{{1,80}})[{marks}]\s*:\s*(?=\[\s*(?:\{{|\Z))",
        re.DOTALL,
    )
    for style, marks in (("json", '"'), ("python", "'\""), ("curly", "“”„‟"))
}
_NOTHING_MORE = re.compile(r"\s*+\Z")
_WRAPPER_END = re.compile(r"[^{}\[\]]{0,2000}\}")
_CUT = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?:[-*+•]|\d{1,6}[.)])[ \t]+)?(?:\[\s*)?\{"
    r"|^[ \t]*(?:`{3,}|~{3,})|^[ \t]*\][ \t]*[,}]?[ \t\r]*$|^[ \t\r]*$",
    re.MULTILINE,
)
_SEPARATORS = re.compile(r"[\s,\ufeff]+")
_COMMENT = re.compile(r"//[^\n]*|/\*(?:.*?\*/|.*)|#[^\n]*", re.DOTALL)
_MEMBER_TEXT = re.compile(r"[^\n\[\]{},\"]+|.")
_LOST_STEPS = 16384  # about what a value costs that is nested too deeply
_WINDOW = 32_768  # the longest object that is still read when too much was read in vain
_NESTED = 8  # lists of records within lists of records
_PASSES = 8  # how often an unreadable text is looked through


def value_at(state: Frame, at: int, *, lead: bool) -> int:
    """Read the value that may start at a bracket. 0 when it is part of the prose."""
    if state.text[at] == "[":
        return _list_at(state, at, lead=lead)
    start = _OBJECT.match(state.text, at)
    if start and start["dots"] and lead:
        state.add(Entry(at, start.end(), code="elided"))
        return start.end()
    if not lead and not (start and (start["sure"] or fold(start["word"] or "") in state.names.tell_tales)):
        return 0
    return _object(state, at, sure=lead)


def _list_at(state: Frame, at: int, *, lead: bool) -> int:
    if _LIST_OF_OBJECTS.match(state.text, at):
        return _list(state, at, note="array")
    if not lead:
        return 0
    if _NOTHING_MORE.match(state.text, at + 1):
        return _list(state, at, note="array")
    return _other_list(state, at)


def _other_list(state: Frame, at: int) -> int:
    """A list without objects, alone on its line; 0 for a footnote mark such as [1], or no list."""
    stop = state.text.find("\n", at)
    stop = len(state.text) if stop < 0 else stop
    try:
        value, end = read_strict(state.text[at:stop], 0)
    except RecursionError:
        state.add(Entry(at, stop, code="too_deep"))
        return stop
    except ValueError:
        return 0
    alone = not state.text[at + end : stop].strip(" \t\r,")
    marks_only = value.data and all(isinstance(one, int | float) for one in _as_list(value.data))
    return _list(state, at, note="array") if alone and not marks_only else 0


def _as_list(data: Json) -> list[Json]:
    return data if isinstance(data, list) else [data]


def _object(state: Frame, at: int, *, sure: bool) -> int:
    """Read an object; without `sure`, only one that names a field of this node."""
    if state.spare <= 0 and not sure:
        return 0  # so much was read in vain that braces in prose are no longer tried
    limit = len(state.text) if state.spare > 0 else _cut_after(state, at, at + _WINDOW)
    end = _strict_object(state, at, limit, sure=sure)
    return _mended(state, at, limit, sure=sure) if end is None else end


def _strict_object(state: Frame, at: int, limit: int, *, sure: bool) -> int | None:
    """Where a strict JSON object ends, 0 when it is none of ours, None when there is none."""
    try:
        value, end = _strictly(state.text, at, limit)
    except RecursionError:
        state.spare -= _LOST_STEPS
        return None
    except ValueError as error:
        # the error counts the lines before it, from the start of the text it was given
        state.spare -= max(0, getattr(error, "pos", 0) - at) + at // 16
        return None
    taken = _take(state, value, (at, end), sure=sure, many_lines="\n" in state.text[at:end])
    state.spare -= 0 if taken else end - at
    return taken


def _strictly(text: str, at: int, limit: int) -> tuple[Value, int]:
    if limit == len(text):
        return read_strict(text, at)
    value, length = read_strict(text[at:limit], 0)
    return value, at + length


def _mended(state: Frame, at: int, limit: int, *, sure: bool) -> int:
    span = span_of(state.text, at, limit)
    state.spare -= _PASSES * (span.end - at)
    if span.closed and span.depth <= MAX_DEPTH:
        value = read_relaxed(state.text[at : span.end])
        if value:
            taken = _take(state, value, (at, span.end), sure=sure, many_lines=span.many_lines)
            state.spare += _PASSES * (taken - at) if taken else 0
            return taken
    wrapper = _WRAPPERS[style_of(state.text, at)].match(state.text, at)
    if wrapper and fold(wrapper["name"]) in state.names.wrappers and state.nesting < _NESTED:
        return _wrapper(state, wrapper.end())
    end, code = _unreadable(state, at, span)
    if not sure and not _names_a_field(state, at, end):
        return 0
    state.spare += _PASSES * (end - at)
    state.add(Entry(at, end, code=code))
    return end


def _take(state: Frame, value: Value, where: tuple[int, int], *, sure: bool, many_lines: bool) -> int:
    """Take in a value that could be read; 0 when it is none of ours."""
    start, end = where
    data = value.data
    found = data if isinstance(data, dict) else {}
    lists = members_of(found, state.names.wrappers)
    if not sure and lists is None and not any(fold(key) in state.names.tell_tales for key in found):
        return 0
    state.notes |= value.notes
    if value.code:
        state.add(Entry(start, end, code=value.code))
        return end
    if lists is None:
        if many_lines and not state.nesting:
            state.notes.add("pretty_printed")
            _note_line_ends(state, start, end)
        state.add(Entry(start, end, data))
        return end
    state.seen += 1
    _note_line_ends(state, start, end)
    for member in (one for members in lists for one in members):
        state.notes.add("wrapper")
        state.entries.append(_member(member, start, end))
    return end


def _note_line_ends(state: Frame, start: int, end: int) -> None:
    if state.text.find("\r\n", start, end) >= 0:
        state.notes.add("crlf")


def _member(member: Json, start: int, end: int) -> Entry:
    if isinstance(member, dict):
        return Entry(start, end, member)
    left_out = isinstance(member, str) and is_elision(member)
    return Entry(start, end, code="elided" if left_out else "not_an_object")


def _names_a_field(state: Frame, at: int, end: int) -> bool:
    chunk = state.text[at : min(end, at + 4000)]
    return any(
        fold(name) in state.names.tell_tales for name in re.findall(r"[\"'“](\w{1,80})[\"'”“]\s*:", chunk)
    )


def _unreadable(state: Frame, at: int, span: Span) -> tuple[int, str]:
    """(end, code) of an object that cannot be read."""
    cut = _cut_after(state, at, span.end)
    if span.closed and span.end <= cut:
        return span.end, "too_deep" if span.depth > MAX_DEPTH else "invalid_json"
    short = span_of(state.text, at, cut)
    if short.depth > MAX_DEPTH:
        return cut, "too_deep"
    if short.closed:
        return short.end, "invalid_json"
    ended = state.text[at:cut].rstrip(" \t\r\n,]").endswith("}")
    return cut, "invalid_json" if short.in_string and ended else "truncated"


def _cut_after(state: Frame, at: int, stop: int) -> int:
    """The end of the last line before something else than the value at `at` begins, or else `stop`."""
    column = at - (state.text.rfind("\n", max(0, at - _WINDOW), at) + 1)
    stop = min(stop, len(state.text))
    line = state.text.find("\n", at, stop)
    if line < 0:
        return stop
    for cut in _CUT.finditer(state.text, line + 1, stop):
        if len(cut["indent"] or "") <= column:
            return cut.start() - 1
    return stop


def _wrapper(state: Frame, at: int) -> int:
    """Read the list of a wrapper that as a whole cannot be read."""
    end = _list(state, at, note="wrapper")
    closed = state.text[end - 1] == "]"
    rest = _WRAPPER_END.match(state.text, end)
    if rest and closed:
        return rest.end()
    if closed and not state.text[end:].strip():
        state.add(Entry(at, end, code="truncated"))
    return end


def _list(state: Frame, at: int, *, note: str) -> int:
    """Read the members of a list one by one, so that a bad one spoils nothing but itself."""
    before, seen = len(state.entries), state.seen
    state.nesting += 1
    end, closed = _members(state, at + 1)
    state.nesting -= 1
    state.seen = max(state.seen, seen + 1)
    last = state.entries[-1].code if len(state.entries) > before else ""
    if not closed and last != "truncated":
        state.add(Entry(at, end, code="truncated"))
    if len(state.entries) > before:
        state.notes.add(note)
        _note_line_ends(state, at, end)
    return end


def _members(state: Frame, at: int) -> tuple[int, bool]:
    """(end, whether the list was closed)."""
    text, first, comma = state.text, True, False
    while True:
        space = _SEPARATORS.match(text, at)
        if space:
            comma = "," in space.group()
            at = space.end()
        if at >= len(text) or (state.fence and _at_fence(text, at)):
            return at, False
        if text[at] == "]":
            if comma and not first:
                state.notes.add("trailing_comma")
            return at + 1, True
        at = _member_at(state, at)
        first = comma = False


def _at_fence(text: str, at: int) -> bool:
    return text.startswith(("```", "~~~"), at) and not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _member_at(state: Frame, at: int) -> int:
    char = state.text[at]
    if char == "{":
        dots = _OBJECT.match(state.text, at)
        if dots and dots["dots"]:
            state.add(Entry(at, dots.end(), code="elided"))
            return dots.end()
        return _object(state, at, sure=True)
    if char == "[":
        return _inner_list(state, at)
    comment = _COMMENT.match(state.text, at)
    if comment:
        return _comment(state, comment)
    return _no_object(state, at)


def _comment(state: Frame, comment: re.Match[str]) -> int:
    if is_elision(comment.group()):
        state.add(Entry(comment.start(), comment.end(), code="elided"))
    else:
        state.notes.add("comments_stripped")
    return comment.end()


def _inner_list(state: Frame, at: int) -> int:
    if _LIST_OF_OBJECTS.match(state.text, at) and state.nesting < _NESTED:
        return _list(state, at, note="array")
    stop = state.text.find("\n", at)
    span = span_of(state.text, at, len(state.text) if stop < 0 else stop)
    code = "too_deep" if span.depth > MAX_DEPTH else "not_an_object" if span.closed else "truncated"
    if is_elision(state.text[at : span.end]):
        code = "elided"
    state.add(Entry(at, span.end, code=code))
    return span.end


def _no_object(state: Frame, at: int) -> int:
    """A string, number or other text among the members of a list."""
    try:
        value, end = read_strict(state.text, at)
    except (ValueError, RecursionError):
        match = _MEMBER_TEXT.match(state.text, at)
        end = match.end() if match else at + 1
        if is_elision(state.text[at:end]):
            state.add(Entry(at, end, code="elided"))
        else:
            state.prose = True
        return end
    state.add(_member(value.data, at, end))
    return end
