"""What happens in a pytest session? The hooks: options, aggregation, exit status, summary.

Without `--wandr-system` (or the ini `wandr_system`) nothing below `pytest_configure` is even registered. Only
the standard library and pytest are imported here: this module is loaded by every pytest run of every project
that has the package installed.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

import pytest

from pytest_wandr.errors import WandrError
from pytest_wandr.options import Settings, add_options, wanted_system

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_wandr.budget import Spent
    from pytest_wandr.judges import Judge
    from pytest_wandr.model import RunReport
    from pytest_wandr.reports.gate import Gate
    from pytest_wandr.reports.payload import Payload
    from pytest_wandr.systems import System


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """The hooks that a conftest.py may implement, also in runs without tasks."""
    from pytest_wandr import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options and their ini twins."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Come to life only when a system is to be tested."""
    if not wanted_system(config):
        return
    from pytest_wandr.items import TaskCollection
    from pytest_wandr.watching import watch_session

    try:
        settings = Settings.from_config(config)
    except WandrError as error:
        raise pytest.UsageError(str(error)) from error
    config.addinivalue_line("markers", "wandr: a task package, scored by pytest-wandr")
    folders = () if config.args_source is pytest.Config.ArgsSource.ARGS else settings.tasks
    if folders:
        config.args, config.args_source = [*map(str, folders)], pytest.Config.ArgsSource.ARGS
    config.pluginmanager.register(BuiltIns(settings), "wandr-built-ins")
    config.pluginmanager.register(TaskCollection(settings), "wandr-collection")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Controller(config, settings, folders=folders), "wandr-controller")
    watch_session(config, settings)


