"""Which reading of an excerpt, in which view of the page, makes it faithful, and if none, why not?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from pytest_wandr.evidence import limits, pieces
from pytest_wandr.evidence.marks import clean
from pytest_wandr.evidence.match import ELLIPSIS, LINES, Haystack, Hit, Needle, needles
from pytest_wandr.evidence.nearest import nearest_passage
from pytest_wandr.evidence.page import FULL, HIDDEN, READING, PageText
from pytest_wandr.evidence.rows import claim_rows
from pytest_wandr.evidence.unmark import unmark

_WORDS = {
    "absent": "is not on the page",
    "border": "cuts a word, a number or a sign of the page, or changes a negation",
    "stitched_gap": "joins passages that do not belong together on the page",
    "out_of_order": "has its parts in another order than the page",
    "negation_elided": "leaves out a negation of the page",
    "segment_too_short": "is too short, or has a part that is too short, to prove anything",
    "table_cells": "moves, empties or mixes cells of a table",
    "no_text": "has no words, or the page has none",
    "too_long": f"is longer than {limits.MAX_EXCERPT_CHARS} characters",
    "unreadable": "cannot be checked",
}
_HOW = {
    "contiguous": "word for word",
    "lines": "line by line",
    "elided": "in pieces, in order",
    "accents_folded": "word for word but for accents",
    "hidden": "word for word in what the page does not show",
}


class ExcerptMatch:
    """Whether an excerpt is on a page: `faithful`, `how` and `where`, or the `reason` why not."""

    __slots__ = ("__dict__", "_excerpt", "_page", "how", "reason", "where")

    def __init__(
        self, page: PageText, excerpt: str, *, found: tuple[str, str] = ("", ""), reason: str = ""
    ) -> None:
        self._page, self._excerpt = page, excerpt
        self.how, self.where = found
        self.reason = reason

    def __repr__(self) -> str:
        return f"ExcerptMatch(faithful={self.faithful}, how={self.how!r}, reason={self.reason!r})"

    @property
    def faithful(self) -> bool:
        """True when the page says this, word for word."""
        return bool(self.how)

    @cached_property
    def nearest(self) -> str:
        """The closest passage of the page, with `>>` where it parts from the excerpt; "" when there is none."""
        return "" if self.faithful else nearest_passage(self._page, self._excerpt[: limits.MAX_EXCERPT_CHARS])

    def explain(self) -> str:
        """One sentence that a person can act on."""
        if self.faithful:
            return f"the excerpt is on the page {_HOW[self.how]} ({self.where} view)"
        if self.reason == "unreadable":
            return f"the excerpt cannot be checked, the page has no readable text ({self._page.problem})"
        closest = f"; closest: {self.nearest}" if self.nearest else ""
        return f"the excerpt {_WORDS[self.reason]} ({self.reason}){closest}"


class _Candidate(NamedTuple):
    """One reading of the excerpt."""

    text: str
    lax_end: bool
    needle: Needle


def find_excerpt(page: PageText, excerpt: str) -> ExcerptMatch:
    """Whether an excerpt is on a page, how, where, and if not, why."""
    if page.problem:
        return ExcerptMatch(page, excerpt, reason="unreadable")
    if len(excerpt) > limits.MAX_EXCERPT_CHARS:
        return ExcerptMatch(page, excerpt, reason="too_long")
    candidates = list(_candidates(excerpt))
    if not candidates:
        return ExcerptMatch(page, excerpt, reason="no_text")
    if all(len(candidate.needle.bytes) < 2 for candidate in candidates):
        return ExcerptMatch(page, excerpt, reason="segment_too_short")
    return _search(page, excerpt, candidates)


def _search(page: PageText, excerpt: str, candidates: list[_Candidate]) -> ExcerptMatch:
    reasons: list[str] = []
    for views in (page.visible_views, (HIDDEN,)):
        haystacks = [(view, page.haystack(view)) for view in views]
        for candidate in candidates:
            how, where = _candidate(candidate, haystacks, reasons)
            if how:
                return ExcerptMatch(page, excerpt, found=("hidden" if where == HIDDEN else how, where))
        if _with_accents(candidates[-1], haystacks) is not None:
            return ExcerptMatch(page, excerpt, found=("accents_folded", views[0]))
    return ExcerptMatch(page, excerpt, reason=_last_telling(reasons))


def _last_telling(reasons: list[str]) -> str:
    return next((reason for reason in reversed(reasons) if reason != "absent"), "absent")


def _candidates(excerpt: str) -> Iterator[_Candidate]:
    """The excerpt as given; then without markdown; then without the texts of images."""
    text = clean(excerpt).replace("\u00a0", " ").strip(" \n\r")
    readings = [text, unmark(text)]
    if "![" in text:
        readings.append(unmark(text, images=False))
    for reading in dict.fromkeys(readings):
        short, lax_end = pieces.trim(pieces.collapse(reading))
        marked = claim_rows(short)
        needle = Needle(marked, lax_end=lax_end)
        if needle.bytes:
            yield _Candidate(marked, lax_end, needle)


def _candidate(
    candidate: _Candidate, haystacks: list[tuple[str, Haystack]], reasons: list[str]
) -> tuple[str, str]:
    for view, haystack in haystacks:
        hit, reason = haystack.find(candidate.needle)
        reasons.append(reason)
        if hit is not None:
            return "contiguous", view
    parts = pieces.elided(candidate.text)
    how, gap = ("elided", ELLIPSIS) if len(parts) > 1 else ("lines", LINES)
    parts = parts if len(parts) > 1 else pieces.lines(candidate.text)
    chain = [needle for needle in needles(parts, lax_end=candidate.lax_end) if needle.bytes]
    if len(chain) < 2:
        return "", ""
    for view, haystack in haystacks:
        hit, reason = haystack.chain(chain, gap)
        reasons.append(reason)
        if hit is not None:
            return how, view
    return "", ""


def _with_accents(candidate: _Candidate, haystacks: list[tuple[str, Haystack]]) -> Hit | None:
    hits = (haystack.find_accented(candidate.needle) for _, haystack in haystacks)
    return next((hit for hit in hits if hit is not None), None)


__all__ = ["FULL", "HIDDEN", "READING", "ExcerptMatch", "find_excerpt"]
