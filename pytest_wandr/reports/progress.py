"""How does progress get onto a screen, and from a worker to the process that has one?

A thread looks now and then, so that work itself stays as quick as it is, and a screen or a disk that fails
ends the looking and nothing else. The live line stands below the cursor, which stays where it was: whoever
writes next goes on in their own line, and `guarded` wipes the live one away first.
"""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from pytest_wandr.progress import Moment, Pace, added, ended, line_of, read, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_wandr.progress import Board, Mode, Tally

FOLDER = ".progress"
_COLUMNS, _LEAST_COLUMNS = 80, 20
_ROOM_BELOW = "\x1bD\x1b[A"
_SAVE, _BACK = "\x1b7", "\x1b8"
_NEXT_LINE, _REST_OF_LINE, _REST_OF_SCREEN = "\x1b[B\r", "\x1b[K", "\x1b[J"


class Writer(Protocol):
    """What pytest writes its own lines with."""

    @property
    def width_of_current_line(self) -> int:
        """Columns in use in the line that is being written."""
        ...

    def flush(self) -> None:
        """Let go of everything written."""
        ...

    def markup(self, text: str, *, cyan: bool) -> str:
        """The text in colour, where colours are wanted."""
        ...


class Ticker:
    """Calls something every few seconds in a thread of its own, until it is stopped or fails."""

    def __init__(self, tick: Callable[[], None], *, every: float) -> None:
        self._tick = tick
        self._every = every
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="wandr-progress", daemon=True)

    def start(self) -> None:
        """Begin; the first call comes after one interval."""
        self._thread.start()

    def _run(self) -> None:
        with suppress(OSError):  # nothing more can be shown
            while not self._ending.wait(self._every):
                self._tick()

    def stop(self) -> None:
        """No call is underway, or will come, when this returns."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()


class Screen:
    """The lines of a run that goes on, on the file of that number, between those that pytest writes."""

    def __init__(self, number: int, mode: Mode, writer: Writer) -> None:
        self._number = number
        self._mode = mode
        self._writer = writer
        self._lock = threading.RLock()
        self._shown = ""
        self._paused = False

    def show(self, text: str) -> None:
        """Show a line: the live one below the cursor, a plain one for good."""
        with self._lock:
            if self._paused or text == self._shown:
                return
            if self._mode == "live":
                self._paint(text)
            else:
                fresh = "\n" if self._writer.width_of_current_line else ""
                self._write(f"{fresh}wandr: {text}\n")

    def _paint(self, text: str) -> None:
        columns = os.get_terminal_size(self._number).columns or _COLUMNS
        if columns < _LEAST_COLUMNS:
            return
        line = self._writer.markup(f"wandr: {text}"[: columns - 1], cyan=True)
        self._write(f"{_ROOM_BELOW}{_SAVE}{_NEXT_LINE}{line}{_REST_OF_LINE}{_BACK}")
        self._shown = text

    def _write(self, text: str) -> None:
        os.write(self._number, text.encode())

    def wipe(self) -> None:
        """No live line is left."""
        with self._lock:
            if self._shown:
                self._shown = ""
                with suppress(OSError):  # a screen that is gone shows nothing
                    self._write(_REST_OF_SCREEN)

    def pause(self) -> None:
        """Somebody talks to the user."""
        with self._lock:
            self.wipe()
            self._paused = True

    def resume(self) -> None:
        """Go on."""
        self._paused = False

    def guarded(self) -> Callable[[], None]:
        """From now on the writer wipes the live line away before it writes, and keeps nothing back.

        Returns what gives the writer its own ways back.
        """
        self._writer.flush()
        held = vars(self._writer)
        ours = {name: self._guard(getattr(self._writer, name)) for name in ("write", "write_raw")}
        held.update(ours)

        def release() -> None:
            for name, guard in ours.items():
                if held.get(name) is guard:  # otherwise somebody else came after us
                    del held[name]

        return release

    def _guard(self, write: Callable[..., None]) -> Callable[..., None]:
        def guard(message: str, **rest: bool) -> None:
            with self._lock:
                self.wipe()
                write(message, **{**rest, "flush": True})

        return guard


class Crew:
    """What the workers of a run are doing, by what each leaves in a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._left: set[str] = set()
        self._known: dict[str, Tally] = {}

    def clear(self) -> None:
        """Nothing is left of this run, or of one that was killed."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def open(self) -> None:
        """From now on workers tell: those who find no folder keep it to themselves."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def leave(self, worker: str) -> None:
        """A worker has ended, in whatever way; nothing more will come from it."""
        self._left.add(worker)

    def tally(self) -> Tally:
        """The sum of all workers."""
        for path in self.folder.glob("*.json"):
            with suppress(OSError):
                tally = read(path.read_bytes())
                if tally is not None:
                    self._known[path.stem] = tally
        return added(self._tallies())

    def _tallies(self) -> Iterator[Tally]:
        for worker, tally in self._known.items():
            yield ended(tally) if worker in self._left else tally


class Teller:
    """Tells the process with the screen what this worker is doing."""

    def __init__(self, folder: Path, worker: str, board: Board) -> None:
        self._path = folder / f"{worker}.json"
        self._board = board
        self._told = b""

    def tell(self) -> None:
        """Write what is new, all or nothing, where somebody wants to know it."""
        line = written(self._board.tally())
        if line == self._told and self._path.exists():
            return
        with suppress(FileNotFoundError):  # nobody wants to know it yet
            beside = self._path.with_name(f".{self._path.name}.tmp")
            beside.write_bytes(line)
            beside.replace(self._path)
            self._told = line


class Display:
    """Looks at a run and shows it: at every tick, or at most every so many seconds."""

    def __init__(
        self,
        screen: Screen,
        look: Callable[[float], Moment],
        clock: Callable[[], float],
        *,
        every: float | None = None,
    ) -> None:
        self._screen = screen
        self._look = look
        self._clock = clock
        self._start = clock()
        self._pace = None if every is None else Pace(self._start, every=every)

    def tick(self) -> None:
        """Show how things stand, if it is time."""
        now = self._clock()
        moment = self._look(now - self._start)
        if self._pace is None or self._pace.due(now, moment):
            self._screen.show(line_of(moment))
