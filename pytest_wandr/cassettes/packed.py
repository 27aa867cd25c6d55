"""How does a recording travel as one file? A zip of the same members, stored, sorted, read in place."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.blobs import MAX_BODY, unpack_body
from pytest_wandr.errors import CassetteError

if TYPE_CHECKING:
    from pathlib import Path

_INDEX = "index.jsonl"
_DATE = (1980, 1, 1, 0, 0, 0)
_MAX_INDEX = 200_000_000


def packed_path(folder: Path) -> Path:
    """Where the packed form of a store's folder lies: beside it."""
    return folder.with_name(f"{folder.name}.zip")


class PackedStore:
    """Reads the packed form. Everything in it is empty when there is none."""

    def __init__(self, folder: Path) -> None:
        self.path = packed_path(folder)
        self._zip = _open(self.path) if self.path.exists() else None

    def index(self) -> bytes:
        """The index.

        Raises:
            CassetteError: it is compressed or too large.
        """
        return self._read(_INDEX, _MAX_INDEX) or b""

    def body(self, sha: str, size: int) -> bytes | None:
        """A body, or None when it is not in here.

        Raises:
            CassetteError: it is damaged.
        """
        name = _member(sha)
        data = self._read(name, MAX_BODY)
        try:
            return None if data is None else unpack_body(data, sha, size)
        except CassetteError as error:
            raise CassetteError(f"{self.path}: recorded body {name} {error}") from None

    def _read(self, name: str, cap: int) -> bytes | None:
        if self._zip is None:
            return None
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            return None
        if info.compress_type != zipfile.ZIP_STORED or info.file_size > cap:
            raise CassetteError(f"{self.path}: {name} is compressed or too large; pack the folder again")
        try:
            return self._zip.read(name)
        except zipfile.BadZipFile as error:
            raise CassetteError(f"{self.path}: {name} is damaged: {error}") from None


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise CassetteError(f"{path} is no zip file: {error}") from None


def _member(sha: str) -> str:
    return f"blobs/{sha[:2]}/{sha}.gz"


def pack(folder: Path) -> Path:
    """Write the packed form of a folded store beside its folder; the same folder gives the same bytes.

    Raises:
        CassetteError: there is no index, or a recording has not been folded yet.
    """
    if not (folder / _INDEX).is_file() or (folder / "journal").exists():
        raise CassetteError(f"{folder} has no folded index; fold the recording first")
    target = packed_path(folder)
    temporary = target.with_name(f".{target.name}.tmp")
    members = [folder / _INDEX, *sorted((folder / "blobs").glob("??/*.gz"))]
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as archive:
        for path in members:
            name = path.relative_to(folder).as_posix()
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, path.read_bytes())
    temporary.replace(target)
    return target
