"""How does a task become a score? solve -> fetch -> judge -> score, and little else."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import fetch, open_fetcher
from pytest_wandr.judge import judge as judge_records
from pytest_wandr.model import TaskReport
from pytest_wandr.score import score_task
from pytest_wandr.solve import solve
from pytest_wandr.systems import SolveContext
from pytest_wandr.systems.corpus import Corpus
from pytest_wandr.systems.function import as_system
from pytest_wandr.task import load_task
from pytest_wandr.task.loading import require_instruction

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_wandr.judges import Judge
    from pytest_wandr.model import RecordVerdict, Submission, TaskScore, TaskSpec
    from pytest_wandr.systems import System


@dataclass(frozen=True)
class RunSettings:
    """What a run decides for all its tasks. `out` and `cassettes` hold one folder per task."""

    system_name: str
    out: Path
    cassettes: Path
    record: Literal["none", "new", "all"] = "none"
    deadline: float | None = None
    effort: str | None = None


@dataclass(frozen=True)
class Evaluation:
    """One task, from what was asked to what it is worth."""

    task: TaskSpec
    submission: Submission
    verdicts: tuple[RecordVerdict, ...]
    score: TaskScore
    report: TaskReport


async def evaluate(folder: Path, *, system: System, judge: Judge, settings: RunSettings) -> Evaluation:
    """Solve, fetch, judge and score the task package in `folder`.

    Raises:
        WandrError: the task cannot be scored; the message says why and what to do.
    """
    task = load_task(folder)
    require_instruction(folder, task)
    store = PageStore(settings.cassettes / task.id)
    place = settings.out / task.id
    ctx = SolveContext(
        outdir=place / "submission.new",
        corpus=Corpus(store),
        folder=folder,
        deadline=settings.deadline,
        effort=settings.effort,
    )
    asked = as_system(system, settings.system_name)
    submission = await solve(task, asked, ctx, name=settings.system_name, keep=place / "submission")
    command = f"pytest --wandr-system={shlex.quote(settings.system_name)} --wandr-record=new"
    async with open_fetcher(store, record=settings.record, command=command) as fetcher:
        pages = await fetch(submission, fetcher)
    if settings.record != "none":
        store.fold()
    verdicts = await judge_records(task, submission, pages, judge)
    score = score_task(task, submission.records, verdicts, rejected=submission.rejected)
    return Evaluation(task, submission, verdicts, score, report_of(task, submission, score))


def report_of(task: TaskSpec, submission: Submission, score: TaskScore) -> TaskReport:
    """What a run keeps of one task."""
    failures = [
        f"{reward} is {score.rewards[reward]:.3f}, the task's gate asks for {floor:g}"
        for reward, floor in task.gate.items()
        if score.rewards[reward] < floor
    ]
    return TaskReport(
        task_id=task.id,
        title=task.title,
        digest=task.digest,
        rewards=score.rewards,
        diagnostics=score.diagnostics,
        incomplete=score.incomplete,
        gate_failures=tuple(failures),
        usage=submission.usage,
        notes=submission.notes.get("system", ()),
    )
