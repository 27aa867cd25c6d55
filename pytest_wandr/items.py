"""How does a task package become a test? Directory -> File -> one item, which runs the pipeline.

The directory layer keeps pytest from descending into a package; the file layer gives the item an id that
can be pasted back: `tasks/t1/task.toml::wandr`. Heavy imports wait until `--wandr-system` was seen.
"""

from __future__ import annotations

import gc
import os
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

from pytest_wandr.errors import TaskSpecError, WandrError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from pathlib import Path

    from pytest_wandr.judges import Judge
    from pytest_wandr.model import TaskReport
    from pytest_wandr.options import Settings
    from pytest_wandr.pipeline import Evaluation, RunSettings
    from pytest_wandr.reports.resume import Result
    from pytest_wandr.reports.shards import Shard
    from pytest_wandr.systems import System

ITEM_NAME = "wandr"
MANIFEST = "task.toml"
USAGE_ERROR = "wandr_usage_error"


@dataclass(frozen=True)
class Tested:
    """What the items of one process share: the choices of the run, who is tested and who judges."""

    settings: Settings
    system: System
    judge: Judge


TESTED = pytest.StashKey[Tested]()
SUITE = pytest.StashKey[str]()
WORKER_SUITE = "wandr_suite"


class TaskFailed(Exception):
    """A task that was scored but does not pass: below its gate, not fully judged, or not proven if strict."""


class TaskPackage(pytest.Directory):
    """The folder of a task. Nothing inside but the manifest is collected."""

    def collect(self) -> Iterable[pytest.Collector]:
        """The manifest."""
        yield TaskManifest.from_parent(self, path=self.path / MANIFEST)


class TaskManifest(pytest.File):
    """The task.toml of a task."""

    def collect(self) -> Iterable[pytest.Item]:
        """The one item."""
        yield TaskItem.from_parent(self, name=ITEM_NAME)


