"""How does a recording become one file, and a folder again? The same recording gives the same bytes."""

from __future__ import annotations

import os
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.packed import ANSWERS, INDEX, NAMES, VERDICTS, blob_member, packed_path
from pytest_wandr.cassettes.store import PageStore
from pytest_wandr.errors import CassetteError
from pytest_wandr.markers import write_whole, writing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_DATE = (1980, 1, 1, 0, 0, 0)


def pack(folder: Path) -> Path:
    """Write the sealed form of a folded store beside its folder, and return where.

    It holds what a reader sees: the index, each body that it names, answers and verdicts; also those that
    are only in an earlier sealed file. The folder stays, and is not needed any more.

    Raises:
        CassetteError: there is no index, a recording has not been folded yet, or a body is not whole.
        CannotWrite: there is no room, say.
    """
    store = PageStore(folder, environment={})
    if any(folder.glob("*journal")) or not store.has_index():
        raise CassetteError(f"{folder} is not folded; do that first: wandr cassette fold {folder}")
    target = packed_path(folder)
    with _whole(target) as archive:
        for name, data in _members(store):
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return target


def unpack(folder: Path) -> int:
    """Write what a reader sees into the folder, and return how many files; the sealed file stays.

    Raises:
        CassetteError: there is no sealed file, or a body is not whole.
        CannotWrite: there is no room, say.
    """
    if not packed_path(folder).is_file():
        raise CassetteError(f"there is no {packed_path(folder)} to unpack")
    store = PageStore(folder, environment={})
    written = 0
    for name, data in sorted(_members(store), key=lambda member: member[0] == INDEX):  # the index last
        write_whole(folder / name, data)
        written += 1
    return written


def _members(store: PageStore) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of everything that belongs to a store; each body is verified."""
    yield INDEX, store.index_bytes()
    sizes = {entry.blob: entry.size for entry in store.entries() if entry.blob}
    for sha in sorted(sizes):
        yield blob_member(sha), store.raw_body(sha, sizes[sha])
    for name in (ANSWERS, NAMES, VERDICTS):
        if text := store.text_of(name):
            yield name, text


@contextmanager
def _whole(target: Path) -> Iterator[zipfile.ZipFile]:
    """A zip that is there whole in the end, or not at all."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with writing(target), zipfile.ZipFile(beside, "w", zipfile.ZIP_STORED) as archive:
            yield archive
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