class BuiltIns:
    """Our own systems and judges go through the same hooks as everybody's, and come last."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @pytest.hookimpl(trylast=True)
    def pytest_wandr_make_system(self, config: pytest.Config, name: str) -> System:
        """A built-in system, or one found by its address."""
        from pytest_wandr import systems

        return systems.resolve(name, rootdir=config.rootpath)

    @pytest.hookimpl(trylast=True)
    def pytest_wandr_make_judge(self, config: pytest.Config, name: str) -> Judge:
        """A built-in judge."""
        from pytest_wandr import judges
        from pytest_wandr.budget import FOLDER

        settings = self.settings
        setup = judges.Setup(config.rootpath, settings.cassettes, settings.out / FOLDER, settings.budget)
        return judges.resolve(name, setup)


class PathReport(pytest.TestReport):
    """The required paths of a task that are not proven, for the terminal's counts under `--wandr-strict`.

    It stands in the statistics once for each such path, and never passes through
    `pytest_runtest_logreport`: there it would count as a failed test for `--maxfail`, and as a second
    failure of its task in junit files.
    """


class Controller:
    """Sums up the run in the one process that sees every report."""

    def __init__(self, config: pytest.Config, settings: Settings, *, folders: Sequence[Path]) -> None:
        from pytest_wandr.locks import FolderLock
        from pytest_wandr.reports.ledger import Ledger

        self.config = config
        self.settings = settings
        self.folders = folders
        self.ledger = Ledger()
        self.report: RunReport | None = None
        self.gates: tuple[Gate, ...] = ()
        self.suite = ""
        self.begun = False
        self.unwritten = ""
        self.spent: Spent | None = None
        self.lock = FolderLock(settings.out, ", or write elsewhere with --wandr-out")
        config.add_cleanup(self.lock.release)

    def pytest_sessionstart(self) -> None:
        """Refuse folders that are not there, or cannot be written, before any worker starts."""
        absent = [str(folder) for folder in self.folders if not folder.is_dir()]
        if absent:
            raise pytest.UsageError(
                f"no folder of task packages at {', '.join(absent)}; name one on the command line, "
                "or set wandr_tasks in the ini file"
            )
        there = next(path for path in (self.settings.out, *self.settings.out.parents) if path.exists())
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            raise pytest.UsageError(
                f"results cannot be written to {self.settings.out}: {there} is no folder to write into; "
                "name another with --wandr-out"
            )

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """What one process selected."""
        self._select([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """What a worker selected; the controller of pytest-xdist collects nothing itself."""
        self._select(ids)
        self._begin()

    def _select(self, ids: Sequence[str]) -> None:
        if not self._only_looks():
            self.ledger.select(ids)

    def _only_looks(self) -> bool:
        return bool(self.config.getoption("collectonly") or self.config.getoption("setuponly", default=False))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """The first test is about to run."""
        self._begin()

    def _begin(self) -> None:
        from pytest_wandr.reports.resume import begin
        from pytest_wandr.reports.spending import begin_spending

        if self.ledger.selected and not self.begun:
            self.begun = True
            ids = [*map(self._task_id, self.ledger.selected)]
            try:
                self.lock.take()
                begin(self.settings.out, ids, resume=self.settings.resume)
                begin_spending(self.settings.out, resume=self.settings.resume)
                self._begin_sharing()
            except WandrError as error:
                raise pytest.UsageError(str(error)) from error

    def _begin_sharing(self) -> None:
        """What is fetched for one task of a recording run counts for all of them."""
        if self.settings.record != "none":
            from pytest_wandr.cassettes.commons import begin_sharing, end_sharing

            begin_sharing(self.settings.out)
            self.config.add_cleanup(partial(end_sharing, self.settings.out))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker that could not start its tasks says why when it ends."""
        from pytest_wandr.items import USAGE_ERROR, WORKER_SUITE

        output = getattr(node, "workeroutput", {})
        self.suite = output.get(WORKER_SUITE, self.suite)
        message = output.get(USAGE_ERROR)
        if message:
            raise pytest.UsageError(message)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Commit a task on its own call report, so a crash loses one task alone. The last report wins."""
        outcome: str = report.outcome
        phase: str | None = report.when
        if outcome == "rerun" or phase == "teardown":
            return
        if payload := getattr(report, "wandr", None):
            self._announce(self.ledger.commit(report.nodeid, payload))
        elif phase == "???":
            self.ledger.crash(report.nodeid)
        elif not report.passed:
            self.ledger.fail(report.nodeid, getattr(report, "wandr_error", outcome))

    def _announce(self, payload: Payload) -> None:
        hook = self.config.hook
        if hook.pytest_wandr_path.get_hookimpls():
            for path in payload.paths():
                hook.pytest_wandr_path(task_id=payload.report.task_id, path=path, config=self.config)
        hook.pytest_wandr_task_scored(report=payload.report, config=self.config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """A task that could not be scored is an error, not a failure, in whichever phase that came out."""
        if report.when == "call" and report.failed and hasattr(report, "wandr_error"):
            return "error", "E", "ERROR"
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the results, apply the gates, let other plugins know."""
        from pytest_wandr.reports.gate import check_floors

        if session.exitstatus == pytest.ExitCode.USAGE_ERROR or not self._has_run():
            return
        report = self.report = self.ledger.run_report(
            system=self.settings.system, judge=self.settings.judge, task_id=self._task_id
        )
        self._write(session, report)
        self.gates = check_floors(report.headline, self.settings.floors)
        if session.exitstatus == pytest.ExitCode.OK and (
            report.unscored or not all(gate.passed for gate in self.gates)
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        self.config.hook.pytest_wandr_scores(report=report, config=self.config)

    def _write(self, session: pytest.Session, report: RunReport) -> None:
        """Write what sums up the run. When that fails, the run fails, and can be resumed."""
        from pytest_wandr.reports.json import write_run

        try:
            write_run(self.settings.out, report)
            self._end(session)
        except WandrError as error:
            self.unwritten = str(error)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _has_run(self) -> bool:
        """A shard may be left without tasks, and is still a part of the whole."""
        return bool(self.ledger.selected) or (bool(self._suite()) and not self._only_looks())

    def _suite(self) -> str:
        from pytest_wandr.items import SUITE

        return self.suite or self.config.stash.get(SUITE, "")

    def _end(self, session: pytest.Session) -> None:
        from pytest_wandr.reports.resume import end
        from pytest_wandr.reports.shards import write_shard
        from pytest_wandr.reports.spending import end_spending

        settings = self.settings
        ended = session.exitstatus != pytest.ExitCode.INTERRUPTED
        self.spent = end_spending(settings.out, settings.budget, ended=ended)
        if settings.shard is not None:
            write_shard(settings.out, settings.shard, suite=self._suite(), effort=settings.effort)
            if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
                session.exitstatus = pytest.ExitCode.OK
        if ended:
            end(settings.out)

    def _task_id(self, nodeid: str) -> str:
        from pytest_wandr.items import task_id_of

        return task_id_of(self.config.rootpath / nodeid.rpartition("::")[0])

    def pytest_report_header(self) -> str:
        """Who is tested, and how."""
        from pytest_wandr.budget import parse

        settings = self.settings
        shard = f", shard {settings.shard}" if settings.shard else ""
        budget = f" for at most {parse(settings.budget)}" if settings.budget else ""
        return (
            f"wandr: {settings.system}, judge {settings.judge}{budget}, record {settings.record}{shard}"
            f"{self._network()}{self._hint()}"
        )

    def _network(self) -> str:
        if self.settings.record == "none":
            return ""
        doubt = "; what comes may differ from run to run (CI is set)" if os.environ.get("CI") else ""
        return f"\nwandr: cited pages are fetched from the network{doubt}"

    def _hint(self) -> str:
        from pytest_wandr.reports.resume import interrupted

        if not interrupted(self.settings.out):
            return ""
        if self.settings.resume:
            return "\nwandr: continuing a run that did not end"
        return "\nwandr: the last run here did not end; this one starts anew (--wandr-resume continues it)"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The paths, the table, the headline, the gates."""
        from pytest_wandr.reports.spending import spending_lines
        from pytest_wandr.reports.terminal import Look, run_lines

        if self.report is None:
            return
        if self.settings.strict:  # no public way adds a category once the last test has ended
            terminalreporter._add_stats("paths failed", list(self._path_reports()))  # noqa: SLF001
        look = Look(
            width=self.config.get_terminal_writer().fullwidth,
            quiet=self.config.get_verbosity() < 0,
            paths=self.settings.paths,
            paths_max=self.settings.paths_max,
        )
        title, *lines = run_lines(self.report, self.ledger.payloads(), self.gates, look=look)
        terminalreporter.write_sep("=", title.text)
        for line in lines:
            terminalreporter.write_line(line.text, **dict.fromkeys(line.markup, True))
        for line in spending_lines(self.spent, self.settings.budget) if self.spent else ():
            terminalreporter.write_line(line.text, **dict.fromkeys(line.markup, True))
        if self.unwritten:
            terminalreporter.write_line(f"ERROR: {self.unwritten}", red=True)
        elif not look.quiet:
            terminalreporter.write_line(f"results: {self._shown(self.settings.out)}")

    def _shown(self, path: Path) -> str:
        """A path as the user would type it."""
        here = self.config.invocation_params.dir
        return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)

    def _path_reports(self) -> Iterator[PathReport]:
        for nodeid, payload in sorted(self.ledger.scored.items()):
            counts = payload.report.diagnostics.counts
            lost = counts.wanted - counts.proven
            location = (nodeid.partition("::")[0], None, payload.report.task_id)
            yield from repeat(
                PathReport(nodeid, location, {}, "failed", f"{lost} paths failed", "call"), lost
            )
