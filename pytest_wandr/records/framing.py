"""Where in a text are the records? Lines, lists, wrappers and fences, between whatever else was written.

Everything is read once, from left to right.
"""

from __future__ import annotations

import re

from pytest_wandr.records.gaps import is_elision, kinds_of
from pytest_wandr.records.state import Entry, Frame, Names
from pytest_wandr.records.syntax import read_strict
from pytest_wandr.records.values import value_at

_TOKEN = re.compile(
    r"\n|\[|^[ \t\ufeff,]*(?:(?:[-*+•‣◦·–—]|\(?\d{1,6}[.):])[ \t]*)?(?P<lead>\{)(?=[^\n]*\w)"
    r"|\{(?=\s*+(?:[\"'“”„‟}/.…\w]|\{[\"']|\Z))|<(?P<close>/?)(?:think|thinking|reasoning)>",
    re.IGNORECASE | re.MULTILINE,
)
_THINK_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_ATTRIBUTES = r"\{[^\n{}\[\]:]+\}(?=[ \t\r]*(?:\n|\Z))"  # {.json}: no value, since nothing in it has a colon
_FENCE = re.compile(
    rf"[ \t]*(?P<marks>`{{3,}}|~{{3,}})[ \t]*(?P<info>{_ATTRIBUTES}|[\w.+-]*)"
    rf"(?P<rest>(?:[^\n{{\[]|{_ATTRIBUTES})*(?=\n|\Z))?"
)
_PAGE = re.compile(
    r"\s*<(?:!doctype|html|\?xml|head|body|title|script|style|meta|div|center|pre|h1|p)\b", re.IGNORECASE
)
_FENCE_AT_END = re.compile(r"(?:`{3,}|~{3,})\s*\Z")
_LEAD = re.compile(r"[\s\ufeff,]*(?:(?:[-*+•‣◦·–—]|\(?\d{1,6}[.):])[ \t]*)?")


def frame(text: str, names: Names) -> tuple[list[Entry], set[str]]:
    """(entries in order, notes) of a whole text."""
    state = Frame(text, names, spare=32 * len(text) + 500_000)
    state.html = _PAGE.match(text) is not None
    at = 0
    while at < len(text):
        at = _line(state, at)
    return _finished(state)


def _finished(state: Frame) -> tuple[list[Entry], set[str]]:
    _leave_fence(state, closed=False)
    if state.scalars and not state.prose:
        state.entries = sorted([*state.entries, *state.scalars], key=lambda entry: entry.start)
        state.seen += len(state.scalars)
    if state.drafts and not state.entries:
        state.entries = state.drafts
    if state.prose and state.entries:
        state.notes.add("prose_ignored")
    if 0 < state.seen_in_fences < state.seen:
        state.notes.add("records_outside_fence")
    return state.entries, state.notes


def _line(state: Frame, at: int) -> int:
    """Read from the start of a line to the end of the line on which its last value ends."""
    at = _fence_mark(state, at)
    gap = start = at
    values = False
    for_search = at
    while token := _TOKEN.search(state.text, for_search):
        if token.group() == "\n":
            break
        if token["close"] is not None:
            _gap(state, gap, token.start(), before=False, after=values)
            gap = for_search = _thought(state, token)
            values, start = False, gap
            continue
        bracket = token.end() - 1
        end = value_at(state, bracket, lead=_is_lead(state, start, bracket) and not values)
        for_search = max(end, token.end())
        if end:
            _gap(state, gap, bracket, before=True, after=values)
            gap, values = end, True
    end = token.start() if token else len(state.text)
    if end > gap and state.text[end - 1] == "\r" and token:
        state.notes.add("crlf")
    _gap(state, gap, end, before=False, after=values)
    return end + 1


def _is_lead(state: Frame, start: int, at: int) -> bool:
    match = _LEAD.match(state.text, start, at)
    return match is not None and match.end() == at and not state.html


def _thought(state: Frame, token: re.Match[str]) -> int:
    """Skip a reasoning block. What stands before a closing tag without an opening one was reasoning too."""
    if token["close"]:
        state.drafts += state.entries
        state.entries, state.scalars = [], []
        state.prose, state.seen, state.seen_in_fences, state.seen_before_fence = False, 0, 0, 0
        return token.end()
    end = _THINK_END.search(state.text, token.end())
    if end:
        return end.end()
    state.add(Entry(token.start(), len(state.text), code="truncated"))
    return len(state.text)


def _gap(state: Frame, start: int, end: int, *, before: bool, after: bool) -> None:
    """Judge the text between values."""
    text = state.text[start:end]
    if after and state.fence:
        text = _without_closing_mark(state, text)
    if "\ufeff" in text:
        state.notes.add("bom_stripped")
    if not before and not after and _scalar_line(state, text, start):
        return
    for kind in kinds_of(text, before_value=before, after_value=after):
        if kind == "prose":
            state.prose = True
        elif kind == "elided":
            state.add(Entry(start, end, code="elided"))
        else:
            state.notes.add(kind)


def _without_closing_mark(state: Frame, text: str) -> str:
    closing = _FENCE_AT_END.search(text)
    if not closing:
        return text
    _leave_fence(state, closed=True)
    return text[: closing.start()]


def _scalar_line(state: Frame, text: str, start: int) -> bool:
    """A JSON string, number or literal alone on its line is a line that is no object."""
    line = text.strip().removesuffix(",")
    if not line or line[0] not in '"-0123456789tfn':
        return False
    try:
        _, end = read_strict(line, 0)
    except (ValueError, RecursionError):
        return False
    if end != len(line):
        return False
    code = "elided" if is_elision(line) else "not_an_object"
    state.scalars.append(Entry(start, start + len(text), code=code))
    return True


def _fence_mark(state: Frame, at: int) -> int:
    """Step over a fence mark at the start of a line."""
    mark = _FENCE.match(state.text, at)
    if not mark:
        return at
    marks = mark["marks"]
    if not state.fence:
        state.fence, state.fence_start, state.seen_before_fence = marks, mark.end(), state.seen
    elif marks[0] == state.fence[0] and len(marks) >= len(state.fence) and not mark["info"]:
        _leave_fence(state, closed=True)
    return mark.end()


def _leave_fence(state: Frame, *, closed: bool) -> None:
    inside = state.seen - state.seen_before_fence
    if state.fence and inside:
        state.seen_in_fences += inside
        state.notes.add("fence_stripped" if closed else "fence_unclosed")
    elif state.fence and not closed:
        # nothing follows a closing mark that was never opened; any other text after it is prose already
        state.notes.add("fence_stripped")
    state.fence = ""
