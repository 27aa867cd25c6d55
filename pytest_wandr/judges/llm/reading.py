"""What does a reply say, and what of it can be used? It is checked against what was sent, never trusted.

A "yes" counts only with its words: those of the page for `satisfied`, those of an excerpt for `supported`, or
the page's address where an address can decide. A reply that contradicts itself decides nothing.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pytest_wandr.checks.logic import no, undecided
from pytest_wandr.evidence.match import Haystack, Needle
from pytest_wandr.evidence.skeleton import Skeleton
from pytest_wandr.judges import Answer
from pytest_wandr.judges.llm.cleaning import cleaned
from pytest_wandr.judges.llm.schema import BadReply, read_reply
from pytest_wandr.model import YES, Part, RequirementVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_wandr.judges.llm.prompt import Put
    from pytest_wandr.judges.llm.schema import SaidOfRecord

READING_VERSION = 1
"""Raised with every change after which a reply is read otherwise."""
SAID = "judged"
"""The code of what a model decided."""
_LONGEST_TOLD = 300


def entries_of(text: str, asked: Sequence[Put]) -> tuple[SaidOfRecord, ...]:
    """The entries of a reply, in the order in which the records were asked about.

    Raises:
        BadReply: it is no reply to this: unreadable, or ids are missing, double or unknown.
    """
    entries = read_reply(text).records
    _complete([entry.id for entry in entries], [f"r{at}" for at in range(1, len(asked) + 1)], "records")
    found = {entry.id: entry for entry in entries}
    ordered = tuple(found[f"r{at}"] for at in range(1, len(asked) + 1))
    for entry, each in zip(ordered, asked, strict=True):
        _complete([said.id for said in entry.requirements], each.decide, f"requirements of {entry.id}")
    return ordered


def _complete(given: Sequence[str], wanted: Iterable[str], what: str) -> None:
    if sorted(given) != sorted(wanted):
        told = ", ".join(_told(name) for name in given) or "nothing"
        raise BadReply("bad_schema", f"the reply names other {what} than it was asked about: {_told(told)}")


def answer_from(entry: SaidOfRecord, asked: Put) -> Answer:
    """What one entry of a reply decides."""
    if contradiction := _contradiction(entry):
        return undecided_answer(
            asked.decide, "inconsistent", f"the judge contradicts itself: {contradiction}"
        )
    said = {each.id: each for each in entry.requirements}
    page = _Quotable(asked.passages.texts, "the page as sent")
    excerpts = _Quotable(asked.excerpts, "any excerpt")
    verdicts = []
    for name in asked.decide:
        one = said[name]
        address = asked.url if name in asked.located else ""
        satisfied = _yes(page, one.satisfied_quote, address) if one.satisfied else _no(one.reason)
        supported = _yes(excerpts, one.supported_quote, address) if one.supported else _no(one.reason)
        verdicts.append(RequirementVerdict(id=name, satisfied=satisfied, supported=supported))
    return Answer(tuple(verdicts), _valid(entry), entry.confidence)


def _valid(entry: SaidOfRecord) -> Part:
    if entry.overall_valid:
        return YES
    return no(SAID, f"the judge finds it out of scope: {_told(entry.reason)}")


def _no(reason: str) -> Part:
    return no(SAID, f"the judge says no: {_told(reason) or 'it gives no reason'}")


def _yes(quotable: _Quotable, quote: str, address: str) -> Part:
    """A yes is worth as much as its quote; the page's `address` is one where it can decide."""
    if (address and cleaned(quote).strip() == address) or quotable.has(quote):
        return Part(value=True, code=SAID, reason=f"the judge quotes {_told(quote)!r}")
    told = f"quotes {_told(quote)!r}, which is not in {quotable.where}" if quote.strip() else "quotes nothing"
    return undecided("quote_not_found", f"the judge says yes, but {told}")


class _Quotable:
    """Texts that a quote may come from. Each is in one piece; what lies between two of them is missing."""

    def __init__(self, texts: Sequence[str], where: str) -> None:
        self.where = where
        self._texts = texts

    @cached_property
    def _haystacks(self) -> list[Haystack]:
        return [Haystack(Skeleton(text)) for text in self._texts]

    @cached_property
    def _lines(self) -> set[bytes]:
        """Whole lines and cells of tables."""
        parts = (
            part for text in self._texts for line in text.splitlines() for part in (line, *line.split(" | "))
        )
        return {Skeleton(part).squashed for part in parts}

    def has(self, quote: str) -> bool:
        """True when a text has the quote in one piece, and it is long enough to mean something."""
        needle = Needle(cleaned(quote))
        if not needle.bytes or not (needle.is_long or needle.bytes in self._lines):
            return False
        return any(text.find(needle)[0] is not None for text in self._haystacks)


def _contradiction(entry: SaidOfRecord) -> str:
    """Why the parts of an entry cannot all be meant; "" when they can."""
    satisfied = [each.satisfied for each in entry.requirements]
    supported = [each.supported for each in entry.requirements]
    if entry.requirements_all_satisfied is not all(satisfied):
        return "requirements_all_satisfied is not what it says of each requirement"
    if entry.requirements_all_supported is not all(supported):
        return "requirements_all_supported is not what it says of each requirement"
    if any(satisfied) and not entry.page_content_usable:
        return "a page that is not usable satisfies a requirement"
    if any(satisfied + supported) and not entry.answer_intent_clear:
        return "a claim that is not clear is said to be shown"
    return ""


def undecided_answer(decide: Iterable[str], code: str, reason: str) -> Answer:
    """An answer that decides nothing, with its cause."""
    part = undecided(code, reason)
    verdicts = tuple(RequirementVerdict(id=name, satisfied=part, supported=part) for name in decide)
    return Answer(verdicts, confidence=0)


def _told(text: str) -> str:
    """A model's own words, for a reader: in one line, and not without end."""
    line = " ".join(cleaned(text).split())
    return line if len(line) <= _LONGEST_TOLD else f"{line[: _LONGEST_TOLD - 3]}..."
