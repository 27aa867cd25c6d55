"""When may the next call start? At most so many at once and per minute, over all processes of a run.

<folder>/<endpoint>/0 ... N-1    one lock for each call that may run at once; it is free when its holder dies
<folder>/<endpoint>/starts.json  the starts of the last minute, and until when nobody may start
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import json
import os
import time
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from pytest_wandr.markers import write_whole, writing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

LONGEST_PAUSE = 60.0
_MINUTE = 60.0
_POLL = 0.05


class Turns:
    """Turns at one endpoint. `per_minute` 0 is no limit. `clock` is equal in all processes of a machine."""

    def __init__(  # noqa: PLR0913 -- two limits, and a clock that tests can turn
        self,
        folder: Path,
        endpoint: str,
        *,
        concurrency: int,
        per_minute: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._folder = folder / hashlib.sha256(endpoint.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        self._concurrency = concurrency
        self._per_minute = per_minute
        self._clock = clock
        self._sleep = sleep
        self._gate: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold one of the turns; waits for it.

        Raises:
            CannotWrite: the folder cannot be written.
        """
        async with self._gate_here():  # a process never has more than this many that look for a slot
            slot = await self._slot()
            try:
                while (wait := self._start()) > 0:
                    await self._sleep(wait)
                yield
            finally:
                os.close(slot)

    def pause(self, seconds: float) -> None:
        """Nobody starts for so long (at most a minute): the server asked for it."""
        with self._lock():
            starts, until = self._read()
            self._write(starts, max(until, self._clock() + min(seconds, LONGEST_PAUSE)))

    def _gate_here(self) -> asyncio.Semaphore:
        loop = asyncio.get_running_loop()
        if self._gate is None or self._gate[0] is not loop:
            self._gate = (loop, asyncio.Semaphore(self._concurrency))
        return self._gate[1]

    async def _slot(self) -> int:
        with writing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        while True:
            for number in range(self._concurrency):
                handle = self._try(str(number))
                if handle is not None:
                    return handle
            await self._sleep(_POLL)

    def _try(self, name: str) -> int | None:
        handle = self._open(name)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        return handle

    def _open(self, name: str) -> int:
        with writing(self._folder / name):
            return os.open(self._folder / name, os.O_RDWR | os.O_CREAT, 0o644)

    def _start(self) -> float:
        """Take a start and return 0, or return the seconds until it is worth another try."""
        with self._lock():
            starts, until = self._read()
            now = self._clock()
            wait = until - now
            if self._per_minute and len(starts) >= self._per_minute:
                wait = max(wait, starts[-self._per_minute] + _MINUTE - now)
            if wait <= 0 and self._per_minute:
                self._write([*starts, now], until)
            return max(0.0, wait)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        with writing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        handle = self._open("lock")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _read(self) -> tuple[list[float], float]:
        """What still matters. Later than now is what was left behind before the machine was restarted."""
        now = self._clock()
        try:
            state = json.loads((self._folder / "starts.json").read_bytes())
        except FileNotFoundError:
            return [], 0.0
        starts = [start for start in state["starts"] if now - _MINUTE < start <= now]
        return starts, state["until"] if state["until"] <= now + LONGEST_PAUSE else 0.0

    def _write(self, starts: list[float], until: float) -> None:
        state = {"starts": starts, "until": until}
        write_whole(self._folder / "starts.json", json.dumps(state).encode())
