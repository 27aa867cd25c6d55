"""How is a recording in one sealed file read? In place: a zip of the same members, stored as they are.

A sealed file may come from a stranger. So before any member is read it is checked that the file holds the
members of a recording and nothing else, each once, uncompressed, and no more bytes than it is long.
"""

from __future__ import annotations

import re
import struct
import zipfile
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.blobs import MAX_BODY, unpack_body
from pytest_wandr.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

INDEX = "index.jsonl"
VERDICTS = "verdicts.jsonl"
ANSWERS = "answers.jsonl"
"""What a judge that costs something was told, which somebody paid for."""
NAMES = "names.jsonl"
"""Which names that look alike a judge found to be one."""
_MAX_SIZE = {INDEX: 64_000_000, VERDICTS: 256_000_000, ANSWERS: 256_000_000, NAMES: 64_000_000}
_MAX_DIRECTORY = 16_000_000
"""Bytes of a zip's own list of members; 100,000 bodies need 13 MB."""
_BLOB = re.compile(r"blobs/([0-9a-f]{2})/\1[0-9a-f]{62}\.gz")
_DAMAGE = (zipfile.BadZipFile, EOFError, OSError, OverflowError, RuntimeError, ValueError, struct.error)
"""What zipfile raises for files that are no sound zip."""
_END, _LOCATOR, _END_64 = 22, 42, 98
"""How far from the end of a zip its end records begin: the plain one, and the two of a large file."""


def packed_path(folder: Path) -> Path:
    """Where the sealed form of a store's folder lies: beside it."""
    return folder.with_name(f"{folder.name}.zip")


def blob_member(sha: str) -> str:
    """The name of a body in a sealed file."""
    return f"blobs/{sha[:2]}/{sha}.gz"


class PackedStore:
    """Reads the sealed form. Everything in it is empty when there is none.

    Raises:
        CassetteError: the file is no sealed recording.
    """

    def __init__(self, folder: Path) -> None:
        self.path = packed_path(folder)
        self._zip = _open(self.path) if self.path.exists() else None

    def text(self, name: str) -> bytes:
        """The index, the verdicts or the answers, whole; empty when they are not in here.

        Raises:
            CassetteError: they are damaged.
        """
        return self.member(name) or b""

    def body(self, sha: str, size: int) -> bytes | None:
        """A body, or None when it is not in here.

        Raises:
            CassetteError: it is damaged.
        """
        name = blob_member(sha)
        data = self.member(name)
        try:
            return None if data is None else unpack_body(data, sha, size)
        except CassetteError as error:
            raise CassetteError(f"{self.path}: recorded body {name} {error}") from None

    def member(self, name: str) -> bytes | None:
        """The bytes of a member as they are stored, or None when it is not in here.

        Raises:
            CassetteError: it is damaged.
        """
        if self._zip is None or name not in self._zip.NameToInfo:
            return None
        try:
            return self._zip.read(name)
        except _DAMAGE as error:
            raise CassetteError(f"{self.path}: {name} is damaged: {error}. {_CURE}") from None


def sealed_text(path: Path) -> bytes:
    """What a file of a recording holds in the sealed form beside its folder; empty when there is none.

    Raises:
        CassetteError: the sealed file is damaged.
    """
    return PackedStore(path.parent).text(path.name)


_CURE = "Get the file again, or make it again with `wandr cassette pack`."


def _open(path: Path) -> zipfile.ZipFile:
    try:
        size = path.stat().st_size
        count = _announced(path, size)
        archive = zipfile.ZipFile(path)
    except _DAMAGE as error:
        raise CassetteError(f"{path} is no zip file, or is damaged: {error}. {_CURE}") from None
    found = archive.infolist()
    problem = (
        _problem(found, size) if len(found) == count else f"{count} members announced, {len(found)} found"
    )
    if problem:
        archive.close()
        raise CassetteError(f"{path}: {problem}. {_CURE}")
    return archive


def _announced(path: Path, size: int) -> int:
    """How many members there are to be. Zipfile reads their list at once: its length is looked at first."""
    with path.open("rb") as file:
        file.seek(max(0, size - _END_64))
        tail = file.read(_END_64)
    if tail[-_END:-18] != b"PK\x05\x06":
        raise zipfile.BadZipFile("it does not end like one")
    large = len(tail) == _END_64 and tail[-_LOCATOR:-38] == b"PK\x06\x07"
    count, long, offset = struct.unpack(*(("<QQQ", tail[32:56]) if large else ("<HII", tail[-12:-2])))
    if offset + long + (_END_64 if large else _END) != size:
        raise zipfile.BadZipFile("its list of members is not where it says")
    if long > _MAX_DIRECTORY:
        raise zipfile.BadZipFile(f"its list of members has {long} bytes, {_MAX_DIRECTORY} at most")
    return int(count)


def _problem(members: Iterable[zipfile.ZipInfo], size: int) -> str:
    """Why these members are not those of a sealed recording, or ""."""
    seen: set[str] = set()
    left = size
    for info in members:
        left -= info.file_size
        problem = _member_problem(info)
        if problem or info.filename in seen or left < 0:
            what = problem or ("is in it twice" if info.filename in seen else "is longer than the file")
            return f"{info.filename!r} {what}"
        seen.add(info.filename)
    return "" if INDEX in seen else f"there is no {INDEX} in it"


def _member_problem(info: zipfile.ZipInfo) -> str:
    if info.filename not in _MAX_SIZE and not _BLOB.fullmatch(info.filename):
        return "is no part of a recording"
    if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
        return "is compressed; members are stored as they are"
    if info.flag_bits & 1:
        return "is encrypted"
    limit = _MAX_SIZE.get(info.filename, MAX_BODY)
    return f"has {info.file_size} bytes; {limit} at most" if info.file_size > limit else ""
