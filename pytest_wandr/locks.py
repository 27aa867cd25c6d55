"""Does anybody else write here, or fetch this? Locks that end with their process, however that ends.

The system's lock on the open file counts, not that the file is there: what a killed process leaves behind
locks nobody out. Windows has no such locks; there, nothing is guarded.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from pytest_wandr.errors import InUse
from pytest_wandr.markers import writing

try:
    import fcntl
except ImportError:  # pragma: no cover -- Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = ".lock"


class FolderLock:
    """The right to write into a folder. `advice` tells whoever is refused what else to do."""

    def __init__(self, folder: Path, advice: str = "") -> None:
        self._path = folder / LOCK
        self._advice = advice
        self._handle: int | None = None
        self._made = False

    def take(self) -> None:
        """Take it, and make the folder when there is none.

        Raises:
            InUse: another process has it; the message names the folder and the process.
            CannotWrite: the folder cannot be written.
        """
        if fcntl is None:  # pragma: no cover -- Windows
            return
        with writing(self._path):
            self._made = not self._path.parent.exists()
            while self._handle is None:
                with suppress(FileExistsError):  # there, or removed while it was looked at
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                self._try()

    def _try(self) -> None:
        """One attempt; it takes nothing when the owner before removed the file in between."""
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:  # the folder was removed in between
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(handle, 20).decode("ascii", "replace").strip()
            os.close(handle)
            raise InUse(
                f"{self._path.parent} is in use: process {owner or '(just started)'} writes there at this "
                f"moment. Wait for it, or end it{self._advice}."
            ) from None
        if not _is_at(self._path, handle):
            os.close(handle)
            return
        self._handle = handle
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Give it back, and leave nothing behind. May be called twice."""
        if self._handle is None:
            return
        self._path.unlink(missing_ok=True)
        os.close(self._handle)
        self._handle = None
        if self._made:
            with suppress(OSError):  # something was written
                self._path.parent.rmdir()


class Claims:
    """Rights of this process, each by a key of hexadecimal digits, in one open file that all who claim share.

    No other process has one of the same key at that moment. Within the process nobody is kept out, and the
    system frees all of them when any handle on the file is closed: so it has one of these at a time.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def take(self, key: str) -> bool:
        """Claim it without waiting; False when another process has it.

        Raises:
            OSError: there are no locks here.
        """
        if fcntl is None:  # pragma: no cover -- Windows
            return True
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
        except (BlockingIOError, PermissionError):  # systems tell it in one way or the other
            return False
        return True

    def give_back(self, key: str) -> None:
        """Let others have it."""
        if fcntl is not None:
            fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, _place(key))


def _place(key: str) -> int:
    """The byte that stands for a key; it need not exist."""
    return int(key[:15], 16)


@contextmanager
def locked(folder: Path, advice: str = "") -> Iterator[None]:
    """Within this context no other process has the lock of the folder.

    Raises:
        InUse: one has it now.
    """
    lock = FolderLock(folder, advice)
    lock.take()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def briefly(folder: Path) -> Iterator[None]:
    """Within this context no other process is in one of its own; it waits for them. Makes the folder.

    For reading a file, adding to it and writing it whole again. Not to be entered twice.

    Raises:
        CannotWrite: the folder cannot be made.
    """
    if fcntl is None:  # pragma: no cover -- Windows
        yield
        return
    with writing(folder):
        handle = _queued(folder)
    try:
        yield
    finally:
        os.close(handle)


def _queued(folder: Path) -> int:
    """The folder, opened and locked, and still the one at that place."""
    while True:
        with suppress(FileExistsError):  # there, or removed while it was looked at
            folder.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        fcntl.flock(handle, fcntl.LOCK_EX)
        if _is_at(folder, handle):
            return handle
        os.close(handle)


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