class TaskItem(pytest.Item):
    """One task: runs solve -> fetch -> judge -> score, and reports every path of its hierarchy."""

    payload: str | None = None
    namesake: TaskItem | None = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.add_marker("wandr")

    @cached_property
    def task_id(self) -> str:
        """The task's id."""
        return task_id_of(self.path)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Reports call the item by its task's id; a line is needed to say where it was skipped."""
        return self.path, 0, self.task_id

    def setup(self) -> None:
        """What can be seen early to be wrong is an error of the set-up."""
        from pytest_wandr.task import load_task
        from pytest_wandr.task.loading import require_instruction

        if self.namesake is not None:
            raise WandrError(
                f"two task packages have the id {self.task_id!r}: {self.namesake.path} and {self.path}; "
                "give one of them another id"
            )
        require_instruction(self.path.parent, load_task(self.path.parent))

    def runtest(self) -> None:
        """Evaluate the task, write its results, then pass or fail by policy."""
        from pytest_wandr.reports.payload import pack

        self.payload = None  # another plugin may run an item again
        self.user_properties = [pair for pair in self.user_properties if not pair[0].startswith("wandr.")]
        tested = self.config.stash[TESTED]
        with _seldom_collected():
            result = self._result(tested)
        self.payload = pack(result.report, result.paths, judge=result.judge, notes=result.notes)
        self.user_properties += score_properties(result.report)
        _fail_below_policy(result, tested.settings)

    def _result(self, tested: Tested) -> Result:
        """What an interrupted run has completed, when this one resumes it; else the task is evaluated."""
        from pytest_wandr.reports.json import write_task
        from pytest_wandr.reports.resume import Result

        run = _run_settings(tested.settings, self.config)
        earlier, note = self._taken(tested, run) if run.resume else (None, None)
        if earlier is not None:
            return earlier
        evaluation = self._evaluate(tested, run)
        write_task(run.out, evaluation)
        notes = (note, *evaluation.notes) if note else evaluation.notes
        return Result(evaluation.report, evaluation.score.paths, evaluation.judge, notes)

    def _taken(self, tested: Tested, run: RunSettings) -> tuple[Result | None, str | None]:
        """A replay costs next to nothing and depends on stored verdicts: it is always done again."""
        from pytest_wandr.cassettes import PageStore
        from pytest_wandr.judges import identity_of
        from pytest_wandr.judges.replay import Replay
        from pytest_wandr.pipeline import complete_inputs
        from pytest_wandr.reports.resume import taken
        from pytest_wandr.task import load_task

        if isinstance(tested.judge, Replay):
            return None, None
        task = load_task(self.path.parent)
        pages = PageStore(run.cassettes / task.id)
        inputs = complete_inputs(task, pages, judge=identity_of(tested.judge), settings=run)
        return taken(run.out, task.id, inputs)

    def _evaluate(self, tested: Tested, run: RunSettings) -> Evaluation:
        import asyncio

        from pytest_wandr import pipeline

        outcome: list[Evaluation] = []

        async def work() -> None:  # returns nothing: asyncio spells out the result of the main task
            outcome.append(
                await pipeline.evaluate(
                    self.path.parent, system=tested.system, judge=tested.judge, settings=run
                )
            )

        with asyncio.Runner() as runner:
            runner.run(work())
        return outcome[0]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A short table for a low score, a traceback for everything unexpected."""
        if isinstance(excinfo.value, TaskFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Tasks hold many objects and few cycles: looking for garbage at every turn takes a third of a replay."""
    before = gc.get_threshold()
    if before[0]:  # 0: somebody has switched it off
        gc.set_threshold(max(before[0], 100_000), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _run_settings(settings: Settings, config: pytest.Config) -> RunSettings:
    from pytest_wandr.fetch import Limits, Live, shared
    from pytest_wandr.pipeline import RunSettings
    from pytest_wandr.watching import task_begins

    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    return RunSettings(
        system_name=settings.system,
        out=settings.out,
        cassettes=settings.cassettes,
        record=settings.record,
        deadline=settings.deadline,
        effort=settings.effort,
        resume=settings.resume,
        live=Live(limits=shared(Limits(), workers)),
        watch=task_begins(config),
    )


def task_id_of(manifest: Path) -> str:
    """The id of the task with this manifest; its folder's name when the manifest cannot be read."""
    from pytest_wandr.task import peek_task

    try:
        return peek_task(manifest.parent).id
    except TaskSpecError:  # the item itself reports what is wrong, with file and line
        return manifest.parent.resolve().name


def score_properties(report: TaskReport) -> list[tuple[str, object]]:
    """The numbers of a task for `--junitxml` and its kind: `wandr.<metric>`, never the verdicts."""
    structure = report.diagnostics.structure
    numbers: dict[str, float | None] = {
        **report.rewards,
        **report.diagnostics.counts.model_dump(),
        "discovery": structure.discovery,
        "enrichment": structure.enrichment,
        "evidence": structure.evidence,
    }
    return [(f"wandr.{name}", str(round(value, 6))) for name, value in numbers.items() if value is not None]


def _fail_below_policy(result: Result, settings: Settings) -> None:
    from pytest_wandr.reports.terminal import failure_text, undecided_text

    why = list(result.report.gate_failures)
    counts = result.report.diagnostics.counts
    if result.report.incomplete:
        why.append(f"not fully judged, {undecided_text(result.report.diagnostics.undecided)}")
    if settings.strict and counts.proven < counts.wanted:
        why.append(f"{counts.wanted - counts.proven} of {counts.wanted} required paths are not proven")
    if why:
        text = failure_text(result.report, result.paths, why=why, limit=settings.paths_max)
        raise TaskFailed(text)


class TaskCollection:
    """The hooks of a process that collects and runs tasks: a worker, or the only process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector:
        """A task package, or a plain folder to look into."""
        from pytest_wandr.task import is_task_folder

        if is_task_folder(path):
            return TaskPackage.from_parent(parent, path=path)
        return pytest.Dir.from_parent(parent, path=path)

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self) -> Generator[None, Any, list[pytest.Collector]]:
        """Nothing but task packages is collected, whatever other plugins know about a file."""
        yield
        return []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """All conftest files are known now: find the system and the judge."""
        items[:] = [item for item in items if isinstance(item, TaskItem)]
        _mark_namesakes(items)
        try:
            if items or not session.testsfailed:
                config.stash[TESTED] = _find_tested(config, self.settings, items=items)
        except WandrError as error:
            if not hasattr(config, "workeroutput"):
                raise pytest.UsageError(str(error)) from error
            config.workeroutput[USAGE_ERROR] = str(error)  # raised by the controller, once
            items.clear()
        if self.settings.shard is not None:
            _keep_shard(config, items, self.settings.shard)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach what became of the task: basic types only, so that it crosses process borders."""
        report = yield
        if isinstance(item, TaskItem):
            _attach(report, item, call)
        return report


def _keep_shard(config: pytest.Config, items: list[pytest.Item], shard: Shard) -> None:
    """Deselect what belongs to other shards, before -k and -m do: a task's shard depends on neither."""
    from pytest_wandr.reports.shards import members, suite_digest

    ids = {item.nodeid: item.task_id for item in items if isinstance(item, TaskItem)}
    mine = members(ids.values(), shard)
    others = [item for item in items if ids[item.nodeid] not in mine]
    items[:] = [item for item in items if ids[item.nodeid] in mine]
    config.stash[SUITE] = suite_digest(ids.values())
    if hasattr(config, "workeroutput"):
        config.workeroutput[WORKER_SUITE] = config.stash[SUITE]
    if others:
        config.hook.pytest_deselected(items=others)


def _mark_namesakes(items: Iterable[pytest.Item]) -> None:
    first: dict[str, TaskItem] = {}
    for item in items:
        if isinstance(item, TaskItem) and (other := first.setdefault(item.task_id, item)) is not item:
            item.namesake, other.namesake = other, item


def _find_tested(config: pytest.Config, settings: Settings, *, items: Sequence[pytest.Item]) -> Tested:
    if not items:
        raise WandrError(
            f"no task packages (folders with a {MANIFEST}) under {', '.join(config.args)}; "
            "name their folder on the command line, or set wandr_tasks in the ini file"
        )
    hook = config.hook
    system = _made(hook.pytest_wandr_make_system, config, settings.system, what="system")
    judge = _made(hook.pytest_wandr_make_judge, config, settings.judge, what="judge")
    return Tested(settings=settings, system=system, judge=judge)


def _made(hook: Any, config: pytest.Config, name: str, *, what: str) -> Any:
    """What a hook makes. An agent that cannot be imported is the user's error, not one of pytest's."""
    try:
        return hook(config=config, name=name)
    except WandrError:
        raise
    except Exception as error:  # foreign code may raise anything; the message says what and where
        last = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error}"
        raise WandrError(
            f"the {what} {name!r} cannot be made: {reason} ({last.filename}:{last.lineno})"
        ) from error


def _attach(report: pytest.TestReport, item: TaskItem, call: pytest.CallInfo[None]) -> None:
    if call.when == "call" and item.payload is not None:
        vars(report)["wandr"] = item.payload
        item.payload = None  # it is on its way: what stays with the items of a process stays to the end
    error = call.excinfo.value if call.excinfo else None
    if error is None or isinstance(error, TaskFailed):
        return
    known = isinstance(error, WandrError)
    reason = str(error) if known else f"{type(error).__name__}: {error}"
    vars(report)["wandr_error"] = _shown(reason, item.config)
    if known:
        cause = "\n\n" + "".join(traceback.format_exception(error.__cause__)) if error.__cause__ else ""
        text = _shown(f"{item.task_id}: {error}{cause}", item.config)
        report.longrepr = text.replace("\n", "\n    ")  # no line of it looks like one of pytest's


def _shown(text: str, config: pytest.Config) -> str:
    """Safe to show and to send, with file names as seen from the root folder: equal on every machine."""
    from pytest_wandr.reports.text import visible_lines

    return visible_lines(text.replace(f"{config.rootpath}{os.sep}", ""))
