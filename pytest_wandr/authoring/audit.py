"""Is this judge good enough for this task? It judges records whose verdicts are known.

The fixtures of the task and mutations of them pass through the same stages as any record: machine checks
first, the judge for what they leave open. Nothing is fetched; pages are replayed. What the judge is paid for
is kept with the task, so a second audit of the same judge costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr.agreement import agreements
from pytest_wandr.authoring.cases import Case, cases_of, contradicts
from pytest_wandr.authoring.mutations import mutations_of
from pytest_wandr.authoring.tally import Miss, Tally, by_kind, by_part, misses
from pytest_wandr.cassettes import PageStore
from pytest_wandr.errors import WandrError
from pytest_wandr.fetch import fetch, open_fetcher
from pytest_wandr.judge import judge as judge_records
from pytest_wandr.judges import notes_of
from pytest_wandr.judges.llm.llm import Llm
from pytest_wandr.judges.rules import Rules
from pytest_wandr.model import Submission
from pytest_wandr.task import load_fixtures, load_task
from pytest_wandr.task.loading import require_instruction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_wandr.judges import Answer, Judge, Question
    from pytest_wandr.model import Agreement, Page, Record, RecordVerdict, TaskSpec


@dataclass(frozen=True)
class Audit:
    """What came of it. `asked` of the cases reached the judge; machine checks alone decided the others."""

    task_id: str
    judge: str
    cases: int
    asked: int
    parts: tuple[Tally, ...]
    kinds: tuple[Tally, ...]
    misses: tuple[Miss, ...]
    agreement: tuple[Agreement, ...] = ()
    notes: tuple[str, ...] = ()

    def below(self, threshold: float) -> tuple[Tally, ...]:
        """The parts that were judged right less often than that."""
        return tuple(tally for tally in self.parts if tally.accuracy < threshold)


async def audit(
    folder: Path, judge: Judge, *, cassettes: Path, mutations: int = 20, repeats: int = 3
) -> Audit:
    """Try a judge on the task package in `folder`, on up to `mutations` mutations of each kind.

    A judge that asks models is asked `repeats` times in all, to see how far it agrees with itself.

    Raises:
        WandrError: the package is not sound, or has no fixture with a recorded page.
    """
    task = load_task(folder)
    require_instruction(folder, task)
    cases = await _cases(task, folder, PageStore(cassettes / task.id), mutations)
    counted = _Counted(judge)
    verdicts = await _judged(task, cases, counted)
    repeated = await _repeated(task, cases, judge, repeats)
    return Audit(
        task_id=task.id,
        judge=judge.name,
        cases=len(cases),
        asked=counted.asked,
        parts=tuple(by_part(cases, verdicts)),
        kinds=tuple(by_kind(cases, verdicts)),
        misses=tuple(misses(cases, verdicts)),
        agreement=agreements([case.record for case in cases], repeated),
        notes=notes_of(judge),
    )


async def _cases(task: TaskSpec, folder: Path, store: PageStore, mutations: int) -> list[Case]:
    """The fixtures as they stand, and the mutations that machine checks do not hold to be true."""
    fixtures = load_fixtures(folder, task)
    records = tuple(fixture.record for fixture in fixtures)
    async with open_fetcher(store) as fetcher:
        pages = await fetch(_delivered(task, records), fetcher)
    cases = cases_of(fixtures, pages)
    if not cases:
        raise WandrError(
            f"{folder}: there is nothing to audit a judge on; write fixtures.jsonl, records with known "
            "verdicts and recorded pages (docs/reference/task-toml.md)"
        )
    mutants = [
        case.apart(number) for number, case in enumerate(mutations_of(task, cases, most=mutations), start=1)
    ]
    by_machine = await _judged(task, mutants, Rules())
    sure = [case for case, said in zip(mutants, by_machine, strict=True) if not contradicts(said, case)]
    return [*cases, *sure]


def _delivered(task: TaskSpec, records: Sequence[Record]) -> Submission:
    return Submission(task_id=task.id, system="audit", records=tuple(records))


async def _judged(task: TaskSpec, cases: Sequence[Case], judge: Judge) -> tuple[RecordVerdict, ...]:
    pages: dict[str, Page] = {case.record.url: case.page for case in cases}
    return await judge_records(task, _delivered(task, [case.record for case in cases]), pages, judge)


async def _repeated(
    task: TaskSpec, cases: Sequence[Case], judge: Judge, repeats: int
) -> tuple[RecordVerdict, ...]:
    """Verdicts with the votes of several samples; of a judge that asks nobody there is one sample at most."""
    if not isinstance(judge, Llm):
        return await _judged(task, cases, judge)
    return await _judged(task, cases, judge.with_votes(max(repeats, judge.ways.votes)))


class _Counted:
    """A judge, and how many questions reached it."""

    def __init__(self, judge: Judge) -> None:
        self.name = judge.name
        self.asked = 0
        self._judge = judge

    async def ask(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """Pass the questions on."""
        self.asked += len(questions)
        return await self._judge.ask(questions)
