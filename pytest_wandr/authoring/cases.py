"""Which records with known verdicts is a judge tried on? The fixtures of a task, and mutations of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_wandr.model import PARTS, Record, RecordVerdict, Truth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_wandr.model import Fixture, Page

READINGS = ("retrieval", "full")
ASKED = (*PARTS, *READINGS)
"""What a case can know about a verdict: its six parts and the two readings of them."""
FIXTURE = "fixture"


@dataclass(frozen=True)
class Case:
    """One record with its page, and what is known of its verdict. `source` says where it comes from."""

    kind: str
    source: str
    record: Record
    page: Page
    expected: Mapping[str, bool]

    def apart(self, number: int) -> Case:
        """The same case under a url of its own, for its page may differ from what others see there."""
        url = f"{self.record.url.partition('#')[0]}#audit-{number}"
        return replace(self, record=with_changes(self.record, url=url))


def with_changes(record: Record, **changes: object) -> Record:
    """A new record, so that nothing which was worked out of the old one is taken over."""
    return Record.model_validate({**record.model_dump(), **changes})


def cases_of(fixtures: Sequence[Fixture], pages: Mapping[str, Page]) -> list[Case]:
    """Each fixture whose verdict can be decided, as it stands."""
    return [
        Case(FIXTURE, f"fixture {at}", fixture.record, pages[fixture.record.url], expected)
        for at, fixture in enumerate(fixtures, start=1)
        if (expected := _expected(fixture))
    ]


def _expected(fixture: Fixture) -> dict[str, bool]:
    if fixture.full:
        return dict.fromkeys(ASKED, True)
    readings = {"retrieval": fixture.retrieval, "full": fixture.full}
    known = {name: value for name, value in readings.items() if value is not None}
    if fixture.retrieval:
        known |= {"page_content_usable": True, "requirements_all_satisfied": True}
    return known


def value_of(verdict: RecordVerdict, asked: str) -> Truth:
    """What a verdict says about a part or a reading."""
    if asked == "full":
        return verdict.full
    if asked == "retrieval":
        return verdict.retrieval
    return dict(verdict.parts())[asked].value


def contradicts(verdict: RecordVerdict, case: Case) -> bool:
    """True when a verdict says the opposite of something that the case knows."""
    return any(value_of(verdict, name) is (not value) for name, value in case.expected.items())
