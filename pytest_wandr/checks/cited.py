"""What did a record cite? Its page as checks need it, read once, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_wandr.checks.language import Written
from pytest_wandr.checks.logic import no, undecided
from pytest_wandr.evidence import find_excerpt, page_problem, read_page
from pytest_wandr.model import YES, LedTo, Page, Part

if TYPE_CHECKING:
    from pytest_wandr.evidence import ExcerptMatch, PageText


@dataclass(frozen=True)
class Cited:
    """What a url led to. Either `page` or `missing` (false or undecided, and why) is set."""

    final_url: str | None = None
    status: int = 200
    page: PageText | None = None
    missing: Part | None = None
    note: str = ""
    _matches: dict[str, ExcerptMatch] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def text(self) -> str:
        """What checks read: the title, then everything a reader sees, headings and tables included.

        Not what a page hides in attributes and data scripts: a date that only a machine finds is not stated.
        """
        return f"{self.page.title}\n{self.page.text}" if self.page else ""

    @cached_property
    def lang(self) -> str | None:
        """The language that the page declares."""
        return (self.page.lang or None) if self.page else None

    @cached_property
    def written(self) -> Written | None:
        """The language that its text is written in, for whoever asks."""
        return Written(self.text, self.lang) if self.page else None

    @cached_property
    def problem(self) -> str | None:
        """Why the page is no evidence, as long as no excerpt is found on it."""
        problem = page_problem(self.page, status=self.status) if self.page else None
        return f"{problem} ({self.note})" if problem and self.note else problem

    def match(self, excerpt: str) -> ExcerptMatch:
        """Whether an excerpt is on the page; looked for once, since records of a page may quote the same."""
        assert self.page is not None  # the caller looked
        if excerpt not in self._matches:
            self._matches[excerpt] = find_excerpt(self.page, excerpt)
        return self._matches[excerpt]

    @cached_property
    def led_to(self) -> LedTo | None:
        """For telling pages apart; the digest only of pages that could be read."""
        if self.final_url is None:
            return None
        return LedTo(final_url=self.final_url, digest=(self.page.digest or None) if self.page else None)


def read_cited(page: Page | None) -> Cited:
    """Read what a url led to. None: nothing is known of the url."""
    if page is None:
        return Cited(missing=undecided("not_recorded", "nothing is recorded for this url"))
    if page.problem and not page.problem.decided:
        return Cited(missing=undecided(page.problem.kind, _words(page.problem.kind, page.problem.detail)))
    if page.problem:
        note = f" ({page.note})" if page.note else ""
        reason = f"the url gave no page: {_words(page.problem.kind, page.problem.detail)}{note}"
        return Cited(page.final_url, page.status, missing=no(page.problem.kind, reason))
    text = read_page(page.body, media_type=page.media_type or None, url=page.final_url)
    if text.problem:
        answer = undecided if text.undecided else no
        missing = answer("page_unreadable", f"the page cannot be read: {text.problem}")
        return Cited(page.final_url, page.status, missing=missing)
    return Cited(page.final_url, page.status or 200, page=text, note=page.note)


def _words(kind: str, detail: str) -> str:
    return f"{kind.replace('_', ' ')}: {detail}" if detail else kind.replace("_", " ")


def judge_excerpts(cited: Cited, excerpts: tuple[str, ...]) -> tuple[Part, Part]:
    """(page_content_usable, excerpts_faithful).

    Evidence first: a page on which an excerpt is found is usable, whatever it looks like.
    """
    if cited.page is None:
        missing = cited.missing or undecided("not_recorded", "nothing is recorded for this url")
        return missing, _unfindable(missing, excerpts)
    matches = [cited.match(excerpt) for excerpt in excerpts]
    lost = [(at, match) for at, match in enumerate(matches, start=1) if not match.faithful]
    usable = YES
    if len(lost) == len(matches) and cited.problem:  # asked last: it takes as long as the matching
        usable = no("page_unusable", f"the page is no evidence: {cited.problem}")
    if not matches:
        return usable, _NO_EXCERPTS
    if not lost:
        return usable, YES
    reasons = [f"excerpt {at} of {len(matches)}: {match.explain()}" for at, match in lost]
    return usable, no(f"excerpt_{lost[0][1].reason}", "; ".join(reasons))


_NO_EXCERPTS = no("no_excerpts", "the record has no excerpts")


def _unfindable(missing: Part, excerpts: tuple[str, ...]) -> Part:
    if not excerpts:
        return _NO_EXCERPTS
    return missing.model_copy(update={"reason": f"excerpts cannot be looked up: {missing.reason}"})
