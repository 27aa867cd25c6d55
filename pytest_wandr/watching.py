"""Who watches a session while it runs? pytest's side of showing progress: which process tells, which shows.

Only sessions whose work may take long are watched: those that fetch live pages, or ask a judge that takes its
time. All others register nothing here.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from pytest_wandr.progress import Board, Moment, added, mode_for, unwatched
from pytest_wandr.reports.progress import FOLDER, Crew, Display, Screen, Teller, Ticker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_wandr.options import Progress, Settings
    from pytest_wandr.progress import Mode, Watch

BOARD = pytest.StashKey[Board]()
_ASKED = "wandr_progress"
_QUICK_JUDGES = ("rules", "replay")
_LIVE_SECONDS = 0.25
_PLAIN_SECONDS = 10.0
_TELL_SECONDS = 0.5


def watch_session(config: pytest.Config, settings: Settings) -> None:
    """Register what this process has to do for progress to be seen, if anything."""
    quick = settings.record == "none" and settings.judge.partition(":")[0] in _QUICK_JUDGES
    if quick or settings.progress == "off" or config.get_verbosity() < 0:
        return
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Onlooker(config, settings), "wandr-onlooker")
    elif config.workerinput.get(_ASKED):
        config.pluginmanager.register(Worker(config, settings), "wandr-teller")


def task_begins(config: pytest.Config) -> Watch:
    """Where the steps of the next task are to be noted."""
    board = config.stash.get(BOARD, None)
    return board.begin() if board is not None else unwatched


def _mode(config: pytest.Config, asked: Progress) -> Mode:
    """While pytest captures nothing and runs the tasks itself, their own output would meet the live line."""
    shared = config.getoption("capture", "fd") == "no" and not _distributes(config)
    return mode_for(
        asked,
        terminal=sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb",
        plain=bool(os.environ.get("CI")) or shared,
    )


def _distributes(config: pytest.Config) -> bool:
    return str(config.getoption("dist", "no")) != "no"


class Worker:
    """A worker of pytest-xdist: it notes what its tasks do, and tells."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._board = config.stash[BOARD] = Board()
        worker = str(config.workerinput["workerid"])  # type: ignore[attr-defined]
        self._teller = Teller(settings.out / FOLDER, worker, self._board)
        self._ticker = Ticker(self._teller.tell, every=_TELL_SECONDS)

    def pytest_sessionstart(self) -> None:
        """Begin to tell."""
        self._ticker.start()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A task has ended."""
        if report.when == "teardown":
            self._board.end()

    def pytest_sessionfinish(self) -> None:
        """The last word."""
        self._ticker.stop()
        with suppress(OSError):  # nobody hears it
            self._teller.tell()


class Onlooker:
    """The process with the screen."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._board = config.stash[BOARD] = Board()
        self._asked = settings.progress
        self._crew = Crew(settings.out / FOLDER)
        self._distributed = _distributes(config)
        self._config = config
        self._tasks = 0
        self._done: set[str] = set()
        self._screen: Screen | None = None
        self._ends: list[Callable[[], None]] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """A worker learns that somebody wants to know."""
        node.workerinput[_ASKED] = self._config.pluginmanager.hasplugin("terminalreporter")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """How many tasks there are."""
        self._tasks = len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """How many tasks there are, as a worker sees it; work begins."""
        self._tasks = len(ids)
        self._begin()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """Work begins, unless workers do it."""
        self._begin()

    def _begin(self) -> None:
        if self._screen is not None or not self._tasks or self._config.getoption("collectonly"):
            return
        if not self._config.pluginmanager.hasplugin("terminalreporter"):
            return
        try:
            number = os.dup(sys.stdout.fileno())  # while tests run, pytest has another file in its place
        except (OSError, ValueError):  # no file at all: nobody could see it
            return
        mode = _mode(self._config, self._asked)
        screen = self._screen = Screen(number, mode, self._config.get_terminal_writer())
        plain = None if mode == "live" else _PLAIN_SECONDS
        display = Display(screen, self._look, time.monotonic, every=plain)
        ticker = Ticker(display.tick, every=_LIVE_SECONDS if plain is None else plain / 5)
        self._crew.clear()
        self._ends = [ticker.stop, screen.wipe, screen.guarded(), lambda: os.close(number), self._crew.clear]
        ticker.start()

    def _look(self, seconds: float) -> Moment:
        tallies = [self._board.tally()]
        if self._distributed:
            self._crew.open()
            tallies.append(self._crew.tally())
        return Moment(self._tasks, len(self._done), seconds, added(tallies))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A task is done once it is torn down, or its worker is lost."""
        phase: str | None = report.when
        if phase in ("teardown", "???"):
            self._done.add(report.nodeid)
            self._board.end()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has ended."""
        self._crew.leave(str(node.gateway.id))

    def pytest_enter_pdb(self) -> None:
        """The screen belongs to the debugger."""
        if self._screen is not None:
            self._screen.pause()

    def pytest_leave_pdb(self) -> None:
        """The debugger is done."""
        if self._screen is not None:
            self._screen.resume()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Nothing more is shown, and nothing is left of it."""
        while self._ends:
            self._ends.pop(0)()
