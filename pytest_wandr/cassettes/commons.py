"""What has this run fetched already, for whichever of its tasks? So that it asks for each url once.

<out>/.pages-run/       there while a run records
<out>/.pages-run/3f     lines of what was recorded: key, task, entry; 64 such files, by key
<out>/.pages-run/claims empty; its bytes are claims, one for each key

Bodies are not in here: they lie in the recording of the task that fetched them. Whoever takes one over copies
it, so that no recording needs another one. Nothing of an earlier run counts, resumed or not.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.cassettes.blobs import BlobStore
from pytest_wandr.cassettes.chain import ending_of
from pytest_wandr.cassettes.entry import parse_line
from pytest_wandr.errors import CassetteError
from pytest_wandr.locks import Claims
from pytest_wandr.markers import writing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from pytest_wandr.cassettes.chain import Ending
    from pytest_wandr.cassettes.entry import Entry
    from pytest_wandr.cassettes.store import PageStore

FOLDER = ".pages-run"
_CLAIMS = "claims"
_KEY = re.compile(r"[0-9a-f]{32}")
_TASK = re.compile(r"(?!\.)[^/\x00]+")
"""The name of a recording beside this one."""
_SOONEST, _LATEST = 0.01, 0.5
"""Seconds from one look at a claim to the next."""


def begin_sharing(out: Path) -> None:
    """A run begins: what an earlier one left in its folder goes, and its tasks may share.

    Raises:
        CannotWrite: the folder cannot be made anew.
    """
    folder = out / FOLDER
    for _ in range(10):  # a worker of a killed run may still be writing there
        end_sharing(out)
        if not folder.exists():
            break
    with writing(folder):
        folder.mkdir()
        (folder / _CLAIMS).touch()


def end_sharing(out: Path) -> None:
    """The run has ended; the next one removes what cannot be removed now."""
    shutil.rmtree(out / FOLDER, ignore_errors=True)


class Shared(NamedTuple):
    """An entry that this run recorded, and the task in whose recording its body lies."""

    task: str
    entry: Entry


class Commons:
    """What the tasks of a run share, as the fetcher of one of them sees it.

    `out` is the output folder of the run; nothing is shared in one where no recording run has begun.
    `patience`: seconds in which nothing is recorded anywhere before somebody else's claim is passed over.
    `notes`: what a reader of the run should know. A process has one of these at a time (see `Claims`).
    """

    def __init__(self, out: Path | None, store: PageStore, *, patience: float) -> None:
        self.notes: list[str] = []
        self._path = (out or store.folder) / FOLDER
        self._store = store
        self._patience = patience
        self._handles: list[int] = []
        if out is not None:
            self._open()

    def _open(self) -> None:
        """By handles: what is still said after this run has ended does not reach the next one."""
        with writing(self._path), suppress(FileNotFoundError):
            self._folder = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY)
            self._handles.append(self._folder)
            self._pulse = os.open(_CLAIMS, os.O_RDWR, dir_fd=self._folder)
            self._handles.append(self._pulse)
            self._claims = Claims(self._pulse)

    def close(self) -> None:
        """Give back all claims."""
        while self._handles:
            os.close(self._handles.pop())

    def _is_shared(self, key: str) -> bool:
        """Keys may come from a recording, and that from anybody."""
        return len(self._handles) == 2 and _KEY.fullmatch(key) is not None

    @asynccontextmanager
    async def claim(self, key: str) -> AsyncIterator[None]:
        """Within this context no other process asks for it. Waits for one that does; the loop goes on.

        Raises:
            CannotWrite: the file system has no locks.
        """
        mine = self._is_shared(key) and await self._awaited(key)
        try:
            yield
        finally:
            if mine and self._handles:
                self._claims.give_back(key)

    async def _awaited(self, key: str) -> bool:
        if self._took(key):
            return True
        clock = asyncio.get_running_loop().time
        pause, seen, since = _SOONEST, -1, clock()
        while not self._took(key):
            pulse = os.fstat(self._pulse).st_mtime_ns
            if pulse != seen:
                seen, since = pulse, clock()
            elif clock() - since > self._patience:
                self.notes.append(
                    "another process stood still with a page that it had claimed; asked without it"
                )
                return False
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LATEST)
        return True

    def _took(self, key: str) -> bool:
        with writing(self._path / _CLAIMS):
            return self._claims.take(key)

    def find(self, key: str) -> Shared | None:
        """What this run recorded under a key. A torn line, or one that nobody wrote here, is as good as none.

        Raises:
            CassetteError: what is shared cannot be read.
        """
        text = self._lines(_name(key)) if self._is_shared(key) else b""
        start = text.rfind(f"\n{key}\t".encode())
        line, end, _ = text[start + 1 :].partition(b"\n") if start >= 0 else (b"", b"", b"")
        parts = line.split(b"\t", 2)
        if not end or len(parts) < 3:
            return None
        try:
            task, entry = parts[1].decode(), parse_line(parts[2])
        except (CassetteError, UnicodeDecodeError):
            return None
        return Shared(task, entry) if entry.key == key and _TASK.fullmatch(task) else None

    def _lines(self, name: str) -> bytes:
        try:
            handle = os.open(name, os.O_RDONLY, dir_fd=self._folder)
        except FileNotFoundError:
            return b""
        try:
            return os.read(handle, os.fstat(handle).st_size)
        except OSError as error:
            raise CassetteError(f"{self._path / name} cannot be read: {error.strerror or error}") from None
        finally:
            os.close(handle)

    def chain(self, url: str) -> tuple[list[Shared], Ending]:
        """Follow a url through what this run recorded: all that was found on the way, and how it ended."""
        found: list[Shared] = []

        def find(key: str) -> Entry | None:
            one = self.find(key)
            found.extend([one] if one else [])
            return one.entry if one else None

        return found, ending_of(url, find)

    def body(self, shared: Shared) -> bytes | None:
        """Its body, out of the recording where it lies; None, and a note, when it is damaged there."""
        entry = shared.entry
        if not entry.blob:
            return b""
        try:
            return BlobStore(self._store.folder.parent / shared.task / "blobs").get(entry.blob, entry.size)
        except CassetteError as error:
            self.notes.append(f"{entry.url} was fetched again: {error}")
            return None

    def take(self, found: Sequence[Shared]) -> bool:
        """Copy entries, the last with its body, into the recording of this task; False when that is damaged.

        Raises:
            CassetteError: it would store a secret.
        """
        body = self.body(found[-1])
        if body is None:
            return False
        self._store.put(found[-1].entry, body)
        for hop in reversed(found[:-1]):  # what leads to something comes after it
            self._store.put(hop.entry)
        return True

    def add(self, key: str) -> None:
        """Let the other tasks know what was recorded under a key, if anything was.

        Raises:
            CannotWrite: there is no room, say.
        """
        entry = self._store.find(key)
        if entry is None or key not in self._store.fresh or not self._is_shared(key):
            return
        line = f"\n{key}\t{self._store.folder.name}\t{entry.line()}"  # apart from what was torn before it
        name = _name(key)
        with writing(self._path / name), suppress(FileNotFoundError):  # the run has ended meanwhile
            handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644, dir_fd=self._folder)
            try:
                _write(handle, line.encode())
            finally:
                os.close(handle)
            os.utime(self._pulse)


def _name(key: str) -> str:
    """The file for the lines of a key: few, so that little is read; and not many, for files cost more."""
    return f"{int(key[:2], 16) % 64:02x}"


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]
