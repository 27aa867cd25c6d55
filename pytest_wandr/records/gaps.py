"""What is the text around records? List marks and commas, a sign that records were left out, or prose."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Gap: TypeAlias = Literal["list_marker", "comma_between", "elided", "prose"]

_MARKER = re.compile(
    r"(?:[-*+•‣◦·–—]|\(?\d{1,6}[.):]|\[\d{1,6}\]:|\(?(?:[a-zA-Z]|[ivx]{2,6}|[IVX]{2,6})[.)])"
)
_SHELL = re.compile(r"^(?:[\s\[\](){}<>*_#/!\"'`,;-]|\u2022)+|[\s\[\](){}<>*_#/!\"'`,;-]+$")
_ELLIPSIS = re.compile(r"(?:\.{3,}|[…⋯⋮]|\.(?:[ \t]\.){2,})[\s.…⋯⋮]*")
_LEFT_OUT = re.compile(
    r"\d|\b(?:more|remaining|rest|others?|omitted|truncated|continu\w*|etc|so on|similar\w*|additional)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:and|plus|\+|with)?\s*(?:about|another|approximately|around|~)?\s*\d[\d,.]*\+?\s+"
    r"(?:more|additional|further|others?|remaining)\b.{0,80}",
    re.IGNORECASE,
)
_FOR_BREVITY = re.compile(
    r".{0,80}\b(?:omitted|truncated|abbreviated|shortened|elided|skipped)\b.{0,20}\b(?:brevity|space|length)\b.{0,40}"
    r"|(?:the\s+)?(?:rest|remaining|remainder|other)\b.{0,60}\b(?:omitted|truncated|elided|skipped)\b.{0,40}",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s*(?://|/\*|\[|<)")
_THE_REST = re.compile(r"(?:the\s+)?(?:rest|remaining|remainder)\b.{0,60}", re.IGNORECASE)
_CUT_HERE = re.compile(
    r"(?:(?:output|list|response|results?|records?|rows?|lines?)\s+)?(?:(?:is|are|was|were)\s+)?"
    r"(?:truncated|omitted|elided|abridged|snip|snipped|cut\s+off)(?:\s+here)?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d{1,6}[.)]\s+(?=\.{3}|…)")
_LONGEST_SIGN = 160


def is_elision(text: str) -> bool:
    """True when the text stands for records that were left out: `...`, `… and 60 more`, `[rest omitted]`."""
    if len(text) > _LONGEST_SIGN:
        return False
    core = _NUMBERED.sub("", _SHELL.sub("", text), count=1)
    dots = _ELLIPSIS.match(core)
    if dots:
        rest = core[dots.end() :]
        return not rest or _LEFT_OUT.search(rest) is not None
    if _REMARK.match(text) and _THE_REST.fullmatch(core):
        return True
    return any(sign.fullmatch(core) for sign in (_COUNTED, _FOR_BREVITY, _CUT_HERE))


def kinds_of(text: str, *, before_value: bool, after_value: bool) -> tuple[Gap, ...]:
    """What the text between two values of a line, or a line without any, amounts to."""
    rest = text.strip().strip("\ufeff")
    found: list[Gap] = []
    if rest.startswith(",") and (after_value or not rest.strip(", ")):
        found.append("comma_between")
        rest = rest.lstrip(", \t")
    if not rest:
        return tuple(found)
    if before_value and not after_value and _MARKER.fullmatch(rest):
        return (*found, "list_marker")
    return (*found, "elided" if is_elision(rest) else "prose")
