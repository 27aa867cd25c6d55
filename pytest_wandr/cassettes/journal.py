"""How do many writers record at once? Each appends to its own journal; one folds them into the index."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.entry import Entry, parse_line
from pytest_wandr.errors import CassetteError
from pytest_wandr.markers import read_whole, writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


class Journal:
    """One writer's own file of lines. A writer that is killed loses at most the line it was writing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def append(self, entry: Entry) -> None:
        """Add one line with a single write, or nothing of it.

        Raises:
            CannotWrite: there is no room, say.
        """
        with writing(self._path):
            if self._handle is None:
                self._handle = self._open()
            _add(self._handle, entry.line().encode())

    def close(self) -> None:
        """Release the file; the next line opens it again."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _open(self) -> int:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        torn = self._path.exists() and not self._path.read_bytes().endswith(b"\n")
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        if torn:
            os.write(handle, b"\n")
        return handle


def _add(handle: int, line: bytes) -> None:
    before = os.fstat(handle).st_size
    try:
        left = line
        while left:
            left = left[os.write(handle, left) :]
    except OSError:
        os.ftruncate(handle, before)
        raise


def read_journal(path: Path) -> tuple[list[Entry], list[str]]:
    """The entries of a journal, and a note for every line that a killed writer left torn.

    Raises:
        CassetteError: it cannot be read.
    """
    entries, notes = [], []
    for number, line in enumerate(read_whole(path).splitlines(), 1):
        try:
            if line:
                entries.append(parse_line(line))
        except CassetteError:
            notes.append(f"{path.name}:{number}: torn line skipped; its url counts as not recorded")
    return entries, notes


def read_index(text: bytes, where: str) -> list[Entry]:
    """The entries of an index; `where` is named in errors.

    Raises:
        CassetteError: a damaged line. An index is written whole, so somebody else damaged it.
    """
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            entries.append(parse_line(line))
        except CassetteError as error:
            raise CassetteError(f"{where}:{number}: {error}. Restore it from version control.") from None
    return entries


def best(entries: Iterable[Entry]) -> dict[str, Entry]:
    """One entry per key, whatever the order: see `Entry.rank`."""
    chosen: dict[str, Entry] = {}
    for entry in entries:
        known = chosen.get(entry.key)
        if known is None or entry.rank < known.rank:
            chosen[entry.key] = entry
    return chosen


def index_text(entries: Mapping[str, Entry]) -> str:
    """The whole index, sorted by url, so that version control shows what changed."""
    ordered = sorted(entries.values(), key=lambda entry: (entry.url, entry.via, entry.key))
    return "".join(entry.line() for entry in ordered)
