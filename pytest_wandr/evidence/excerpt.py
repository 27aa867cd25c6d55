"""Which reading of an excerpt, in which view of the page, makes it faithful, and if none, why not?"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.evidence import limits, pieces
from pytest_wandr.evidence.literal import PLAIN, stands
from pytest_wandr.evidence.marks import clean
from pytest_wandr.evidence.match import ELLIPSIS, LINES, Hit, Needle, needles
from pytest_wandr.evidence.nearest import nearest_passage
from pytest_wandr.evidence.page import HIDDEN, READING, PageText
from pytest_wandr.evidence.rows import claim_rows, claim_values
from pytest_wandr.evidence.unmark import unmark

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = {
    "absent": "is not on the page",
    "border": "cuts a word, a number or a sign of the page, or changes a negation",
    "stitched_gap": "joins passages that do not belong together on the page",
    "out_of_order": "has its parts in another order than the page",
    "negation_elided": "leaves out a negation of the page",
    "segment_too_short": "is too short, or has a part that is too short, to prove anything",
    "table_cells": "moves, empties or mixes cells of a table",
    "no_text": "has no words, or the page has none",
    "too_many_pieces": f"has more than {limits.MAX_PIECES} lines or pieces that do not stand together",
    "too_long": f"is longer than {limits.MAX_EXCERPT_CHARS} characters",
    "unreadable": "cannot be checked",
}
_LEAST = 2  # bytes of skeleton: one letter proves nothing
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
        """The closest passage of the page, `>>` where it parts from the excerpt; "" when there is none."""
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
    if stands(excerpt, page.marked):
        return ExcerptMatch(page, excerpt, found=("contiguous", READING))
    reasons: list[str] = []
    found = _first_reading(page, excerpt, reasons)
    return ExcerptMatch(
        page, excerpt, found=found or ("", ""), reason="" if found else _last_telling(reasons)
    )


def _first_reading(page: PageText, excerpt: str, reasons: list[str]) -> tuple[str, str] | None:
    """How and where the first reading that is on the page is found: visible first, then hidden, then accents.

    Most excerpts are found as they are, so nothing is prepared before it is needed.
    """
    candidates: list[_Candidate] = []
    for candidate in _candidates(excerpt):
        candidates.append(candidate)
        if found := _found(page, candidate, page.visible_views, reasons):
            return found
    if not candidates:
        reasons.append("no_text")
        return None
    hidden = (_found(page, candidate, (HIDDEN,), reasons) for candidate in candidates)
    bare = (_found_without_accents(page, candidate) for candidate in candidates)
    return next(filter(None, hidden), None) or next(filter(None, bare), None)


def _last_telling(reasons: list[str]) -> str:
    return next((reason for reason in reversed(reasons) if reason != "absent"), "absent")


def _candidates(excerpt: str) -> Iterator[_Candidate]:
    """The excerpt as given, without markdown, without the texts of images; each also as delimited values."""
    if PLAIN.fullmatch(excerpt):
        if (needle := Needle(excerpt)).bytes:
            yield _Candidate(excerpt, lax_end=False, needle=needle)
        return
    seen: set[str] = set()
    for reading in _readings(clean(excerpt).replace("\u00a0", " ").strip(" \n\r")):
        short, lax_end = pieces.trim(pieces.collapse(reading))
        for marked in filter(None, (claim_rows(short), claim_values(short))):
            needle = Needle(marked, lax_end=lax_end)
            if needle.bytes and marked not in seen:
                seen.add(marked)
                yield _Candidate(marked, lax_end, needle)


def _readings(text: str) -> Iterator[str]:
    yield text
    bare = unmark(text)
    if bare != text:
        yield bare
    if "![" in text:
        yield unmark(text, images=False)


def _found(
    page: PageText, candidate: _Candidate, views: tuple[str, ...], reasons: list[str]
) -> tuple[str, str] | None:
    """How and where a reading is found, whole or in pieces; what speaks against it joins the reasons."""
    if len(candidate.needle.bytes) < _LEAST:
        reasons.append("segment_too_short")
        return None
    for view in views:
        hit, reason = _find(page, view, candidate.needle)
        if hit is not None:
            return "hidden" if view == HIDDEN else "contiguous", view
        reasons.append(reason)
    return _found_in_pieces(page, candidate, views, reasons)


def _find(page: PageText, view: str, needle: Needle) -> tuple[Hit | None, str]:
    """A needle in a view; the hidden view is made only when it may hold it."""
    if view == HIDDEN and not page.may_hide(needle.bytes):
        return None, "absent"
    return page.haystack(view).find(needle)


def _found_in_pieces(
    page: PageText, candidate: _Candidate, views: tuple[str, ...], reasons: list[str]
) -> tuple[str, str] | None:
    parts = pieces.elided(candidate.text)
    how, gap = ("elided", ELLIPSIS) if len(parts) > 1 else ("lines", LINES)
    parts = parts if len(parts) > 1 else pieces.lines(candidate.text)
    if len(parts) > limits.MAX_PIECES:
        reasons.append("too_many_pieces")
        return None
    if len(parts) < 2:
        return None
    for view in views:
        chain = _present(page, view, needles(parts, lax_end=candidate.lax_end))
        if len(chain) > 1:
            hit, reason = page.haystack(view).chain(chain, gap)
            if hit is not None:
                return "hidden" if view == HIDDEN else how, view
            reasons.append(reason)
    return None


def _present(page: PageText, view: str, pieces: Iterator[Needle]) -> list[Needle]:
    """The pieces in order, or none at all when one of them is nowhere in the view."""
    found = []
    for needle in pieces:
        if view == HIDDEN and not page.may_hide(needle.bytes):
            return []
        if needle.bytes not in page.haystack(view).bytes:
            return []
        if needle.bytes:
            found.append(needle)
    return found


def _found_without_accents(page: PageText, candidate: _Candidate) -> tuple[str, str] | None:
    for view in (*page.visible_views, HIDDEN):
        if view == HIDDEN and not page.may_hide(candidate.needle.bytes, accented=True):
            continue
        if page.haystack(view).find_accented(candidate.needle):
            return "accents_folded", view
    return None
