"""How do several processes keep what they paid for, also when one is killed? Each has a file of its own.

A journal belongs to whoever holds its lock, which the system frees when its process ends, however that ends.
So a journal without an owner is a killed process's: it is read, taken over or folded, and nothing is lost but
the line that was being written. Windows has no such locks; there, one process at a time may write.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING

from pytest_wandr.markers import writing

try:
    import fcntl
except ImportError:  # pragma: no cover -- Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path


class Journals:
    """The journals in one folder, which is there only as long as there is one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: int | None = None

    def texts(self) -> list[bytes]:
        """What all of them hold, whoever they belong to."""
        return [_content(path) for path in _members(self._folder)]

    def append(self, line: bytes) -> None:
        """Add one line to this process's own, on disk when this returns, or nothing of it.

        Raises:
            CannotWrite: there is no room, say.
        """
        with writing(self._folder):
            if self._own is None:
                self._own = self._take()
            before = os.fstat(self._own).st_size
            try:
                _write(self._own, line + b"\n")
                os.fsync(self._own)
            except OSError:
                os.ftruncate(self._own, before)
                raise

    def fold(self, keep: Callable[[Sequence[bytes]], None]) -> None:
        """Hand over what belongs to this process or to nobody, and remove it once it is kept.

        Raises:
            CannotWrite: as `keep` does; then the journals stay.
        """
        if self._own is not None:
            os.close(self._own)
            self._own = None
        with writing(self._folder), _alone(self._folder) as there:
            if not there:
                return
            mine = {path: handle for path in _members(self._folder) if (handle := _lock(path)) is not None}
            try:
                keep([_content(path) for path in mine])
                for path in mine:
                    path.unlink()
            finally:
                for handle in mine.values():
                    os.close(handle)
            with suppress(OSError):  # another process has one by now
                self._folder.rmdir()

    def _take(self) -> int:
        """The first journal that belongs to nobody, a new one if need be."""
        for number in count():
            with suppress(
                FileExistsError
            ):  # there, or removed while it was looked at: then `_lock` finds none
                self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / str(number)
            handle = _lock(path)
            if handle is not None:
                if not (b"\n" + _content(path)).endswith(b"\n"):
                    _write(handle, b"\n")  # behind a torn line
                return handle
        raise AssertionError  # pragma: no cover -- numbers do not end


def _members(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.name.isdecimal())
    except FileNotFoundError:
        return []


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:  # folded in between
        return b""


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _lock(path: Path) -> int | None:
    """Open a journal and own it; None when somebody else does, or has just removed it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    except FileNotFoundError:  # the folder was removed in between
        return None
    if _owns(handle) and _is_at(path, handle):
        return handle
    os.close(handle)
    return None


def _owns(handle: int) -> bool:
    if fcntl is None:  # pragma: no cover -- Windows
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """No other process folds in this context. False when nothing is left to fold."""
    if fcntl is None:  # pragma: no cover -- Windows
        yield folder.exists()
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield _is_at(folder, handle)
    finally:
        os.close(handle)
