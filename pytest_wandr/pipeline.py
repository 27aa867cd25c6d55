"""How does a task become a score? solve -> fetch -> judge -> score, and little else."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_wandr import __version__
from pytest_wandr.agreement import agreements
from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import Bodies, fetch, open_fetcher
from pytest_wandr.identity import IDENTITY_VERSION
from pytest_wandr.judges import identity_of, notes_of, pays, watch_judge
from pytest_wandr.judges.replay import Replay
from pytest_wandr.locks import locked
from pytest_wandr.markers import sweep
from pytest_wandr.model import TaskReport
from pytest_wandr.naming import confirm_names, names_digest
from pytest_wandr.progress import Step, Watch, unwatched
from pytest_wandr.remember import Judged, Memory, replayed
from pytest_wandr.score import roll_up
from pytest_wandr.solve import read_submission, solve
from pytest_wandr.systems import SolveContext
from pytest_wandr.systems.corpus import Corpus
from pytest_wandr.systems.delivered import earlier_delivery
from pytest_wandr.systems.function import as_system
from pytest_wandr.task import load_task
from pytest_wandr.task.loading import require_instruction
from pytest_wandr.verdicts import CHECKS_VERSION, EXTRACTOR_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pytest_wandr.fetch.options import Live, Record
    from pytest_wandr.judges import Judge
    from pytest_wandr.model import Page, RecordVerdict, Submission, TaskSpec
    from pytest_wandr.score import Scored
    from pytest_wandr.systems import System


@dataclass(frozen=True)
class RunSettings:
    """What a run decides for all its tasks. `out` and `cassettes` hold one folder per task.

    `watch` is told how far the task is; it is for the eyes alone.
    """

    system_name: str
    out: Path
    cassettes: Path
    record: Record = "none"
    deadline: float | None = None
    effort: str | None = None
    resume: bool = False
    live: Live | None = None
    watch: Watch = unwatched


@dataclass(frozen=True)
class Evaluation:
    """One task, from what was asked to what it is worth.

    `inputs` is everything it was made from; `notes` is for the reader of this run, not for its results.
    """

    task: TaskSpec
    submission: Submission
    verdicts: tuple[RecordVerdict, ...]
    score: Scored
    report: TaskReport
    judge: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


async def evaluate(folder: Path, *, system: System, judge: Judge, settings: RunSettings) -> Evaluation:
    """Solve, fetch, judge and score the task package in `folder`.

    Raises:
        WandrError: the task cannot be scored; the message says why and what to do.
    """
    task = load_task(folder)
    require_instruction(folder, task)
    with _alone(settings, task.id):
        return await _evaluated(task, folder, system=system, judge=judge, settings=settings)


def _alone(settings: RunSettings, task_id: str) -> AbstractContextManager[None]:
    """Only one run at a time records a task; whoever reads needs no leave."""
    if settings.record == "none":
        return nullcontext()
    return locked(settings.cassettes / task_id, ", or record elsewhere with --wandr-cassettes")


async def _evaluated(
    task: TaskSpec, folder: Path, *, system: System, judge: Judge, settings: RunSettings
) -> Evaluation:
    store = PageStore(settings.cassettes / task.id)
    notes = list(store.notes)
    submission = await _solved(task, folder, store, system=system, settings=settings, notes=notes)
    if isinstance(judge, Replay):
        judged = replayed(task, submission, store, judge=judge, system=settings.system_name)
    else:
        judged = await _judged(task, submission, store, judge=judge, settings=settings)
    whose = judged.judge.removeprefix("replay:") if isinstance(judge, Replay) else judged.judge
    named = await confirm_names(task, submission, store, judge=judge, name=whose)
    score = roll_up(
        task,
        submission.records,
        judged.verdicts,
        rejected=submission.rejected,
        confirmed=named.verdicts,
    )
    return Evaluation(
        task=task,
        submission=submission,
        verdicts=judged.verdicts,
        score=score,
        report=report_of(task, submission, score, judged.verdicts),
        judge=judged.judge,
        inputs=complete_inputs(task, store, judge=judged.judge, settings=settings),
        notes=(*notes, *judged.notes, *named.notes, *notes_of(judge)),
    )


async def _solved(  # noqa: PLR0913 -- the first stage: what is asked of whom
    task: TaskSpec,
    folder: Path,
    store: PageStore,
    *,
    system: System,
    settings: RunSettings,
    notes: list[str],
) -> Submission:
    """The first stage: a delivery of an interrupted run that may be used, else a new one."""
    keep = settings.out / task.id / "submission"
    ctx = SolveContext(
        outdir=keep.with_name("submission.new"),
        corpus=Corpus(store),
        folder=folder,
        deadline=settings.deadline,
        effort=settings.effort,
    )
    inputs = _solve_inputs(task, settings) | {"pages": store.digest() if settings.record == "none" else ""}
    if settings.resume:
        earlier, note = earlier_delivery(ctx.outdir, keep, inputs)
        notes += [note] if note else []
        if earlier is not None:
            return read_submission(task, keep, name=settings.system_name, answer=earlier)
    settings.watch(Step("solve"))
    asked = as_system(system, settings.system_name)
    return await solve(task, asked, ctx, name=settings.system_name, keep=keep, inputs=inputs)


async def _judged(
    task: TaskSpec, submission: Submission, store: PageStore, *, judge: Judge, settings: RunSettings
) -> Judged:
    """The second and third stage. A plain run with `rules` judges afresh: that costs nothing.

    Verdicts that were paid for are stored whatever is recorded; pages change only as `record` says.
    """
    name = identity_of(judge)
    if settings.record == "none" and name == "rules":
        fetched = await _fetched(submission, store, settings)
        return Judged(await _asked(task, submission, fetched, judge), name)
    memory = Memory(task, store, name)
    known = memory.recall(submission.records) if settings.record in ("none", "new") else {}
    fetched = await _fetched(_without(submission, known), store, settings)
    memory.pages_changed()
    known |= memory.recall(submission.records)
    left = _without(submission, known)
    memory.explain(left.records)
    watch_judge(judge, settings.watch)
    fresh = await _asked(task, left, fetched, judge)
    if settings.record != "none" or pays(judge):
        memory.remember(left.records, fresh)
    rest = iter(fresh)
    verdicts = tuple(known[at] if at in known else next(rest) for at in range(len(submission.records)))
    return Judged(verdicts, name, (*memory.notes(), *fetched.notes, *notes_of(judge)))


class _Fetched(NamedTuple):
    """The pages, those bodies that there was no room for, and what is to be told about fetching them."""

    pages: Mapping[str, Page]
    bodies: Bodies
    notes: tuple[str, ...]


async def _fetched(submission: Submission, store: PageStore, settings: RunSettings) -> _Fetched:
    watch = settings.watch if settings.record != "none" else unwatched
    command = f"pytest --wandr-system={shlex.quote(settings.system_name)} --wandr-record=new"
    opened = open_fetcher(
        store, record=settings.record, live=settings.live, command=command, out=settings.out
    )
    async with opened as fetcher:
        bodies = Bodies(store)
        pages = await fetch(submission, fetcher, watch=watch, bodies=bodies)
    if settings.record != "none":
        store.fold()
        sweep(store.folder, "**/.*.tmp")
    return _Fetched(pages, bodies, fetcher.notes)


async def _asked(
    task: TaskSpec, submission: Submission, fetched: _Fetched, judge: Judge
) -> tuple[RecordVerdict, ...]:
    if not submission.records:
        return ()
    from pytest_wandr.judge import judge as judge_records  # reads pages, and a replay needs no parser

    return await judge_records(task, submission, fetched.pages, judge, whole=fetched.bodies.whole)


def _without(submission: Submission, known: Mapping[int, RecordVerdict]) -> Submission:
    """What is left of a submission."""
    left = tuple(record for at, record in enumerate(submission.records) if at not in known)
    return submission.model_copy(update={"records": left})


def complete_inputs(task: TaskSpec, store: PageStore, *, judge: str, settings: RunSettings) -> dict[str, Any]:
    """Everything that the score of a task is made from: equal inputs, equal score."""
    return _solve_inputs(task, settings) | {
        "judge": judge,
        "record": settings.record,
        "pages": store.digest(),
        "versions": f"extractor {EXTRACTOR_VERSION}, identity {IDENTITY_VERSION}, checks {CHECKS_VERSION}",
        **names_digest(store, judge),
    }


def _solve_inputs(task: TaskSpec, settings: RunSettings) -> dict[str, Any]:
    return {
        "package": __version__,
        "task": task.digest,
        "system": settings.system_name,
        "effort": settings.effort,
        "deadline": settings.deadline,
    }


def report_of(
    task: TaskSpec, submission: Submission, score: Scored, verdicts: Sequence[RecordVerdict] = ()
) -> TaskReport:
    """What a run keeps of one task. Without verdicts, nothing is said of how far a panel agrees."""
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
        agreement=agreements(submission.records, verdicts) if verdicts else (),
    )
