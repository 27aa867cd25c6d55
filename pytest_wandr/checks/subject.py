"""What is checked? One record against one text: a page, or the record's excerpts alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_wandr.checks.locales import Locale, written_in
from pytest_wandr.checks.logic import undecided

if TYPE_CHECKING:
    from pydantic import JsonValue

    from pytest_wandr.checks.language import Written
    from pytest_wandr.model import KeySpec, NodeSpec, Part, Record

BARRIER = "\n\x1d\n"
"""Between two excerpts: nothing that a check finds may reach across it."""
LONGEST = 2_000_000
"""Characters in which dates and numbers are looked for, so that no page can cost minutes."""
GAP = "\x1e"
"""Around an ellipsis in an excerpt: no name, date or number reaches across it, but a pattern may."""
_ELLIPSIS = re.compile(r"\.{3,}|[…⋯]")
_MAY_BE_MARKED = re.compile(r"[\[<&\\*_~`>#•◦▪·]|[-+][ \t]|--|==|\]\(")
"""What stands in every text that `unmark` changes."""
_MARKS = frozenset("[<&\\*_~`>#•◦▪·-+=]")  # none of it stands in most, which is seen sooner


@dataclass(frozen=True)
class Subject:
    """One record and the text that is asked about it.

    `final_url` is where the page was found, None when there is no page. `lang` is what the page declares
    (`<html lang>`), `written` what its text is written in, found out or yet to be; either may be unknown.
    """

    record: Record
    node: NodeSpec
    text: str
    final_url: str | None = None
    lang: str | None = None
    written: Written | str | None = None

    @property
    def beginning(self) -> str:
        """The part of the text in which dates and numbers are looked for: all of it, unless it is a book."""
        return self.text[:LONGEST]

    @cached_property
    def pieces(self) -> list[str]:
        """The text as it was quoted: no name reaches from one piece into another."""
        return pieces_of(self.text)

    def unless_cut(self, absent: Part) -> Part:
        """What was not found in the beginning of a text is false only when there is no more of it."""
        if len(self.text) <= LONGEST:
            return absent
        return undecided("text_too_long", f"in its first {LONGEST} characters {absent.reason}")

    @property
    def page_lang(self) -> str | None:
        """The language that the page is written in; the first time it takes a while."""
        return written_in(self.written)

    @property
    def locale(self) -> Locale:
        """The language for reading dates and numbers."""
        return Locale(self.lang, self.written)

    def key_of(self, field: str) -> KeySpec | None:
        """The key that a name stands for: the key so called, or the one whose first item field it is."""
        for key in self.node.entity_keys:
            if field in (key.name, key.item_fields[0]):
                return key
        return None

    def value_of(self, field: str) -> JsonValue:
        """The record's value of a key, an item field or an answer field; None when it has none."""
        key = self.key_of(field)
        if key is not None:
            field = key.item_fields[0]
        return self.record.item.get(field) or self.record.answer.get(field)


def excerpts_text(excerpts: tuple[str, ...]) -> str:
    """The excerpts as one text: each as it was given and, where that differs, without its markdown.

    A line break inside an excerpt is a blank, an empty line is a border. An ellipsis is marked as a gap.
    """
    versions = dict.fromkeys(version for excerpt in excerpts for version in (excerpt, _unmarked(excerpt)))
    return BARRIER.join(dict.fromkeys(_with_gaps(_unwrapped(version)) for version in versions))


def _with_gaps(text: str) -> str:
    may_have = "..." in text or "…" in text or "⋯" in text
    return _ELLIPSIS.sub(rf"{GAP}\g<0>{GAP}", text) if may_have else text


def _unmarked(excerpt: str) -> str:
    if _MARKS.isdisjoint(excerpt) or not _MAY_BE_MARKED.search(excerpt):
        return excerpt
    from pytest_wandr.evidence.unmark import unmark  # loads the parser, and tasks are loaded without it

    return unmark(excerpt)


def excerpts_of(text: str) -> list[str]:
    """The texts between barriers, ellipses as they were written; a page is one such text."""
    return [excerpt.replace(GAP, "").strip() for excerpt in text.split("\x1d")]


def pieces_of(text: str) -> list[str]:
    """The texts between barriers and gaps: what was quoted in one go."""
    return [piece for excerpt in text.split("\x1d") for piece in excerpt.split(GAP)]


def _unwrapped(excerpt: str) -> str:
    """Blocks on lines of their own, each on one line."""
    blocks: list[list[str]] = [[]]
    for line in excerpt.splitlines():
        if line.strip():
            blocks[-1].append(line.strip())
        elif blocks[-1]:
            blocks.append([])
    return "\n".join(" ".join(block) for block in blocks if block)
